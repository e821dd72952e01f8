package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/bench/internal/measure"
	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl"
)

// perform does one thing as a program of its own would.
func perform(ctx context.Context, what string, args []string) (err error) {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	journal := fsimpl.JournalOptions{InMemory: true}
	if strings.HasPrefix(what, "replace") {
		journal = fsimpl.JournalOptions{Dir: journalOf(dir)}
	}
	files, err := fsimpl.Open(".", &fsimpl.Options{NoSync: what == "replace-nosync", Journal: journal})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	switch what {
	case "nothing":
		return nil
	case "lines":
		first, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return err
		}
		last, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		out, err := files.Read(ctx, facade.ReadInput{Path: args[0], StartLine: first, EndLine: last})
		if err != nil {
			return err
		}
		_, err = os.Stdout.WriteString(out.Files[0].Content)
		return err
	case "write":
		return bare(args[0], args[1])
	case "replace", "replace-nosync":
		out, err := files.Replace(ctx, facade.ReplaceInput{Path: args[0], OldContent: args[1], NewContent: args[2], ReplaceAll: true})
		if err != nil {
			return err
		}
		_, err = fmt.Println(out.Count, "replaced")
		return err
	}
	return fmt.Errorf("unknown: %s", what)
}

// journalOf is where the journal of a directory is kept, beside it.
func journalOf(dir string) string { return dir + "-journal" }

// race lets two programs take turns, each after its preparation.
func (b *bench) race(run func(dir string, args []string) (measure.Sample, error), ours, theirs []string, before func() error) (a, o measure.Sample, err error) {
	var samples [2][]measure.Sample
	for range b.rounds {
		for i, args := range [][]string{theirs, ours} {
			if before != nil {
				if err := before(); err != nil {
					return a, o, err
				}
			}
			s, err := run(b.dir, args)
			if err != nil {
				return a, o, err
			}
			samples[i] = append(samples[i], s)
		}
	}
	return measure.Median(samples[1]), measure.Median(samples[0]), nil
}

// idle is the memory of this program when it does nothing, in KiB.
func (b *bench) idle() (int64, error) {
	s, err := measure.Run(b.dir, []string{b.self, "-do", "nothing"})
	return s.Memory, err
}

func (b *bench) programs(name string, a, o measure.Sample, limit float64, idle, memory int64) {
	wall, cpu := float64(a.Wall)/float64(o.Wall), float64(a.CPU)/float64(o.CPU)
	used := a.Memory - idle
	b.row(name, ms(a.Wall), ms(o.Wall), wall, limit, fmt.Sprintf("%5.2f %3d MiB", cpu, used>>10), used <= memory<<10)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// lines reads a window far into a file of 2 GB. Memory is what the reading adds
// to the idle program.
func (b *bench) lines() (err error) {
	name := "large.txt"
	if err := generate(filepath.Join(b.dir, name), 28_700_000, "some words to make it as long as lines of a log are\n", ""); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(filepath.Join(b.dir, name))) }()
	ours := []string{b.self, "-do", "lines", name, "1000000", "1000100"}
	theirs := []string{"sed", "-n", "1000000,1000100p;1000100q", name}
	idle, err := b.idle()
	if err != nil {
		return err
	}
	a, o, err := b.race(measure.Run, ours, theirs, nil)
	if err != nil {
		return err
	}
	b.programs("lines 1,000,000-1,000,100 of 2 GB / sed", a, o, 0.25, idle, 8)
	got, err := b.output(ours)
	if err != nil {
		return err
	}
	want, err := b.output(theirs)
	if err != nil {
		return err
	}
	if len(got) == 0 || !bytes.Equal(got, want) {
		b.differ("lines")
	}
	return nil
}

func (b *bench) output(args []string) ([]byte, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = b.dir, os.Stderr
	return cmd.Output()
}

// generate writes numbered lines. Each hundredth has a word in the place of
// "needle", the others of as many bytes.
func generate(name string, lines int, text, word string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	plain := strings.ReplaceAll(text, "needle", strings.Repeat("-", len(word)))
	text = strings.ReplaceAll(text, "needle", word)
	for i := range lines {
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(i), 10))
		w.WriteByte(' ')
		if i%100 == 0 {
			w.WriteString(text)
		} else {
			w.WriteString(plain)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
