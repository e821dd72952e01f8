package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// History implements [facade.GitReader].
func (g *Git) History(ctx context.Context, in facade.GitHistoryInput) (facade.GitHistoryOutput, error) {
	in = facade.Defaulted(in)
	out := facade.GitHistoryOutput{Commits: []facade.GitCommitInfo{}}
	if in.Oneline {
		out.Terse()
	}
	r, err := g.open(ctx, in.RepoPath, false)
	if err != nil {
		return out, err
	}
	defer r.close()
	paths, err := r.pathList("files", in.Files)
	if err != nil {
		return facade.GitHistoryOutput{}, err
	}
	from, err := r.start(ctx, in)
	if errors.Is(err, ErrUnbornHead) && (in.Ref == "" || in.Ref == "HEAD") {
		return out, nil
	}
	if err != nil {
		return facade.GitHistoryOutput{}, err
	}
	c, err := r.log(in)
	if err != nil {
		return facade.GitHistoryOutput{}, err
	}
	p := logParser{room: gitrule.NewRoom(ctx, gitrule.MostRoom), limit: in.Limit, oneline: in.Oneline}
	c.number("--max-count=", in.Limit+1).number("--skip=", from.Skip)
	c.args = append(c.args, from.IDs...)
	if err := c.paths(paths).stream(ctx, p.parse); err != nil {
		return facade.GitHistoryOutput{}, r.historyError(err, in)
	}
	out.Commits = append(out.Commits, p.commits...)
	if p.more {
		out.NextCursor = gitrule.Position{IDs: from.IDs, Skip: from.Skip + len(p.commits)}.String()
	}
	return out, nil
}

// log builds the command without its starting points.
func (r *repo) log(in facade.GitHistoryInput) (*command, error) {
	c := r.git("log", logFormat, "-z", "--decorate=short", "--no-color", "--no-show-signature", "--no-notes", "--no-patch", "--no-mailmap", "--no-follow")
	if in.Grep != "" || in.Author != "" {
		c.flags("--extended-regexp")
	}
	for _, f := range []struct {
		name string
		flag lit
		text string
	}{{"grep", "--grep=", in.Grep}, {"author", "--author=", in.Author}, {"since", "--since=", in.Since}, {"until", "--until=", in.Until}} {
		if f.text == "" {
			continue
		}
		if strings.ContainsAny(f.text, "\x00\n") {
			return nil, facade.InvalidArgument(f.name, "field '%s' must be one line", f.name)
		}
		if (f.name == "since" || f.name == "until") && !gitrule.PlausibleDate.MatchString(f.text) {
			return nil, facade.InvalidArgument(f.name, "'%s' is not a date", f.text).
				WithHint("write it as 2026-01-31, 2026-01-31T15:04:05Z or '2 weeks ago'")
		}
		c.value(f.flag, f.text)
	}
	return c, nil
}

// historyError tells a pattern that git cannot read from other failures.
func (r *repo) historyError(err error, in facade.GitHistoryInput) error {
	ge := gitError(err)
	if ge == nil || in.Grep == "" && in.Author == "" || !strings.Contains(ge.Stderr, "command line, '") {
		return r.explain(err)
	}
	field := "grep"
	if in.Grep == "" {
		field = "author"
	}
	_, reason, _ := strings.Cut(lastLine(ge.Stderr), "': ")
	e := facade.InvalidArgument(field, "field '%s' is not an extended regular expression: %s", field, reason)
	return cause(e.WithHint(`put a backslash before characters that stand for themselves, as \[`), nil, ge)
}

// logFormat prints the fields of a commit, each followed by NUL.
const logFormat lit = "--format=%H%x00%h%x00%P%x00%an <%ae>%x00%aI%x00%D%x00%B"

// logFields is how many fields there are.
const logFields = 7

// start resolves where the history begins: a cursor, a commit, "a..b" for what
// b has and a has not, or "a...b" for what only one of them has.
func (r *repo) start(ctx context.Context, in facade.GitHistoryInput) (gitrule.Position, error) {
	if in.Cursor != "" {
		p, ok := gitrule.ParsePosition(in.Cursor)
		if !ok {
			return p, facade.InvalidArgument("cursor", "the cursor is not one that history returned")
		}
		return p, nil
	}
	ref := in.Ref
	if ref == "" {
		ref = "HEAD"
	}
	left, right, symmetric := strings.Cut(ref, "...")
	ranged := symmetric
	if !symmetric {
		left, right, ranged = strings.Cut(ref, "..")
	}
	if id := r.quickStart(ref); id != "" {
		return gitrule.Position{IDs: []string{string(id)}}, nil
	}
	if !ranged {
		ids, err := r.resolve(ctx, "ref", ref)
		if err != nil {
			return gitrule.Position{}, err
		}
		return gitrule.Position{IDs: []string{string(ids[0])}}, nil
	}
	ids, err := r.resolve(ctx, "ref", orHead(left), orHead(right))
	if err != nil {
		return gitrule.Position{}, err
	}
	if !symmetric {
		return gitrule.Position{IDs: []string{"^" + string(ids[0]), string(ids[1])}}, nil
	}
	p := gitrule.Position{IDs: []string{string(ids[0]), string(ids[1])}}
	base, err := r.mergeBase(ctx, ids[0], ids[1])
	switch {
	case err == nil:
		p.IDs = append(p.IDs, "^"+string(base))
	case !isNotFound(err):
		return gitrule.Position{}, err
	}
	return p, nil
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

// logParser reads commits in logFormat.
type logParser struct {
	commits []facade.GitCommitInfo
	more    bool
	room    *gitrule.Room
	limit   int
	oneline bool
}

func (p *logParser) parse(r *bufio.Reader) error {
	for {
		c, err := readCommit(r, p.oneline)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.commits) == p.limit { // git was asked for one more and ends by itself
			p.more = true
			return nil
		}
		if !p.room.Take(c) && len(p.commits) > 0 {
			p.more = true
			return errEnough
		}
		p.commits = append(p.commits, c)
	}
}

// readCommit reads the fields of one commit. At the end it returns io.EOF.
func readCommit(r *bufio.Reader, oneline bool) (facade.GitCommitInfo, error) {
	const longestField = 64 << 10
	var f [logFields]string
	for i := range f {
		raw, err := fieldStart(r, longestField)
		if errors.Is(err, io.EOF) && i == 0 {
			return facade.GitCommitInfo{}, io.EOF
		}
		if err != nil {
			return facade.GitCommitInfo{}, errField
		}
		f[i] = gitrule.Text(bytes.TrimPrefix(raw, []byte("\n")))
	}
	return commitInfo(f, oneline), nil
}

// commitInfo packs the fields of logFormat.
func commitInfo(f [logFields]string, oneline bool) facade.GitCommitInfo {
	const longestBody = 8 << 10
	subject, body := gitrule.SplitMessage(f[6])
	const (
		longestSubject = 1 << 10
		mostRefs       = 50
	)
	subject = gitrule.Clip(subject, longestSubject)
	c := facade.GitCommitInfo{OID: f[0], Short: f[1], Subject: subject}
	if f[5] != "" {
		refs := strings.Split(strings.Replace(f[5], "HEAD -> ", "HEAD, ", 1), ", ")
		c.Refs = refs[:min(len(refs), mostRefs)]
	}
	if oneline {
		return c
	}
	c.Body = gitrule.Clip(body, longestBody)
	c.Parents = strings.Fields(f[2])
	c.Author = f[3]
	if t, err := time.Parse(time.RFC3339, f[4]); err == nil {
		c.AuthorTime = &t
	}
	return c
}
