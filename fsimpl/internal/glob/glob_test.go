package glob_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/glob"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern string
		name    string // a directory when it ends in "/"
		fold    bool
		want    bool
	}{
		{"*.go", "a.go", false, true},
		{"*.go", "deep/down/a.go", false, true},
		{"*.go", "a.go/b.txt", false, false},
		{"*.go", "a.GO", false, false},
		{"*.go", "a.GO", true, true},
		{"*.GO", "a.go", true, true},
		{"É*", "éa", true, true},
		{"a.go", "x/a.go", false, true},
		{"/a.go", "x/a.go", false, false},
		{"/a.go", "a.go", false, true},
		{"./a.go", "a.go", false, true},
		{"./a.go", "x/a.go", false, false},
		{"src/*.go", "src/a.go", false, true},
		{"src/*.go", "src/sub/a.go", false, false},
		{"src/*.go", "x/src/a.go", false, false},
		{"src/**/*.go", "src/a.go", false, true},
		{"src/**/*.go", "src/x/y/a.go", false, true},
		{"**/src/*.go", "x/src/a.go", false, true},
		{"**/a", "a", false, true},
		{"src/**", "src/a/b", false, true},
		{"src/**", "src/", false, false},
		{"src/**", "src", false, false},
		{"**", "a/b", false, true},
		{"build/", "x/build/", false, true},
		{"build/", "x/build", false, false},
		{"*.{go,md}", "x/a.md", false, true},
		{"*.{go,md}", "x/a.txt", false, false},
		{"{src,test}/**/a", "test/x/a", false, true},
		{"[a-c]x", "bx", false, true},
		{"[!a-c]x", "bx", false, false},
		{`\*`, "*", false, true},
		{`\*`, "a", false, false},
		{"a?c", "a/c", false, false},
		{"a?c", "aéc", false, true},
		{"*", ".hidden", false, true},
		{"é", "é", false, true},
	}
	for _, tt := range tests {
		set, err := glob.Compile("patterns", []string{"never matches", tt.pattern}, &glob.Options{FoldCase: tt.fold})
		if err != nil {
			t.Errorf("%q: %v", tt.pattern, err)
			continue
		}
		name, isDir := strings.CutSuffix(tt.name, "/")
		if got := set.Match(name, isDir); got != tt.want {
			t.Errorf("%q on %q: %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
		for dir := name; tt.want && strings.Contains(dir, "/"); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			if !set.MayMatchBelow(dir) {
				t.Errorf("%q matches %q, but MayMatchBelow(%q) is false", tt.pattern, name, dir)
			}
		}
	}
}

func TestMayMatchBelow(t *testing.T) {
	tests := []struct {
		pattern, dir string
		want         bool
	}{
		{"src/a/*.go", "src", true},
		{"src/a/*.go", "src/a", true},
		{"src/a/*.go", "src/b", false},
		{"src/a/*.go", "test", false},
		{"src/a/*.go", "srcs", false},
		{"src/a.go", "src", true},
		{"src*/a/*.go", "test", true},
		{"*.go", "test", true},
		{"**/x/y", "test", true},
	}
	for _, tt := range tests {
		set, err := glob.Compile("patterns", []string{tt.pattern}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := set.MayMatchBelow(tt.dir); got != tt.want {
			t.Errorf("%q below %q: %v, want %v", tt.pattern, tt.dir, got, tt.want)
		}
	}
}

func TestEmptySet(t *testing.T) {
	var none *glob.Set
	set, err := glob.Compile("patterns", nil, nil)
	if err != nil || !set.Empty() || !none.Empty() || set.Match("a", false) || none.Match("a", false) || none.MayMatchBelow("a") {
		t.Errorf("an empty set matches something, error %v", err)
	}
}

func TestBadPatterns(t *testing.T) {
	tests := []struct{ pattern, reason string }{
		{"", "empty"},
		{"[", "the '[' at byte 1 is not closed"},
		{"a[b-", "not closed"},
		{"a[]", "empty"},
		{`a\`, "backslash"},
		{"{a,b", "the '{' at byte 1 is not closed"},
		{"a}", "no '{'"},
		{"{a,[}", "not closed"},
		{"../x", "'..'"},
		{"a/../../b", "'..'"},
		{"a\x00b", "NUL"},
		{"a\xff", "UTF-8"},
		{"/", "names nothing"},
		{"./", "names nothing"},
		{strings.Repeat("a", glob.MaxLength+1), "at most 2048"},
		{strings.Repeat("{a,aa}", 11), "more than 1024 patterns"},
		{strings.Repeat("{a,aa}", 300), "more than 1024 patterns"},
		{"{" + strings.Repeat("{a,aa}", 6) + "," + strings.Repeat("{a,b}", 10) + "}", "more than 1024 patterns"},
	}
	for _, tt := range tests {
		_, err := glob.Compile("exclude", []string{"fine", tt.pattern}, nil)
		e, ok := errors.AsType[*facade.Error](err)
		if !ok || e.Code != facade.CodeInvalidArgument || e.Field != "exclude" || !strings.Contains(e.Message, tt.reason) {
			t.Errorf("%q: error %v, want an invalid argument about %q", tt.pattern, err, tt.reason)
		}
	}
	if _, err := glob.Compile("exclude", make([]string, glob.MaxPatterns+1), nil); facade.CodeOf(err) != facade.CodeInvalidArgument {
		t.Errorf("too many patterns: error %v", err)
	}
}

// TestCost has patterns on which a careless matcher takes seconds.
func TestCost(t *testing.T) {
	name := strings.Repeat("a", 200)
	for _, pattern := range []string{
		strings.Repeat("{a,aa}", 10), strings.Repeat("a*", 28) + "b", "**/" + strings.Repeat("a/**/", 12) + "b", strings.Repeat("*", 1000), strings.Repeat("{", 600) + strings.Repeat("}", 600),
	} {
		set, err := glob.Compile("patterns", []string{pattern}, nil)
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		begin := time.Now()
		set.Match(strings.Repeat("a/", 100)+name, false)
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%q took %v", pattern, took)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("*.{go,md}", "a/b.go", true)
	f.Add("{a,{b,c}[d-f]}/**", "c/d", false)
	f.Add(`\[x\]?/`, "[x]y", false)
	f.Fuzz(func(t *testing.T, pattern, name string, fold bool) {
		if len(pattern) > 100 || len(name) > 100 {
			return
		}
		set, err := glob.Compile("patterns", []string{pattern}, &glob.Options{FoldCase: fold})
		if err != nil {
			if facade.CodeOf(err) != facade.CodeInvalidArgument {
				t.Errorf("error %v", err)
			}
			return
		}
		name = strings.Trim(name, "/")
		if dir, _, ok := strings.Cut(name, "/"); ok && set.Match(name, false) && !set.MayMatchBelow(dir) && dir != "" {
			t.Errorf("%q matches %q, but MayMatchBelow(%q) is false", pattern, name, dir)
		}
	})
}
