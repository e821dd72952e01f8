package regex_test

import (
	"errors"
	"regexp/syntax"
	"runtime"
	"strings"
	"testing"

	"github.com/toolfacade/toolfacade/internal/regex"
)

func TestCompile(t *testing.T) {
	for expr, large := range map[string]bool{
		`\bfunc (\w+)\(`:                                       false,
		strings.Repeat("plain text ", 3000):                    false,
		"foo|bar.{0,1000}|" + `[\pL\pN]{1000}`:                 false,
		strings.Repeat("(?:word|other)\\s*", 1000):             false,
		strings.Repeat("(?:a?){1000}", 10):                     true,
		strings.Repeat("(?:a?){1000}", 4000):                   true, // package syntax refuses it too
		"(?:" + strings.Repeat("x", 1000) + "){1000}":          true,
		strings.Repeat("a?", 5000) + strings.Repeat("a", 5000): true,
		"(?:(?:ab?){2,}){400}":                                 false,
		strings.Repeat("(?:(?:ab?){0,20}){50}", 3):             true,
	} {
		re, tree, err := regex.Compile(expr)
		e, ok := errors.AsType[*syntax.Error](err)
		if large != (ok && e.Code == syntax.ErrLarge) || !large && (re == nil || tree == nil || err != nil) {
			t.Errorf("%.40s…: %.100v, want too large: %v", expr, err, large)
		}
	}
	if _, _, err := regex.Compile("a("); err == nil || !strings.Contains(err.Error(), "missing closing )") {
		t.Errorf("a bad expression gives %v", err)
	}
}

// TestMemory compiles the largest expressions that are taken.
func TestMemory(t *testing.T) {
	for _, expr := range []string{"(?:" + strings.Repeat("x", 150) + "){900}", "(?:" + strings.Repeat("a?", 4) + "){999}", "(?i)" + strings.Repeat("k", 32<<10)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := regex.Compile(expr); err != nil {
			t.Errorf("%.20s…: %.100v", expr, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 48<<20 {
			t.Errorf("%.20s… takes %d MiB", expr, took>>20)
		}
	}
}

func TestAny(t *testing.T) {
	for want, tt := range map[string]struct {
		exprs []string
		flags string
	}{
		"a":                   {[]string{"a"}, ""},
		"(?:a|b)|(?:c)":       {[]string{"a|b", "c"}, ""},
		"(?i:a|b)":            {[]string{"a|b"}, "i"},
		"(?im:(?:a|b)|(?:c))": {[]string{"a|b", "c"}, "im"},
	} {
		if got := regex.Any(tt.exprs, tt.flags); got != want {
			t.Errorf("%q with flags %q: %s, want %s", tt.exprs, tt.flags, got, want)
		}
	}
}
