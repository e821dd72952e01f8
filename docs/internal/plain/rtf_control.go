package plain

import (
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/toolfacade/toolfacade/docs/document"
)

// control reads what follows a backslash.
func (p *rtf) control() error {
	if p.at >= len(p.data) {
		return nil
	}
	c := p.data[p.at]
	if !isLetter(c) {
		p.at++
		return p.symbol(c)
	}
	start := p.at
	for p.at < len(p.data) && isLetter(p.data[p.at]) && p.at-start < 32 {
		p.at++
	}
	word := string(p.data[start:p.at])
	start = p.at
	if p.at < len(p.data) && p.data[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' && p.at-start < 11 {
		p.at++
	}
	n, err := strconv.Atoi(string(p.data[start:p.at]))
	has := err == nil
	if p.at < len(p.data) && p.data[p.at] == ' ' {
		p.at++
	}
	if word == "bin" && n > 0 {
		p.at = min(len(p.data), p.at+n)
		return nil
	}
	return p.word(word, n, has)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// symbol reads a control of one sign.
func (p *rtf) symbol(c byte) error {
	switch c {
	case '\'':
		if p.at+2 <= len(p.data) {
			if n, err := strconv.ParseUint(string(p.data[p.at:p.at+2]), 16, 8); err == nil {
				p.char(byte(n))
			}
			p.at += 2
		}
	case '\\', '{', '}':
		p.char(c)
	case '~':
		p.char(' ')
	case '_':
		p.char('-')
	case '*':
		p.flush()
		if !p.known() {
			p.state.dest = "skip"
		}
	case '\r', '\n':
		return p.paragraph()
	}
	return nil
}

// known reports whether the destination after \* is one that is read.
func (p *rtf) known() bool {
	rest := string(p.data[p.at:min(len(p.data), p.at+10)])
	for _, name := range []string{`\fldinst`, `\shppict`} {
		if len(rest) >= len(name) && rest[:len(name)] == name {
			return true
		}
	}
	return false
}

// skipped are destinations without text of the document.
var skipped = map[string]bool{
	"colortbl": true, "stylesheet": true, "pict": true, "object": true, "header": true, "footer": true, "headerl": true, "headerr": true,
	"headerf": true, "footerl": true, "footerr": true, "footerf": true, "xe": true, "tc": true, "nonshppict": true, "datafield": true,
	"listtable": true, "listoverridetable": true, "generator": true, "themedata": true, "latentstyles": true, "rsidtbl": true,
	"operator": true, "company": true, "doccomm": true, "creatim": true, "revtim": true, "subject": true, "keywords": true, "filetbl": true, "revtbl": true, "shpinst": true, "atnid": true, "atnauthor": true,
}

// characters are words that stand for text.
var characters = map[string]string{
	"tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
}

// word carries out a control word.
func (p *rtf) word(word string, n int, has bool) error {
	if skipped[word] {
		p.flush()
		p.state.dest = "skip"
		return nil
	}
	if text, ok := characters[word]; ok {
		p.flush()
		p.add(text)
		return nil
	}
	switch word {
	case "par", "sect", "page":
		return p.paragraph()
	case "cell", "nestcell":
		p.endCell()
	case "row", "nestrow":
		p.endRow()
	case "u":
		p.unicode(n)
	case "uc":
		p.state.unicodeSkip = min(max(n, 0), 16)
	case "fonttbl", "title", "author", "footnote", "fldinst", "fldrslt", "listtext", "pntext":
		p.enter(word)
	case "info":
		p.flush()
		p.state.dest = "skip"
	default:
		p.format(word, n, has)
	}
	return nil
}

// enter starts a destination.
func (p *rtf) enter(word string) {
	p.flush()
	outer := p.state.dest
	p.state.dest = word
	switch word {
	case "title", "author", "footnote":
		p.meta.Reset()
	case "listtext", "pntext":
		p.state.dest = "mark"
		p.mark.Reset()
	case "fldrslt":
		if outer == "skip" || outer == "footnote" {
			p.state.dest = outer
		}
	}
}

// format changes how text looks or where it stands.
func (p *rtf) format(word string, n int, has bool) {
	set := !has || n != 0
	switch word {
	case "ansicpg":
		p.codepage = codepage(n)
	case "mac":
		p.codepage = "macintosh"
	case "f":
		p.flush()
		p.state.font, p.font = n, n
	case "fcharset":
		if p.state.dest == "fonttbl" {
			p.fonts[p.font] = charsets[n]
		}
	case "plain":
		p.flush()
		p.state.style = document.Style{}
	case "pard":
		p.flush()
		p.state.heading, p.state.inTable, p.state.level = 0, false, 0
	case "b", "i", "strike":
		p.flush()
		switch word {
		case "b":
			p.state.style.Bold = set
		case "i":
			p.state.style.Italic = set
		default:
			p.state.style.Strike = set
		}
	case "intbl":
		p.state.inTable = true
	case "outlinelevel":
		if n >= 0 && n < 9 {
			p.state.heading = n + 1
		}
	case "ilvl":
		p.state.level = min(max(n, 0), 8)
	case "v":
		if p.flush(); set && p.state.dest == "" {
			p.state.dest = "hidden"
		} else if !set && p.state.dest == "hidden" {
			p.state.dest = ""
		}
	}
}

// unicode adds a character; those outside of the first plane come in halves.
func (p *rtf) unicode(n int) {
	p.flush()
	r := rune(uint16(n))
	switch {
	case utf16.IsSurrogate(r) && p.high == 0:
		p.high = r
	case p.high != 0:
		p.add(string(utf16.DecodeRune(p.high, r)))
		p.high = 0
	case p.state.dest != "skip":
		p.add(string(r))
	}
	p.skip = p.state.unicodeSkip
}

// charsets are the encodings of fonts.
var charsets = map[int]string{
	77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258",
	177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250",
}

func codepage(n int) string {
	switch n {
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 65001:
		return "utf-8"
	case 10000:
		return "macintosh"
	case 437, 850:
		return "windows-1252"
	}
	return fmt.Sprintf("windows-%d", n)
}
