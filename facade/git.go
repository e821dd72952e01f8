package facade

import "context"

// GitAction is an action of the git tool.
type GitAction string

// The actions of the git tool. Those from [GitShow] on are extras, which a
// host opts into.
const (
	GitStatus     GitAction = "status"
	GitStage      GitAction = "stage"
	GitUnstage    GitAction = "unstage"
	GitCommit     GitAction = "commit"
	GitDiff       GitAction = "diff"
	GitHistory    GitAction = "history"
	GitRestore    GitAction = "restore"
	GitFetch      GitAction = "fetch"
	GitPull       GitAction = "pull"
	GitPush       GitAction = "push"
	GitMergeAbort GitAction = "merge_abort"

	GitShow      GitAction = "show"
	GitBlame     GitAction = "blame"
	GitBranches  GitAction = "branches"
	GitSwitch    GitAction = "switch"
	GitStash     GitAction = "stash"
	GitConflicts GitAction = "conflicts"
	GitRemotes   GitAction = "remotes"
)

// GitReader is the part of the git tool that every implementation has.
//
// A repository is found from repo_path, a directory inside the root. Paths of
// files are '/'-separated and relative to the top of its work tree; an input
// path may also be absolute inside the root. A name that is not UTF-8 has each
// stray byte written as \xHH, in results and in arguments alike. No error and
// no output shows a host path.
type GitReader interface {
	// Status tells what differs between HEAD, the index and the work tree.
	Status(ctx context.Context, in GitStatusInput) (GitStatusOutput, error)
	// Diff returns changes between two of work tree, index and commits.
	Diff(ctx context.Context, in GitDiffInput) (GitDiffOutput, error)
	// History lists commits, the latest first. A repository without commits
	// has an empty history.
	History(ctx context.Context, in GitHistoryInput) (GitHistoryOutput, error)
}

// GitWriter is the part that changes the index, the work tree and the current
// branch.
type GitWriter interface {
	// Stage puts the state of files into the index: all of them, or none.
	Stage(ctx context.Context, in GitStageInput) (GitStageOutput, error)
	// Unstage sets the index of files back to HEAD.
	Unstage(ctx context.Context, in GitUnstageInput) (GitUnstageOutput, error)
	// Commit records the index. After a failure the index is as it was before.
	Commit(ctx context.Context, in GitCommitInput) (GitCommitOutput, error)
	// Restore overwrites files, or their index entries, after keeping their
	// content as blobs of the repository.
	Restore(ctx context.Context, in GitRestoreInput) (GitRestoreOutput, error)
	// MergeAbort ends a merge, rebase, cherry-pick, revert or am that is in
	// progress and goes back to where it started.
	MergeAbort(ctx context.Context, in GitMergeAbortInput) (GitMergeAbortOutput, error)
}

// GitRemote is the part that talks to other repositories. Remotes are named as
// configured, never by address.
type GitRemote interface {
	// Fetch updates remote-tracking branches.
	Fetch(ctx context.Context, in GitFetchInput) (GitFetchOutput, error)
	// Pull fetches and integrates. Conflicts are in the output beside the
	// error, and stay in the work tree to be resolved or aborted.
	Pull(ctx context.Context, in GitPullInput) (GitPullOutput, error)
	// Push sends the commits of a branch. A rejected ref is in the output
	// beside the error.
	Push(ctx context.Context, in GitPushInput) (GitPushOutput, error)
}

// GitTools is the contract of the git tool. The interfaces below add the
// extras when an implementation has them.
type GitTools interface {
	GitReader
	GitWriter
	GitRemote
}

// GitInspector adds show and blame.
type GitInspector interface {
	// Show describes a commit with its changes, or a file as it was there.
	Show(ctx context.Context, in GitShowInput) (GitShowOutput, error)
	// Blame tells for each line of a file the commit it comes from.
	Blame(ctx context.Context, in GitBlameInput) (GitBlameOutput, error)
}

// GitBrancher adds branches and switch.
type GitBrancher interface {
	// Branches lists branches.
	Branches(ctx context.Context, in GitBranchesInput) (GitBranchesOutput, error)
	// Switch makes another branch the current one.
	Switch(ctx context.Context, in GitSwitchInput) (GitSwitchOutput, error)
}

