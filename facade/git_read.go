package facade

import "time"

// GitStatusInput says what to look at.
type GitStatusInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Two-letter codes only.
	Short bool `json:"short,omitempty" default:"false"`
	// Tell branch and upstream.
	ShowBranch *bool `json:"show_branch,omitempty" default:"true"`
	// Untracked: none, by directory, or every file.
	Untracked string `json:"untracked,omitempty" default:"normal" enum:"no,normal,all"`
	// Files or directories, no patterns.
	Paths []string `json:"paths,omitempty" example:"src"`
	// Ignored files too.
	Ignored bool `json:"ignored,omitempty" default:"false"`
	// Most to return.
	Limit int `json:"limit,omitempty" min:"1" max:"100000"`
}

// GitStatusOutput is the state of a repository.
type GitStatusOutput struct {
	// Head is the current commit and branch.
	Head *GitHead `json:"head,omitempty"`
	// Upstream is what the branch follows; absent when it follows nothing.
	Upstream *GitUpstream `json:"upstream,omitempty"`
	// Operation is what waits to be continued or aborted: merge, rebase, cherry-pick, revert, am or bisect; "none" else.
	Operation string `json:"operation"`
	// Entries are the files that differ, in the order of git.
	Entries []GitStatusEntry `json:"entries"`
	// Counts are those of all entries, shown or not.
	Counts GitStatusCounts `json:"counts"`
	// Clean says that nothing differs and nothing is untracked.
	Clean bool `json:"clean"`
	// Hidden counts the entries not shown because of the limit.
	Hidden int `json:"hidden,omitempty"`

	short bool
}

// Terse makes the text form that of git status --short.
func (o *GitStatusOutput) Terse() { o.short = true }

// GitHead is the current commit.
type GitHead struct {
	// OID is the commit; "" on a branch without commits.
	OID string `json:"oid"`
	// Branch is the current branch; "" when detached.
	Branch string `json:"branch"`
	// Detached says that no branch is current.
	Detached bool `json:"detached"`
	// Unborn says that the branch has no commit yet.
	Unborn bool `json:"unborn"`
}

// GitUpstream is the branch that another one follows.
type GitUpstream struct {
	// Ref is as origin/main.
	Ref string `json:"ref"`
	// Ahead counts the commits that upstream lacks.
	Ahead int `json:"ahead"`
	// Behind counts the commits that only upstream has.
	Behind int `json:"behind"`
	// Gone says that upstream does not exist any more.
	Gone bool `json:"gone"`
}

// GitStatusEntry is a file that differs.
type GitStatusEntry struct {
	// Path is relative to the top of the work tree; a directory ends in '/'.
	Path string `json:"path"`
	// OrigPath is where a renamed or copied file came from.
	OrigPath string `json:"orig_path,omitempty"`
	// Index is the letter of the staged change: M, T, A, D, R, C, U, or "." for none.
	Index string `json:"index"`
	// Worktree is the letter of the unstaged change.
	Worktree string `json:"worktree"`
	// Kind is ordinary, renamed, copied, unmerged, untracked or ignored.
	Kind string `json:"kind"`
	// Similarity of a renamed or copied file, in percent.
	Similarity int `json:"similarity,omitempty"`
	// Submodule says that the entry is a submodule.
	Submodule bool `json:"submodule,omitempty"`
}

// GitStatusCounts counts entries by their state.
type GitStatusCounts struct {
	// Staged files differ between HEAD and index.
	Staged int `json:"staged"`
	// Unstaged files differ between index and work tree.
	Unstaged int `json:"unstaged"`
	// Unmerged files have conflicts.
	Unmerged int `json:"unmerged"`
	// Untracked files are not in the index.
	Untracked int `json:"untracked"`
	// Ignored files match ignore rules.
	Ignored int `json:"ignored"`
}

