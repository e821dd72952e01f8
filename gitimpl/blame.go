package gitimpl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// Blame implements [facade.GitInspector].
func (x *Extended) Blame(ctx context.Context, in facade.GitBlameInput) (facade.GitBlameOutput, error) {
	in = facade.Defaulted(in)
	r, err := x.open(ctx, in.RepoPath, false)
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	defer r.close()
	path, err := r.path("path", in.Path)
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	revs, plain := revArgs(in.Ref)
	if in.Ref == "" {
		revs, plain = nil, true
	}
	if plain {
		out, err := r.blame(ctx, path, in, r.blameCommand(in).revs(revs))
		if err == nil {
			return out, nil
		}
		if e := facade.CodeOf(err); e == facade.CodeInvalidArgument {
			return facade.GitBlameOutput{}, err
		}
	}
	// Resolving what was given, one by one, tells what is wrong.
	ids, err := r.resolve(ctx, "ref", orHead(in.Ref))
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	absent, err := r.missing(ctx, []relPath{path}, false, ids[0])
	if err != nil {
		return facade.GitBlameOutput{}, err
	}
	if len(absent) > 0 {
		return facade.GitBlameOutput{}, r.pathError(ctx, "path", absent)
	}
	const one = 1 // byte is enough to learn what the path names
	if _, err := r.fileAt(ctx, ids[0], path, one); facade.CodeOf(err) == facade.CodeIsDirectory {
		return facade.GitBlameOutput{}, err
	}
	c := r.blameCommand(in)
	if in.Ref != "" {
		c.oids(ids[0])
	}
	return r.blame(ctx, path, in, c)
}

func (r *repo) blameCommand(in facade.GitBlameInput) *command {
	lines := strconv.Itoa(in.StartLine) + ","
	if in.EndLine > 0 {
		lines += strconv.Itoa(in.EndLine)
	}
	return r.git("blame", "--porcelain", "--no-textconv", "--no-progress").value("-L", lines)
}

func (r *repo) blame(ctx context.Context, path relPath, in facade.GitBlameInput, c *command) (facade.GitBlameOutput, error) {
	p := blameParser{room: gitrule.NewRoom(ctx, gitrule.MostRoom), seen: map[string]*blameCommit{}}
	p.out = facade.GitBlameOutput{Path: encode(path), Lines: []facade.GitBlameLine{}, Commits: []facade.GitBlameCommit{}}
	err := c.paths([]relPath{path}).stream(ctx, p.parse)
	if ge := gitError(err); ge != nil && strings.Contains(ge.Stderr, "has only") {
		_, lines, _ := strings.Cut(ge.Stderr, "has only ")
		count, _, _ := strings.Cut(lines, "\n")
		e := facade.InvalidArgument("start_line", "there is no line %d: the file has only %s", in.StartLine, count)
		return facade.GitBlameOutput{}, cause(e, nil, ge)
	}
	return p.out, r.explain(err)
}

// blameCommit is a commit as it is being read.
type blameCommit struct {
	facade.GitBlameCommit
	name, mail string
	shown      bool
}

// blameParser reads git blame --porcelain: a line with ids and numbers, facts
// about the commit where it first occurs, then a tab and the content.
type blameParser struct {
	out  facade.GitBlameOutput
	room *gitrule.Room
	seen map[string]*blameCommit
}

func (p *blameParser) parse(r *bufio.Reader) error {
	for {
		line, err := textLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f := strings.Fields(line)
		if len(f) < 3 || !gitrule.IsOID(f[0]) {
			return errField
		}
		orig, _ := strconv.Atoi(f[1])
		final, _ := strconv.Atoi(f[2])
		commit := p.seen[f[0]]
		if commit == nil {
			commit = &blameCommit{GitBlameCommit: facade.GitBlameCommit{OID: f[0], Short: f[0][:blameShort]}}
			p.seen[f[0]] = commit
		}
		content, err := commit.facts(r, p.out.Path)
		if err != nil {
			return err
		}
		if !p.add(commit, facade.GitBlameLine{Line: final, OrigLine: orig, Content: content}) {
			p.out.NextLine = final
			return errEnough
		}
	}
}

// blameShort is how much of an id tells commits apart.
const blameShort = 12

// facts reads up to the content of the line and returns it.
func (c *blameCommit) facts(r *bufio.Reader, path string) (string, error) {
	for {
		line, err := textLine(r)
		if err != nil {
			return "", errField
		}
		if content, ok := strings.CutPrefix(line, "\t"); ok {
			return strings.TrimSuffix(content, "\r"), nil
		}
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "author":
			c.name = value
		case "author-mail":
			c.mail = value
		case "author-time":
			seconds, _ := strconv.ParseInt(value, 10, 64)
			c.AuthorTime = time.Unix(seconds, 0).UTC()
		case "summary":
			c.Subject = value
		case "filename":
			if name := shown([]byte(unquote(value))); name != path {
				c.Path = name
			}
		}
		c.Author = strings.TrimSpace(c.name + " " + c.mail)
	}
}

// add keeps a line, and its commit at the first line of it.
func (p *blameParser) add(c *blameCommit, line facade.GitBlameLine) bool {
	uncommitted := strings.Trim(c.OID, "0") == ""
	if !uncommitted {
		line.Commit = c.Short
		if !c.shown && !p.room.Take(c.GitBlameCommit) {
			return false
		}
	}
	if !p.room.Take(line) {
		return false
	}
	if !uncommitted && !c.shown {
		c.shown = true
		p.out.Commits = append(p.out.Commits, c.GitBlameCommit)
	}
	p.out.Lines = append(p.out.Lines, line)
	return true
}

// textLine reads a line without its end; of a very long one, the start.
func textLine(r *bufio.Reader) (string, error) {
	const longest = 16 << 10
	var out []byte
	for {
		part, err := r.ReadSlice('\n')
		if room := longest - len(out); room > 0 {
			out = append(out, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil:
			return gitrule.Text([]byte(strings.TrimSuffix(string(out), "\n"))), nil
		case errors.Is(err, io.EOF) && len(out) > 0:
			return gitrule.Text(out), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

// unquote takes off the quotes that git puts around unusual names where it has
// no NUL-separated form.
func unquote(name string) string {
	if len(name) < 2 || name[0] != '"' || name[len(name)-1] != '"' {
		return name
	}
	// Git's escapes, \a \b \t \n \v \f \r \" \\ and three octal digits, are
	// Go's too.
	if s, err := strconv.Unquote(name); err == nil {
		return s
	}
	return name
}
