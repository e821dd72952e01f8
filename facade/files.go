package facade

import "context"

// FileAction is an action of the filesystem tool.
type FileAction string

// The actions of the filesystem tool.
const (
	FileList    FileAction = "list"
	FileCreate  FileAction = "create"
	FileFind    FileAction = "find"
	FileGrep    FileAction = "grep"
	FileRead    FileAction = "read"
	FileWrite   FileAction = "write"
	FileDelete  FileAction = "delete"
	FileModify  FileAction = "modify"
	FileReplace FileAction = "replace"
	FileEdit    FileAction = "edit"
	FilePatch   FileAction = "patch"
	FileMove    FileAction = "move"
	FileCopy    FileAction = "copy"
	FileInfo    FileAction = "info"
	FileCd      FileAction = "cd"
	FilePwd     FileAction = "pwd"
	FileRoots   FileAction = "roots"
	FileUndo    FileAction = "undo"
	FileRedo    FileAction = "redo"
	FileHistory FileAction = "history"
)

// FileReader is the part of the filesystem tool that every implementation has.
//
// Paths in inputs and outputs are '/'-separated. An input path is relative to
// the session's current directory, or absolute inside the root; an output path
// is relative to the root. No error and no output shows the root's host path.
type FileReader interface {
	// List returns a page of a directory's entries.
	List(ctx context.Context, in ListInput) (ListOutput, error)
	// Find returns entries by name pattern, path keyword and content keyword.
	Find(ctx context.Context, in FindInput) (FindOutput, error)
	// Read returns windows of files. With several paths, a path that cannot be
	// read has its error beside it and does not fail the others.
	Read(ctx context.Context, in ReadInput) (ReadOutput, error)
}

// FileWriter is the part that changes files. Every write is atomic: after any
// failure, a crash included, a file holds its old or its new content.
type FileWriter interface {
	// Create makes directories, with their parents.
	Create(ctx context.Context, in CreateInput) (CreateOutput, error)
	// Write sets, creates or extends a file.
	Write(ctx context.Context, in WriteInput) (WriteOutput, error)
	// Delete removes files and directories: all of them, or none.
	Delete(ctx context.Context, in DeleteInput) (DeleteOutput, error)
	// Modify replaces a range of lines or bytes.
	Modify(ctx context.Context, in ModifyInput) (ModifyOutput, error)
	// Replace substitutes text, one occurrence unless told otherwise.
	Replace(ctx context.Context, in ReplaceInput) (ReplaceOutput, error)
}

// FileTools is the contract of the filesystem tool. The interfaces below add
// actions when an implementation has them too.
type FileTools interface {
	FileReader
	FileWriter
}

// FileSearcher adds grep.
type FileSearcher interface {
	// Grep returns the lines that match a pattern.
	Grep(ctx context.Context, in GrepInput) (GrepOutput, error)
}

// FileEditor adds edits of several places in several files, all or nothing.
type FileEditor interface {
	// Edit replaces blocks of text found by a ladder of exact and tolerant
	// matches, each only when unique.
	Edit(ctx context.Context, in EditInput) (EditOutput, error)
	// Patch applies a unified diff.
	Patch(ctx context.Context, in PatchInput) (EditOutput, error)
}

// FileMover adds move and copy.
type FileMover interface {
	// Move renames a file or directory.
	Move(ctx context.Context, in MoveInput) (MoveOutput, error)
	// Copy duplicates a file or directory.
	Copy(ctx context.Context, in CopyInput) (CopyOutput, error)
}

// FileInformer adds info.
type FileInformer interface {
	// Info describes one file or directory.
	Info(ctx context.Context, in InfoInput) (InfoOutput, error)
}

// FileNavigator adds a current directory per session.
type FileNavigator interface {
	// Cd changes the session's current directory.
	Cd(ctx context.Context, in CdInput) (CdOutput, error)
	// Pwd returns the session's current directory.
	Pwd(ctx context.Context, in PwdInput) (PwdOutput, error)
	// Roots lists the directories that paths may reach.
	Roots(ctx context.Context, in RootsInput) (RootsOutput, error)
}

