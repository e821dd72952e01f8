package gitimpl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
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
	p := logParser{room: newRoom(ctx, mostRoom), limit: in.Limit, oneline: in.Oneline}
	c.number("--max-count=", in.Limit+1).number("--skip=", from.skip)
	c.args = append(c.args, from.ids...)
	if err := c.paths(paths).stream(ctx, p.parse); err != nil {
		return facade.GitHistoryOutput{}, r.explain(err)
	}
	out.Commits = append(out.Commits, p.commits...)
	if p.more {
		out.NextCursor = position{ids: from.ids, skip: from.skip + len(p.commits)}.String()
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
		if (f.name == "since" || f.name == "until") && !plausibleDate.MatchString(f.text) {
			return nil, facade.InvalidArgument(f.name, "'%s' is not a date", f.text).
				WithHint("write it as 2026-01-31, 2026-01-31T15:04:05Z or '2 weeks ago'")
		}
		c.value(f.flag, f.text)
	}
	return c, nil
}

// plausibleDate keeps out what git would silently read as now.
var plausibleDate = regexp.MustCompile(`^(?i:[-a-z0-9:+./, ]*[0-9][-a-z0-9:+./, ]*|now|today|yesterday|noon|midnight|tea|never|(last|a|an|one|two|three|four|five|six|seven|eight|nine|ten)[ .][a-z .]+|(mon|tues|wednes|thurs|fri|satur|sun)day)$`)

// logFormat prints the fields of a commit, each followed by NUL.
const logFormat lit = "--format=%H%x00%h%x00%P%x00%an <%ae>%x00%aI%x00%D%x00%B"

// logFields is how many fields there are.
const logFields = 7

// position is where a page of history starts.
type position struct {
	ids  []string // as arguments of git log: ids, with ^ before those to leave out
	skip int
}

// String is the form of a cursor.
func (p position) String() string { return fmt.Sprintf("%d.%s", p.skip, strings.Join(p.ids, ".")) }

func parsePosition(cursor string) (position, bool) {
	parts := strings.Split(cursor, ".")
	skip, err := strconv.Atoi(parts[0])
	if err != nil || skip < 0 || len(parts) < 2 {
		return position{}, false
	}
	for _, id := range parts[1:] {
		if !isOID(strings.TrimPrefix(id, "^")) {
			return position{}, false
		}
	}
	return position{ids: parts[1:], skip: skip}, true
}

// start resolves where the history begins: a cursor, a commit, "a..b" for what
// b has and a has not, or "a...b" for what only one of them has.
func (r *repo) start(ctx context.Context, in facade.GitHistoryInput) (position, error) {
	if in.Cursor != "" {
		p, ok := parsePosition(in.Cursor)
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
	if id := r.quickHead(); ref == "HEAD" && id != "" {
		return position{ids: []string{string(id)}}, nil
	}
	if !ranged {
		ids, err := r.resolve(ctx, "ref", ref)
		if err != nil {
			return position{}, err
		}
		return position{ids: []string{string(ids[0])}}, nil
	}
	ids, err := r.resolve(ctx, "ref", orHead(left), orHead(right))
	if err != nil {
		return position{}, err
	}
	if !symmetric {
		return position{ids: []string{"^" + string(ids[0]), string(ids[1])}}, nil
	}
	p := position{ids: []string{string(ids[0]), string(ids[1])}}
	base, err := r.mergeBase(ctx, ids[0], ids[1])
	switch {
	case err == nil:
		p.ids = append(p.ids, "^"+string(base))
	case !isNotFound(err):
		return position{}, err
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
	room    *room
	limit   int
	oneline bool
}

func (p *logParser) parse(r *bufio.Reader) error {
	const longestField = 64 << 10
	for {
		var f [logFields]string
		for i := range f {
			raw, err := fieldStart(r, longestField)
			if errors.Is(err, io.EOF) && i == 0 {
				return nil
			}
			if err != nil {
				return errField
			}
			f[i] = utf8Text(bytes.TrimPrefix(raw, []byte("\n")))
		}
		c := commitInfo(f, p.oneline)
		if len(p.commits) == p.limit || !p.room.take(c) && len(p.commits) > 0 {
			p.more = true
			return errEnough
		}
		p.commits = append(p.commits, c)
	}
}

// commitInfo packs the fields of logFormat.
func commitInfo(f [logFields]string, oneline bool) facade.GitCommitInfo {
	const longestBody = 8 << 10
	subject, body := splitMessage(f[6])
	const (
		longestSubject = 1 << 10
		mostRefs       = 50
	)
	subject = clip(subject, longestSubject)
	c := facade.GitCommitInfo{OID: f[0], Short: f[1], Subject: subject}
	if f[5] != "" {
		refs := strings.Split(strings.Replace(f[5], "HEAD -> ", "HEAD, ", 1), ", ")
		c.Refs = refs[:min(len(refs), mostRefs)]
	}
	if oneline {
		return c
	}
	c.Body = clip(body, longestBody)
	c.Parents = strings.Fields(f[2])
	c.Author = f[3]
	if t, err := time.Parse(time.RFC3339, f[4]); err == nil {
		c.AuthorTime = &t
	}
	return c
}

// splitMessage separates the first paragraph, in one line, from the rest.
func splitMessage(message string) (subject, body string) {
	message = strings.Trim(message, "\n")
	head, body, _ := strings.Cut(message, "\n\n")
	return strings.Join(strings.Fields(strings.ReplaceAll(head, "\n", " ")), " "), strings.Trim(body, "\n")
}
