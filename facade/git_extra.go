package facade

import "time"

// GitShowInput names a commit, and perhaps a file in it.
type GitShowInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Commit or tag to show.
	Ref string `json:"ref,omitempty" default:"HEAD"`
	// Show this file as it was in the commit, not the commit itself.
	Path string `json:"path,omitempty" example:"src/main.go"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// Unchanged lines around changes.
	Context *int `json:"context,omitempty" default:"3" min:"0" max:"1000"`
	// Patch, counts or names.
	Output string `json:"output,omitempty" default:"patch" enum:"patch,stat,names"`
	// Most bytes of text.
	MaxBytes int `json:"max_bytes,omitempty" min:"1"`
}

// Validate refuses a file beside a choice of files.
func (in GitShowInput) Validate() error {
	if in.Path != "" && len(in.Files) > 0 {
		return InvalidArgument("files", "give 'path' for a file's content or 'files' for changes, not both")
	}
	return nil
}

// GitShowOutput describes a commit, or a file in it.
type GitShowOutput struct {
	// Commit is the commit shown.
	Commit GitCommitInfo `json:"commit"`
	// Diff shows its changes against its first parent; absent with path.
	Diff *GitDiffOutput `json:"diff,omitempty"`
	// File is the file asked for with path.
	File *GitFileAt `json:"file,omitempty"`
}

// GitFileAt is a file as it was in a commit.
type GitFileAt struct {
	// Path is relative to the top of the work tree.
	Path string `json:"path"`
	// OID is the id of the blob.
	OID string `json:"oid"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// Binary says that the content is not text and therefore absent.
	Binary bool `json:"binary"`
	// Content is the text; cut when longer than max_bytes.
	Content string `json:"content"`
	// Truncated says that content was cut.
	Truncated bool `json:"truncated,omitempty"`
}

// GitBlameInput names a file and a range of its lines.
type GitBlameInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// File to explain.
	Path string `json:"path" example:"src/main.go"`
	// Commit whose version of the file to explain; else the work tree's.
	Ref string `json:"ref,omitempty" example:"v1.0"`
	// First line, from 1.
	StartLine int `json:"start_line,omitempty" default:"1" min:"1"`
	// Last line, inclusive; the end of the file when absent.
	EndLine int `json:"end_line,omitempty" min:"1"`
}

// Validate checks the order of the range.
func (in GitBlameInput) Validate() error {
	if in.EndLine != 0 && in.EndLine < in.StartLine {
		return InvalidArgument("end_line", "end_line %d is before start_line %d", in.EndLine, in.StartLine)
	}
	return nil
}

// GitBlameOutput tells where lines come from.
type GitBlameOutput struct {
	// Path is relative to the top of the work tree.
	Path string `json:"path"`
	// Lines are those of the range.
	Lines []GitBlameLine `json:"lines"`
	// Commits are those that Lines refer to.
	Commits []GitBlameCommit `json:"commits"`
	// NextLine is the start_line that reads on; absent at the end of the range.
	NextLine int `json:"next_line,omitempty"`
}

// GitBlameLine is one line and its origin.
type GitBlameLine struct {
	// Line is its number, from 1.
	Line int `json:"line"`
	// Commit is the short id, as in commits; "" for a line not committed yet.
	Commit string `json:"commit"`
	// OrigLine is its number in that commit.
	OrigLine int `json:"orig_line"`
	// Content is the line without its ending.
	Content string `json:"content"`
}

// GitBlameCommit is a commit that lines come from.
type GitBlameCommit struct {
	// Short is the start of the id that lines refer to.
	Short string `json:"short"`
	// OID is the full id.
	OID string `json:"oid"`
	// Author is "Name <email>".
	Author string `json:"author"`
	// AuthorTime is when the change was made.
	AuthorTime time.Time `json:"author_time"`
	// Subject is the first line of the message.
	Subject string `json:"subject"`
	// Path is the file's name in that commit, when it was another one.
	Path string `json:"path,omitempty"`
}

// GitBranchesInput selects branches.
type GitBranchesInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// List remote-tracking branches too.
	IncludeRemote bool `json:"include_remote,omitempty" default:"false"`
	// Text that names must contain.
	Pattern string `json:"pattern,omitempty" example:"feature/"`
	// Most to return.
	Limit int `json:"limit,omitempty" min:"1" max:"100000"`
}

// GitBranchesOutput lists branches.
type GitBranchesOutput struct {
	// Current is the current branch; "" when detached.
	Current string `json:"current"`
	// Branches are the latest committed to first.
	Branches []GitBranchInfo `json:"branches"`
	// Hidden counts the branches not shown because of the limit.
	Hidden int `json:"hidden,omitempty"`
}

// GitBranchInfo is one branch.
type GitBranchInfo struct {
	// Name is as main, or origin/main when remote.
	Name string `json:"name"`
	// OID is its latest commit.
	OID string `json:"oid"`
	// Remote says that it is a remote-tracking branch.
	Remote bool `json:"remote,omitempty"`
	// Upstream is what it follows; absent when it follows nothing.
	Upstream *GitUpstream `json:"upstream,omitempty"`
	// Time is that of the latest commit.
	Time time.Time `json:"time"`
	// Subject is the first line of the latest commit's message.
	Subject string `json:"subject"`
}

