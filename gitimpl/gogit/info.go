package gogit

import (
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// decorations are the names that point to commits, as git log shows them.
func (r *repo) decorations() (map[plumbing.Hash][]string, error) {
	refs, err := r.refs("refs/")
	if err != nil {
		return nil, err
	}
	h, err := r.head()
	if err != nil {
		return nil, err
	}
	list := map[plumbing.Hash][]string{}
	if !h.hash.IsZero() {
		list[h.hash] = append(list[h.hash], "HEAD")
	}
	if !h.hash.IsZero() && !h.Detached {
		list[h.hash] = append(list[h.hash], h.Branch)
	}
	names := make([]string, 0, len(refs))
	for name := range refs {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(kindOf(a)+a, kindOf(b)+b) })
	for _, name := range names {
		ref, hash := plumbing.ReferenceName(name), refs[name]
		label := shown(ref.Short())
		switch {
		case ref == h.ref && hash == h.hash && !h.Detached:
			continue
		case ref.IsTag():
			label = "tag: " + label
			if c, err := r.peel(hash); err == nil && c != nil {
				hash = c.Hash
			}
		}
		list[hash] = append(list[hash], label)
	}
	return list, nil
}

// kindOf orders tags before remote branches before branches, as git does.
func kindOf(ref string) string {
	switch name := plumbing.ReferenceName(ref); {
	case name.IsTag():
		return "0"
	case name.IsRemote():
		return "1"
	}
	return "2"
}

// info describes a commit for results.
func (r *repo) info(c *object.Commit, names map[plumbing.Hash][]string, oneline bool) (facade.GitCommitInfo, error) {
	const (
		longestSubject = 1 << 10
		longestBody    = 8 << 10
		mostRefs       = 50
	)
	subject, body := gitrule.SplitMessage(gitrule.Text([]byte(c.Message)))
	out := facade.GitCommitInfo{OID: c.Hash.String(), Subject: gitrule.Clip(subject, longestSubject)}
	refs := names[c.Hash]
	out.Refs = refs[:min(len(refs), mostRefs)]
	var err error
	if out.Short, err = r.short(c.Hash); err != nil || oneline {
		return out, err
	}
	out.Body = gitrule.Clip(body, longestBody)
	for _, p := range c.ParentHashes {
		out.Parents = append(out.Parents, p.String())
	}
	when := c.Author.When
	out.Author, out.AuthorTime = person(c.Author), &when
	return out, nil
}
