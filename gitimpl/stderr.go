package gitimpl

import (
	"regexp"
	"strings"
	"unicode"
)

// What git says on standard error is shown to people and, where neither exit
// code nor state tells, tested for a few phrases that are stable under LC_ALL=C.

// stderrLimit is how much of the end of standard error is kept.
const stderrLimit = 8 << 10

// tail keeps the end of what is written to it.
type tail struct {
	buf   []byte
	limit int
}

func (t *tail) write(b []byte) {
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - t.limit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
}

// userinfo matches the name and password of an address.
var userinfo = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^/@\s]+@`)

// maskURL removes user and password from the addresses in s.
func maskURL(s string) string { return userinfo.ReplaceAllString(s, "$1") }

// masker hides what must not leave the process.
type masker []string // pairs of old and new

// clean makes s safe to show: no host path, no password, no control
// characters but line ends.
func (m masker) clean(s string) string {
	s = maskURL(strings.NewReplacer(m...).Replace(s))
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// lastLine returns the line of s that says what went wrong: the last one that
// git marks as fatal or error, else the last one.
func lastLine(s string) string {
	var last, marked string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "hint:") {
			continue
		}
		last = line
		for _, mark := range []string{"fatal: ", "error: ", "ERROR: "} {
			if text, ok := strings.CutPrefix(line, mark); ok {
				marked = text
			}
		}
	}
	if marked != "" {
		return marked
	}
	return last
}

func containsAny(s string, phrases ...string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

func isAuth(stderr string) bool {
	return containsAny(stderr, "Authentication failed", "could not read Username", "could not read Password",
		"Permission denied (", "error: 403", "error: 401", "terminal prompts disabled", "Host key verification failed")
}

func isNetwork(stderr string) bool {
	return containsAny(stderr, "Could not resolve host", "unable to access '", "Connection refused", "Connection timed out",
		"Could not read from remote repository", "the remote end hung up", "does not appear to be a git repository", "early EOF")
}

func saysLocked(stderr string) bool {
	return containsAny(stderr, ".lock': File exists", "cannot lock ref", "Another git process seems to be running")
}