// FileJournal adds undo of what the session changed.
type FileJournal interface {
	// Undo reverts the last changes, or refuses where somebody else changed a
	// file since.
	Undo(ctx context.Context, in UndoInput) (UndoOutput, error)
	// Redo repeats what Undo reverted.
	Redo(ctx context.Context, in UndoInput) (UndoOutput, error)
	// History lists the changes that can be undone and redone.
	History(ctx context.Context, in HistoryInput) (HistoryOutput, error)
}

// Files builds the filesystem tool. Its enum has exactly the actions that impl
// has methods for.
func Files(impl FileReader) *Tool {
	actions := []Action{
		Bind(FileList, EffectRead|Idempotent, "List a directory.", impl.List),
		Bind(FileFind, EffectRead|Idempotent, "Find files by glob, path and content: any of a list, all lists.", impl.Find),
		Bind(FileRead, EffectRead|Idempotent, "Read files, by lines or offsets.", impl.Read),
	}
	if x, ok := impl.(FileSearcher); ok {
		actions = append(actions, Bind(FileGrep, EffectRead|Idempotent, "Search file contents.", x.Grep))
	}
	if x, ok := impl.(FileInformer); ok {
		actions = append(actions, Bind(FileInfo, EffectRead|Idempotent, "Describe a path: type, size, times, encoding, etag.", x.Info))
	}
	actions = append(actions, fileWrites(impl)...)
	if x, ok := impl.(FileNavigator); ok {
		actions = append(actions,
			Bind(FileCd, EffectRead|Idempotent, "Change the directory that relative paths start from.", x.Cd),
			Bind(FilePwd, EffectRead|Idempotent, "Tell the current directory.", x.Pwd),
			Bind(FileRoots, EffectRead|Idempotent, "List the directories that paths may reach.", x.Roots))
	}
	return New("filesystem", "Find, read and change files below one root.", actions...)
}

func fileWrites(impl FileReader) []Action {
	var actions []Action
	if x, ok := impl.(FileWriter); ok {
		actions = append(actions,
			Bind(FileCreate, EffectWrite|Idempotent, "Make directories and their parents.", x.Create),
			Bind(FileWrite, EffectWrite|EffectDestructive, "Write a file and its directories, or append.", x.Write),
			Bind(FileDelete, EffectWrite|EffectDestructive, "Delete files and directories, all or none.", x.Delete),
			Bind(FileModify, EffectWrite|EffectDestructive, "Replace a range.", x.Modify),
			Bind(FileReplace, EffectWrite|EffectDestructive, "Replace text that occurs once, or as said.", x.Replace))
	}
	if x, ok := impl.(FileEditor); ok {
		actions = append(actions,
			Bind(FileEdit, EffectWrite|EffectDestructive, "Replace blocks of text in one or more files, all or nothing. Tolerates differences in indentation and line ends when the match is unique.", x.Edit),
			Bind(FilePatch, EffectWrite|EffectDestructive, "Apply a unified diff to one or more files, all or nothing.", x.Patch))
	}
	if x, ok := impl.(FileMover); ok {
		actions = append(actions,
			Bind(FileMove, EffectWrite|EffectDestructive, "Move or rename a file or directory.", x.Move),
			Bind(FileCopy, EffectWrite|EffectDestructive, "Copy a file or directory.", x.Copy))
	}
	if x, ok := impl.(FileJournal); ok {
		actions = append(actions,
			Bind(FileUndo, EffectWrite|EffectDestructive, "Revert the last changes of this session.", x.Undo),
			Bind(FileRedo, EffectWrite|EffectDestructive, "Repeat what undo reverted.", x.Redo),
			Bind(FileHistory, EffectRead|Idempotent, "List the changes that can be undone and redone.", x.History))
	}
	return actions
}
