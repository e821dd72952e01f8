package facade

import "strings"

// GitStageInput names what to put into the index.
type GitStageInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// All changes, untracked too.
	StageAll bool `json:"stage_all,omitempty" default:"false"`
}

// Validate checks that one of files and stage_all is given.
func (in GitStageInput) Validate() error {
	return filesOrAll(in.Files, in.StageAll, "stage_all")
}

func filesOrAll(files []string, all bool, name string) error {
	switch {
	case len(files) == 0 && !all:
		return InvalidArgument("files", "give 'files', or %s=true for everything", name)
	case len(files) > 0 && all:
		return InvalidArgument(name, "give 'files' or '%s', not both", name)
	}
	return nil
}

// GitStageOutput tells what changed in the index.
type GitStageOutput struct {
	// Staged are the paths whose index entries changed.
	Staged []string `json:"staged"`
	// Ignored are those of files that ignore rules exclude; they were left out.
	Ignored []string `json:"ignored"`
	// Missing are those of files that neither exist nor are tracked; nothing was staged then.
	Missing []string `json:"missing"`
	// Unfiltered are staged paths whose attributes ask for a filter, as git-lfs, that was not run.
	Unfiltered []string `json:"unfiltered,omitempty"`
	// Hidden counts the staged paths not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
}

// GitUnstageInput names what to take out of the index.
type GitUnstageInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// All that is staged.
	UnstageAll bool `json:"unstage_all,omitempty" default:"false"`
}

// Validate checks that one of files and unstage_all is given.
func (in GitUnstageInput) Validate() error {
	return filesOrAll(in.Files, in.UnstageAll, "unstage_all")
}

// GitUnstageOutput tells what changed in the index.
type GitUnstageOutput struct {
	// Unstaged are the paths whose index entries changed.
	Unstaged []string `json:"unstaged"`
	// Missing are those of files that are neither staged nor in HEAD; nothing was unstaged then.
	Missing []string `json:"missing"`
	// Hidden counts the unstaged paths not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
}

// GitCommitInput describes a commit to make.
type GitCommitInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Message.
	Message string `json:"message" example:"Fix the parser"`
	// Replace the last commit.
	Amend bool `json:"amend,omitempty" default:"false"`
	// Files or directories, no patterns.
	Files []string `json:"files,omitempty" example:"src/main.go"`
	// All changes, untracked too.
	StageAll bool `json:"stage_all,omitempty" default:"false"`
	// "Name <email>".
	Author string `json:"author,omitempty" example:"Ada <ada@example.org>"`
	// Commit without changes.
	AllowEmpty bool `json:"allow_empty,omitempty" default:"false"`
	// Only if HEAD is this.
	ExpectedHead string `json:"expected_head,omitempty"`
}

// Validate refuses what cannot be a commit.
func (in GitCommitInput) Validate() error {
	switch {
	case strings.TrimSpace(in.Message) == "":
		return InvalidArgument("message", "field 'message' must not be empty")
	case strings.ContainsRune(in.Message, 0):
		return InvalidArgument("message", "field 'message' holds a NUL character")
	case len(in.Files) > 0 && in.StageAll:
		return InvalidArgument("stage_all", "give 'files' or 'stage_all', not both")
	case in.Author != "" && !isIdentity(in.Author):
		return InvalidArgument("author", "field 'author' must be \"Name <email>\", got %q", in.Author)
	}
	return nil
}

// isIdentity reports whether s is "Name <email>".
func isIdentity(s string) bool {
	name, rest, ok := strings.Cut(s, "<")
	email, after, closed := strings.Cut(rest, ">")
	return ok && closed && after == "" && strings.TrimSpace(name) != "" && email != "" &&
		!strings.ContainsAny(s, "\n\r\x00") && !strings.Contains(email, "<")
}

// GitCommitOutput describes the new commit.
type GitCommitOutput struct {
	// OID is the full id.
	OID string `json:"oid"`
	// Parents are full ids.
	Parents []string `json:"parents"`
	// Branch is the branch that moved; "" when detached.
	Branch string `json:"branch"`
	// Subject is the first paragraph of the message, in one line.
	Subject string `json:"subject"`
	// Files are those that the commit changes against its first parent.
	Files []GitFileChange `json:"files"`
	// Hidden counts the files not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
	// Script tells about the host's commit script, when one ran.
	Script *GitScriptRun `json:"script,omitempty"`
}

// GitScriptRun tells what a script of the host did.
type GitScriptRun struct {
	// Name is the script's file name.
	Name string `json:"name"`
	// ExitCode is 0 on success; -1 when a signal or the time limit ended it.
	ExitCode int `json:"exit_code"`
	// TimedOut says that the time limit ended it.
	TimedOut bool `json:"timed_out,omitempty"`
	// DurationMS is in milliseconds.
	DurationMS int64 `json:"duration_ms"`
	// Staged are the paths of the commit that were not staged before the script ran.
	Staged []string `json:"staged,omitempty"`
	// Output is the end of what the script printed.
	Output string `json:"output,omitempty"`
}

// GitRestoreInput names files to overwrite.
type GitRestoreInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Files or directories, no patterns.
	Files []string `json:"files" minItems:"1" example:"src/main.go"`
	// Restore the index, from HEAD or source.
	Staged bool `json:"staged,omitempty" default:"false"`
	// Restore files, from the index, or HEAD if staged.
	Worktree *bool `json:"worktree,omitempty" default:"true"`
	// Commit to restore from.
	Source string `json:"source,omitempty" example:"HEAD~1"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// Validate checks that there is something to overwrite.
func (in GitRestoreInput) Validate() error {
	if in.Worktree != nil && !*in.Worktree && !in.Staged {
		return InvalidArgument("worktree", "nothing to restore: set staged, worktree or both")
	}
	return nil
}

// GitRestoreOutput tells what was overwritten.
type GitRestoreOutput struct {
	// Restored are the paths that changed.
	Restored []string `json:"restored"`
	// Backup holds the content that was overwritten.
	Backup []GitBackup `json:"backup"`
	// Hidden counts the paths not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// GitBackup is overwritten content, kept as a blob.
type GitBackup struct {
	// Path is relative to the top of the work tree.
	Path string `json:"path"`
	// OID is the id of the blob.
	OID string `json:"oid"`
	// Staged says that it was the content in the index, not that of the file.
	Staged bool `json:"staged,omitempty"`
}

// GitMergeAbortInput names a repository.
type GitMergeAbortInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
}

// GitMergeAbortOutput tells what was aborted.
type GitMergeAbortOutput struct {
	// Operation is merge, rebase, cherry-pick, revert or am.
	Operation string `json:"operation"`
	// Before is the current commit before.
	Before string `json:"before"`
	// After is the current commit now.
	After string `json:"after"`
}
