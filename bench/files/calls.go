package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/toolfacade/toolfacade/bench/internal/measure"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
	"github.com/toolfacade/toolfacade/fsimpl/rootfs"
)

// compare times two functions in turns and prints the ratio of the medians.
func (b *bench) compare(name string, limit float64, ours, theirs func(i int) error) error {
	const times = 2000
	var took, used [2][]time.Duration
	for range b.rounds {
		for side, f := range []func(int) error{ours, theirs} {
			begin, before := time.Now(), measure.CPU()
			for i := range times {
				if err := f(i); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			took[side] = append(took[side], time.Since(begin)/times)
			used[side] = append(used[side], (measure.CPU()-before)/times)
		}
	}
	for i := range 2 {
		slices.Sort(took[i])
		slices.Sort(used[i])
	}
	a, o := took[0][b.rounds/2], took[1][b.rounds/2]
	cpu := float64(used[0][b.rounds/2]) / float64(used[1][b.rounds/2])
	b.row(name, fmt.Sprint(a), fmt.Sprint(o), float64(a)/float64(o), limit, fmt.Sprintf("%5.2f", cpu), true)
	return nil
}

// small makes files three directories deep and returns their names.
func (b *bench) small(size int) ([]string, error) {
	dir := filepath.Join("one", "two", "three")
	if err := os.MkdirAll(filepath.Join(b.dir, dir), 0o755); err != nil {
		return nil, err
	}
	var names []string
	for i := range 100 {
		name := filepath.Join(dir, fmt.Sprintf("file%d.txt", i))
		names = append(names, name)
		content := bytes.Repeat([]byte("sixteen letters\n"), size/16)
		if err := os.WriteFile(filepath.Join(b.dir, name), content, 0o644); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// confined compares confinement with package os, which has none.
func (b *bench) confined() (err error) {
	names, err := b.small(2048)
	if err != nil {
		return err
	}
	root, err := rootfs.Open(b.dir, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	at := func(i int) string { return filepath.Join(b.dir, names[i%len(names)]) }
	err = b.compare("confined stat / os.Stat", 2,
		func(i int) error { _, err := root.Stat(names[i%len(names)]); return err },
		func(i int) error { _, err := os.Stat(at(i)); return err })
	if err != nil {
		return err
	}
	buf := make([]byte, 4096)
	read := func(r io.ReadCloser) error {
		n, err := r.Read(buf)
		if err == nil && n != 2048 {
			err = io.ErrUnexpectedEOF
		}
		if e := r.Close(); err == nil {
			err = e
		}
		return err
	}
	return b.compare("confined open, read, close / os", 1,
		func(i int) error {
			f, _, err := root.OpenRegular(names[i%len(names)], os.O_RDONLY, 0)
			if err != nil {
				return err
			}
			return read(f)
		},
		func(i int) error {
			f, err := os.Open(at(i))
			if err != nil {
				return err
			}
			return read(f)
		})
}

// call compares a whole call, from JSON to result, with reading the file.
func (b *bench) call() (err error) {
	names, err := b.small(1024)
	if err != nil {
		return err
	}
	files, err := fsimpl.Open(b.dir, &fsimpl.Options{Journal: fsimpl.JournalOptions{InMemory: true}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	tool := facade.Files(files)
	var calls []facade.Call
	for _, name := range names {
		args, err := json.Marshal(map[string]any{"action": "read", "path": filepath.ToSlash(name)})
		if err != nil {
			return err
		}
		calls = append(calls, facade.Call{Args: args})
	}
	ctx := context.Background()
	read := func(i int) error {
		res, err := tool.Call(ctx, calls[i%len(calls)])
		if err == nil && res.Error != nil {
			err = res.Error
		}
		return err
	}
	plain := func(i int) error {
		_, err := os.ReadFile(filepath.Join(b.dir, names[i%len(names)]))
		return err
	}
	if err := b.compare("read of 1 KB by Tool.Call / os.ReadFile", 3, read, plain); err != nil {
		return err
	}
	return b.compare("read of 1 KB by Go method / os.ReadFile", 3, func(i int) error {
		_, err := files.Read(ctx, facade.ReadInput{Path: filepath.ToSlash(names[i%len(names)])})
		return err
	}, plain)
}
