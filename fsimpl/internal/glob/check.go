package glob

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// check says what is wrong with a pattern, in words for its author.
func check(p string) error {
	switch {
	case p == "":
		return errors.New("it is empty")
	case len(p) > MaxLength:
		return fmt.Errorf("it has %d bytes; at most %d are allowed", len(p), MaxLength)
	case !utf8.ValidString(p):
		return errors.New("it is not valid UTF-8")
	case strings.IndexByte(p, 0) >= 0:
		return errors.New("it contains a NUL byte")
	}
	for element := range strings.SplitSeq(p, "/") {
		if element == ".." {
			return errors.New("'..' leads out of the directory searched")
		}
	}
	c := checker{text: p}
	n, err := c.sequence(0)
	if err == nil && n > MaxAlternatives {
		err = errTooMany
	}
	return err
}

// checker walks over a pattern once.
type checker struct {
	text string
	at   int
}

var errTooMany = fmt.Errorf("its braces stand for more than %d patterns", MaxAlternatives)

// sequence reads up to the end of the alternative it is in and returns how
// many patterns without braces it stands for, at most MaxAlternatives+1.
func (c *checker) sequence(depth int) (int, error) {
	product := 1
	for c.at < len(c.text) {
		ch := c.text[c.at]
		if depth > 0 && (ch == ',' || ch == '}') {
			return product, nil
		}
		c.at++
		switch ch {
		case '\\':
			if c.at == len(c.text) {
				return 0, errors.New("it ends in a backslash that escapes nothing")
			}
			c.at++
		case '[':
			if err := c.class(); err != nil {
				return 0, err
			}
		case '{':
			n, err := c.braces(depth + 1)
			if err != nil {
				return 0, err
			}
			product = min(product*n, MaxAlternatives+1)
		case '}':
			return 0, errors.New("a '}' has no '{' before it")
		}
	}
	return product, nil
}

// braces reads the alternatives after a '{' and returns their number.
func (c *checker) braces(depth int) (int, error) {
	start, sum := c.at, 0
	for {
		n, err := c.sequence(depth)
		if err != nil {
			return 0, err
		}
		sum = min(sum+n, MaxAlternatives+1)
		if c.at == len(c.text) {
			return 0, fmt.Errorf("the '{' at byte %d is not closed", start)
		}
		c.at++
		if c.text[c.at-1] == '}' {
			return sum, nil
		}
	}
}

// class reads the rest of a class after its '['.
func (c *checker) class() error {
	start := c.at
	if c.at < len(c.text) && (c.text[c.at] == '!' || c.text[c.at] == '^') {
		c.at++
	}
	for first := true; c.at < len(c.text); first = false {
		ch := c.text[c.at]
		c.at++
		switch {
		case ch == ']' && first:
			return fmt.Errorf("the class at byte %d is empty", start)
		case ch == ']':
			return nil
		case ch == '\\':
			c.at++
		}
	}
	return fmt.Errorf("the '[' at byte %d is not closed", start)
}
