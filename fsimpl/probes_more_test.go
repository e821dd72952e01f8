package fsimpl_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

const smallNotebook = `{
 "cells": [
  {
   "cell_type": "code",
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["hi there\n"]}],
   "source": ["print('hi')\n", "x = 1"]
  }
 ],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5
}
`

// TestProbeNotebooks: whatever changes a notebook's text, it stays one.
func TestProbeNotebooks(t *testing.T) {
	p := newProbe(t, nil)
	p.put("n.ipynb", smallNotebook)
	p.says(p.ok("read", "path", "n.ipynb").Text, "[cell 0, code]\nprint('hi')\nx = 1\n[output of cell 0]\nhi there\n")
	p.ok("replace", "path", "n.ipynb", "old_content", "x = 1", "new_content", `x = "one"`)
	p.holds("n.ipynb", strings.Replace(smallNotebook, "x = 1", `x = \"one\"`, 1))
	p.ok("undo")
	p.holds("n.ipynb", smallNotebook)
	p.says(p.fails(facade.CodeInvalidArgument, "modify", "path", "n.ipynb", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "x\n"),
		"would break the notebook", "edit")
	p.fails(facade.CodeInvalidArgument, "patch", "patch", "--- a/n.ipynb\n+++ b/n.ipynb\n@@ -1,2 +1,2 @@\n-{\n+x\n  \"cells\": [\n")
	p.holds("n.ipynb", smallNotebook)
	p.ok("patch", "patch", "--- a/n.ipynb\n+++ b/n.ipynb\n@@ -8,3 +8,3 @@\n  ],\n- \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5\n+ \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 4\n }\n")
	p.put("broken.ipynb", "{nope")
	p.ok("replace", "path", "broken.ipynb", "old_content", "nope", "new_content", "\"cells\": []}")
	p.holds("broken.ipynb", "{\"cells\": []}")
}

// TestProbeFencedPatch takes a patch as models often write it.
func TestProbeFencedPatch(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.md", "one\n```\n")
	p.ok("patch", "patch", "\n```diff\n--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n-one\n+two\n ```\n```\n\n")
	p.holds("a.md", "two\n```\n")
	p.fails(facade.CodeInvalidArgument, "patch", "patch", "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n-two\n+one\n ```\n```\n")
	p.fails(facade.CodeInvalidArgument, "patch", "patch", "```\n```\n")
}

func TestProbeCopyLinks(t *testing.T) {
	p := newProbe(t, nil)
	p.put("t/a.txt", "a")
	check(t, os.Symlink("a.txt", p.at("t/link")))
	check(t, os.Symlink("nothing", p.at("t/dangling")))
	check(t, os.Symlink("t/link", p.at("outer")))
	p.ok("copy", "source", "t", "destination", "u")
	for name, want := range map[string]string{"u/link": "a.txt", "u/dangling": "nothing"} {
		if got, err := os.Readlink(p.at(name)); got != want {
			t.Errorf("%s points to %q (%v), want %q", name, got, err, want)
		}
	}
	p.ok("copy", "source", "outer", "destination", "b.txt") // of what it points to
	p.holds("b.txt", "a")
	if info, err := os.Lstat(p.at("b.txt")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("b.txt is %v, %v", info, err)
	}
	before := p.snapshot()
	p.ok("undo", "steps", 2)
	p.absent("u")
	p.absent("b.txt")
	p.says(p.ok("redo", "steps", 2).Text, "repeated 2 changes")
	p.same(before)
	check(t, os.Symlink("../../outside", p.at("t/out")))
	before = p.snapshot()
	p.says(p.fails(facade.CodeOutsideRoot, "copy", "source", "t", "destination", "v"), "t/out")
	check(t, os.Symlink(".", p.at("self")))
	p.fails(facade.CodePermissionDenied, "copy", "source", "self", "destination", "v")
	check(t, os.Remove(p.at("self")))
	p.same(before)
}

func TestProbeIntoDirectory(t *testing.T) {
	p := newProbe(t, nil)
	p.put("a.txt", "a")
	p.put("d/x/y.txt", "y")
	for _, action := range []string{"move", "copy"} {
		p.says(p.fails(facade.CodeInvalidArgument, action, "source", "a.txt", "destination", "new/"), "new/a.txt")
	}
	p.ok("move", "source", "a.txt", "destination", "new/a.txt")
	p.ok("move", "source", "d/x", "destination", "e/")
	p.holds("e/y.txt", "y")
}

