package facadetest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// refFiles is the simplest implementation that keeps the rules: one lock, whole
// files in memory, no atomic writes. It proves that the suite can be passed.
type refFiles struct {
	mu  sync.Mutex
	fs  afero.Fs
	cwd map[string]string
}

var (
	_ facade.FileTools     = (*refFiles)(nil)
	_ facade.FileInformer  = (*refFiles)(nil)
	_ facade.FileNavigator = (*refFiles)(nil)
)

func newRef(fsys afero.Fs) *refFiles { return &refFiles{fs: fsys, cwd: map[string]string{}} }

// lock starts a method.
func (r *refFiles) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	return r.mu.Unlock, nil
}

// resolve returns p relative to the root, "." for the root itself.
func (r *refFiles) resolve(ctx context.Context, field, p string) (string, error) {
	p = pathname.Unescape(p)
	if strings.ContainsRune(p, 0) {
		return "", facade.InvalidArgument(field, "the path has a NUL byte")
	}
	if !strings.HasPrefix(p, "/") {
		p = r.cwd[facade.Info(ctx).Session] + "/" + p
	}
	var parts []string
	for part := range strings.SplitSeq(p, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", facade.Errorf(facade.CodeOutsideRoot, "the path leaves the root").WithHint("use a path below the root")
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	return cmp.Or(strings.Join(parts, "/"), "."), nil
}

func (r *refFiles) stat(p string) (fs.FileInfo, error) {
	info, err := r.fs.Stat(rooted(p))
	for up := path.Dir(p); errors.Is(err, fs.ErrNotExist) && up != "."; up = path.Dir(up) {
		if parent, perr := r.fs.Stat(rooted(up)); perr == nil && !parent.IsDir() {
			return nil, facade.Errorf(facade.CodeNotDirectory, "%s is a file", up).WithHint("use another path")
		}
	}
	if err == nil || p == "." {
		return info, err
	}
	var names []string
	if all, err := afero.ReadDir(r.fs, rooted(path.Dir(p))); err == nil {
		for _, i := range all {
			names = append(names, i.Name())
		}
	}
	return nil, facade.Errorf(facade.CodeNotFound, "%s does not exist", pathname.Escape(p)).
		WithHint("near: %s", cmp.Or(facade.Nearest(path.Base(p), names), "nothing; list the directory"))
}

func (r *refFiles) isDir(p string) bool {
	info, err := r.fs.Stat(rooted(p))
	return p == "." || err == nil && info.IsDir()
}

// node is an entry found by walk.
type node struct {
	path string
	info fs.FileInfo
}

// walk lists what is below dir, and counts what ignore rules hide.
func (r *refFiles) walk(dir string, depth int, all bool) (nodes []node, ignored int) {
	infos, _ := afero.ReadDir(r.fs, rooted(dir))
	for _, info := range infos {
		p := path.Join(dir, info.Name())
		if !all && r.ignored(p, info.IsDir()) {
			ignored++
			continue
		}
		nodes = append(nodes, node{p, info})
		if info.IsDir() && depth != 1 {
			sub, n := r.walk(p, depth-1, all)
			nodes, ignored = append(nodes, sub...), ignored+n
		}
	}
	return nodes, ignored
}

func (r *refFiles) ignored(p string, isDir bool) bool {
	hidden := false
	dirs := []string{"."}
	for i, c := range p {
		if c == '/' {
			dirs = append(dirs, p[:i])
		}
	}
	for _, d := range dirs {
		raw, _ := afero.ReadFile(r.fs, rooted(path.Join(d, ".gitignore")))
		for rule := range strings.FieldsSeq(string(raw)) {
			rule, negated := strings.CutPrefix(rule, "!")
			rule, dirOnly := strings.CutSuffix(rule, "/")
			if ok, _ := path.Match(rule, path.Base(p)); ok && (isDir || !dirOnly) {
				hidden = !negated
			}
		}
	}
	return hidden
}

// globs compiles patterns; a path matches when any does.
func globs(field string, patterns []string) (func(p string) bool, error) {
	var all []*regexp.Regexp
	for _, g := range patterns {
		if _, err := path.Match(g, ""); err != nil {
			return nil, facade.InvalidArgument(field, "bad pattern %q", g)
		}
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		expr := regexp.QuoteMeta(g)
		for _, sub := range [][2]string{{`\*\*/`, "(.*/)?"}, {`\*\*`, ".*"}, {`\*`, "[^/]*"}, {`\?`, "[^/]"}, {`\{`, "("}, {`\}`, ")"}, {",", "|"}} {
			expr = strings.ReplaceAll(expr, sub[0], sub[1])
		}
		re, err := regexp.Compile("(?s)^" + expr + "$")
		if err != nil {
			return nil, facade.InvalidArgument(field, "bad pattern %q", g)
		}
		all = append(all, re)
	}
	return func(p string) bool {
		return slices.ContainsFunc(all, func(re *regexp.Regexp) bool { return re.MatchString(p) })
	}, nil
}

// page cuts items to the limit and the budget from where the cursor says.
func page[T any](ctx context.Context, items []T, limit int, cursor string) ([]T, string, error) {
	from := 0
	if cursor != "" {
		n, err := strconv.Atoi(cursor)
		if err != nil || n < 0 || n > len(items) {
			return nil, "", facade.InvalidArgument("cursor", "not a cursor of this list")
		}
		from = n
	}
	size, to := 0, from
	for to < len(items) && to-from < limit {
		raw, err := json.Marshal(items[to])
		if size += len(raw) + 1; err != nil || size > facade.Budget(ctx)-2048 && to > from {
			break
		}
		to++
	}
	if to == len(items) {
		return items[from:to:to], "", nil
	}
	return items[from:to:to], strconv.Itoa(to), nil
}

func (r *refFiles) List(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
	in = facade.Defaulted(in)
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.ListOutput{}, err
	}
	defer unlock()
	dir, err := r.resolve(ctx, "path", in.Path)
	if err != nil {
		return facade.ListOutput{}, err
	}
	if !r.isDir(dir) {
		if _, err := r.stat(dir); err != nil {
			return facade.ListOutput{}, err
		}
		return facade.ListOutput{}, facade.Errorf(facade.CodeNotDirectory, "%s is a file", dir).WithHint("use read")
	}
	depth := 1
	if in.Recursive || in.Depth > 1 {
		depth = in.Depth
	}
	match := func(string) bool { return true }
	if in.Pattern != "" {
		if match, err = globs("pattern", []string{in.Pattern}); err != nil {
			return facade.ListOutput{}, err
		}
	}
	nodes, ignored := r.walk(dir, depth, in.IncludeIgnored)
	entries := []facade.Entry{}
	for _, n := range nodes {
		if match(n.path) {
			entries = append(entries, entryOf(n))
		}
	}
	slices.SortStableFunc(entries, func(a, b facade.Entry) int {
		switch in.Sort {
		case "size":
			return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path))
		case "mtime":
			return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
		}
		return cmp.Compare(a.Path, b.Path)
	})
	out := facade.ListOutput{Path: pathname.Escape(dir), Ignored: ignored}
	out.Entries, out.NextCursor, err = page(ctx, entries, in.Limit, in.Cursor)
	return out, err
}

