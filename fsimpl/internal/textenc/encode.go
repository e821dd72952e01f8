package textenc

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
)

var errNotHeld = errors.New("the encoding has no such character")

// Encode returns text in the encoding, without byte order mark. A character
// that the encoding cannot hold is an unsupported_encoding error that names
// it; nothing is ever replaced by a substitute.
func (e Encoding) Encode(text string) ([]byte, error) {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return nil, facade.Errorf(facade.CodeUnsupportedEncoding, "the text is not valid UTF-8 at byte %d", i)
			}
		}
	}
	if e.kind == kindUTF8 {
		return []byte(text), nil
	}
	if e.kind == kindStateful {
		return e.encodeStateful(text)
	}
	out := make([]byte, 0, len(text)*unitWidth(e))
	for i, r := range text {
		var err error
		if out, err = e.appendRune(out, r); err != nil {
			return nil, e.cannotHold(r, i)
		}
	}
	return out, nil
}

func (e Encoding) encodeStateful(text string) ([]byte, error) {
	out, err := e.other.NewEncoder().Bytes([]byte(text))
	if err == nil {
		return out, nil
	}
	for i, r := range text {
		if _, err := e.appendRune(nil, r); err != nil {
			return nil, e.cannotHold(r, i)
		}
	}
	return nil, fmt.Errorf("encode %s: %w", e.Name(), err)
}

func (e Encoding) cannotHold(r rune, at int) error {
	return facade.Errorf(facade.CodeUnsupportedEncoding, "%s cannot hold the character %q (U+%04X) at byte %d of the text: %w",
		e.Name(), r, r, at, errNotHeld).
		WithHint("use characters of %s, or write the whole file with file_encoding=utf-8", e.Name())
}
