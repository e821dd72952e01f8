package facade

import "time"

// CreateInput names directories to make.
type CreateInput struct {
	// Files or directories.
	Paths []string `json:"paths" minItems:"1" example:"src/util"`
}

// CreateOutput tells which directories were made.
type CreateOutput struct {
	// Created lists the new directories, parents included.
	Created []string `json:"created"`
	// Existed lists those of paths that were there before.
	Existed []string `json:"existed"`
}

// WriteInput is the new content of a file.
type WriteInput struct {
	// File or directory.
	Path string `json:"path" example:"src/main.go"`
	// Content to write.
	Content string `json:"content" example:"package main\n"`
	// Text is encoded, binary written as is.
	Mode string `json:"mode,omitempty" default:"text" enum:"text,binary"`
	// Form of content.
	InputFormat string `json:"input_format,omitempty" default:"raw_utf8" enum:"raw_utf8,base64"`
	// IANA name, as utf-16le.
	FileEncoding string `json:"file_encoding,omitempty" default:"utf-8"`
	// Run validators.
	ValidateWithLLM *bool `json:"validate_with_llm,omitempty" default:"true"`
	// Their conversation.
	SessionID string `json:"session_id,omitempty"`
	// Only if the file still has this etag.
	IfMatch string `json:"if_match,omitempty"`
	// Fail if it exists.
	CreateOnly bool `json:"create_only,omitempty" default:"false"`
	// Add at the end.
	Append bool `json:"append,omitempty" default:"false"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// Validate refuses combinations that contradict each other.
func (in WriteInput) Validate() error {
	switch {
	case in.CreateOnly && in.Append:
		return InvalidArgument("append", "create_only and append contradict each other")
	case in.CreateOnly && in.IfMatch != "":
		return InvalidArgument("if_match", "create_only and if_match contradict each other")
	case in.Mode == "binary" && in.FileEncoding != "" && in.FileEncoding != "utf-8":
		return InvalidArgument("file_encoding", "file_encoding has no meaning with mode binary")
	}
	return nil
}

// WriteOutput tells what was written.
type WriteOutput struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Created says that the file did not exist before.
	Created bool `json:"created"`
	// Bytes is the size of the file now.
	Bytes int64 `json:"bytes"`
	// ETag is the hash of the content, for if_match.
	ETag string `json:"etag"`
	// Diff shows the change as a unified diff; cut or absent when large or not text.
	Diff string `json:"diff,omitempty"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
	// Validation is the outcome of the host's validators.
	Validation *Validation `json:"validation,omitempty"`
}

