package walk

import (
	"io"
	"path"
	"strings"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/fsimpl/internal/ignore"
)

const (
	ignoreName  = ".gitignore"
	gitName     = ".git"
	excludeName = "info/exclude"
)

// ruleReader loads ignore files by their paths.
type ruleReader struct {
	fsys   afero.Fs
	global *ignore.Rules
}

// load reads the rules of a file; a missing or odd one has none.
func (r *ruleReader) load(name string) *ignore.Rules {
	f, err := openFile(r.fsys, name)
	if err != nil {
		return nil
	}
	return readRules(f)
}

// readRules parses and closes an ignore file.
func readRules(f Readable) *ignore.Rules {
	defer f.Close()
	if f.Regular() != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, ignore.MaxFileSize))
	if err != nil {
		return nil
	}
	return ignore.Parse(data)
}

// repository returns the chain at the top of a repository in dir, where the
// rules of outer directories end. Name is the way to dir for the file system,
// dir the way from the top that chains count from.
func (r *ruleReader) repository(name, dir string) *ignore.Chain {
	var chain *ignore.Chain
	chain = chain.Push(r.global, dir)
	return chain.Push(r.load(path.Join(name, gitName, excludeName)), dir)
}

// above returns the chain that applies to the start of a walk: the rules of
// all directories above it up to the file system's root. A start that the
// rules hide was asked for by name, so they do not count below it.
func (r *ruleReader) above(start string) *ignore.Chain {
	root, top := split(start)
	var chain *ignore.Chain
	chain = chain.Push(r.global, "")
	dir := ""
	for element := range strings.SplitSeq(top, "/") {
		if top == "" {
			break
		}
		name := path.Join(root, dir)
		if r.exists(path.Join(name, gitName)) {
			chain = r.repository(name, dir)
		}
		chain = chain.Push(r.load(path.Join(name, ignoreName)), dir)
		full := path.Join(dir, element)
		if chain.Ignored([]byte(full), len(full)-len(element), true) {
			return nil
		}
		dir = full
	}
	return chain
}

func (r *ruleReader) exists(name string) bool {
	_, err := lstat(r.fsys, name)
	return err == nil
}

// split separates a cleaned path into the root it is relative to and the rest
// without a leading '/', "" for the root itself.
func split(start string) (root, top string) {
	if rest, ok := strings.CutPrefix(start, "/"); ok {
		return "/", rest
	}
	if start == "." {
		return ".", ""
	}
	return ".", start
}
