package pyexec

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// metadata is what a script says of itself in the block "# /// script" of the
// specification "Inline script metadata" (PEP 723).
type metadata struct {
	block          string   // the lines as they are, with their comment signs
	dependencies   []string // requirements, as "rich>=13"
	requiresPython bool     // it names versions of Python
}

// blockPattern finds blocks of metadata, and blockStart where one should be.
// Blanks at the ends of lines do no harm.
var (
	blockPattern = regexp.MustCompile(`(?m)^# /// script[ \t]*\n((?:#(?:| .*)\n)*)# ///[ \t]*$`)
	blockStart   = regexp.MustCompile(`(?m)^# /// script[ \t]*$`)
)

// readMetadata finds the metadata of a source. One without has none.
func readMetadata(source string) (metadata, error) {
	if !strings.Contains(source, "# /// script") {
		return metadata{}, nil
	}
	source = strings.ReplaceAll(strings.TrimPrefix(source, "\uFEFF"), "\r\n", "\n")
	starts := len(blockStart.FindAllStringIndex(source, -1))
	if starts == 0 {
		return metadata{}, nil
	}
	match := blockPattern.FindStringSubmatch(source)
	switch {
	case starts > 1:
		return metadata{}, errors.New("there are two blocks '# /// script'")
	case match == nil:
		return metadata{}, errors.New("the block '# /// script' has to end with a line '# ///', and each line between has to begin with '# '")
	}
	m := metadata{block: "# /// script\n" + match[1] + "# ///\n"}
	return m, m.fields(uncomment(match[1]))
}

// uncomment removes the comment signs of a block.
func uncomment(block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		line = strings.TrimPrefix(line, "#")
		b.WriteString(strings.TrimPrefix(line, " "))
	}
	return b.String()
}

// fields reads the fields that matter here of a TOML text. It knows as much of
// TOML as it takes to skip the others; what it cannot read is an error, so that
// no dependency is overlooked.
func (m *metadata) fields(text string) error {
	r := &tomlReader{rest: text}
	for table := false; ; {
		r.blank(true)
		if r.rest == "" {
			return nil
		}
		if strings.HasPrefix(r.rest, "[") { // the fields of tables are for other tools
			table = true
			r.line()
			continue
		}
		key, err := r.key()
		if err != nil {
			return err
		}
		value, err := r.value(0)
		if err != nil {
			return fmt.Errorf("the value of %.40s: %w", key, err)
		}
		switch {
		case table:
		case key == "requires-python":
			m.requiresPython = true
		case key == "dependencies":
			list, ok := value.([]any)
			if !ok {
				return errors.New("'dependencies' has to be a list of strings")
			}
			for _, v := range list {
				s, ok := v.(string)
				if !ok {
					return errors.New("'dependencies' has to be a list of strings")
				}
				m.dependencies = append(m.dependencies, s)
			}
		}
	}
}

// tomlReader reads TOML from the front.
type tomlReader struct{ rest string }

// blank skips blanks and, with lines, line ends and comments.
func (r *tomlReader) blank(lines bool) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t")
		if !lines {
			return
		}
		switch {
		case strings.HasPrefix(r.rest, "#"):
			r.line()
		case strings.HasPrefix(r.rest, "\n"):
			r.rest = r.rest[1:]
		default:
			return
		}
	}
}

// line skips the rest of a line.
func (r *tomlReader) line() {
	_, r.rest, _ = strings.Cut(r.rest, "\n")
}

// take skips what comes next when it is sign.
func (r *tomlReader) take(sign string) bool {
	rest, ok := strings.CutPrefix(r.rest, sign)
	if ok {
		r.rest = rest
	}
	return ok
}

// key reads a key and the sign behind it.
func (r *tomlReader) key() (string, error) {
	name, err := "", error(nil)
	if strings.HasPrefix(r.rest, `"`) || strings.HasPrefix(r.rest, "'") {
		if name, err = r.text(); err != nil {
			return "", err
		}
	}
	end := strings.IndexAny(r.rest, "=\n")
	if end < 0 || r.rest[end] != '=' {
		line, _, _ := strings.Cut(r.rest, "\n")
		return "", fmt.Errorf("%.40q is no 'key = value'", line)
	}
	name += strings.TrimSpace(r.rest[:end])
	r.rest = r.rest[end+1:]
	r.blank(false)
	return name, nil
}

// deepest is how deep values may be nested.
const deepest = 32

// value reads a value: a string, a list, or anything else as nil.
func (r *tomlReader) value(depth int) (any, error) {
	switch {
	case depth > deepest:
		return nil, errors.New("it is nested too deep")
	case strings.HasPrefix(r.rest, `"`), strings.HasPrefix(r.rest, "'"):
		return r.text()
	case r.take("["):
		return r.list(depth)
	case r.take("{"):
		return nil, r.inlineTable(depth)
	}
	end := strings.IndexAny(r.rest, ",]}#\n")
	if end < 0 {
		end = len(r.rest)
	}
	if strings.TrimSpace(r.rest[:end]) == "" {
		return nil, errors.New("it is missing")
	}
	r.rest = r.rest[end:]
	return nil, nil
}

// list reads a list behind its bracket.
func (r *tomlReader) list(depth int) (any, error) {
	list := []any{}
	for {
		r.blank(true)
		if r.take("]") {
			return list, nil
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if r.blank(true); !r.take(",") && !strings.HasPrefix(r.rest, "]") {
			return nil, errors.New("the list is not closed")
		}
	}
}

// inlineTable skips a table in braces behind its brace.
func (r *tomlReader) inlineTable(depth int) error {
	for {
		r.blank(true)
		if r.take("}") {
			return nil
		}
		if _, err := r.key(); err != nil {
			return err
		}
		if _, err := r.value(depth + 1); err != nil {
			return err
		}
		if r.blank(true); !r.take(",") && !strings.HasPrefix(r.rest, "}") {
			return errors.New("the table is not closed")
		}
	}
}

// text reads a string in one of its four forms.
func (r *tomlReader) text() (string, error) {
	quote := r.rest[:1]
	end := quote
	if strings.HasPrefix(r.rest, quote+quote+quote) {
		end = quote + quote + quote
	}
	r.take(end)
	if end != quote {
		r.take("\n")
	}
	var b strings.Builder
	for r.rest != "" {
		switch {
		case r.take(end):
			return b.String(), nil
		case len(end) == 1 && r.rest[0] == '\n':
			return "", errors.New("the string is not closed")
		case quote == `"` && r.take(`\`):
			if err := r.escaped(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(r.rest[0])
			r.rest = r.rest[1:]
		}
	}
	return "", errors.New("the string is not closed")
}

// escaped reads what follows a backslash.
func (r *tomlReader) escaped(b *strings.Builder) error {
	if trimmed := strings.TrimLeft(r.rest, " \t"); strings.HasPrefix(trimmed, "\n") {
		r.rest = strings.TrimLeft(trimmed, " \t\n") // the string goes on there
		return nil
	}
	for sign, means := range map[string]string{"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", `"`: `"`, `\`: `\`} {
		if r.take(sign) {
			b.WriteString(means)
			return nil
		}
	}
	for sign, digits := range map[string]int{"x": 2, "u": 4, "U": 8} {
		if len(r.rest) > digits && r.take(sign) {
			n, err := strconv.ParseUint(r.rest[:digits], 16, 32)
			if err != nil || !utf8.ValidRune(rune(n)) {
				break
			}
			b.WriteRune(rune(n))
			r.rest = r.rest[digits:]
			return nil
		}
	}
	return errors.New("there is a wrong escape in a string")
}