// DeleteInput names what to delete.
type DeleteInput struct {
	// Files or directories.
	Paths []string `json:"paths" minItems:"1" example:"src/util"`
	// Descend into directories.
	Recursive bool `json:"recursive,omitempty" default:"false"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// DeleteOutput tells what was deleted.
type DeleteOutput struct {
	// Deleted lists the paths, as asked for.
	Deleted []string `json:"deleted"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// ModifyInput replaces a range of a file.
type ModifyInput struct {
	// File or directory.
	Path string `json:"path" example:"src/main.go"`
	// First line or byte, from 0.
	StartOffsetInclusive int64 `json:"start_offset_inclusive" min:"0"`
	// Last one; -1 is the end, start-1 inserts in modify.
	EndOffsetInclusive *int64 `json:"end_offset_inclusive" min:"-1"`
	// New text.
	NewContent string `json:"new_content" example:"retries = 5"`
	// What offsets count.
	OffsetType string `json:"offset_type,omitempty" default:"line" enum:"line,byte"`
	// Only if the file still has this etag.
	IfMatch string `json:"if_match,omitempty"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// Validate checks the order of the range.
func (in ModifyInput) Validate() error {
	if in.EndOffsetInclusive == nil {
		return InvalidArgument("end_offset_inclusive", "field 'end_offset_inclusive' is required for action 'modify'")
	}
	if end := *in.EndOffsetInclusive; end != -1 && end < in.StartOffsetInclusive-1 {
		return InvalidArgument("end_offset_inclusive", "end_offset_inclusive %d is before start_offset_inclusive %d", end, in.StartOffsetInclusive)
	}
	return nil
}

// ModifyOutput shows the change.
type ModifyOutput struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Diff shows the change as a unified diff.
	Diff string `json:"diff"`
	// ETag is the hash of the content, for if_match.
	ETag string `json:"etag"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// ReplaceInput substitutes text in a file.
type ReplaceInput struct {
	// File or directory.
	Path string `json:"path" example:"src/main.go"`
	// Text to find.
	OldContent string `json:"old_content" example:"retries = 3"`
	// New text.
	NewContent string `json:"new_content" example:"retries = 5"`
	// old_content is RE2; $1 in new_content is a group.
	IsRegex bool `json:"is_regex,omitempty" default:"false"`
	// Replace every match.
	ReplaceAll bool `json:"replace_all,omitempty" default:"false"`
	// Replace so many or none.
	ExpectedCount int `json:"expected_count,omitempty" min:"1"`
	// Only if the file still has this etag.
	IfMatch string `json:"if_match,omitempty"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// Validate refuses substitutions that mean nothing.
func (in ReplaceInput) Validate() error {
	switch {
	case in.OldContent == "":
		return InvalidArgument("old_content", "field 'old_content' must not be empty").
			WithHint("to insert text use modify; to write a whole file use write")
	case in.OldContent == in.NewContent && !in.IsRegex:
		return InvalidArgument("new_content", "old_content and new_content are the same; nothing would change")
	}
	return nil
}

// ReplaceOutput tells where text was replaced.
type ReplaceOutput struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Count is the number of replacements.
	Count int `json:"count"`
	// Strategy tells how the text was found: exact, line_ending or regex.
	Strategy string `json:"strategy"`
	// Lines are the numbers of the lines where replacements start, from 1.
	Lines []int64 `json:"lines"`
	// Diff shows the change as a unified diff.
	Diff string `json:"diff"`
	// ETag is the hash of the content, for if_match.
	ETag string `json:"etag"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// EditInput is a list of edits, applied in order, all or nothing.
type EditInput struct {
	// Edits to apply, in order.
	Edits []TextEdit `json:"edits" minItems:"1"`
	// File that edits without a path change.
	Path string `json:"path,omitempty" example:"src/main.go"`
	// Give new text the indentation of the place where old text matched.
	PreserveIndentation *bool `json:"preserve_indentation,omitempty" default:"true"`
	// Let blanks at line ends and the kind of line end differ.
	NormalizeWhitespace *bool `json:"normalize_whitespace,omitempty" default:"true"`
	// Let old text differ in indentation and Unicode punctuation.
	PartialMatch *bool `json:"partial_match,omitempty" default:"true"`
	// Least similarity of a unique block to take it as a match; 1 takes none that differs.
	MinConfidence *float64 `json:"min_confidence,omitempty" default:"1" min:"0.5" max:"1"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// TextEdit replaces one block of text.
type TextEdit struct {
	// File to change, if not the path beside edits.
	Path string `json:"path,omitempty" example:"src/main.go"`
	// Text to find; it must occur once.
	OldText string `json:"old_text" example:"retries = 3"`
	// Text to put there.
	NewText string `json:"new_text" example:"retries = 5"`
	// Replace every occurrence.
	ReplaceAll bool `json:"replace_all,omitempty" default:"false"`
}

// PatchInput is a unified diff.
type PatchInput struct {
	// Unified diff of one or more files; it may create, delete and rename.
	Patch string `json:"patch" example:"--- a/src/main.go\n+++ b/src/main.go\n@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"`
	// Only report.
	DryRun bool `json:"dry_run,omitempty" default:"false"`
}

// EditOutput shows the changes of edit and patch.
type EditOutput struct {
	// Files has one element per changed file.
	Files []EditedFile `json:"files"`
	// DryRun says that nothing was changed.
	DryRun bool `json:"dry_run,omitempty"`
}

// EditedFile is one file changed by edit or patch.
type EditedFile struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// OldPath is where the file was, when it moved.
	OldPath string `json:"old_path,omitempty"`
	// Status is modified, created, deleted or renamed.
	Status string `json:"status"`
	// Diff shows the change as a unified diff.
	Diff string `json:"diff"`
	// ETag is the hash of the content, for if_match; absent for a deleted file.
	ETag string `json:"etag,omitempty"`
	// Matches tell how each edit or hunk was found.
	Matches []EditMatch `json:"matches,omitempty"`
}

// EditMatch tells how old text was found.
type EditMatch struct {
	// Strategy is exact, line_ending, trailing_blanks, indentation, punctuation or similar.
	Strategy string `json:"strategy"`
	// Confidence is 1 but for similar text.
	Confidence float64 `json:"confidence"`
	// Lines are the numbers of the lines where replacements start, from 1.
	Lines []int64 `json:"lines"`
}

// MoveInput names a file or directory and its new place.
type MoveInput struct {
	// File or directory to take.
	Source string `json:"source" example:"src/old.go"`
	// New path, not the directory to put it in.
	Destination string `json:"destination" example:"src/new.go"`
	// Replace an existing destination.
	Overwrite bool `json:"overwrite,omitempty" default:"false"`
}

// MoveOutput tells both places.
type MoveOutput struct {
	// Source is the old path, relative to the root.
	Source string `json:"source"`
	// Destination is the new path, relative to the root.
	Destination string `json:"destination"`
	// Overwritten says that something was replaced.
	Overwritten bool `json:"overwritten,omitempty"`
}

// CopyInput names a file or directory and the place of the copy.
type CopyInput MoveInput

// CopyOutput tells both places and what was copied.
type CopyOutput struct {
	// Source is the path copied, relative to the root.
	Source string `json:"source"`
	// Destination is the copy, relative to the root.
	Destination string `json:"destination"`
	// Overwritten says that something was replaced.
	Overwritten bool `json:"overwritten,omitempty"`
	// Files counts the files copied.
	Files int `json:"files"`
	// Bytes counts their bytes.
	Bytes int64 `json:"bytes"`
}

// UndoInput says how many changes to revert or repeat.
type UndoInput struct {
	// How many changes.
	Steps int `json:"steps,omitempty" default:"1" min:"1" max:"1000"`
	// Only changes of this file or of files below this directory.
	Path string `json:"path,omitempty" example:"src/main.go"`
}

// UndoOutput shows what was reverted or repeated.
type UndoOutput struct {
	// Reverted lists the changes, the latest first.
	Reverted []Reverted `json:"reverted"`
	// Repeated says that redo repeated them.
	Repeated bool `json:"repeated,omitempty"`
}

// Reverted is one reverted or repeated change.
type Reverted struct {
	// ID is the change's, as in history.
	ID string `json:"id"`
	// Action is the one that made the change.
	Action string `json:"action"`
	// Paths are relative to the root.
	Paths []string `json:"paths"`
	// Diff shows what undo or redo changed now.
	Diff string `json:"diff,omitempty"`
}

// HistoryInput selects journaled changes.
type HistoryInput struct {
	// Only changes of this file or of files below this directory.
	Path string `json:"path,omitempty" example:"src/main.go"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"100" min:"1" max:"10000"`
}

// HistoryOutput lists changes, the latest first.
type HistoryOutput struct {
	// Changes are those of the session that the journal still holds.
	Changes []JournalEntry `json:"changes"`
}

// JournalEntry is one change.
type JournalEntry struct {
	// ID names the change.
	ID string `json:"id"`
	// Time is when it was made.
	Time time.Time `json:"time"`
	// Action is the one that made the change.
	Action string `json:"action"`
	// Paths are relative to the root.
	Paths []string `json:"paths"`
	// Undone says that undo reverted it; redo repeats it.
	Undone bool `json:"undone,omitempty"`
}
