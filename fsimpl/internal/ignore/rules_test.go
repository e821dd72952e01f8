package ignore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
)

// ignored asks a chain about a path; a trailing '/' marks a directory.
func ignored(c *ignore.Chain, path string) bool {
	path, isDir := strings.CutSuffix(path, "/")
	return c.Ignored([]byte(path), strings.LastIndexByte(path, '/')+1, isDir)
}

func TestRules(t *testing.T) {
	tests := []struct {
		rules string
		path  string
		want  bool
	}{
		{"foo", "foo", true},
		{"foo", "a/foo", true},
		{"foo", "foobar", false},
		{"/foo", "a/foo", false},
		{"a/foo", "b/a/foo", false},
		{"foo/", "foo", false},
		{"foo/", "a/foo/", true},
		{"*.o\n!keep.o", "keep.o", false},
		{"!keep.o\n*.o", "keep.o", true},
		{"*.tar.gz", "x.tar.gz", true},
		{".gz", "x.gz", false},
		{"foo**/bar", "foo/x/bar", false}, // '**' in an element is '*'
		{"foo**/bar", "foobar", false},
		{"foo**/bar", "foox/bar", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**", "a/", false},
		{"a/**", "a/b/c", true},
		{"**/a/b", "x/a/b", true},
		{"*/b", "a/x/b", false},
		{"trail  ", "trail", true},
		{`trail\ `, "trail ", true},
		{"a\r\n", "a", true},
		{"a\r", "a", true},
		{"\xef\xbb\xbfa", "a", true},
		{"#a", "#a", false},
		{`\#a`, "#a", true},
		{`\!a`, "!a", true},
		{`a\`, "a", false},
		{`a\`, `a\`, false},
		{"[", "[", false},
		{"[[:digit:]]x", "1x", true},
		{"[[:word:]]x", "1x", false},
		{"a[/]b", "a/b", false},
		{"a[!x]b", "a/b", false},
		{"a?b", "a/b", false},
		{"", "a", false},
		{"/", "a/", false},
		{"!", "!", false},
	}
	for _, tt := range tests {
		var top *ignore.Chain
		chain := top.Push(ignore.Parse([]byte(tt.rules)), "")
		if got := ignored(chain, tt.path); got != tt.want {
			t.Errorf("%q on %q: %v, want %v", tt.rules, tt.path, got, tt.want)
		}
		deep := top.Push(ignore.Parse([]byte(tt.rules)), "deep/down")
		if got := ignored(deep, "deep/down/"+tt.path); got != tt.want {
			t.Errorf("%q below deep/down on %q: %v, want %v", tt.rules, tt.path, got, tt.want)
		}
	}
}

func TestChain(t *testing.T) {
	var none *ignore.Chain
	if ignored(none, "a") || none.Push(ignore.Parse([]byte("# nothing\n\n")), "") != nil {
		t.Error("a chain without rules hides something or is not nil")
	}
	outer := none.Push(ignore.Parse([]byte("*.o\nx\n")), "")
	inner := outer.Push(ignore.Parse([]byte("!b.o\n/y\n")), "sub")
	for path, want := range map[string]bool{"sub/a.o": true, "sub/b.o": false, "sub/x": true, "sub/y": true, "sub/z/y": false} {
		if got := ignored(inner, path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if !ignored(outer, "b.o") {
		t.Error("the inner rules changed the outer chain")
	}
}

// TestCost has patterns on which a matcher that tries all ways takes for ever.
func TestCost(t *testing.T) {
	path := strings.Repeat("a", 100) + "/" + strings.Repeat("a/", 1000) + "c"
	for _, rules := range []string{
		strings.Repeat("*a", 100) + "b", "/" + strings.Repeat("**/a/", 50) + "b", "/**/" + strings.Repeat("*a*/", 50) + "b", strings.Repeat("[a-z]*", 200),
	} {
		var chain *ignore.Chain
		chain = chain.Push(ignore.Parse([]byte(rules)), "")
		begin := time.Now()
		ignored(chain, path)
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%.40q took %v", rules, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range patterns {
		f.Add([]byte(p+"\n*.x\n"), "foo/bar")
	}
	f.Fuzz(func(t *testing.T, rules []byte, path string) {
		path = strings.Trim(path, "/")
		if path == "" {
			return
		}
		var chain *ignore.Chain
		chain = chain.Push(ignore.Parse(rules), "")
		ignored(chain, path)
		ignored(chain, path+"/")
	})
}
