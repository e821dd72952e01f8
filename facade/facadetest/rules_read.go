package facadetest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// read reads one file.
func (f *filesTest) read(path string, kv ...any) facade.FileContent {
	f.Helper()
	files := data[facade.ReadOutput](f, "read", append([]any{"path", path}, kv...)...).Files
	if len(files) != 1 {
		f.Fatalf("read of %s returned %d files, want one", path, len(files))
	}
	if files[0].Error != nil {
		f.Fatalf("read of %s: %v", path, files[0].Error)
	}
	return files[0]
}

// etag reads the etag of a file.
func (f *filesTest) etag(path string) string {
	f.Helper()
	tag := f.read(path).ETag
	if tag == "" {
		f.Fatalf("read of %s returns no etag", path)
	}
	return tag
}

// onePixel is a PNG of one pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func readRules() []filesRule {
	return []filesRule{
		{
			Name:        "read/whole",
			Explanation: "read returns the content exactly, with size, lines, line_ending, encoding, and the window shown.",
			Run: func(f *filesTest) {
				for _, c := range []struct {
					content, ending string
					lines           int64
				}{
					{"a\nb\n", "lf", 2},
					{"a\nb", "lf", 2},
					{"a\r\nb\r\n", "crlf", 2},
					{"a\r\nb\n", "mixed", 2},
					{"one", "none", 1},
					{"", "none", 0},
					{"\n\n", "lf", 2},
					{"naïve ☕\n", "lf", 1},
				} {
					f.seed("f.txt", c.content)
					got := f.read("f.txt")
					equal(f, "content", got.Content, c.content)
					equal(f, fmt.Sprintf("size of %q", c.content), got.Size, int64(len(c.content)))
					equal(f, fmt.Sprintf("line_ending of %q", c.content), got.LineEnding, c.ending)
					if got.Lines == nil || *got.Lines != c.lines {
						f.Errorf("lines of %q are %v, want %d", c.content, got.Lines, c.lines)
					}
					if !strings.EqualFold(got.Encoding, "utf-8") || got.BOM || got.Next != nil {
						f.Errorf("read of %q is %+v, want utf-8 without byte order mark, complete", c.content, got)
					}
				}
			},
		},
		{
			Name:        "read/etag",
			Explanation: "The etag is a hash of the content: the same for the same content, whatever the window, another for another.",
			Run: func(f *filesTest) {
				f.seed("a", "one\ntwo\n", "b", "one\ntwo\n", "c", "one\ntwo")
				a, b, c := f.etag("a"), f.etag("b"), f.etag("c")
				equal(f, "etag of the same content", b, a)
				equal(f, "etag at the second read", f.etag("a"), a)
				if a == c {
					f.Errorf("the etag %q does not change with the content", a)
				}
				if w := f.read("a", "start_line", 2); w.ETag != "" {
					equal(f, "etag of a window", w.ETag, a)
				}
			},
		},
		{
			Name:        "read/paths",
			Explanation: "With paths, one bad path has its error beside it and does not fail the others; the order is that of the call.",
			Run: func(f *filesTest) {
				f.seed("a.txt", "A\n", "b.txt", "B\n", "d/x", "")
				r := f.ok("read", "paths", []string{"b.txt", "a.tx", "d", "a.txt"})
				files := decoded[facade.ReadOutput](f, r).Files
				if len(files) != 4 {
					f.Fatalf("files are %+v, want four", files)
				}
				equal(f, "first", files[0].Content, "B\n")
				equal(f, "last", files[3].Content, "A\n")
				for i, want := range map[int]facade.Code{1: facade.CodeNotFound, 2: facade.CodeIsDirectory} {
					if e := files[i].Error; e == nil || e.Code != want || e.Hint == "" {
						f.Errorf("error of %q is %+v, want %s with a hint", files[i].Path, e, want)
					}
				}
				f.says(r, "A\n", "B\n", "not_found", "is_directory")
			},
		},
		{
			Name:        "read/errors",
			Explanation: "A directory is is_directory, a missing path not_found, path and paths together or neither invalid_argument.",
			Run: func(f *filesTest) {
				f.seed("d/x", "y")
				f.fails("is_directory", "read", "path", "d")
				f.fails("is_directory", "read", "path", ".")
				f.fails("not_found", "read", "path", "nothing-like-it")
				f.fails("not_found|not_directory", "read", "path", "d/x/y")
				f.fails("invalid_argument", "read")
				f.fails("invalid_argument", "read", "path", "d/x", "paths", []string{"d/x"})
			},
		},
		{
			Name:        "read/binary",
			Explanation: "Content that is not text is binary_content, with the way to read it as hint; base64 and hex return it exactly.",
			Run: func(f *filesTest) {
				raw := "\x00\x01\xff\xfe\x80binary\x00\n\x1f\x8b"
				f.seed("blob.bin", raw)
				r := f.fails("binary_content", "read", "path", "blob.bin")
				if !strings.Contains(r.Error.Hint, "base64") {
					f.Errorf("the hint is %q, want it to name output_format base64", r.Error.Hint)
				}
				got := f.read("blob.bin", "output_format", "base64")
				equal(f, "base64", got.Content, base64.StdEncoding.EncodeToString([]byte(raw)))
				equal(f, "encoding", got.Encoding, "binary")
				equal(f, "hex", f.read("blob.bin", "output_format", "hex").Content, hex.EncodeToString([]byte(raw)))
			},
		},
		{
			Name:        "read/image",
			Explanation: "An image comes as a part with its media type.",
			Run: func(f *filesTest) {
				png, err := base64.StdEncoding.DecodeString(onePixel)
				f.must(err)
				f.seed("p.png", string(png))
				r := f.ok("read", "path", "p.png")
				if len(r.Parts) != 1 || r.Parts[0].MIME != "image/png" || string(r.Parts[0].Data) != string(png) {
					f.Errorf("parts are %+v, want the image", r.Parts)
				}
			},
		},
		{
			Name:        "read/notebook",
			Explanation: "A notebook is read as its cells, not as JSON.",
			Run: func(f *filesTest) {
				nb, err := json.Marshal(map[string]any{
					"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
					"cells": []any{
						map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": []string{"# Title\n", "words"}},
						map[string]any{"cell_type": "code", "metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil, "source": "print(\"x\")\n"},
					},
				})
				f.must(err)
				f.seed("n.ipynb", string(nb))
				got := f.read("n.ipynb").Content
				if !strings.Contains(got, "# Title\nwords") || !strings.Contains(got, `print("x")`) || strings.Contains(got, "cell_type") {
					f.Errorf("the notebook reads as %q, want its cells", got)
				}
			},
		},
	}
}

