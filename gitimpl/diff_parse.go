package gitimpl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// diffParser reads the output of git diff --raw --numstat --patch -z: one
// record per file, then one line of counts per file, then the patch.
type diffParser struct {
	patch     bool
	patchRoom int
	room      *gitrule.Room

	files []diffFile
	// byName finds the file of a line of counts.
	byName map[string]int
	totals facade.GitDiffTotals
	text   []byte
	// whole counts the files whose patch is in text from start to end.
	whole int
	cut   bool
}

// diffFile is a record of the first section.
type diffFile struct {
	change  facade.GitFileChange
	counted bool
	// stale says that git has not compared the content yet: without counts,
	// the file only looks different.
	stale bool
}

var diffStatus = map[byte]string{
	'A': "added", 'M': "modified", 'D': "deleted", 'R': "renamed", 'C': "copied", 'T': "type_changed", 'U': "unmerged", 'X': "modified",
}

// parse implements the callback of command.stream.
func (p *diffParser) parse(r *bufio.Reader) error {
	p.byName = map[string]int{}
	for {
		item, err := field(r)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(item) == 0: // the mark before the patch
			return p.readPatch(r)
		case item[0] == ':':
			err = p.record(item, r)
		default:
			err = p.counts(item, r)
		}
		if err != nil {
			return err
		}
	}
}

// mostFiles is how many changed files are remembered; more are counted only.
const mostFiles = 20_000

// record reads ":100644 100644 <old> <new> M" and the name or names after it.
func (p *diffParser) record(item []byte, r *bufio.Reader) error {
	f := bytes.Fields(item[1:])
	const fields = 5
	if len(f) != fields {
		return errField
	}
	letter, sameMode := f[4][0], bytes.Equal(f[0], f[1])
	file := diffFile{
		change: facade.GitFileChange{Status: diffStatus[letter]},
		stale:  letter == 'M' && sameMode && len(bytes.Trim(f[3], "0")) == 0,
	}
	name, err := field(r)
	if err != nil {
		return errField
	}
	file.change.Path = shown(name)
	if letter == 'R' || letter == 'C' {
		file.change.OldPath = file.change.Path
		if name, err = field(r); err != nil {
			return errField
		}
		file.change.Path = shown(name)
	}
	if i, twice := p.byName[file.change.Path]; twice { // an unmerged file: its record as such comes first
		p.files[i].stale = false
		return nil
	}
	if len(p.files) < mostFiles {
		p.byName[file.change.Path] = len(p.files)
		p.files = append(p.files, file)
		return nil
	}
	p.totals.Files++
	return nil
}

// counts reads "3\t1\tname", or "3\t1\t" and two names for a renamed file.
func (p *diffParser) counts(item []byte, r *bufio.Reader) error {
	f := bytes.SplitN(item, []byte("\t"), 3)
	if len(f) != 3 {
		return errField
	}
	name := f[2]
	added, deleted := string(f[0]), string(f[1])
	if len(name) == 0 {
		if _, err := field(r); err != nil {
			return errField
		}
		var err error
		if name, err = field(r); err != nil {
			return errField
		}
	}
	plus, _ := strconv.Atoi(added)
	minus, _ := strconv.Atoi(deleted)
	p.totals.Additions += plus
	p.totals.Deletions += minus
	if i, ok := p.byName[shown(name)]; ok {
		c := &p.files[i]
		c.counted = true
		c.change.Additions += plus
		c.change.Deletions += minus
		c.change.Binary = added == "-"
	}
	return nil
}

var patchStart = []byte("diff --")

// readPatch keeps the patch up to its limit, in whole lines.
func (p *diffParser) readPatch(r *bufio.Reader) error {
	started := 0
	for {
		line, err := r.ReadSlice('\n')
		begins := bytes.HasPrefix(line, patchStart)
		if begins {
			p.whole = started
			started++
		}
		full := len(p.text)+len(line) > p.patchRoom
		if !full {
			p.text = append(p.text, line...)
		}
		switch {
		case full, errors.Is(err, bufio.ErrBufferFull) && len(p.text)+len(line) > p.patchRoom:
			p.cut = true
			p.text = p.text[:bytes.LastIndexByte(p.text, '\n')+1]
			return errEnough
		case errors.Is(err, io.EOF):
			p.whole = started
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// result puts the sections together. Without counts every file is taken as it
// is, as names were all that was asked for.
func (p *diffParser) result(namesOnly bool) facade.GitDiffOutput {
	out := facade.GitDiffOutput{Totals: p.totals, Files: []facade.GitFileChange{}, Patch: gitrule.Text(p.text)}
	patches := 0
	for _, f := range p.files {
		if f.stale && !f.counted && !namesOnly {
			continue
		}
		out.Totals.Files++
		patches++
		if p.cut && patches > p.whole && len(out.Rest) < restLimit {
			out.Rest = append(out.Rest, f.change.Path)
		}
		if out.Hidden > 0 || !p.room.Take(f.change) {
			out.Hidden++
			continue
		}
		out.Files = append(out.Files, f.change)
	}
	out.Hidden += p.totals.Files // those beyond what is remembered
	return out
}

// restLimit is how many files the next call is advised to ask for.
const restLimit = 20
