package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type resourceReply struct {
	ID     int
	Error  struct{ Code int }
	Result struct {
		Resources         []struct{ URI string }
		ResourceTemplates []struct{ URITemplate string }
		Contents          []struct{ URI, MIMEType, Text string }
	}
}

func TestResources(t *testing.T) {
	dir := tree(t)
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"docs/my page.html": "<h1>Title</h1><p>Body &amp; soul</p>",
		"long.md":           strings.Repeat("0123456789abcdef 0123456789abcdef\n\n", 6000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := `{"jsonrpc":"2.0","id":2,"method":"resources/list"}
{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}
`
	for id, uri := range map[string]string{
		"10": "file://system", "11": "document:///docs/my%20page.html", "12": "document:///long.md",
		"13": "document:///none.md", "14": "document:///../secret", "15": "file:///etc/passwd", "16": "document:///a.txt?pages=1",
		"17": "document:///",
	} {
		lines += `{"jsonrpc":"2.0","id":` + id + `,"method":"resources/read","params":{"uri":"` + uri + `"}}` + "\n"
	}
	replies := map[int]resourceReply{}
	for line := range strings.Lines(pipedText(t, lines, "-root", dir)) {
		var r resourceReply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		replies[r.ID] = r
	}
	if got := replies[2].Result.Resources; len(got) != 1 || got[0].URI != "file://system" {
		t.Errorf("resources %+v", got)
	}
	if got := replies[3].Result.ResourceTemplates; len(got) != 1 || !strings.HasPrefix(got[0].URITemplate, "document:///{+path}") {
		t.Errorf("templates %+v", got)
	}
	text := func(id int) string {
		c := replies[id].Result.Contents
		if len(c) != 1 {
			t.Fatalf("%d: contents %+v, error %d", id, c, replies[id].Error.Code)
		}
		return c[0].Text
	}
	var system struct {
		Current string `json:"current_directory"`
		Roots   []struct{ Name string }
		Tools   map[string][]string
	}
	if err := json.Unmarshal([]byte(text(10)), &system); err != nil || system.Current != "." || len(system.Roots) != 1 || len(system.Tools["filesystem"]) == 0 {
		t.Errorf("system %+v, %v", system, err)
	}
	if strings.Contains(text(10), dir) {
		t.Error("the system resource shows the host's path")
	}
	if diff := cmp.Diff("# Title\n\nBody & soul", strings.TrimSpace(text(11))); diff != "" {
		t.Error("page (-want +got)", diff)
	}
	if got := strings.Count(text(12), "0123456789abcdef"); got != 12000 {
		t.Errorf("the long document has %d words of 12000", got)
	}
	if got := text(16); !strings.Contains(got, "two") {
		t.Errorf("a.txt: %q", got)
	}
	for _, id := range []int{13, 14, 15, 17} {
		if got := replies[id].Error.Code; got != -32602 && got != -32002 {
			t.Errorf("%d: error %d, contents %+v", id, got, replies[id].Result.Contents)
		}
	}
}

// Without the tools there are no resources.
func TestResourcesOfTools(t *testing.T) {
	out := pipedText(t, `{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}`+"\n", "-root", tree(t), "-tools", "git")
	if strings.Contains(out, "document:///") {
		t.Error(out)
	}
}
