package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/docs/pdf"
	"github.com/toolfacade/toolfacade/facade"
)

// reader reads documents as a host would have it.
type reader struct {
	pdf *pdf.Format
}

func newReader(ctx context.Context) (*reader, time.Duration, error) {
	r := &reader{pdf: pdf.New(nil)}
	start := time.Now()
	err := r.pdf.Ready(ctx)
	return r, time.Since(start), err
}

func (r *reader) close() error { return r.pdf.Close() }

// result is what became of one document.
type result struct {
	text   string
	tables []facade.DocumentTable
	output facade.DocumentReadOutput
	took   time.Duration
}

// read reads a whole document through the tool, as Markdown.
func (r *reader) read(ctx context.Context, path string) (res result, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return result{}, err
	}
	fs := afero.NewMemMapFs()
	name := filepath.Base(path)
	if err := afero.WriteFile(fs, "/"+name, data, 0o600); err != nil {
		return result{}, err
	}
	tools, err := docs.New(fs, &docs.Options{Formats: []document.Format{r.pdf}})
	if err != nil {
		return result{}, err
	}
	defer func() { err = errors.Join(err, tools.Close()) }()
	set := facade.NewSet([]*facade.Tool{facade.Document(tools)}, &facade.Options{OutputBudget: 256 << 20})
	args, err := json.Marshal(map[string]any{"action": facade.DocumentRead, "path": name})
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	reply, err := set.Tool("document").Call(ctx, facade.Call{Args: args})
	if err != nil {
		return result{}, err
	}
	res = result{took: time.Since(start)}
	if reply.Error != nil {
		return res, reply.Error
	}
	out, ok := reply.Data.(facade.DocumentReadOutput)
	if !ok || out.NextCursor != "" {
		return res, fmt.Errorf("the reply is a %T, or not whole", reply.Data)
	}
	res.output, res.text, res.tables = out, out.Content, out.Tables
	return res, nil
}
