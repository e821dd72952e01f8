package dfa

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

func compile(t testing.TB, expr string) *Matcher {
	t.Helper()
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(re)
	if err != nil {
		t.Fatal(err)
	}
	return p.NewMatcher()
}

// lines returns the numbers of the lines that a matcher reports.
func lines(m *Matcher, text string) []int {
	var got []int
	b := []byte(text)
	for from := 0; from < len(b); {
		at := m.Find(b, from)
		if at < 0 {
			break
		}
		got = append(got, strings.Count(text[:at], "\n"))
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		from = at + next + 1
	}
	return got
}

// check compares a matcher with package regexp on a text. Lines that are not
// ASCII or have a '\r' may be reported without matching.
func check(t *testing.T, m *Matcher, expr, text string) {
	t.Helper()
	re := regexp.MustCompile(expr)
	reported := map[int]bool{}
	for _, n := range lines(m, text) {
		reported[n] = true
	}
	all := strings.Split(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	for i, line := range all {
		exact := strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 || r == '\r' }) < 0
		line = strings.TrimSuffix(line, "\r")
		want := re.MatchString(line)
		if want && !reported[i] || exact && reported[i] != want {
			t.Errorf("%q on line %d of %q: reported %v, want %v", expr, i, text, reported[i], want)
		}
		if got := m.Match([]byte(line)); want && !got || exact && got != want {
			t.Errorf("%q on %q: Match is %v, want %v", expr, line, got, want)
		}
	}
}

var expressions = []string{
	"a", "abc", "a|b", "(?i)ks", "(?i)é", "a*", "a+b", "(a|b)*c", "^a", "a$", "^$", "^", "$", "^a*$", `\ba`, `a\b`, `\Ba\B`, `\b`, `\B`, `[^a]`, `\W`, `\d{2}`,
	".", "..", "^.$", "^..$", "^.{3}$", "é", "[é-ü]", `[\x{80}-\x{7ff}]`, `[\x{700}-\x{900}]`, `[\x{ffff}-\x{10000}]`, `\x{10FFFF}`, `[^\x00-\x7f]`, "\uFFFD", "[\uFFFC-\uFFFE]",
	`[\x{d000}-\x{e000}]`, `\s`, `\s+$`, "a\\r", "\\r", "(?s)a.b", "(?m)^a$", `\Aa`, `a\z`, "(|a)b", "x{2,5}", "(ab){2,}", `[A-Z]{3,}_[0-9]{2,}`, "(^a|b$)", `(\b|a)b`, "a\n", "[a\n]b", `\pL`, `\p{Greek}`,
}

const letters = "aabbcxABCks_12 é\u212A\u017F世\U0001F600ü\uFFFD\u0700\uD7FFΩ-."

func randomText(r *rand.Rand) string {
	runes := []rune(letters)
	var b strings.Builder
	for range r.IntN(60) {
		switch r.IntN(12) {
		case 0:
			b.WriteByte('\n')
		case 1:
			if r.IntN(3) == 0 {
				b.WriteString("\r\n")
			}
		case 2:
			if r.IntN(3) == 0 {
				b.WriteByte(byte(r.IntN(256)))
			}
		default:
			b.WriteRune(runes[r.IntN(len(runes))])
		}
	}
	return b.String()
}

func TestAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, expr := range expressions {
		m := compile(t, expr)
		for range 100 {
			check(t, m, expr, randomText(r))
		}
	}
}

// TestSmallCache empties the cache again and again.
func TestSmallCache(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, expr := range expressions {
		m := compile(t, expr)
		m.limit, m.minUse = special+3, 0
		for range 100 {
			check(t, m, expr, randomText(r))
		}
		if m.GaveUp() {
			t.Errorf("%q gave up", expr)
		}
	}
}

// TestGivesUp has an expression with 2^30 states.
func TestGivesUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = "ab"[r.IntN(2)]
		if i%500 == 0 {
			text[i] = '\n'
		}
	}
	m := compile(t, "a[ab]{30}c")
	if at := m.Find(text, 0); !m.GaveUp() || at < 0 || at > 0 && text[at-1] != '\n' {
		t.Errorf("Find = %d, gave up %v; want the start of a line and true", at, m.GaveUp())
	}
	if at := m.Find([]byte("x\ny"), 2); at != 2 {
		t.Errorf("after giving up Find = %d, want 2", at)
	}
}

func TestTooLarge(t *testing.T) {
	for _, expr := range []string{`(\pL\pN){50}`, strings.Repeat("(abc|def)", 1000)} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Compile(re); !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v, want ErrTooLarge", err)
		}
	}
}

func FuzzAgainstRegexp(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, expr := range expressions {
		f.Add(expr, randomText(r))
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) > 60 || len(text) > 300 {
			return
		}
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return
		}
		p, err := Compile(re)
		if err != nil {
			return
		}
		m := p.NewMatcher()
		m.limit, m.minUse = special+4, 0
		check(t, m, expr, text)
	})
}
