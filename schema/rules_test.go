package schema_test

// rule is something that an action's Validate method refuses and that a schema
// without combinators cannot say. Every rule has a call that breaks it.
type rule struct {
	tool, message string // message is a regular expression
	args          string
}

var rules = []rule{
	{"filesystem_read", `^field 'path' is required for action 'read' \(or 'paths' for several files\)$`, `{}`},
	{"filesystem_read", `^give 'path' or 'paths', not both$`, `{"path":"a","paths":["b"]}`},
	{"filesystem_read", `^give lines .* or offsets .*, not both$`, `{"path":"a","start_line":1,"offset_type":"byte"}`},
	{"filesystem_read", `^end_line \d+ is before start_line \d+$`, `{"path":"a","start_line":3,"end_line":2}`},
	{"filesystem_read", `^end_offset_inclusive \d+ is before start_offset_inclusive \d+$`, `{"path":"a","start_offset_inclusive":3,"end_offset_inclusive":2}`},
	{"filesystem_read", `^add_line_numbers works with output_format raw_utf8 only$`, `{"path":"a","add_line_numbers":true,"output_format":"hex"}`},
	{"filesystem_write", `^create_only and append contradict each other$`, `{"path":"a","content":"","create_only":true,"append":true}`},
	{"filesystem_write", `^create_only and if_match contradict each other$`, `{"path":"a","content":"","create_only":true,"if_match":"x"}`},
	{"filesystem_write", `^file_encoding has no meaning with mode binary$`, `{"path":"a","content":"","mode":"binary","file_encoding":"utf-16le"}`},
	{"filesystem_modify", `^end_offset_inclusive \d+ is before start_offset_inclusive \d+$`, `{"path":"a","start_offset_inclusive":3,"end_offset_inclusive":1,"new_content":""}`},
	{"filesystem_replace", `^field 'old_content' must not be empty$`, `{"path":"a","old_content":"","new_content":"b"}`},
	{"filesystem_replace", `^old_content and new_content are the same; nothing would change$`, `{"path":"a","old_content":"b","new_content":"b"}`},
}