func entryOf(n node) facade.Entry {
	t := facade.TypeFile
	if n.info.IsDir() {
		t = facade.TypeDirectory
	}
	return facade.Entry{
		Name: pathname.Escape(path.Base(n.path)), Path: pathname.Escape(n.path), Type: t, Size: n.info.Size(),
		Mode: n.info.Mode().String(), Modified: n.info.ModTime(),
	}
}

// keywords compiles a list of keywords to one expression, nil for no keywords.
func keywords(field string, words []string, in facade.FindInput) (*regexp.Regexp, error) {
	if len(words) == 0 {
		return nil, nil
	}
	exprs := make([]string, len(words))
	for i, w := range words {
		if exprs[i] = "(?:" + w + ")"; !in.RegexKeywords {
			exprs[i] = regexp.QuoteMeta(w)
		}
	}
	flags := "(?i)"
	if in.CaseSensitive {
		flags = ""
	}
	re, err := regexp.Compile(flags + strings.Join(exprs, "|"))
	if err != nil {
		return nil, facade.InvalidArgument(field, "bad expression: %v", err)
	}
	return re, nil
}

func (r *refFiles) Find(ctx context.Context, in facade.FindInput) (facade.FindOutput, error) {
	in = facade.Defaulted(in)
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.FindOutput{}, err
	}
	defer unlock()
	out := facade.FindOutput{Matches: []facade.FoundFile{}}
	keep, err := findFilter(in)
	if err != nil {
		return out, err
	}
	content, err := keywords("keywords_file_content", in.KeywordsFileContent, in)
	if err != nil {
		return out, err
	}
	base, err := r.resolve(ctx, "path", in.Path)
	if err != nil {
		return out, err
	}
	var nodes []node
	if r.isDir(base) {
		depth := 0
		if !*in.Recursive {
			depth = 1
		}
		nodes, out.Ignored = r.walk(base, depth, in.IncludeIgnored)
	} else {
		info, err := r.stat(base)
		if err != nil {
			return out, err
		}
		nodes = []node{{base, info}}
	}
	slices.SortFunc(nodes, func(a, b node) int { return cmp.Compare(a.path, b.path) })
	for _, n := range nodes {
		out.Totals.Searched++
		if m, ok := r.match(n, keep, content, in.Context); ok {
			out.Totals.Files, out.Totals.Lines = out.Totals.Files+1, out.Totals.Lines+len(m.Lines)
			out.Matches = append(out.Matches, m)
		}
	}
	out.Matches, out.NextCursor, err = page(ctx, out.Matches, in.Limit, in.Cursor)
	return out, err
}

