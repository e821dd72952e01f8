package pyexec

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// rich is what display is made of.
//
//go:embed rich.py
var rich string

// The bounds of results: a program that reports more is told so.
const (
	maxResults   = 64
	maxChannel   = 16 << 20 // bytes of the file that programs write results to
	shortResult  = 8 << 10  // a value up to this size is in the reply
	shortResults = 16 << 10 // all of them together; others are kept in files
)

// channel is the file that programs write results to, a JSON object on each
// line: the forms of a value by media type.
const channel = "results.jsonl"

// withRich puts the text of rich.py in front of the worker's program, as the
// variable rich.
func withRich(program string) string { return "rich = " + literal(rich) + "\n" + program }

// reader takes the results of one program.
type reader struct {
	info  *facade.TaskInfo
	keep  func(name string, data []byte) (facade.Artifact, error) // makes a file of a value
	left  int                                                     // of shortResults
	lines int
	bad   int
	why   string // of the first bad line
}

// results takes what a program reported. Of what it wrote nothing is trusted.
func (p *Python) results(dir, to string, info *facade.TaskInfo) error {
	if _, err := os.Lstat(filepath.Join(dir, channel)); errors.Is(err, fs.ErrNotExist) {
		return nil // the rule
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read
	if about, err := root.Lstat(channel); err != nil || !about.Mode().IsRegular() {
		return errors.Join(err, fs.ErrInvalid)
	}
	f, err := root.Open(channel)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	r := &reader{info: info, left: shortResults, keep: func(name string, data []byte) (facade.Artifact, error) {
		return p.store(to, name, data)
	}}
	return r.read(f)
}

// read reads all lines.
func (r *reader) read(from io.Reader) error {
	limited := &io.LimitedReader{R: from, N: maxChannel}
	lines := bufio.NewReader(limited)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		r.lines++
		if limited.N == 0 && err != nil { // it may be cut
			r.note("results behind the first %d bytes are left out", int64(maxChannel))
			break
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if len(r.info.Results) >= maxResults {
				r.note("only the first %d results are kept", maxResults)
				break
			}
			r.line(line)
		}
		if err != nil {
			break
		}
	}
	if r.bad > 0 {
		r.note("results left out for their form: %d, the first in line %s; a line is a JSON object of media types and values, as {\"application/json\": 1}", r.bad, r.why)
	}
	return nil
}

func (r *reader) note(format string, args ...any) {
	r.info.Notes = append(r.info.Notes, fmt.Sprintf(format, args...))
}

// line takes one value in all its forms.
func (r *reader) line(raw []byte) {
	var forms map[string]json.RawMessage
	err := json.Unmarshal(raw, &forms)
	if err == nil && len(forms) == 0 {
		err = errors.New("it has no form")
	}
	for _, kind := range slices.SortedFunc(maps.Keys(forms), firstText) {
		if err = errors.Join(err, r.form(kind, forms[kind])); err != nil {
			break
		}
	}
	if err == nil {
		return
	}
	if r.bad++; r.bad == 1 {
		r.why = fmt.Sprintf("%d: %.200s", r.lines, strings.ToValidUTF8(err.Error(), "\uFFFD"))
	}
}

// firstText sorts what a model reads best to the front.
func firstText(a, b string) int {
	rank := func(kind string) int {
		if i := slices.Index([]string{"application/json", "text/markdown", "text/plain"}, kind); i >= 0 {
			return i
		}
		return 3
	}
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// form takes one form of a value.
func (r *reader) form(kind string, value json.RawMessage) error {
	if media, _, err := mime.ParseMediaType(kind); err != nil || !strings.Contains(media, "/") || len(kind) > 100 {
		return fmt.Errorf("%.100q is no media type", kind)
	}
	data, err := content(kind, value)
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	result := facade.RichResult{MIME: kind, Size: int64(len(data))}
	if !isText(kind) || strings.HasPrefix(kind, "image/") || len(value) > min(r.left, shortResult) {
		if len(r.info.Artifacts) >= maxArtifacts {
			r.note("a result of %d bytes is left out: only %d artifacts are kept", len(data), maxArtifacts)
		} else if a, err := r.keep(fmt.Sprintf("result-%d%s", len(r.info.Results)+1, extension(kind)), data); err != nil {
			r.note("a result could not be kept: %s", facade.CodeOf(err))
		} else {
			a.MIME = kept(kind, data)
			result.Path = a.Path
			r.info.Artifacts = append(r.info.Artifacts, a)
		}
	} else {
		result.Data, r.left = value, r.left-len(value)
	}
	r.info.Results = append(r.info.Results, result)
	return nil
}

func isJSON(kind string) bool {
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

// isText reports whether values of a media type are JSON or text.
func isText(kind string) bool {
	return isJSON(kind) || strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") ||
		slices.Contains([]string{"application/xml", "application/javascript", "application/yaml"}, kind)
}

// content is what a file of a value holds.
func content(kind string, value json.RawMessage) ([]byte, error) {
	if isJSON(kind) {
		return value, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, errors.New("the value has to be a string")
	}
	if isText(kind) {
		return []byte(text), nil
	}
	data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(text))
	if err != nil {
		return nil, errors.New("the value has to be in base64")
	}
	return data, nil
}

// kept is the media type of a value's file. What calls itself an image has to be
// that image: a model's provider refuses the whole conversation otherwise.
func kept(kind string, data []byte) string {
	if strings.HasPrefix(kind, "image/") && !isText(kind) {
		return http.DetectContentType(data)
	}
	return kind
}

// extension is that of a value's file.
func extension(kind string) string {
	switch base, _, _ := strings.Cut(kind, ";"); base {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	case "image/svg+xml":
		return ".svg"
	case "application/pdf":
		return ".pdf"
	case "text/html":
		return ".html"
	case "text/markdown":
		return ".md"
	case "text/csv":
		return ".csv"
	default:
		if isJSON(base) {
			return ".json"
		}
		if isText(base) {
			return ".txt"
		}
	}
	return ".bin"
}

// store keeps a value as an artifact below the root. An artifact of the
// program's own that has the name keeps it.
func (p *Python) store(to, name string, data []byte) (facade.Artifact, error) {
	ext := filepath.Ext(name)
	for i := 1; ; i++ {
		a, err := p.write(to+"/"+name, bytes.NewReader(data))
		if !errors.Is(err, fs.ErrExist) || i > maxArtifacts {
			return a, err
		}
		name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i, ext)
	}
}
