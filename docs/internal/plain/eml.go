package plain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
	"golang.org/x/net/html/charset"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/internal/web"
	"github.com/toolfacade/toolfacade/facade"
)

// Mail parses messages of electronic mail. Of alternatives the plain text is
// read, unless there is HTML only; attachments are named, not read.
type Mail struct{}

var _ document.Format = Mail{}

// Name implements [document.Format].
func (Mail) Name() string { return "eml" }

// Accepts implements [document.Format].
func (Mail) Accepts(mime string) bool { return mime == "message/rfc822" }

// Parse implements [document.Format].
func (Mail) Parse(ctx context.Context, src document.Source, req document.Request) (*document.Document, error) {
	b := document.NewBuilder(req)
	e, err := message.Read(io.NewSectionReader(src, 0, src.Size))
	if err != nil && !tolerable(err) {
		return nil, document.Malformed("this is no mail: %w", err)
	}
	m := &letter{ctx: ctx, b: b}
	if err := m.headers(mail.Header{Header: e.Header}); err != nil {
		return b.Finish(err)
	}
	return b.Finish(m.part(e, 0))
}

// tolerable reports errors after which the bytes can still be read as they
// are.
func tolerable(err error) bool {
	return message.IsUnknownCharset(err) || message.IsUnknownEncoding(err)
}

type letter struct {
	ctx   context.Context
	b     *document.Builder
	parts int
}

func (m *letter) headers(h mail.Header) error {
	meta := m.b.Meta()
	meta.Title = field(h, "Subject")
	if t, err := h.Date(); err == nil && !t.IsZero() {
		meta.Created = &t
	}
	if from, err := h.AddressList("From"); err == nil {
		for _, a := range from {
			meta.Authors = append(meta.Authors, a.Address)
		}
	}
	for _, name := range []string{"From", "To", "Cc", "Date", "Subject"} {
		value := field(h, name)
		if value == "" {
			continue
		}
		if _, err := m.b.Plain(facade.BlockEmailHeader, 0, name+": "+value); err != nil {
			return err
		}
	}
	return nil
}

// field is a header field with its encoded words decoded.
func field(h mail.Header, name string) string {
	raw := h.Get(name)
	words := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	if text, err := words.DecodeHeader(raw); err == nil {
		raw = text
	}
	return document.DecodeCharset([]byte(raw), "")
}

// Bounds of a message.
const (
	maxParts = 1000
	maxDeep  = 20
	maxPart  = 32 << 20
)

// part reads one part and those inside of it.
func (m *letter) part(e *message.Entity, depth int) error {
	if m.parts++; m.parts > maxParts || depth > maxDeep {
		m.b.Warn(document.WarnLimit, 0, "the message is cut: more than %d parts, or nested more than %d deep", maxParts, maxDeep)
		return nil
	}
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if mr := e.MultipartReader(); mr != nil {
		return m.multipart(e, mr, depth)
	}
	kind, params, err := e.Header.ContentType()
	if err != nil {
		kind = "text/plain"
	}
	disposition, _, err := e.Header.ContentDisposition()
	attached := err == nil && disposition == "attachment"
	if !strings.HasPrefix(kind, "text/") && kind != "message/rfc822" || attached {
		return m.attachment(e, kind)
	}
	data, err := io.ReadAll(io.LimitReader(e.Body, maxPart))
	if err != nil {
		m.b.Warn(document.WarnTruncated, 0, "a part of the message is damaged: %v", err)
	}
	switch kind {
	case "message/rfc822":
		return m.forwarded(data, depth)
	case "text/html":
		return web.Add(m.ctx, m.b, document.DecodeCharset(data, params["charset"]))
	}
	text := document.DecodeCharset(data, params["charset"])
	return addText(m.ctx, m.b, strings.ReplaceAll(text, "\r\n", "\n"), false)
}

func (m *letter) multipart(e *message.Entity, mr message.MultipartReader, depth int) error {
	kind, _, err := e.Header.ContentType()
	if err == nil && kind == "multipart/alternative" {
		return m.alternatives(mr, depth)
	}
	for {
		p, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !tolerable(err) {
			m.b.Warn(document.WarnTruncated, 0, "the message breaks off: %v", err)
			return nil
		}
		if err := m.part(p, depth+1); err != nil {
			return err
		}
	}
}

// alternatives reads the plain text if there is any, else the last part.
func (m *letter) alternatives(mr message.MultipartReader, depth int) error {
	var best *message.Entity
	plain := false
	for {
		p, err := mr.NextPart()
		if err != nil && !tolerable(err) {
			if !errors.Is(err, io.EOF) {
				m.b.Warn(document.WarnTruncated, 0, "the message breaks off: %v", err)
			}
			break
		}
		data, err := io.ReadAll(io.LimitReader(p.Body, maxPart))
		if err != nil {
			m.b.Warn(document.WarnTruncated, 0, "a part of the message is damaged: %v", err)
		}
		if plain || m.parts > maxParts {
			continue
		}
		kind, _, err := p.Header.ContentType()
		if plain = err == nil && kind == "text/plain" && len(bytes.TrimSpace(data)) > 0; !plain && len(bytes.TrimSpace(data)) == 0 {
			continue
		}
		p.Header.Del("Content-Transfer-Encoding") // the data is decoded
		if best, err = message.New(p.Header, bytes.NewReader(data)); err != nil && !tolerable(err) {
			best = nil
		}
	}
	if best == nil {
		return nil
	}
	return m.part(best, depth+1)
}

func (m *letter) forwarded(data []byte, depth int) error {
	e, err := message.Read(bytes.NewReader(data))
	if err != nil && !tolerable(err) {
		m.b.Warn(document.WarnTruncated, 0, "a forwarded message is damaged: %v", err)
		return nil
	}
	title := m.b.Meta().Title
	if err := m.headers(mail.Header{Header: e.Header}); err != nil {
		return err
	}
	m.b.Meta().Title = title
	return m.part(e, depth+1)
}

// attachment names a part that is not read; an image is kept.
func (m *letter) attachment(e *message.Entity, kind string) error {
	h := mail.AttachmentHeader{Header: e.Header}
	name, err := h.Filename()
	if err != nil || name == "" {
		name = "unnamed"
	}
	if strings.HasPrefix(kind, "image/") {
		data, err := io.ReadAll(io.LimitReader(e.Body, maxPart))
		if err != nil {
			data = nil
		}
		return m.b.Image(facade.DocumentImage{Alt: name, MIME: kind}, data)
	}
	_, err = m.b.Plain(facade.BlockEmailHeader, 0, "Attachment: "+name+" ("+kind+")")
	return err
}
