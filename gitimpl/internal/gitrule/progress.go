package gitrule

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Progress turns what git prints while it transfers into events.
type Progress struct {
	ctx  context.Context // of the one command whose output it hears
	line []byte
	last string
	// Said collects the lines that come from the remote.
	Said strings.Builder
}

// NewProgress returns a Progress whose events go to the session of ctx.
func NewProgress(ctx context.Context) *Progress { return &Progress{ctx: ctx} }

// transfer matches "Receiving objects:  20% (1/5)".
var transfer = regexp.MustCompile(`^(?:remote: )?([A-Z][A-Za-z ]+):\s+(\d+)% \((\d+)/(\d+)\)`)

// Write takes a piece of git's standard error.
func (p *Progress) Write(b []byte) {
	const longest = 4 << 10
	for len(b) > 0 {
		i := bytes.IndexAny(b, "\r\n")
		if i < 0 {
			if len(p.line) < longest {
				p.line = append(p.line, b...)
			}
			return
		}
		p.flush(string(append(p.line, b[:i]...)))
		p.line = p.line[:0]
		b = b[i+1:]
	}
}

// mostSaid is how much of the remote's words is kept.
const mostSaid = 4 << 10

func (p *Progress) flush(line string) {
	line = strings.TrimRight(line, " ")
	m := transfer.FindStringSubmatch(line)
	if m == nil {
		text, ok := strings.CutPrefix(line, "remote: ")
		if ok && !strings.Contains(text, " (delta ") && !strings.HasPrefix(text, "Enumerating") && p.Said.Len()+len(text) < mostSaid {
			p.Said.WriteString(strings.TrimRight(strings.TrimSuffix(text, "\x1b[K"), " ") + "\n")
		}
		return
	}
	if m[1]+m[2] == p.last {
		return
	}
	p.last = m[1] + m[2]
	current, _ := strconv.ParseInt(m[3], 10, 64)
	total, _ := strconv.ParseInt(m[4], 10, 64)
	facade.Emit(p.ctx, facade.Event{Type: facade.EventProgress, Message: m[1], Current: current, Total: total})
}