// window is one row of a table of windows on a file.
type window struct {
	kv         []any
	content    string
	start, end int64 // lines shown, 0 when there are none
}

func (f *filesTest) windows(path string, rows []window) {
	f.Helper()
	for _, w := range rows {
		got := f.read(path, w.kv...)
		equal(f, fmt.Sprintf("content of %v", w.kv), got.Content, w.content)
		if w.start > 0 && (got.StartLine != w.start || got.EndLine != w.end) {
			f.Errorf("%v shows lines %d-%d, want %d-%d", w.kv, got.StartLine, got.EndLine, w.start, w.end)
		}
	}
}

func readWindowRules() []filesRule {
	const five = "one\ntwo\nthree\nfour\nfive\n"
	return []filesRule{
		{
			Name:        "read/lines",
			Explanation: "start_line and end_line count from 1, are inclusive, and negative from the end; an end beyond the file is the end. Content keeps its line endings.",
			Run: func(f *filesTest) {
				f.seed("f", five)
				f.windows("f", []window{
					{[]any{"start_line", 2, "end_line", 3}, "two\nthree\n", 2, 3},
					{[]any{"start_line", 4}, "four\nfive\n", 4, 5},
					{[]any{"end_line", 1}, "one\n", 1, 1},
					{[]any{"start_line", -2}, "four\nfive\n", 4, 5},
					{[]any{"start_line", -3, "end_line", -2}, "three\nfour\n", 3, 4},
					{[]any{"start_line", 2, "end_line", -4}, "two\n", 2, 2},
					{[]any{"start_line", 5, "end_line", 99}, "five\n", 5, 5},
				})
			},
		},
		{
			Name:        "read/line-offsets",
			Explanation: "Offsets of lines count from 0 and are inclusive; end -1 is the end.",
			Run: func(f *filesTest) {
				f.seed("f", five)
				f.windows("f", []window{
					{[]any{"start_offset_inclusive", 1, "end_offset_inclusive", 2}, "two\nthree\n", 2, 3},
					{[]any{"start_offset_inclusive", 3}, "four\nfive\n", 4, 5},
					{[]any{"start_offset_inclusive", 0, "end_offset_inclusive", 0}, "one\n", 1, 1},
					{[]any{"start_offset_inclusive", 3, "end_offset_inclusive", -1}, "four\nfive\n", 4, 5},
				})
			},
		},
		{
			Name:        "read/byte-offsets",
			Explanation: "Offsets of bytes count from 0 and are inclusive; end -1 is the end; base64 of a window is of its bytes.",
			Run: func(f *filesTest) {
				f.seed("f", five, "b", "\x00\x01\x02\x03\x04\xff")
				f.windows("f", []window{
					{kv: []any{"start_offset_inclusive", 0, "end_offset_inclusive", 2, "offset_type", "byte"}, content: "one"},
					{kv: []any{"start_offset_inclusive", 2, "end_offset_inclusive", 5, "offset_type", "byte"}, content: "e\ntw"},
					{kv: []any{"start_offset_inclusive", 19, "offset_type", "byte"}, content: "five\n"},
				})
				f.windows("b", []window{{
					kv:      []any{"start_offset_inclusive", 1, "end_offset_inclusive", 3, "offset_type", "byte", "output_format", "hex"},
					content: "010203",
				}})
			},
		},
		{
			Name:        "read/out-of-range",
			Explanation: "A window that starts behind the end is invalid_argument and says how long the file is; so is one that ends before it starts.",
			Run: func(f *filesTest) {
				f.seed("f", five, "empty", "")
				f.says(f.fails("invalid_argument", "read", "path", "f", "start_line", 6), "5")
				f.says(f.fails("invalid_argument", "read", "path", "f", "start_offset_inclusive", 5), "5")
				f.says(f.fails("invalid_argument", "read", "path", "f", "start_offset_inclusive", 1000, "offset_type", "byte"), "24")
				f.fails("invalid_argument", "read", "path", "f", "start_line", 3, "end_line", 2)
				f.fails("invalid_argument", "read", "path", "f", "start_line", -1, "end_line", -2)
				f.fails("invalid_argument", "read", "path", "f", "start_line", 1, "offset_type", "byte")
				equal(f, "an empty file", f.read("empty").Content, "")
			},
		},
		{
			Name:        "read/line-numbers",
			Explanation: "add_line_numbers puts the number of each line in the file and a tab before it; it changes nothing else.",
			Run: func(f *filesTest) {
				f.seed("f", five)
				got := f.read("f", "start_line", 2, "end_line", 3, "add_line_numbers", true).Content
				var lines []string
				for l := range strings.Lines(got) {
					lines = append(lines, strings.TrimLeft(l, " "))
				}
				equals(f, "numbered lines", lines, "2\ttwo\n", "3\tthree\n")
				f.fails("invalid_argument", "read", "path", "f", "add_line_numbers", true, "output_format", "hex")
			},
		},
	}
}

