package exectool

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// Environment checks and sorts the variables that a caller adds.
func Environment(vars map[string]string) ([]string, error) {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(vars[name], "\x00") {
			return nil, facade.InvalidArgument("env", "%q is no environment variable: names have neither '=' nor a zero byte, and are not empty", name)
		}
		out = append(out, name+"="+vars[name])
	}
	return out, nil
}

// labelLength is how much of a command lists show.
const labelLength = 160

// Label joins the words of a command for lists, cut when long.
func Label(words ...string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")), " ")
	if len(s) <= labelLength {
		return s
	}
	cut := labelLength
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Look finds a program in the PATH that commands get.
func (r *Runner) Look(name string) (string, bool) {
	path := ""
	for _, v := range slices.Concat(r.environment(), r.opts.Env) {
		if p, ok := strings.CutPrefix(v, "PATH="); ok {
			path = p
		}
	}
	for _, dir := range filepath.SplitList(path) {
		full := filepath.Join(dir, name)
		if info, err := os.Stat(full); err == nil && filepath.IsAbs(full) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return full, true
		}
	}
	return "", false
}

// Isolation names the sandbox; it is for a runner that is [Runner.Ready].
func (r *Runner) Isolation() string { return r.box.Name() }
