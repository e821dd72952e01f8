package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is how a run of text looks and where it leads.
type Style struct {
	Bold, Italic, Strike, Code bool
	// Link is the address that the text leads to.
	Link string
}

// Inline collects the text of one block as plain text and as Markdown. The
// zero value is empty.
type Inline struct {
	runs []run
}

type run struct {
	text  string
	style Style
	raw   bool // Markdown already
}

// Add appends text; runs of one style are joined.
func (in *Inline) Add(text string, s Style) {
	if text == "" {
		return
	}
	if n := len(in.runs); n > 0 && in.runs[n-1].style == s && !in.runs[n-1].raw {
		in.runs[n-1].text += text
		return
	}
	in.runs = append(in.runs, run{text: text, style: s})
}

// AddRaw appends text that is Markdown already, as a formula.
func (in *Inline) AddRaw(text string) {
	if text != "" {
		in.runs = append(in.runs, run{text: text, raw: true})
	}
}

// Append appends another text.
func (in *Inline) Append(other Inline) { in.runs = append(in.runs, other.runs...) }

// Empty reports whether there is nothing but blanks.
func (in *Inline) Empty() bool {
	for _, r := range in.runs {
		if strings.TrimSpace(r.text) != "" {
			return false
		}
	}
	return true
}

// Text returns the plain text without blanks around it.
func (in *Inline) Text() string {
	var b strings.Builder
	for _, r := range in.runs {
		b.WriteString(r.text)
	}
	return strings.TrimSpace(clean(b.String()))
}

// Markdown returns the text as Markdown, or "" when that is the plain text.
func (in *Inline) Markdown() string {
	var b strings.Builder
	for _, r := range in.runs {
		text := clean(r.text)
		if r.raw {
			b.WriteString(text)
			continue
		}
		b.WriteString(r.style.markdown(text))
	}
	md := strings.TrimSpace(b.String())
	if md == in.Text() {
		return ""
	}
	return md
}

// markdown wraps text, but not the blanks around it, into its marks.
func (s Style) markdown(text string) string {
	core := strings.TrimSpace(text)
	if core == "" {
		return text
	}
	at := strings.Index(text, core)
	before, after := text[:at], text[at+len(core):]
	if s.Code {
		core = "`" + core + "`"
	} else {
		core = Escape(core)
	}
	for _, m := range []struct {
		on   bool
		mark string
	}{{s.Strike, "~~"}, {s.Italic, "*"}, {s.Bold, "**"}} {
		if m.on {
			core = m.mark + core + m.mark
		}
	}
	if s.Link != "" {
		core = "[" + core + "](" + strings.NewReplacer(" ", "%20", ")", "%29", "\n", "").Replace(s.Link) + ")"
	}
	return before + core + after
}

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "<", `\<`)

// Escape makes text safe inside Markdown.
func Escape(s string) string {
	if !strings.ContainsAny(s, "\\*`[]<") {
		return s
	}
	return escaper.Replace(s)
}

// clean drops what cannot be shown: control characters, invalid UTF-8, soft
// hyphens and byte order marks. No-break spaces become spaces.
func clean(s string) string {
	ok := utf8.ValidString(s)
	for _, r := range s {
		if !ok {
			break
		}
		ok = r >= ' ' && r < 0x7f || r == '\n' || r == '\t' || r > 0xa0 && r != 0xad && r != 0xfeff && r != utf8.RuneError
	}
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == 0xa0:
			return ' '
		case r == '\r' || r == '\v' || r == '\f' || r == 0x85:
			return '\n'
		case r == 0xad || r == 0xfeff || unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Squeeze makes each run of white space one blank, as HTML does.
func Squeeze(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}
