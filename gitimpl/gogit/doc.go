// Package gogit implements the git tool in Go alone, on go-git, for
// repositories in any afero.Fs: in memory, or on hosts without git.
//
//	g, err := gogit.New(afero.NewMemMapFs(), nil)
//	tool := facade.Git(g)           // the eleven actions
//	tool = facade.Git(g.Extended()) // show, blame, branches, switch and remotes too
//
// It has the interface, the names, the results and the errors of package
// gitimpl, and shares its sentinels. Where a directory and the git program are
// at hand, gitimpl is the better choice: it is several times faster on large
// repositories and can do everything.
//
// # What it cannot do
//
// These are errors with the code unsupported:
//
//   - pull with mode merge or rebase when both sides have commits
//   - every change while a merge, rebase, cherry-pick or revert is in progress,
//     and merge_abort of one
//   - diff with ignore_space
//   - linked work trees, submodules as repositories, and repositories that use
//     SHA-256, another storage of refs, a split index or core.autocrlf
//
// Files are stored as they are: attributes, filters and line ends have no
// effect. Hooks never run, commits are not signed, and refs have no log. A
// repository in the work tree of another is left alone. A renamed file is
// found by its content in diff, and in status only when nothing else has
// changed.
//
// # Repositories are not trusted
//
// Nothing that a repository contains starts a program: go-git has no hooks and
// no filters, and its transport that runs git is never used. Remotes are https
// or ssh addresses, or directories of a file system that the host chose, and
// nothing else. Files whose names other programs obey, as .git/config in any
// spelling, are not written, and no file is written through a symbolic link.
package gogit
