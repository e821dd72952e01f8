package facade

// GitFetchInput names a remote.
type GitFetchInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Name of the remote.
	Remote string `json:"remote,omitempty" default:"origin"`
	// Every remote.
	FetchAll bool `json:"fetch_all,omitempty" default:"false"`
	// Branch; else all in fetch, the upstream in pull, the current in push.
	Branch string `json:"branch,omitempty" example:"main"`
	// Drop tracking branches that are gone.
	Prune bool `json:"prune,omitempty" default:"false"`
	// All tags too.
	Tags bool `json:"tags,omitempty" default:"false"`
}

// Validate refuses combinations that contradict each other.
func (in GitFetchInput) Validate() error {
	if in.FetchAll && in.Branch != "" {
		return InvalidArgument("branch", "give 'branch' or 'fetch_all', not both")
	}
	return nil
}

// GitFetchOutput lists refs that changed.
type GitFetchOutput struct {
	// Updates are the refs that changed.
	Updates []GitRefUpdate `json:"updates"`
	// Hidden counts the updates not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
}

// GitRefUpdate is a ref that changed.
type GitRefUpdate struct {
	// Ref is the full name, as refs/remotes/origin/main.
	Ref string `json:"ref"`
	// Old is the id before; "" for a new ref.
	Old string `json:"old"`
	// New is the id now; "" for a dropped ref.
	New string `json:"new"`
	// Kind is new, fast_forward, forced, pruned or tag.
	Kind string `json:"kind"`
}

// GitPullInput says what to integrate, and how.
type GitPullInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Name of the remote.
	Remote string `json:"remote,omitempty" default:"origin"`
	// Branch; else all in fetch, the upstream in pull, the current in push.
	Branch string `json:"branch,omitempty" example:"main"`
	// mode=rebase.
	Rebase bool `json:"rebase,omitempty" default:"false"`
	// If both sides have commits; ff_only refuses.
	Mode string `json:"mode,omitempty" default:"ff_only" enum:"ff_only,merge,rebase"`
}

// Validate refuses a mode that contradicts rebase.
func (in GitPullInput) Validate() error {
	if in.Rebase && in.Mode == "merge" {
		return InvalidArgument("rebase", "rebase=true contradicts mode=merge")
	}
	return nil
}

// GitPullOutput tells what was integrated.
type GitPullOutput struct {
	// Before is the current commit before; "" on a branch without commits.
	Before string `json:"before"`
	// After is the current commit now.
	After string `json:"after"`
	// Updates are the refs that the fetch changed.
	Updates []GitRefUpdate `json:"updates"`
	// Files are those that differ between before and after.
	Files []GitFileChange `json:"files"`
	// Hidden counts the files not listed because the reply is full.
	Hidden int `json:"hidden,omitempty"`
	// Conflicts are the files to resolve, or to give up with merge_abort.
	Conflicts []GitConflict `json:"conflicts"`
	// Operation is what waits to be continued or aborted: merge or rebase; "none" else.
	Operation string `json:"operation"`
}

// GitConflict is a file with conflicting versions.
type GitConflict struct {
	// Path is relative to the top of the work tree.
	Path string `json:"path"`
	// Kind is both_modified, both_added, both_deleted, added_by_us, added_by_them, deleted_by_us or deleted_by_them.
	Kind string `json:"kind"`
	// Base is the blob of the common ancestor; "" when it has none.
	Base string `json:"base,omitempty"`
	// Ours is the blob of the current branch; in a rebase, of the branch rebased onto.
	Ours string `json:"ours,omitempty"`
	// Theirs is the blob of the other side.
	Theirs string `json:"theirs,omitempty"`
	// Markers are the places in the file to resolve.
	Markers []GitMarker `json:"markers,omitempty"`
}

// GitMarker is a conflict in a file's text. Lines count from 1.
type GitMarker struct {
	// Start is the line of <<<<<<<.
	Start int `json:"start"`
	// Middle is the line of =======.
	Middle int `json:"middle"`
	// End is the line of >>>>>>>.
	End int `json:"end"`
}

// GitPushInput says what to push.
type GitPushInput struct {
	// Repository.
	RepoPath string `json:"repo_path,omitempty" default:"." example:"project"`
	// Name of the remote.
	Remote string `json:"remote,omitempty" default:"origin"`
	// Branch; else all in fetch, the upstream in pull, the current in push.
	Branch string `json:"branch,omitempty" example:"main"`
	// Overwrite the branch, if it is as last fetched.
	Force bool `json:"force,omitempty" default:"false"`
	// Set the upstream.
	SetUpstream bool `json:"set_upstream,omitempty" default:"false"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// Effect implements [Effector]: a forced push can drop commits.
func (in GitPushInput) Effect(declared Effect) Effect {
	if in.Force && !in.DryRun {
		return declared | EffectDestructive
	}
	return declared
}

// GitPushOutput tells the fate of each ref.
type GitPushOutput struct {
	// Refs has one element per pushed ref.
	Refs []GitPushedRef `json:"refs"`
	// Upstream is the new upstream, with set_upstream.
	Upstream string `json:"upstream,omitempty"`
	// RemoteMessages is what the remote said, cut when long.
	RemoteMessages string `json:"remote_messages,omitempty"`
	// Script tells about the host's push script, when one ran.
	Script *GitScriptRun `json:"script,omitempty"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// GitPushedRef is the fate of a pushed ref.
type GitPushedRef struct {
	// Local is the full name of the local ref.
	Local string `json:"local"`
	// Remote is the full name of the ref at the remote.
	Remote string `json:"remote"`
	// Old is the id at the remote before; "" for a new ref or when unknown.
	Old string `json:"old"`
	// New is the id pushed.
	New string `json:"new"`
	// Status is ok, new, forced, up_to_date or rejected.
	Status string `json:"status"`
	// Reason says why a ref was rejected: non_fast_forward, fetch_first, stale, or the remote's own words.
	Reason string `json:"reason,omitempty"`
}