// GitDiffInput selects two states and how to show what differs.
type GitDiffInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Index against HEAD or from.
	Staged bool `json:"staged,omitempty" default:"false"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// Older commit.
	From string `json:"from,omitempty" example:"main"`
	// Newer commit; else work tree or index.
	To string `json:"to,omitempty" example:"HEAD"`
	// Start at the common ancestor.
	MergeBase bool `json:"merge_base,omitempty" default:"false"`
	// Unchanged lines around changes.
	Context *int `json:"context,omitempty" default:"3" min:"0" max:"1000"`
	// Patch, counts or names.
	Output string `json:"output,omitempty" default:"patch" enum:"patch,stat,names"`
	// Ignore amounts of blanks.
	IgnoreSpace bool `json:"ignore_space,omitempty" default:"false"`
	// Most bytes of text.
	MaxBytes int `json:"max_bytes,omitempty" min:"1"`
}

// Validate refuses sides that contradict each other.
func (in GitDiffInput) Validate() error {
	switch {
	case in.Staged && in.To != "":
		return InvalidArgument("to", "staged compares with the index; 'to' contradicts it")
	case in.MergeBase && in.From == "":
		return InvalidArgument("from", "merge_base needs 'from'")
	case in.MergeBase && in.Staged:
		return InvalidArgument("merge_base", "merge_base compares commits; 'staged' contradicts it")
	}
	return nil
}

// GitDiffOutput shows what differs.
type GitDiffOutput struct {
	// Files has one element per changed file.
	Files []GitFileChange `json:"files"`
	// Totals are those of all files, shown or not.
	Totals GitDiffTotals `json:"totals"`
	// Patch is the unified diff; cut at the end of a line when it is too long.
	Patch string `json:"patch,omitempty"`
	// Rest are the files whose patch is missing or cut; ask for them next.
	Rest []string `json:"rest,omitempty"`
	// Hidden counts the files not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
}

// GitFileChange is one changed file.
type GitFileChange struct {
	// Path is relative to the top of the work tree.
	Path string `json:"path"`
	// OldPath is where a renamed or copied file was.
	OldPath string `json:"old_path,omitempty"`
	// Status is added, modified, deleted, renamed, copied, type_changed or unmerged.
	Status string `json:"status"`
	// Additions counts added lines; 0 for a binary file.
	Additions int `json:"additions"`
	// Deletions counts deleted lines; 0 for a binary file.
	Deletions int `json:"deletions"`
	// Binary says that the content is not text.
	Binary bool `json:"binary"`
}

// GitDiffTotals sums up a diff.
type GitDiffTotals struct {
	// Files counts the changed files.
	Files int `json:"files"`
	// Additions counts the added lines.
	Additions int `json:"additions"`
	// Deletions counts the deleted lines.
	Deletions int `json:"deletions"`
}

// GitHistoryInput selects commits.
type GitHistoryInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"10" min:"1" max:"1000"`
	// Short id and subject only.
	Oneline bool `json:"oneline,omitempty" default:"false"`
	// Pattern (ERE) of the message.
	Grep string `json:"grep,omitempty" example:"^fix"`
	// Commit or range; else HEAD.
	Ref string `json:"ref,omitempty" example:"v1.0..main"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// Pattern (ERE) of the author.
	Author string `json:"author,omitempty" example:"Ada"`
	// Commits after this date.
	Since string `json:"since,omitempty" example:"2 weeks ago"`
	// Commits before this date.
	Until string `json:"until,omitempty" example:"2026-01-31"`
	// next_cursor of a cut reply.
	Cursor string `json:"cursor,omitempty"`
}

// GitHistoryOutput is a page of commits.
type GitHistoryOutput struct {
	// Commits are in the order of git log.
	Commits []GitCommitInfo `json:"commits"`
	// NextCursor continues the list; absent at the end.
	NextCursor string `json:"next_cursor,omitempty"`

	oneline bool
}

// Terse makes the text form that of git log --oneline.
func (o *GitHistoryOutput) Terse() { o.oneline = true }

// GitCommitInfo describes a commit.
type GitCommitInfo struct {
	// OID is the full id.
	OID string `json:"oid"`
	// Short is the shortest unique start of the id.
	Short string `json:"short"`
	// Parents are full ids; absent with oneline.
	Parents []string `json:"parents,omitempty"`
	// Author is "Name <email>".
	Author string `json:"author,omitempty"`
	// AuthorTime is when the change was made.
	AuthorTime *time.Time `json:"author_time,omitempty"`
	// Subject is the first paragraph of the message, in one line.
	Subject string `json:"subject"`
	// Body is the rest of the message; cut when very long.
	Body string `json:"body,omitempty"`
	// Refs are the branches and tags that point here.
	Refs []string `json:"refs,omitempty"`
}