// TestProbeHidden: the first line says what was left out, since some hosts show
// the model that and the data only.
func TestProbeHidden(t *testing.T) {
	p := newProbe(t, nil)
	p.put(".gitignore", "*.log\n")
	p.put("a.log", "needle")
	for _, r := range []*facade.Result{
		p.ok("list"), p.ok("find", "patterns", []string{"*.log"}), p.ok("grep", "pattern", "needle"),
	} {
		p.says(r.Headline(), "1 entry hidden by ignore rules", "include_ignored=true")
	}
	p.says(p.fails(facade.CodeInvalidArgument, "grep", "pattern", ""), "find")
	p.says(p.fails(facade.CodeInvalidArgument, "find", "keywords_file_content", []string{"("}, "regex_keywords", true), "leave out regex_keywords")
	p.says(p.fails(facade.CodeInvalidArgument, "find", "patterns", []string{strings.Repeat("{a,aa}", 12)}), "fewer braces")
}

// TestProbeExplosiveLine has one line of 32 MiB in which a pattern could begin
// anywhere and never ends.
func TestProbeExplosiveLine(t *testing.T) {
	p := newProbe(t, nil)
	p.put("line.txt", strings.Repeat("x", 32<<20))
	for _, pattern := range []string{"(x+x+)+y", "(x+x+)+[yz]", "x*x*x*y$"} {
		begin := time.Now()
		p.ok("grep", "pattern", pattern, "path", "line.txt")
		p.ok("grep", "pattern", pattern, "path", "line.txt", "multiline", true)
		p.fails(facade.CodeNoMatch, "replace", "path", "line.txt", "old_content", pattern, "new_content", "-", "is_regex", true)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s took %v", pattern, took)
		}
	}
}

// TestProbeLargeReplace streams: a file far above what is held in memory.
func TestProbeLargeReplace(t *testing.T) {
	p := newProbe(t, nil)
	line := strings.Repeat("some words of a line ", 50) + "\r\n"
	text := strings.Repeat(line, 70<<20/len(line))
	middle := len(text) / 2 / len(line) * len(line)
	text = text[:middle] + "needle\r\n" + text[middle:] + "last\r\n"
	p.put("big.txt", text)
	check(t, os.Chmod(p.at("big.txt"), 0o640))
	p.says(p.fails(facade.CodeAmbiguousMatch, "replace", "path", "big.txt", "old_content", "\nsome words", "new_content", "x"), "replace_all")
	p.fails(facade.CodeNoMatch, "replace", "path", "big.txt", "old_content", "absent", "new_content", "x")
	p.fails(facade.CodeStale, "replace", "path", "big.txt", "old_content", "needle", "new_content", "x", "if_match", "other")
	p.fails(facade.CodeTooLarge, "replace", "path", "big.txt", "old_content", "nee.le", "new_content", "x", "is_regex", true)
	want := strings.Replace(text, "needle\r\n", "found\r\nit\r\n", 1)
	sum := func(s string) string { h := sha256.Sum256([]byte(s)); return hex.EncodeToString(h[:16]) }
	args := []any{"path", "big.txt", "old_content", "needle\n", "new_content", "found\nit\n", "if_match", sum(text)}
	dry := get[facade.ReplaceOutput](p, "replace", append(args, "dry_run", true)...)
	out := get[facade.ReplaceOutput](p, "replace", args...)
	p.says(out.Diff, "-needle", "+found", "+it")
	if out.Count != 1 || out.Strategy != "line_ending" || out.ETag != sum(want) || out.ETag != dry.ETag || out.Diff != dry.Diff || !dry.DryRun {
		t.Errorf("count %d, strategy %s, etag %s, want that of the content", out.Count, out.Strategy, out.ETag)
	}
	equal := func(want string) {
		t.Helper()
		got, err := os.ReadFile(p.at("big.txt"))
		check(t, err)
		if !bytes.Equal(got, []byte(want)) {
			t.Errorf("big.txt has %d bytes and is not what it should be", len(got))
		}
	}
	equal(want)
	if info, err := os.Stat(p.at("big.txt")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	p.ok("undo")
	equal(text)
	p.put("bin.dat", "\x00\x01"+strings.Repeat("x", 9<<20))
	p.fails(facade.CodeBinaryContent, "replace", "path", "bin.dat", "old_content", "x", "new_content", "y")
	check(t, os.Truncate(p.at("bin.dat"), 1<<40))
	p.fails(facade.CodeTooLarge, "replace", "path", "bin.dat", "old_content", "x", "new_content", "y")
}
