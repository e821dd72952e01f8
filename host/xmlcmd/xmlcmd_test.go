package xmlcmd_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/host/xmlcmd"
)

func files(t testing.TB, content map[string]string) (*facade.Set, afero.Fs) {
	t.Helper()
	mem := afero.NewMemMapFs()
	for name, text := range content {
		if err := afero.WriteFile(mem, name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := fsimpl.New(mem, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := facade.NewSet([]*facade.Tool{facade.Files(f)}, nil)
	set.OnClose(f)
	t.Cleanup(func() { _ = set.Close() })
	return set, mem
}

func TestParse(t *testing.T) {
	one := func(name string, params ...string) xmlcmd.Command {
		c := xmlcmd.Command{Tool: "filesystem", Name: name}
		for i := 0; i < len(params); i += 2 {
			c.Params = append(c.Params, xmlcmd.Param{Name: params[i], Value: params[i+1]})
		}
		return c
	}
	for _, test := range []struct {
		name, inside string
		want         []xmlcmd.Command
		reason       string
	}{
		{"empty element", `<read path="a.txt"/>`, []xmlcmd.Command{one("read", "path", "a.txt")}, ""},
		{"several", "<cd path='src'/>\n<get_working_directory/>", []xmlcmd.Command{one("cd", "path", "src"), one("get_working_directory")}, ""},
		{"text", "<write path=\"a\">one\n two </write>", []xmlcmd.Command{one("write", "path", "a", "", "one\n two ")}, ""},
		{"escapes", `<write path="&quot;&#65;">&lt;&amp;&gt;</write>`, []xmlcmd.Command{one("write", "path", `"A`, "", "<&>")}, ""},
		{"cdata", "<write path=\"a\"><![CDATA[if a < b && c > d { </mcp:filesystem>]]></write>", []xmlcmd.Command{one("write", "path", "a", "", "if a < b && c > d { </mcp:filesystem>")}, ""},
		{"blank content", "<write path=\"a\"> \n</write>", []xmlcmd.Command{one("write", "path", "a", "", " \n")}, ""},
		{"parameters inside", "<replace path=\"a\">\n <old_content>x</old_content>\n <new_content>y</new_content>\n</replace>", []xmlcmd.Command{one("replace", "path", "a", "old_content", "x", "new_content", "y")}, ""},
		{"comment", "<!-- first --><list/>", []xmlcmd.Command{one("list")}, ""},
		{"nothing", "", nil, ""},
		{"raw less-than", `<write path="a">if a < b</write>`, nil, "CDATA"},
		{"raw ampersand", `<write path="a">a && b</write>`, nil, "CDATA"},
		{"markup in text", `<write path="a">see <b>this</b></write>`, nil, "middle of a text"},
		{"too deep", `<write path="a"><content><b/></content></write>`, nil, "too deep"},
		{"twice", `<read path="a" path="b"/>`, nil, "twice"},
		{"stray text", `hello <list/>`, nil, "text between"},
		{"wrong end", `<read path="a"></list>`, nil, "not open"},
		{"document type", `<!DOCTYPE a [<!ENTITY b "c">]><list/>`, nil, "not allowed"},
		{"instruction", `<?xml version="1.0"?><list/>`, nil, "not allowed"},
		{"unknown entity", `<read path="&b;"/>`, nil, "CDATA"},
		{"envelope inside", `<mcp:filesystem><list/></mcp:filesystem>`, nil, "cannot be inside"},
		{"too many", strings.Repeat("<list/>", xmlcmd.MaxCommands+1), nil, "more than"},
		{"prefixed attribute", `<read x:path="a"/>`, nil, "prefix"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := xmlcmd.Parse("I look. <mcp:filesystem>" + test.inside + "</mcp:filesystem> Then <b>I go on</b>.")
			if len(got) == 0 {
				t.Fatal("no envelope")
			}
			if diff := cmp.Diff(test.want, got[0].Commands); diff != "" {
				t.Error("commands (-want +got)", diff)
			}
			if (test.reason == "") != (got[0].Err == nil) || got[0].Err != nil && !strings.Contains(got[0].Err.Reason, test.reason) {
				t.Errorf("reason %v, want %q", got[0].Err, test.reason)
			}
		})
	}
}

func TestParseAround(t *testing.T) {
	for text, want := range map[string]int{
		"":                                    0,
		"no commands, just a < b":             0,
		"<mcp:>":                              0,
		"<mcp:git><status/></mcp:git>":        1,
		"<mcp:git><status/>":                  1,
		"<mcp:git/><mcp:filesystem />":        2,
		"<mcp:a>&</mcp:a><mcp:b><c/></mcp:b>": 2,
	} {
		if got := xmlcmd.Parse(text); len(got) != want {
			t.Errorf("%q: %d envelopes, want %d", text, len(got), want)
		}
	}
}

func TestRun(t *testing.T) {
	set, mem := files(t, map[string]string{"/src/a.txt": "one\n<two> & three\n", "/src/b.go": "package b\n"})
	got, err := xmlcmd.Run(t.Context(), set, `First I look around.
<mcp:filesystem>
<cd path="src"/>
<get_working_directory/>
<read path="a.txt" start_line="2"/>
<search pattern="*.go"/>
<grep pattern="three"/>
<list/>
<write path="c.txt"><![CDATA[x < y
]]></write>
<read path="missing.txt"/>
<rename path="a"/>
</mcp:filesystem>
<mcp:filesystem><read path="a.txt"></mcp:filesystem>
<mcp:nothing><read/></mcp:nothing>`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<result command="cd" status="success">`,
		`<result command="get_working_directory" status="success">current directory is src`,
		"&lt;two&gt; &amp; three",
		"src/b.go",
		`<result command="write" status="success">created src/c.txt`,
		`<result command="read" status="error" code="not_found">`,
		`<result command="rename" status="error" code="unknown_action">`,
		`<result status="error" code="invalid_argument">the &lt;mcp:filesystem&gt; envelope cannot be read`,
		"unknown tool 'nothing'",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if text, err := afero.ReadFile(mem, "/src/c.txt"); err != nil || string(text) != "x < y\n" {
		t.Errorf("c.txt has %q, %v", text, err)
	}
	if n := strings.Count(got, "<result"); n != 11 {
		t.Errorf("%d results\n%s", n, got)
	}
}

// An envelope that is malformed at its end does nothing at its beginning.
func TestRunNothingOfBroken(t *testing.T) {
	set, mem := files(t, map[string]string{"/a.txt": "one\n"})
	if _, err := xmlcmd.Run(t.Context(), set, `<mcp:filesystem><write path="new.txt">x</write><read path=></mcp:filesystem>`, nil); err != nil {
		t.Fatal(err)
	}
	if ok, _ := afero.Exists(mem, "/new.txt"); ok {
		t.Error("the file was written")
	}
}

// An attribute named like the action's field cannot choose another action.
func TestRunAction(t *testing.T) {
	set, mem := files(t, map[string]string{"/a.txt": "one\n"})
	got, err := xmlcmd.Run(t.Context(), set, `<mcp:filesystem><read action="delete" paths="a.txt"/></mcp:filesystem>`, nil)
	if ok, _ := afero.Exists(mem, "/a.txt"); !ok || err != nil || !strings.Contains(got, "given twice") {
		t.Errorf("%v, %v, %s", ok, err, got)
	}
}

func TestRunCanceled(t *testing.T) {
	set, _ := files(t, map[string]string{"/a.txt": "one\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := xmlcmd.Run(ctx, set, `<mcp:filesystem><list/><list/></mcp:filesystem>`, nil)
	if !errors.Is(err, context.Canceled) || strings.Count(got, "<result") != 1 || !strings.HasSuffix(got, "</mcp:filesystem>\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Sessions and events are the caller's.
func TestRunOptions(t *testing.T) {
	set, _ := files(t, map[string]string{"/d/a.txt": "one\n"})
	var events []string
	opts := &xmlcmd.Options{Session: "s", Emit: func(e facade.Event) { events = append(events, fmt.Sprint(e.Session, " ", e.Type)) }}
	if _, err := xmlcmd.Run(t.Context(), set, `<mcp:filesystem><cd path="d"/></mcp:filesystem>`, opts); err != nil {
		t.Fatal(err)
	}
	if len(events) == 0 || events[0] != "s call:started" {
		t.Errorf("events %q", events)
	}
	got, err := xmlcmd.Run(t.Context(), set, `<mcp:filesystem><cwd/></mcp:filesystem>`, nil)
	if err != nil || !strings.Contains(got, "current directory is .") {
		t.Errorf("another session is in %s, %v", got, err)
	}
}

// Whatever a model writes, the reply is well-formed.
func FuzzRun(f *testing.F) {
	f.Add(`<mcp:filesystem><read path="a.txt"/></mcp:filesystem>`)
	f.Add(`<mcp:filesystem><write path="&lt;">]]></write><x a="b"/></mcp:filesystem>`)
	f.Add(`<mcp:a><b><![CDATA[</mcp:a>]]></b>`)
	f.Fuzz(func(t *testing.T, text string) {
		set, _ := files(t, map[string]string{"/a.txt": "<one> & two\n"})
		got, err := xmlcmd.Run(t.Context(), set, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader("<r xmlns:mcp='m'>" + strings.ToValidUTF8(got, "") + "</r>"))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil && !strings.Contains(err.Error(), "illegal character code") {
				t.Fatalf("%q: the reply is malformed: %v\n%s", text, err, got)
			} else if err != nil {
				return
			}
		}
	})
}
