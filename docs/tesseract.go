package docs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

var _ OCR = (*Tesseract)(nil)

// TesseractOptions tune [Tesseract]. The zero value is the safe default.
type TesseractOptions struct {
	// Program is the path of the program; "" looks tesseract up in PATH at
	// every call.
	Program string
	// Languages are those of the texts, as "eng+deu"; "" means English.
	Languages string
	// Timeout bounds one image; 0 means two minutes.
	Timeout time.Duration
}

// Tesseract recognizes text by the tesseract program. The image goes to its
// standard input: it reads no file of the host but its own data.
type Tesseract struct{ opts TesseractOptions }

// NewTesseract returns the engine; the program is looked for when it is used.
func NewTesseract(opts *TesseractOptions) *Tesseract {
	t := &Tesseract{}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.Program == "" {
		t.opts.Program = "tesseract"
	}
	if t.opts.Languages == "" {
		t.opts.Languages = "eng"
	}
	if t.opts.Timeout <= 0 {
		t.opts.Timeout = 2 * time.Minute
	}
	return t
}

// Name implements [OCR].
func (t *Tesseract) Name() string { return "tesseract" }

// Recognize implements [OCR].
func (t *Tesseract) Recognize(ctx context.Context, image []byte) (string, []facade.DocumentWord, error) {
	program, err := exec.LookPath(t.opts.Program)
	if err != nil {
		e := facade.Errorf(facade.CodeUnavailable, "recognizing text needs the program tesseract, which is not installed").
			WithHint("install it, as by 'apt-get install tesseract-ocr' or 'brew install tesseract'")
		e.Err = err
		return "", nil, e
	}
	limited, cancel := context.WithTimeout(ctx, t.opts.Timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, program, "stdin", "stdout", "-l", t.opts.Languages, "--psm", "3", "tsv")
	cmd.Stdin = bytes.NewReader(image)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if dir := os.Getenv("TESSDATA_PREFIX"); dir != "" {
		cmd.Env = append(cmd.Env, "TESSDATA_PREFIX="+dir)
	}
	cmd.WaitDelay = 5 * time.Second
	stdout, stderr := &bounded{most: 32 << 20}, &bounded{most: 4 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil {
		switch {
		case ctx.Err() != nil:
			return "", nil, ctx.Err()
		case errors.Is(limited.Err(), context.DeadlineExceeded):
			return "", nil, facade.Errorf(facade.CodeTimeout, "tesseract did not end within %v", t.opts.Timeout).WithHint("use a smaller image")
		case strings.Contains(stderr.String(), "Failed loading language"):
			return "", nil, facade.Errorf(facade.CodeUnavailable, "tesseract lacks the language data '%s'", t.opts.Languages).
				WithHint("install it, as by 'apt-get install tesseract-ocr-%s'", t.opts.Languages)
		}
		return "", nil, facade.Errorf(facade.CodeUnsupportedFormat, "tesseract could not read the image: %w", err).WithHint("convert it to PNG first")
	}
	text, words := parseTSV(stdout.String())
	return text, words, nil
}

// bounded keeps the first bytes and drops the rest.
type bounded struct {
	bytes.Buffer
	most int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// parseTSV reads tesseract's table of words: its columns are level, page,
// block, paragraph, line, word, left, top, width, height, confidence, text.
func parseTSV(s string) (string, []facade.DocumentWord) {
	var words []facade.DocumentWord
	var b strings.Builder
	place := ""
	for line := range strings.Lines(s) {
		f := strings.SplitN(strings.TrimRight(line, "\r\n"), "\t", 12)
		if len(f) != 12 || f[0] != "5" || strings.TrimSpace(f[11]) == "" {
			continue
		}
		var n [5]float64
		bad := false
		for i := range n {
			v, err := strconv.ParseFloat(f[6+i], 64)
			n[i], bad = v, bad || err != nil
		}
		if bad {
			continue
		}
		at := strings.Join(f[1:5], " ")
		switch {
		case place == "":
		case strings.Join(f[1:4], " ") != place[:strings.LastIndexByte(place, ' ')]:
			b.WriteString("\n\n")
		case at != place:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		place = at
		b.WriteString(f[11])
		words = append(words, facade.DocumentWord{
			Text: f[11], Box: facade.Box{n[0], n[1], n[0] + n[2], n[1] + n[3]}, Confidence: min(max(n[4]/100, 0), 1),
		})
	}
	return b.String(), words
}
