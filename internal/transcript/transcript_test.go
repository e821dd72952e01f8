package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

var update = flag.Bool("update", false, "write the replies anew")

// TestTranscripts plays every transcript. Lines of its comment are
//
//	# words for the reader
//	call {arguments}     "$CURSOR" stands for the last next_cursor, "$ETAG" for the last etag
//	> a line of the reply
//	seed PATH "bytes"    a file that a section cannot hold, in Go syntax
//	validator KIND       failing, passing, broken or panicking
//	budget BYTES         of every reply
//
// Sections are files to start with, or with "after/" before the name, files to
// end with.
func TestTranscripts(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 12 {
		t.Errorf("%d transcripts, want 12 at least", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { play(t, name) })
	}
}

// section is a file of an archive.
type section struct{ name, content string }

// parse cuts an archive into its comment and its files.
func parse(text string) (comment string, files []section) {
	into := &comment
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(name, " --\n") {
			files = append(files, section{name: strings.TrimSuffix(name, " --\n")})
			into = &files[len(files)-1].content
			continue
		}
		*into += line
	}
	return comment, files
}

// player is one conversation.
type player struct {
	t            *testing.T
	dir          string
	opts         fsimpl.Options
	tool         *facade.Tool
	budget       int
	cursor, etag string
}

func play(t *testing.T, name string) {
	raw, err := os.ReadFile(name)
	check(t, err)
	comment, files := parse(string(raw))
	p := &player{t: t, dir: t.TempDir()}
	for _, f := range files {
		if !strings.HasPrefix(f.name, "after/") {
			p.seed(f.name, []byte(f.content))
		}
	}
	got := p.comment(comment)
	for _, f := range files {
		if rel, ok := strings.CutPrefix(f.name, "after/"); ok {
			data, err := os.ReadFile(filepath.Join(p.dir, rel))
			check(t, err)
			if diff := cmp.Diff(f.content, string(data)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", rel, diff)
			}
		}
	}
	if *update {
		rest := strings.TrimPrefix(string(raw), comment)
		check(t, os.WriteFile(name, []byte(got+rest), 0o644))
		return
	}
	if diff := cmp.Diff(comment, got); diff != "" {
		t.Errorf("%s (-want +got), -update accepts it:\n%s", name, diff)
	}
}

// comment plays the lines and returns them with the replies there are now.
func (p *player) comment(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, ">") {
			continue // what the last call said, or should say
		}
		out.WriteString(line)
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch verb {
		case "", "#":
		case "call":
			for reply := range strings.Lines(strings.TrimSuffix(p.call(rest), "\n") + "\n") {
				out.WriteString(strings.TrimSuffix("> "+reply, " \n"))
				if strings.HasSuffix("> "+reply, " \n") {
					out.WriteString("\n")
				}
			}
		case "seed":
			name, quoted, _ := strings.Cut(rest, " ")
			data, err := strconv.Unquote(quoted)
			check(p.t, err)
			p.seed(name, []byte(data))
		case "validator":
			p.opts.Validators = append(p.opts.Validators, validator(rest))
		case "budget":
			n, err := strconv.Atoi(rest)
			check(p.t, err)
			p.budget = n
		default:
			p.t.Fatalf("no such directive: %s", line)
		}
	}
	return out.String()
}

func (p *player) seed(name string, data []byte) {
	p.t.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	check(p.t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(p.t, os.WriteFile(name, data, 0o644))
	check(p.t, os.Chmod(name, 0o644))
}

// times vary, and nothing else does.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?`)

func (p *player) call(args string) string {
	p.t.Helper()
	if p.tool == nil {
		files, err := fsimpl.Open(p.dir, &p.opts)
		check(p.t, err)
		p.t.Cleanup(func() { check(p.t, files.Close()) })
		p.tool = facade.NewSet([]*facade.Tool{facade.Files(files)}, &facade.Options{OutputBudget: p.budget}).Tool("filesystem")
	}
	args = strings.NewReplacer("$CURSOR", p.cursor, "$ETAG", p.etag).Replace(args)
	res, err := p.tool.Call(context.Background(), facade.Call{Session: "transcript", Args: json.RawMessage(args)})
	check(p.t, err)
	p.remember(res.JSON())
	text := times.ReplaceAllString(res.Text, "<time>")
	if p.cursor != "" {
		text = strings.ReplaceAll(text, p.cursor, "$CURSOR")
	}
	if strings.Contains(text, p.dir) {
		p.t.Errorf("call %s shows the host path: %s", args, text)
	}
	return text
}

// remember keeps what the next call may refer to.
func (p *player) remember(raw []byte) {
	var data struct {
		NextCursor string `json:"next_cursor"`
		ETag       string
		Files      json.RawMessage
	}
	check(p.t, json.Unmarshal(raw, &data))
	p.cursor = data.NextCursor
	var files []struct{ ETag string } // of a read; copy counts files
	if err := json.Unmarshal(data.Files, &files); err == nil && len(files) > 0 {
		p.etag = files[0].ETag
	}
	if data.ETag != "" {
		p.etag = data.ETag
	}
}

// validator is a validator of one kind.
type validator string

func (v validator) Name() string          { return string(v) }
func (v validator) Accepts(p string) bool { return strings.HasSuffix(p, ".py") }

func (v validator) ValidateWrite(_ context.Context, c facade.WriteCandidate) ([]facade.Finding, error) {
	switch v {
	case "failing":
		return []facade.Finding{{Severity: "error", Line: 1, Message: fmt.Sprintf("%d bytes of nonsense", len(c.Content))}}, nil
	case "broken":
		return nil, errors.New("the model does not answer")
	case "panicking":
		panic("a defect of the validator")
	}
	return nil, nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