// GitStasher adds stash.
type GitStasher interface {
	// Stash puts changes aside, lists them or brings them back.
	Stash(ctx context.Context, in GitStashInput) (GitStashOutput, error)
}

// GitConflictLister adds conflicts.
type GitConflictLister interface {
	// Conflicts lists unresolved files, or those a merge would leave.
	Conflicts(ctx context.Context, in GitConflictsInput) (GitConflictsOutput, error)
}

// GitRemoteLister adds remotes.
type GitRemoteLister interface {
	// Remotes lists the configured remotes.
	Remotes(ctx context.Context, in GitRemotesInput) (GitRemotesOutput, error)
}

// GitExtras joins all the extras.
type GitExtras interface {
	GitInspector
	GitBrancher
	GitStasher
	GitConflictLister
	GitRemoteLister
}

// Git builds the git tool. Its enum has exactly the actions that impl has
// methods for.
func Git(impl GitReader) *Tool {
	actions := []Action{
		Bind(GitStatus, EffectRead|Idempotent, "Tell branch and state of files.", impl.Status),
	}
	writer, writes := impl.(GitWriter)
	if writes {
		actions = append(actions,
			Bind(GitStage, EffectWrite|Idempotent, "Add files to the index, deletions too.", writer.Stage),
			Bind(GitUnstage, EffectWrite|Idempotent, "Undo stage; files stay as they are.", writer.Unstage),
			Bind(GitCommit, EffectWrite, "Commit what is staged, or only files.", writer.Commit))
	}
	actions = append(actions,
		Bind(GitDiff, EffectRead|Idempotent, "Show changes: unstaged, staged, or between commits.", impl.Diff),
		Bind(GitHistory, EffectRead|Idempotent, "List commits, latest first.", impl.History))
	if writes {
		actions = append(actions,
			Bind(GitRestore, EffectWrite|EffectDestructive, "Discard changes; a backup is kept.", writer.Restore))
	}
	if x, ok := impl.(GitRemote); ok {
		actions = append(actions,
			Bind(GitFetch, EffectNetwork|Idempotent, "Get commits of a remote.", x.Fetch),
			Bind(GitPull, EffectNetwork|EffectWrite, "Fetch and update the current branch.", x.Pull),
			Bind(GitPush, EffectNetwork|EffectWrite, "Send a branch to a remote.", x.Push))
	}
	if writes {
		actions = append(actions,
			Bind(GitMergeAbort, EffectWrite, "Abort a merge, rebase, cherry-pick, revert or am.", writer.MergeAbort))
	}
	return New("git", "Work with git repositories below one root.", append(actions, gitExtras(impl)...)...)
}

func gitExtras(impl GitReader) []Action {
	var actions []Action
	if x, ok := impl.(GitInspector); ok {
		actions = append(actions,
			Bind(GitShow, EffectRead|Idempotent, "Show a commit with its changes, or one file as it was there.", x.Show),
			Bind(GitBlame, EffectRead|Idempotent, "Tell which commit each line of a file comes from.", x.Blame))
	}
	if x, ok := impl.(GitBrancher); ok {
		actions = append(actions,
			Bind(GitBranches, EffectRead|Idempotent, "List branches with their upstreams and latest commits.", x.Branches),
			Bind(GitSwitch, EffectWrite, "Make another branch the current one, or create it. Local changes are kept or the switch is refused.", x.Switch))
	}
	if x, ok := impl.(GitStasher); ok {
		actions = append(actions,
			Bind(GitStash, EffectWrite, "Put changes aside, list what is put aside, or bring it back.", x.Stash))
	}
	if x, ok := impl.(GitConflictLister); ok {
		actions = append(actions,
			Bind(GitConflicts, EffectRead|Idempotent, "List conflicting files with their versions and markers, or foresee those of a merge.", x.Conflicts))
	}
	if x, ok := impl.(GitRemoteLister); ok {
		actions = append(actions,
			Bind(GitRemotes, EffectRead|Idempotent, "List the configured remotes.", x.Remotes))
	}
	return actions
}
