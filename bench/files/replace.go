package main

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/toolfacade/toolfacade/bench/internal/measure"
	"github.com/toolfacade/toolfacade/bench/internal/tree"
)

const (
	before, after = "EINVAL", "ENOTSUPP"

	inPlace = "sed -i s/" + before + "/" + after + "/g target.txt"
	durable = "sed s/" + before + "/" + after + "/g target.txt >new.txt && sync new.txt && mv new.txt target.txt && sync ."
)

// replacement is one way of replacing beside one of sed's.
type replacement struct {
	name  string
	ours  []string
	sed   string
	limit float64 // 0 is none
}

// replace changes every match in 100 MB. The tool replaces the file in one
// step, syncs it and keeps what undo needs. The first row gives sed the same
// guarantees but for undo, the second none of them, and the third takes the
// sync from the tool too. The fourth is what any durable way has to do at
// least: to write as much and sync it. In the last row the lines are more than
// twice as long as in source, which halves what sed does, and little else. What
// counts is the time until the answer, which for sed is its end: by then the tool
// has still to give the old file's memory back.
func (b *bench) replace() (err error) {
	source, long := filepath.Join(b.dir, "source.txt"), filepath.Join(b.dir, "long.txt")
	defer func() {
		err = errors.Join(err, os.Remove(source), os.Remove(long), os.Remove(filepath.Join(b.dir, "target.txt")), os.RemoveAll(journalOf(b.dir)))
	}()
	dir, err := tree.Prepare(b.tree)
	if err != nil {
		return err
	}
	if err := tree.Text(dir, source, 100_000_000); err != nil {
		return err
	}
	if err := generate(long, 1_650_000, "some words with a needle in the middle of each hundredth\n", before); err != nil {
		return err
	}
	idle, err := b.idle()
	if err != nil {
		return err
	}
	ours := func(do string) []string {
		return []string{b.self, "-do", do, "target.txt", before, after}
	}
	for _, r := range []replacement{
		{"replace in 100 MB, synced / sed, sync, mv", ours("replace"), durable, 0.25},
		{"replace in 100 MB, synced / sed -i", ours("replace"), inPlace, 0.25},
		{"replace in 100 MB, not synced / sed -i", ours("replace-nosync"), inPlace, 0.25},
		{"write 100 MB and sync / sed, sync, mv", []string{b.self, "-do", "write", "source.txt", "target.txt"}, durable, 0},
	} {
		if err := b.replacement(r, source, idle); err != nil {
			return err
		}
	}
	return b.replacement(replacement{"the first, in longer lines", ours("replace"), durable, 0}, long, idle)
}

// replacement lets the two ways take turns and compares what they made.
func (b *bench) replacement(r replacement, source string, idle int64) error {
	target := filepath.Join(b.dir, "target.txt")
	// Nothing is left of an earlier round, and nobody has just written the file.
	fresh := func() error {
		if err := errors.Join(os.RemoveAll(journalOf(b.dir)), bare(source, target)); err != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
		return nil
	}
	sed := []string{"sh", "-c", r.sed}
	a, o, err := b.race(measure.Answer, r.ours, sed, fresh)
	if err != nil {
		return err
	}
	b.programs(r.name, a, o, r.limit, idle, 32)
	if r.ours[2] == "write" {
		return nil // it is not to come to the same
	}
	var sums [2][sha256.Size]byte
	for i, args := range [][]string{r.ours, sed} {
		if err := fresh(); err != nil {
			return err
		}
		if _, err := measure.Run(b.dir, args); err != nil {
			return err
		}
		if sums[i], err = digest(target); err != nil {
			return err
		}
	}
	same, err := digest(source)
	if err != nil {
		return err
	}
	if sums[0] != sums[1] || sums[0] == same {
		b.differ(r.name)
	}
	return nil
}

// digest hashes a file. It does not hold it: a program is charged with the
// memory that this one had when it started.
func digest(name string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return [sha256.Size]byte(h.Sum(nil)), err
}

// bare copies a file and syncs the copy.
func bare(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return errors.Join(out.Sync(), out.Close())
}
