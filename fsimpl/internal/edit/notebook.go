package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Cell is one cell of a Jupyter notebook.
type Cell struct {
	Index  int    // from 0
	ID     string // "" in old notebooks
	Type   string // code, markdown or raw
	Source string
	Output string // what running it has left, as text and cut; "" for none

	start, end int // of the source's JSON value in the notebook
}

// Cells reads the cells of raw, the whole content of an .ipynb file in UTF-8.
// Content that is no notebook is an unsupported_format error.
func Cells(raw []byte) ([]Cell, error) {
	base := 0
	if bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF")) {
		base = 3
	}
	r := &notebookReader{dec: json.NewDecoder(bytes.NewReader(raw[base:])), base: base}
	found := false
	err := r.object(func(key string) error {
		if key != "cells" {
			_, _, err := r.value()
			return err
		}
		found = true
		return r.array(r.cell)
	})
	switch {
	case err != nil:
		return nil, facade.Errorf(facade.CodeUnsupportedFormat, "not a notebook: %w", err)
	case !found:
		return nil, facade.Errorf(facade.CodeUnsupportedFormat, "not a notebook: it has no cells")
	}
	return r.cells, nil
}

// notebookReader walks the JSON and remembers where the sources are.
type notebookReader struct {
	dec   *json.Decoder
	base  int
	cells []Cell
}

func (r *notebookReader) delim(want json.Delim) error {
	t, err := r.dec.Token()
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("%v where %v was expected, at byte %d", t, want, r.dec.InputOffset())
	}
	return nil
}

func (r *notebookReader) object(member func(key string) error) error {
	if err := r.delim('{'); err != nil {
		return err
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := member(name); err != nil {
			return err
		}
	}
	return r.delim('}')
}

func (r *notebookReader) array(element func() error) error {
	if err := r.delim('['); err != nil {
		return err
	}
	for r.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return r.delim(']')
}

// value reads any value and returns it with the offset of its end.
func (r *notebookReader) value() (json.RawMessage, int, error) {
	var v json.RawMessage
	err := r.dec.Decode(&v)
	return v, int(r.dec.InputOffset()) + r.base, err
}

func (r *notebookReader) cell() error {
	c := Cell{Index: len(r.cells), start: -1}
	err := r.object(func(key string) error {
		v, end, err := r.value()
		if err != nil {
			return err
		}
		switch key {
		case "id":
			return json.Unmarshal(v, &c.ID)
		case "cell_type":
			return json.Unmarshal(v, &c.Type)
		case "outputs":
			c.Output = outputText(v)
		case "source":
			c.start, c.end = end-len(v), end
			c.Source, err = sourceText(v)
		}
		return err
	})
	if err == nil && c.start < 0 {
		err = fmt.Errorf("cell %d has no source", c.Index)
	}
	r.cells = append(r.cells, c)
	return err
}

// sourceText joins a source, which is a string or a list of lines.
func sourceText(v json.RawMessage) (string, error) {
	if v[0] == '"' {
		var text string
		err := json.Unmarshal(v, &text)
		return text, err
	}
	var lines []string
	err := json.Unmarshal(v, &lines)
	return strings.Join(lines, ""), err
}
