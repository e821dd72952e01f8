package facadetest

import (
	"cmp"
	"context"
	"encoding/base64"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

func emitFile(ctx context.Context, t facade.EventType, p string) {
	facade.Emit(ctx, facade.Event{Type: t, Path: pathname.Escape(p)})
}

// diffOf is a unified diff of one hunk, cut when long.
func diffOf(before, after string) string {
	a, b := splitLines(before), splitLines(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := "@@ @@\n"
	for _, l := range a {
		out += "-" + strings.TrimRight(l, "\r\n") + "\n"
		if len(out) > 8<<10 {
			return out + "[cut]"
		}
	}
	for _, l := range b {
		out += "+" + strings.TrimRight(l, "\r\n") + "\n"
		if len(out) > 16<<10 {
			return out + "[cut]"
		}
	}
	return out
}

// stale refuses to change a file that is not what the caller read.
func stale(raw []byte, etag string) error {
	if etag == "" || etag == etagOf(raw) {
		return nil
	}
	return facade.Errorf(facade.CodeStale, "the file changed since it was read; it holds now:\n%.4000s", raw).WithHint("its etag is %s", etagOf(raw))
}

// guard refuses to change what is below .git, however it is spelt.
func guard(p string) error {
	for part := range strings.SplitSeq(strings.ToLower(p), "/") {
		part = strings.TrimRight(strings.NewReplacer("\u200c", "", "\u200d", "").Replace(part), ". ")
		if part == ".git" || part == "git~1" {
			return facade.Errorf(facade.CodeProtectedPath, "%s is protected", p).WithHint("work on other files")
		}
	}
	return nil
}

// save writes a file and tells of it.
func (r *refFiles) save(ctx context.Context, p string, raw []byte, created bool) error {
	if err := r.fs.MkdirAll(rooted(path.Dir(p)), 0o755); err != nil {
		return err
	}
	if err := afero.WriteFile(r.fs, rooted(p), raw, 0o644); err != nil {
		return err
	}
	t := facade.EventFileModified
	if created {
		t = facade.EventFileCreated
	}
	emitFile(ctx, t, p)
	return nil
}

func (r *refFiles) Create(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.CreateOutput{}, err
	}
	defer unlock()
	out := facade.CreateOutput{Created: []string{}, Existed: []string{}}
	for _, name := range in.Paths {
		p, err := r.resolve(ctx, "paths", name)
		if err != nil {
			return facade.CreateOutput{}, err
		}
		if err := guard(p); err != nil {
			return facade.CreateOutput{}, err
		}
		for up := p; up != "."; up = path.Dir(up) {
			info, err := r.fs.Stat(rooted(up))
			switch {
			case err == nil && !info.IsDir():
				return facade.CreateOutput{}, facade.Errorf(facade.CodeAlreadyExists, "%s is a file", up).WithHint("choose another name")
			case err == nil && up == p:
				out.Existed = append(out.Existed, p)
			case err != nil && !slices.Contains(out.Created, up):
				out.Created = append(out.Created, up)
			}
		}
	}
	slices.Sort(out.Created)
	for _, p := range out.Created {
		if err := r.fs.MkdirAll(rooted(p), 0o755); err != nil {
			return out, err
		}
		emitFile(ctx, facade.EventDirectoryCreated, p)
	}
	return out, nil
}

func (r *refFiles) Write(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
	in = facade.Defaulted(in)
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	defer unlock()
	content := in.Content
	if in.InputFormat == "base64" {
		raw, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return facade.WriteOutput{}, facade.InvalidArgument("content", "not base64: %v", err)
		}
		content = string(raw)
	}
	t := refText{encoding: in.FileEncoding}
	if in.Mode == "binary" {
		t.encoding = "binary"
	}
	raw, err := t.encode(content)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	p, err := r.resolve(ctx, "path", in.Path)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	old, err := r.target(p, in)
	if err == nil {
		err = guard(p)
	}
	if err != nil {
		return facade.WriteOutput{}, err
	}
	created := old == nil
	if in.Append {
		raw = append(slices.Clone(old), raw...)
	}
	out := facade.WriteOutput{Path: pathname.Escape(p), Created: created, Bytes: int64(len(raw)), ETag: etagOf(raw), Diff: diffOf(string(old), string(raw)), DryRun: in.DryRun}
	if in.DryRun {
		return out, nil
	}
	return out, r.save(ctx, p, raw, created)
}

// target checks what is at p before a write, and returns it, nil for nothing.
func (r *refFiles) target(p string, in facade.WriteInput) ([]byte, error) {
	if r.isDir(p) || strings.HasSuffix(in.Path, "/") {
		return nil, facade.Errorf(facade.CodeIsDirectory, "%s is a directory", p).WithHint("name a file")
	}
	if _, err := r.stat(p); err != nil {
		if code := facade.CodeOf(err); code == facade.CodeNotFound && in.IfMatch == "" {
			return nil, nil
		}
		return nil, err
	}
	if in.CreateOnly {
		return nil, facade.Errorf(facade.CodeAlreadyExists, "%s exists", p).WithHint("write without create_only")
	}
	old, err := afero.ReadFile(r.fs, rooted(p))
	if err != nil {
		return nil, err
	}
	return append([]byte{}, old...), stale(old, in.IfMatch)
}

