package xmlcmd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/host/xmlcmd"
)

// A model that cannot call tools writes commands into its text; the reply goes
// into the next message.
func ExampleRun() {
	files, err := fsimpl.New(afero.NewMemMapFs(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	set := facade.NewSet([]*facade.Tool{facade.Files(files)}, nil)
	defer set.Close()

	reply, err := xmlcmd.Run(context.Background(), set, `I note that down.
<mcp:filesystem>
  <write path="notes.txt"><![CDATA[a < b
]]></write>
  <read path="notes.txt"/>
  <read path="note.txt"/>
</mcp:filesystem>`, nil)
	if err != nil {
		log.Fatal(err) // the context ended
	}
	fmt.Println(reply)
	// Output:
	// <mcp:filesystem>
	// <result command="write" status="success">created notes.txt, 6 bytes, etag 01d6b4c77cc8a6d823421aad65548732</result>
	// <result command="read" status="success">notes.txt lines 1-1 of 1 (6 bytes, utf-8, lf, text/plain, etag 01d6b4c77cc8a6d823421aad65548732)
	// a &lt; b
	// </result>
	// <result command="read" status="error" code="not_found">error (not_found): 'note.txt' does not exist
	// hint: did you mean 'notes.txt'?</result>
	// </mcp:filesystem>
}
