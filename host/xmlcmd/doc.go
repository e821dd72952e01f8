// Package xmlcmd serves models that cannot call tools: they write commands into
// their text, and find the results in the next message.
//
//	<mcp:filesystem>
//	  <cd path="src"/>
//	  <read path="main.go" start_line="1" end_line="40"/>
//	  <write path="notes.txt"><![CDATA[a < b]]></write>
//	</mcp:filesystem>
//
// An envelope names the tool, an element in it the action; attributes are the
// parameters. The text of an element, or of an element inside it named like
// a parameter, is a parameter too: the content of write, for one. Three commands
// have names of their own: search is find, get_working_directory is pwd, and
// its short form is cwd.
//
// The reply has the same form, see [Run]. The parser takes no document type, no
// entity but XML's own five, no processing instruction and nothing deep or
// large; it never runs a part of an envelope that is malformed further on.
package xmlcmd