// GitSwitchInput names a branch.
type GitSwitchInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Branch to make the current one.
	Branch string `json:"branch,omitempty" example:"main"`
	// Create the branch; fails if it exists.
	Create bool `json:"create,omitempty" default:"false"`
	// Commit where a new branch starts, or that becomes current without a branch.
	Ref string `json:"ref,omitempty" default:"HEAD"`
	// Detach: make the commit ref current, without a branch.
	Detach bool `json:"detach,omitempty" default:"false"`
}

// Validate checks that there is one thing to switch to.
func (in GitSwitchInput) Validate() error {
	switch {
	case in.Detach && (in.Branch != "" || in.Create):
		return InvalidArgument("detach", "detach goes to 'ref' without a branch; 'branch' and 'create' contradict it")
	case !in.Detach && in.Branch == "":
		return InvalidArgument("branch", "field 'branch' is required, unless detach is set")
	case !in.Detach && !in.Create && in.Ref != "" && in.Ref != "HEAD":
		return InvalidArgument("ref", "ref needs create or detach")
	}
	return nil
}

// GitSwitchOutput tells where HEAD was and is.
type GitSwitchOutput struct {
	// Before is HEAD before.
	Before GitHead `json:"before"`
	// Head is HEAD now.
	Head GitHead `json:"head"`
	// Created says that the branch is new.
	Created bool `json:"created,omitempty"`
}

// GitStashInput says what to do with the stash.
type GitStashInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Put changes aside, list entries, bring one back (pop drops it then), or drop one.
	Operation string `json:"operation,omitempty" default:"list" enum:"list,push,apply,pop,drop"`
	// Entry to bring back or drop; 0 is the latest.
	Entry int `json:"entry,omitempty" default:"0" min:"0"`
	// Description of what is put aside.
	Message string `json:"message,omitempty"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// Put untracked files aside too.
	IncludeUntracked bool `json:"include_untracked,omitempty" default:"false"`
}

// Effect implements [Effector]: list only reads, and a dropped entry is lost.
func (in GitStashInput) Effect(declared Effect) Effect {
	switch in.Operation {
	case "", "list":
		return EffectRead | Idempotent
	case "drop":
		return declared | EffectDestructive
	}
	return declared
}

// Validate refuses arguments that the operation has no use for.
func (in GitStashInput) Validate() error {
	push := in.Operation == "push"
	switch {
	case !push && in.Message != "":
		return InvalidArgument("message", "'message' belongs to operation push")
	case !push && len(in.Files) > 0:
		return InvalidArgument("files", "'files' belongs to operation push")
	case !push && in.IncludeUntracked:
		return InvalidArgument("include_untracked", "'include_untracked' belongs to operation push")
	}
	return nil
}

// GitStashOutput lists the stash as it is after the operation.
type GitStashOutput struct {
	// Entries are the latest first.
	Entries []GitStashEntry `json:"entries"`
	// Files are those put aside or brought back.
	Files []string `json:"files,omitempty"`
	// Conflicts are the files to resolve after bringing an entry back; the entry is kept then.
	Conflicts []GitConflict `json:"conflicts,omitempty"`

	done string
}

// Did makes the text form begin with what was done, one of the operations
// other than list.
func (o *GitStashOutput) Did(operation string) { o.done = operation }

// GitStashEntry is one set of changes put aside.
type GitStashEntry struct {
	// Entry is its number; 0 is the latest.
	Entry int `json:"entry"`
	// OID is the id of the commit that holds it.
	OID string `json:"oid"`
	// Message describes it.
	Message string `json:"message"`
	// Time is when it was put aside.
	Time time.Time `json:"time"`
}

// GitConflictsInput says where to look for conflicts.
type GitConflictsInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// Commit or branch: tell what merging it into HEAD would leave, without doing it.
	Ref string `json:"ref,omitempty" example:"origin/main"`
}

// GitConflictsOutput lists conflicts.
type GitConflictsOutput struct {
	// Operation is what is in progress, or "foreseen" with ref.
	Operation string `json:"operation"`
	// Conflicts are the files with conflicting versions.
	Conflicts []GitConflict `json:"conflicts"`
	// Hidden counts the files not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
	// Messages are git's own words about a foreseen merge.
	Messages []string `json:"messages,omitempty"`
}

// GitRemotesInput names a repository.
type GitRemotesInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
}

// GitRemotesOutput lists remotes.
type GitRemotesOutput struct {
	// Remotes are in the order of their names.
	Remotes []GitRemoteInfo `json:"remotes"`
}

// GitRemoteInfo is one remote.
type GitRemoteInfo struct {
	// Name is what fetch, pull and push call it.
	Name string `json:"name"`
	// URL is where it is fetched from, without password; host paths are not shown.
	URL string `json:"url"`
	// PushURL is where it is pushed to, when that differs.
	PushURL string `json:"push_url,omitempty"`
	// Usable says that fetch and push accept the address.
	Usable bool `json:"usable"`
	// Reason says why it is not usable.
	Reason string `json:"reason,omitempty"`
}
