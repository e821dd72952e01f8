// Package gitimpl implements the git tool on the git program, 2.38 or newer.
//
//	g, err := gitimpl.New("/srv/project", nil)
//	tool := facade.Git(g)          // the eleven actions
//	tool = facade.Git(g.Extended()) // show, blame, branches, … too
//
// # Repositories are not trusted
//
// A repository can name programs for git to run: hooks, filters, merge
// drivers, file system monitors, transports. Package gitimpl runs git such
// that none of them starts. Git gets
//
//   - an environment made of an allow-list,
//   - a private common directory, whose links lead to the objects and refs of
//     the repository and whose configuration holds copies of harmless, checked
//     settings only ([Untrusted] lists them),
//   - GIT_DIR and GIT_WORK_TREE, after both were found to be inside the root
//     and owned by the current user,
//   - flags that are constants of this package, object ids instead of
//     revisions, refspecs built here, and paths one by one, without patterns.
//
// [TrustConfig] gives that up for repositories whose content the host answers
// for; hooks, Git LFS and signing work then.
//
// # Names and results
//
// Output of git is read in its NUL-separated forms, with limits on bytes and
// entries; a process is stopped once it has said enough. Failures are
// *[facade.Error] values that wrap one of the sentinels of this package and,
// where git failed, a [*GitError]. A merge with conflicts is an output beside
// an error.
//
// # Limits
//
// On Windows a symbolic link needs a privilege or developer mode; without it
// the private common directory cannot be made, and actions on untrusted
// repositories fail as unavailable. There, ownership is not checked, and a
// cancelled call kills git, which may leave a lock file behind.
package gitimpl