func findFilter(in facade.FindInput) (func(p string) bool, error) {
	match, err := globs("patterns", in.Patterns)
	if err != nil {
		return nil, err
	}
	exclude, err := globs("exclude", in.Exclude)
	if err != nil {
		return nil, err
	}
	name, err := keywords("keywords_path_name", in.KeywordsPathName, in)
	return func(p string) bool {
		return (len(in.Patterns) == 0 || match(p)) && !exclude(p) && (name == nil || name.MatchString(p))
	}, err
}

func (r *refFiles) match(n node, keep func(string) bool, content *regexp.Regexp, around int) (facade.FoundFile, bool) {
	e := entryOf(n)
	m := facade.FoundFile{Path: e.Path, Type: e.Type, Size: e.Size, Modified: e.Modified}
	if !keep(n.path) || content == nil || n.info.IsDir() {
		return m, keep(n.path) && content == nil
	}
	raw, _ := afero.ReadFile(r.fs, rooted(n.path))
	lines := strings.Split(strings.ReplaceAll(decodeText(raw).text, "\r\n", "\n"), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		if at := content.FindStringIndex(l); at != nil {
			m.Lines = append(m.Lines, facade.MatchLine{
				Line: int64(i + 1), Content: l[max(0, at[0]-2000):min(len(l), at[1]+2000)], Match: l[at[0]:at[1]],
				Before: lines[max(0, i-around):i], After: lines[i+1 : min(len(lines), i+1+around)],
			})
		}
	}
	return m, len(m.Lines) > 0
}

func etagOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

func (r *refFiles) Info(ctx context.Context, in facade.InfoInput) (facade.InfoOutput, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.InfoOutput{}, err
	}
	defer unlock()
	p, err := r.resolve(ctx, "path", in.Path)
	if err != nil {
		return facade.InfoOutput{}, err
	}
	if p == "." {
		return facade.InfoOutput{Path: p, Type: facade.TypeDirectory}, nil
	}
	info, err := r.stat(p)
	if err != nil {
		return facade.InfoOutput{}, err
	}
	e := entryOf(node{p, info})
	out := facade.InfoOutput{Path: e.Path, Type: e.Type, Size: e.Size, Mode: e.Mode, Modified: e.Modified}
	if raw, err := afero.ReadFile(r.fs, rooted(p)); err == nil && !info.IsDir() {
		t := decodeText(raw)
		n := int64(len(splitLines(t.text)))
		out.Encoding, out.ETag, out.Lines = t.encoding, etagOf(raw), &n
	}
	return out, nil
}

func (r *refFiles) Cd(ctx context.Context, in facade.CdInput) (facade.CdOutput, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return facade.CdOutput{}, err
	}
	defer unlock()
	p, err := r.resolve(ctx, "path", in.Path)
	if err != nil {
		return facade.CdOutput{}, err
	}
	if !r.isDir(p) {
		if _, err := r.stat(p); err != nil {
			return facade.CdOutput{}, err
		}
		return facade.CdOutput{}, facade.Errorf(facade.CodeNotDirectory, "%s is a file", p).WithHint("name a directory")
	}
	session := facade.Info(ctx).Session
	out := facade.CdOutput{Previous: rooted(r.cwd[session]), Current: rooted(p)}
	r.cwd[session] = rooted(p)
	return out, nil
}

func (r *refFiles) Pwd(ctx context.Context, _ facade.PwdInput) (facade.PwdOutput, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return facade.PwdOutput{Current: rooted(r.cwd[facade.Info(ctx).Session]), Start: "/"}, nil
}

func (r *refFiles) Roots(context.Context, facade.RootsInput) (facade.RootsOutput, error) {
	return facade.RootsOutput{Roots: []facade.Root{{Name: "/", Writable: true}}}, nil
}