func (r *refFiles) Delete(ctx context.Context, in facade.DeleteInput) (facade.DeleteOutput, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.DeleteOutput{}, err
	}
	defer unlock()
	var all []string
	for _, name := range in.Paths {
		p, err := r.resolve(ctx, "paths", name)
		if err != nil {
			return facade.DeleteOutput{}, err
		}
		if p == "." {
			return facade.DeleteOutput{}, facade.Errorf(facade.CodeDenied, "the root stays").WithHint("name what is in it")
		}
		if err := guard(p); err != nil {
			return facade.DeleteOutput{}, err
		}
		if _, err := r.stat(p); err != nil {
			return facade.DeleteOutput{}, err
		}
		if inside, _ := afero.ReadDir(r.fs, rooted(p)); len(inside) > 0 && !in.Recursive {
			return facade.DeleteOutput{}, facade.Errorf(facade.CodeNotEmpty, "%s is not empty", p).WithHint("recursive=true")
		}
		all = append(all, p)
	}
	out := facade.DeleteOutput{Deleted: in.Paths, DryRun: in.DryRun}
	for _, p := range all {
		if in.DryRun {
			continue
		}
		t := facade.EventFileDeleted
		if r.isDir(p) {
			t = facade.EventDirectoryDeleted
		}
		if err := r.fs.RemoveAll(rooted(p)); err != nil {
			return out, err
		}
		emitFile(ctx, t, p)
	}
	return out, nil
}

func (r *refFiles) Modify(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error) {
	in = facade.Defaulted(in)
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.ModifyOutput{}, err
	}
	defer unlock()
	p, raw, err := r.load(ctx, in.Path)
	if err == nil {
		err = cmp.Or(guard(p), stale(raw, in.IfMatch))
	}
	if err != nil {
		return facade.ModifyOutput{}, err
	}
	t := refText{text: string(raw), encoding: "binary"}
	var units []string
	if in.OffsetType == "byte" {
		units = make([]string, len(raw))
		for i, b := range raw {
			units[i] = string([]byte{b})
		}
	} else {
		t = decodeText(raw)
		units = splitLines(t.text)
	}
	start, end, n := in.StartOffsetInclusive, *in.EndOffsetInclusive, int64(len(units))
	if end == -1 {
		end = n - 1
	}
	if start > n || end >= n || end < start-1 {
		return facade.ModifyOutput{}, facade.InvalidArgument("start_offset_inclusive", "the range is outside the file; its length is %d", n)
	}
	text := in.NewContent
	if in.OffsetType == "line" && text != "" {
		text = fitted(text, t.text, units, start, end)
	}
	if in.OffsetType == "line" && start == n && n > 0 && !strings.HasSuffix(units[n-1], "\n") {
		units[n-1] += "\n"
	}
	after := strings.Join(units[:start], "") + text + strings.Join(units[end+1:], "")
	out := facade.ModifyOutput{Path: pathname.Escape(p), DryRun: in.DryRun}
	out.Diff, out.ETag, err = r.change(ctx, p, t, after, in.DryRun)
	return out, err
}

// fitted gives text the line ending of the lines that it replaces.
func fitted(text, whole string, lines []string, start, end int64) string {
	eol := "\n"
	if around := lines[max(0, min(start, int64(len(lines))-1))]; strings.HasSuffix(around, "\r\n") {
		eol = "\r\n"
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", eol)
	if atEnd := end+1 == int64(len(lines)); !strings.HasSuffix(text, "\n") && (!atEnd || strings.HasSuffix(whole, "\n")) {
		text += eol
	}
	return text
}

// change encodes and saves new text.
func (r *refFiles) change(ctx context.Context, p string, t refText, after string, dry bool) (diff, etag string, err error) {
	now, err := t.encode(after)
	if err != nil {
		return "", "", err
	}
	if !dry {
		err = r.save(ctx, p, now, false)
	}
	return diffOf(t.text, after), etagOf(now), err
}

func (r *refFiles) Replace(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.ReplaceOutput{}, err
	}
	defer unlock()
	p, raw, err := r.load(ctx, in.Path)
	if err == nil {
		err = cmp.Or(guard(p), stale(raw, in.IfMatch))
	}
	if err != nil {
		return facade.ReplaceOutput{}, err
	}
	t := decodeText(raw)
	out := facade.ReplaceOutput{Path: pathname.Escape(p), Strategy: "exact", DryRun: in.DryRun}
	expr, text := regexp.QuoteMeta(in.OldContent), strings.ReplaceAll(in.NewContent, "$", "$$")
	switch {
	case in.IsRegex:
		expr, text, out.Strategy = in.OldContent, in.NewContent, "regex"
	case !strings.Contains(t.text, in.OldContent) && strings.Contains(t.text, "\r\n"):
		expr, text, out.Strategy = strings.ReplaceAll(expr, "\n", "\r\n"), strings.ReplaceAll(text, "\n", "\r\n"), "line_ending"
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return facade.ReplaceOutput{}, facade.InvalidArgument("old_content", "bad expression: %v", err)
	}
	for _, at := range re.FindAllStringIndex(t.text, -1) {
		out.Count++
		out.Lines = append(out.Lines, int64(strings.Count(t.text[:at[0]], "\n"))+1)
	}
	if err := counted(t.text, out, in); err != nil {
		return facade.ReplaceOutput{}, err
	}
	out.Diff, out.ETag, err = r.change(ctx, p, t, re.ReplaceAllString(t.text, text), in.DryRun)
	return out, err
}

// counted checks the number of matches.
func counted(text string, out facade.ReplaceOutput, in facade.ReplaceInput) error {
	want := cmp.Or(in.ExpectedCount, 1)
	switch {
	case out.Count == 0:
		lines := splitLines(text)
		near := facade.Nearest(in.OldContent, lines)
		return facade.Errorf(facade.CodeNoMatch, "no match; closest is line %d: %s", slices.Index(lines, near)+1, near).WithHint("copy the text from a read")
	case out.Count != want && !in.ReplaceAll:
		return facade.Errorf(facade.CodeAmbiguousMatch, "%d matches at lines %v, want %d", out.Count, out.Lines, want).WithHint("give more of the text")
	}
	return nil
}