// continued reads path, goes on with each reply's next arguments, and returns
// the pieces.
func (f *filesTest) continued(path string, kv ...any) []string {
	f.Helper()
	var pieces []string
	args := kv
	for range 5000 {
		c := f.read(path, args...)
		pieces = append(pieces, c.Content)
		if c.Next == nil {
			return pieces
		}
		equal(f, "path of next", c.Next.Path, path)
		var next map[string]any
		raw, err := json.Marshal(c.Next)
		f.must(err)
		f.must(json.Unmarshal(raw, &next))
		delete(next, "path")
		args = slices.Clone(kv)
		for k, v := range next {
			args = append(args, k, v)
		}
	}
	f.Fatalf("reading %s on has no end", path)
	return nil
}

func readPageRules() []filesRule {
	check := func(f *filesTest, what, content string, most int, kv ...any) {
		f.Helper()
		f.seed("f", content)
		pieces := f.continued("f", kv...)
		if strings.Join(pieces, "") != content {
			f.Errorf("%s: the pieces read on do not make up the file: %d pieces, %d bytes of %d",
				what, len(pieces), len(strings.Join(pieces, "")), len(content))
		}
		if len(pieces) < 2 {
			f.Errorf("%s: %d pieces, want several", what, len(pieces))
		}
		for _, p := range pieces {
			if len(p) > most {
				f.Errorf("%s: a piece has %d bytes, want at most %d", what, len(p), most)
			}
		}
	}
	return []filesRule{
		{
			Name:        "read/max-bytes",
			Explanation: "max_bytes cuts the content; next holds the arguments that read on exactly, in the middle of a long line too, and never splits a character.",
			Run: func(f *filesTest) {
				check(f, "short lines", strings.Repeat("0123456789\n", 40), 100, "max_bytes", 100)
				check(f, "a long line", "short\n"+strings.Repeat("é", 500)+"\nend\n", 101, "max_bytes", 101)
				check(f, "CRLF", strings.Repeat("ab\r\n", 100), 33, "max_bytes", 33)
				check(f, "without a newline at the end", strings.Repeat("x y\n", 50)+"last", 64, "max_bytes", 64)
			},
		},
		{
			Name:        "read/next",
			Explanation: "A file above the output budget is read on by the next arguments, exactly to its end.",
			Run: func(f *filesTest) {
				var lines strings.Builder
				for i := range 20000 {
					fmt.Fprintf(&lines, "line %d \"quoted\"\n", i)
				}
				check(f, "many lines", lines.String(), facade.DefaultOutputBudget)
				check(f, "one line", strings.Repeat("☕é\"", 40<<10), facade.DefaultOutputBudget)
			},
		},
	}
}
