// Package plain parses formats that are text at heart: plain text, CSV, rich
// text, notebooks and mail.
package plain

import (
	"context"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// Text parses plain text in any encoding: one block per paragraph.
type Text struct{}

var _ document.Format = Text{}

// Name implements [document.Format].
func (Text) Name() string { return "txt" }

// Accepts implements [document.Format].
func (Text) Accepts(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/json" || mime == "application/x-ndjson" || mime == "application/xml"
}

// Parse implements [document.Format].
func (Text) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	text, err := decoded(b, src)
	if err != nil {
		return nil, err
	}
	return b.Finish(addText(ctx, b, text, true))
}

// decoded reads a source as UTF-8.
func decoded(b *document.Builder, src document.Source) (string, error) {
	data, err := document.ReadAll(src)
	if err != nil {
		return "", err
	}
	text, name, guessed := document.DecodeText(data)
	if guessed {
		b.Warn(document.WarnEncoding, 0, "the encoding is not stated and was guessed to be %s", name)
	}
	if name != "utf-8" {
		b.SetCustom("encoding", name)
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

// addText appends text to a document, a block per paragraph, with its lines if
// the text is the file.
func addText(ctx context.Context, b *document.Builder, text string, numbered bool) error {
	number, start := 0, 1
	var lines []string
	flush := func() error {
		if numbered {
			b.At(facade.DocumentPlace{Line: start})
		}
		_, err := b.Plain(facade.BlockParagraph, 0, strings.Join(lines, "\n"))
		lines = nil
		return err
	}
	for line := range strings.Lines(text) {
		if number++; number%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" {
			if len(lines) == 0 {
				start = number
			}
			lines = append(lines, line)
			continue
		}
		if len(lines) > 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
