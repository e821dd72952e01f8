package fsimpl_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

func TestProbeArguments(t *testing.T) {
	p := newProbe(t, nil)
	p.put("f.txt", "a\nb\n")
	before := p.snapshot()
	tests := []struct {
		args string
		code facade.Code
		says string
	}{
		{`{"action":"read","path":"f.txt","limit":5}`, facade.CodeInvalidArgument, "limit"},
		{`{"action":"read","path":"f.txt","offset":5}`, facade.CodeInvalidArgument, "offset"},
		{`{"action":"read","file_path":"f.txt"}`, facade.CodeInvalidArgument, "path"},
		{`{"action":"read","PATH":"f.txt"}`, facade.CodeInvalidArgument, "path"},
		{`{"action":"read","path":"f.txt","path":"g.txt"}`, facade.CodeInvalidArgument, "path"},
		{`{"action":"read"}`, facade.CodeInvalidArgument, "path"},
		{`{"action":"read","path":"f.txt","paths":["f.txt"]}`, facade.CodeInvalidArgument, "not both"},
		{`{"action":"read","path":"f.txt","start_line":1,"start_offset_inclusive":1}`, facade.CodeInvalidArgument, "not both"},
		{`{"action":"reed","path":"f.txt"}`, facade.CodeUnknownAction, "'read'"},
		{`{"path":"f.txt"}`, facade.CodeInvalidArgument, "action"},
		{`{"action":"write","path":"f.txt"}`, facade.CodeInvalidArgument, "content"},
		{`{"action":"write","path":"f.txt","content":7}`, facade.CodeInvalidArgument, "content"},
		{`{"action":"write","path":"f.txt","content":null}`, facade.CodeInvalidArgument, "content"},
		{`{"action":"write","path":"f.txt","content":"x","mode":"txt"}`, facade.CodeInvalidArgument, "text"},
		{`{"action":"write","path":"f.txt","content":"x","create_only":true}`, facade.CodeAlreadyExists, "create_only"},
		{`{"action":"write","path":"f.txt/","content":"x"}`, facade.CodeIsDirectory, "slash"},
		{`{"action":"write","path":"f.txt/g.txt","content":"x"}`, facade.CodeNotDirectory, "f.txt"},
		{`{"action":"write","path":".","content":"x"}`, facade.CodeIsDirectory, "directory"},
		{`{"action":"write","path":"a\u0000b","content":"x"}`, facade.CodeInvalidArgument, "NUL"},
		{`{"action":"modify","path":"f.txt","start_offset_inclusive":9,"end_offset_inclusive":9,"new_content":"x"}`, facade.CodeInvalidArgument, "2 lines"},
		{`{"action":"modify","path":"f.txt","start_offset_inclusive":-1,"end_offset_inclusive":0,"new_content":"x"}`, facade.CodeInvalidArgument, "start_offset_inclusive"},
		{`{"action":"replace","path":"f.txt","old_content":"(","new_content":"x","is_regex":true}`, facade.CodeInvalidArgument, "("},
		{`{"action":"replace","path":"f.txt","old_content":"a","new_content":"x","expected_count":2}`, facade.CodeAmbiguousMatch, "1"},
		{`{"action":"edit","path":"f.txt","edits":[]}`, facade.CodeInvalidArgument, "edits"},
		{`{"action":"edit","path":"f.txt","edits":[{"old_text":"a","new":"b"}]}`, facade.CodeInvalidArgument, "new_text"},
		{`{"action":"grep","pattern":"("}`, facade.CodeInvalidArgument, "literal"},
		{`{"action":"grep","pattern":"a(?=b)"}`, facade.CodeInvalidArgument, "look-around"},
		{`{"action":"grep","pattern":""}`, facade.CodeInvalidArgument, "pattern"},
		{`{"action":"list","pattern":"["}`, facade.CodeInvalidArgument, "["},
		{`{"action":"find","patterns":["["]}`, facade.CodeInvalidArgument, "["},
		{`{"action":"grep","pattern":"a","exclude":["a[b"]}`, facade.CodeInvalidArgument, "not closed"},
		{`{"action":"list","limit":0}`, facade.CodeInvalidArgument, "limit"},
		{`{"action":"list","path":"f.txt"}`, facade.CodeNotDirectory, "read"},
		{`{"action":"read","path":"."}`, facade.CodeIsDirectory, "list"},
		{`{"action":"create","paths":["f.txt"]}`, facade.CodeAlreadyExists, "file"},
		{`{"action":"delete","paths":["f.txt","nope"]}`, facade.CodeNotFound, "nope"},
		{`not json`, facade.CodeInvalidArgument, "JSON"},
		{`["read"]`, facade.CodeInvalidArgument, "object"},
	}
	for _, tt := range tests {
		text := p.failed(tt.code, p.raw(tt.args))
		if !strings.Contains(text, tt.says) {
			t.Errorf("%s: no %q in: %s", tt.args, tt.says, text)
		}
		p.same(before)
	}
	for _, args := range []string{
		`{"action":"read","path":"f.txt","start_line":"2"}`,
		`{"action":"read","paths":"f.txt"}`,
		`{"action":"read","paths":"[\"f.txt\"]"}`,
		`{"action":"read","path":"f.txt","add_line_numbers":"true","max_bytes":null}`,
	} {
		if r := p.raw(args); r.Error != nil {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
}

func TestProbeMissingPaths(t *testing.T) {
	p := newProbe(t, nil)
	p.put("src/main_window.go", "x\n")
	for _, action := range []string{"read", "info", "list", "cd"} {
		p.says(p.fails(facade.CodeNotFound, action, "path", "src/main_windw.go"), "src/main_window.go")
	}
	p.says(p.fails(facade.CodeNotFound, "read", "path", "scr/main_window.go"), "'src'")
	p.says(p.fails(facade.CodeNotFound, "replace", "path", "src/main_Window.go", "old_content", "x", "new_content", "y"), "src/main_window.go")
	p.says(p.fails(facade.CodeNotFound, "grep", "pattern", "x", "path", "sr"), "src")
	r := get[facade.ReadOutput](p, "read", "paths", []string{"src/main_window.go", "src/nope"})
	if len(r.Files) != 2 || r.Files[0].Content != "x\n" || r.Files[1].Error == nil || r.Files[1].Error.Hint == "" {
		t.Errorf("%+v", r.Files)
	}
}

func TestProbeIgnoreRules(t *testing.T) {
	p := newProbe(t, nil)
	p.put(".gitignore", "node_modules/\n*.log\n!keep.log\n/build\n")
	p.put("src/.gitignore", "gen_*\n")
	for _, name := range []string{"a.txt", "x.log", "keep.log", "node_modules/m/a.txt", "build/a.txt", "src/build/a.txt", "src/gen_a.txt", "src/a.txt"} {
		p.put(name, "needle\n")
	}
	seen := "a.txt keep.log src/a.txt src/build/a.txt"
	grep := get[facade.GrepOutput](p, "grep", "pattern", "needle", "output", "files")
	find := get[facade.FindOutput](p, "find", "patterns", []string{"*.txt", "*.log"})
	list := get[facade.ListOutput](p, "list", "recursive", true)
	var g, f []string
	for _, m := range grep.Matches {
		g = append(g, m.Path)
	}
	for _, m := range find.Matches {
		f = append(f, m.Path)
	}
	if strings.Join(g, " ") != seen || strings.Join(f, " ") != seen {
		t.Errorf("grep %q, find %q, want %q", g, f, seen)
	}
	if grep.Ignored != 4 || find.Ignored != 4 || list.Ignored != 4 {
		t.Errorf("ignored: grep %d, find %d, list %d, want 4", grep.Ignored, find.Ignored, list.Ignored)
	}
	p.says(p.ok("grep", "pattern", "nothing").Text, "4 entries hidden", "include_ignored=true")
	if r := get[facade.GrepOutput](p, "grep", "pattern", "needle", "include_ignored", true); r.Totals.Files != 8 {
		t.Errorf("%d files with the ignored ones, want 8", r.Totals.Files)
	}
	// A path that is named is looked into, whatever ignores it.
	if r := get[facade.GrepOutput](p, "grep", "pattern", "needle", "path", "node_modules"); r.Totals.Files != 1 {
		t.Errorf("grep in node_modules: %+v", r)
	}
	if r := get[facade.ListOutput](p, "list", "path", "node_modules/m"); len(r.Entries) != 1 {
		t.Errorf("list of node_modules: %+v", r)
	}
	if r := get[facade.GrepOutput](p, "grep", "pattern", "needle", "path", "x.log"); r.Totals.Files != 1 {
		t.Errorf("grep of x.log: %+v", r)
	}
}

// Patterns that explode elsewhere are answered or refused at once.
func TestProbeExplosivePatterns(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", strings.Repeat("a", 50_000)+"\n")
	p.put(strings.Repeat("a", 100), "x\n")
	start := time.Now()
	for _, args := range [][]any{
		{"grep", "pattern", "(a+)+$b"},
		{"grep", "pattern", "(a|a)*b", "multiline", true},
		{"grep", "pattern", "(((a{1,100}){1,100}){1,100})"},
		{"grep", "pattern", strings.Repeat("a?", 5000) + strings.Repeat("a", 5000)},
		{"grep", "pattern", strings.Repeat("(?:a?){1000}", 100)},
		{"find", "patterns", []string{strings.Repeat("{a,aa}", 40)}},
		{"find", "patterns", []string{strings.Repeat("a*", 60) + "b"}},
		{"find", "patterns", []string{strings.Repeat("**/", 200) + "b"}},
		{"list", "pattern", strings.Repeat("{a,aa}", 40), "recursive", true},
		{"grep", "pattern", "a", "exclude", []string{strings.Repeat("{a,aa}", 40)}},
		{"find", "keywords_file_content", []string{"(a+)+$b"}, "regex_keywords", true},
		{"find", "keywords_path_name", []string{strings.Repeat("(?:a?){1000}", 100)}, "regex_keywords", true},
		{"find", "keywords_path_name", slices.Repeat([]string{"(?:a?){999}"}, 100), "regex_keywords", true},
		{"replace", "path", "a.txt", "old_content", "(a+)+$b", "new_content", "x", "is_regex", true},
		{"replace", "path", "a.txt", "old_content", "x*", "new_content", strings.Repeat("y", 50_000), "is_regex", true, "replace_all", true},
	} {
		if r := p.call(args[0].(string), args[1:]...); r.Error != nil {
			switch r.Error.Code {
			case facade.CodeInvalidArgument, facade.CodeNoMatch, facade.CodeTooLarge:
			default:
				t.Errorf("%v: %s", args[0], clipped(r.Text))
			}
		}
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
