package exectool

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

// Job is a program to start.
type Job struct {
	Spec  facade.TaskSpec // without session and tool
	Yield time.Duration   // 0 waits for the end
	// Terminal gives the program a terminal of its own. Such a job ends with
	// the runner.
	Terminal bool
	// OnOutput gets the output as it comes.
	OnOutput func(facade.OutputChunk) error
	// Worker, when not nil, runs the program in place of a process of its own,
	// as Request says. Such a task ends with the tool.
	Worker  *Worker
	Request Request
}

// Environment checks and sorts the variables that a caller adds.
func Environment(vars map[string]string) ([]string, error) {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(vars[name], "\x00") {
			if !strings.ContainsAny(name, "=\x00") && name != "" {
				return nil, facade.InvalidArgument("env", "the value of %s has a zero byte, which no variable can have", name)
			}
			return nil, facade.InvalidArgument("env", "%q is no environment variable: names have neither '=' nor a zero byte, and are not empty", name)
		}
		out = append(out, name+"="+vars[name])
	}
	return out, nil
}

// Words refuses what no program can be given: words with a zero byte.
func Words(field string, words ...string) error {
	for _, w := range words {
		if strings.ContainsRune(w, 0) {
			return facade.InvalidArgument(field, "%.80q has a zero byte, which no argument can have", w).
				WithHint("pass such bytes with 'stdin', or in a file")
		}
	}
	return nil
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
