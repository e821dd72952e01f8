package facade

import "time"

// EntryType is the kind of a directory entry.
type EntryType string

// The kinds of directory entries. TypeOther is a FIFO, a socket or a device.
const (
	TypeFile      EntryType = "file"
	TypeDirectory EntryType = "directory"
	TypeSymlink   EntryType = "symlink"
	TypeOther     EntryType = "other"
)

// ListInput selects a page of a directory's entries.
type ListInput struct {
	// File or directory.
	Path string `json:"path,omitempty" default:"." example:"src"`
	// Descend into directories.
	Recursive bool `json:"recursive,omitempty" default:"false"`
	// Glob; without '/' for base names at any depth.
	Pattern string `json:"pattern,omitempty" example:"*.go"`
	// Levels to descend; above 1 is recursive, 0 is all.
	Depth int `json:"depth,omitempty" min:"0"`
	// Order; greatest mtime or size first.
	Sort string `json:"sort,omitempty" default:"name" enum:"name,mtime,size"`
	// Include what .gitignore hides.
	IncludeIgnored bool `json:"include_ignored,omitempty" default:"false"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"100" min:"1" max:"10000"`
	// next_cursor of a cut reply.
	Cursor string `json:"cursor,omitempty"`
}

// Entry is a file or directory.
type Entry struct {
	// Name is the last element of the path.
	Name string `json:"name"`
	// Path is relative to the root.
	Path string `json:"path"`
	// Type is file, directory, symlink or other.
	Type EntryType `json:"type"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// Mode is like "-rw-r--r--".
	Mode string `json:"mode"`
	// Modified is the time of the last change of content.
	Modified time.Time `json:"modified"`
}

// ListOutput is a page of entries.
type ListOutput struct {
	// Path is the directory listed.
	Path string `json:"path"`
	// Entries are in the order asked for.
	Entries []Entry `json:"entries"`
	// Total counts all entries, when known.
	Total *int `json:"total,omitempty"`
	// Ignored counts entries hidden by ignore rules; include_ignored shows them.
	Ignored int `json:"ignored"`
	// NextCursor continues the list; absent at the end.
	NextCursor string `json:"next_cursor,omitempty"`
}

// FindInput selects files by name, path and content: any of a list, all of the lists.
type FindInput struct {
	// Globs; without '/' for base names at any depth.
	Patterns []string `json:"patterns,omitempty" example:"**/*_test.go"`
	// File or directory.
	Path string `json:"path,omitempty" default:"." example:"src"`
	// Texts in the path.
	KeywordsPathName []string `json:"keywords_path_name,omitempty"`
	// Texts in a line.
	KeywordsFileContent []string `json:"keywords_file_content,omitempty"`
	// Keywords are RE2.
	RegexKeywords bool `json:"regex_keywords,omitempty" default:"false"`
	// Search in parallel.
	UseFastSearch *bool `json:"use_fast_search,omitempty" default:"true"`
	// Files at once.
	MaxWorkers int `json:"max_workers,omitempty" default:"8" min:"1" max:"64"`
	// Descend into directories.
	Recursive *bool `json:"recursive,omitempty" default:"true"`
	// Globs to leave out.
	Exclude []string `json:"exclude,omitempty"`
	// Heed case.
	CaseSensitive bool `json:"case_sensitive,omitempty" default:"false"`
	// Include what .gitignore hides.
	IncludeIgnored bool `json:"include_ignored,omitempty" default:"false"`
	// Lines around a match.
	Context int `json:"context,omitempty" default:"0" min:"0" max:"100"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"100" min:"1" max:"10000"`
	// next_cursor of a cut reply.
	Cursor string `json:"cursor,omitempty"`
}

// FindOutput is a page of files found.
type FindOutput struct {
	// Matches are in the order of their paths.
	Matches []FoundFile `json:"matches"`
	// Totals counts what was found and searched.
	Totals FindTotals `json:"totals"`
	// Ignored counts entries hidden by ignore rules; include_ignored shows them.
	Ignored int `json:"ignored"`
	// NextCursor continues the matches; absent at the end.
	NextCursor string `json:"next_cursor,omitempty"`
}

// FoundFile is one match of find.
type FoundFile struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Type is file, directory, symlink or other.
	Type EntryType `json:"type"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// Modified is the time of the last change of content.
	Modified time.Time `json:"modified"`
	// Lines are those that hold a content keyword.
	Lines []MatchLine `json:"lines,omitempty"`
}

// MatchLine is a line with a match.
type MatchLine struct {
	// Line is its number, from 1.
	Line int64 `json:"line"`
	// Content is the line without its ending, cut around the match when long.
	Content string `json:"content"`
	// Match is the text that matched.
	Match string `json:"match"`
	// Before are the lines above, as many as context asked for.
	Before []string `json:"before,omitempty"`
	// After are the lines below.
	After []string `json:"after,omitempty"`
}

// FindTotals counts the work of find.
type FindTotals struct {
	// Files counts the matching entries seen; with a next_cursor there may be more.
	Files int `json:"files"`
	// Lines counts the lines with a content keyword.
	Lines int `json:"lines"`
	// Searched counts the entries examined.
	Searched int `json:"searched"`
}

// GrepInput selects lines by content.
type GrepInput struct {
	// RE2, or text when literal.
	Pattern string `json:"pattern" example:"func \\w+Error"`
	// File or directory.
	Path string `json:"path,omitempty" default:"." example:"src"`
	// The pattern is plain text.
	Literal bool `json:"literal,omitempty" default:"false"`
	// Heed case.
	CaseSensitive bool `json:"case_sensitive,omitempty" default:"false"`
	// Descend into directories.
	Recursive *bool `json:"recursive,omitempty" default:"true"`
	// Globs; without '/' for base names at any depth.
	Patterns []string `json:"patterns,omitempty" example:"**/*_test.go"`
	// Globs to leave out.
	Exclude []string `json:"exclude,omitempty"`
	// Lines around a match.
	Context int `json:"context,omitempty" default:"0" min:"0" max:"100"`
	// Match across lines.
	Multiline bool `json:"multiline,omitempty" default:"false"`
	// Include what .gitignore hides.
	IncludeIgnored bool `json:"include_ignored,omitempty" default:"false"`
	// Lines, paths or counts.
	Output string `json:"output,omitempty" default:"lines" enum:"lines,files,count"`
	// Most to return.
	Limit int `json:"limit,omitempty" default:"100" min:"1" max:"10000"`
	// next_cursor of a cut reply.
	Cursor string `json:"cursor,omitempty"`
}

// GrepOutput is a page of matching lines, files or counts.
type GrepOutput struct {
	// Matches are in the order of path and line.
	Matches []GrepMatch `json:"matches"`
	// Totals counts what was found.
	Totals GrepTotals `json:"totals"`
	// Ignored counts entries hidden by ignore rules; include_ignored shows them.
	Ignored int `json:"ignored"`
	// SkippedBinary counts files not searched because they are not text.
	SkippedBinary int `json:"skipped_binary"`
	// NextCursor continues the matches; absent at the end.
	NextCursor string `json:"next_cursor,omitempty"`
}

// GrepMatch is one match. With output=files only Path is set, with
// output=count Path and Count.
type GrepMatch struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Line is the number of the first matching line, from 1.
	Line int64 `json:"line,omitempty"`
	// Column is the byte in the line where the match starts, from 1.
	Column int `json:"column,omitempty"`
	// Content is the line without its ending, cut around the match when long.
	Content string `json:"content,omitempty"`
	// Match is the text that matched.
	Match string `json:"match,omitempty"`
	// Before are the lines above, as many as context asked for.
	Before []string `json:"before,omitempty"`
	// After are the lines below.
	After []string `json:"after,omitempty"`
	// Count is the number of matching lines in the file.
	Count int `json:"count,omitempty"`
}

// GrepTotals counts the matches of grep; with a next_cursor there may be more.
type GrepTotals struct {
	// Files counts the files with a match.
	Files int `json:"files"`
	// Matches counts the matching lines.
	Matches int `json:"matches"`
}

// ReadInput selects files and a window of each. Lines are counted by
// start_line and end_line from 1, or by offsets from 0.
type ReadInput struct {
	// File or directory.
	Path string `json:"path,omitempty" example:"src/main.go"`
	// Files or directories.
	Paths []string `json:"paths,omitempty" minItems:"1"`
	// First line, from 1; negative from the end.
	StartLine int64 `json:"start_line,omitempty"`
	// Last line.
	EndLine int64 `json:"end_line,omitempty"`
	// First line or byte, from 0.
	StartOffsetInclusive int64 `json:"start_offset_inclusive,omitempty" default:"0" min:"0"`
	// Last one; -1 is the end, start-1 inserts in modify.
	EndOffsetInclusive *int64 `json:"end_offset_inclusive,omitempty" default:"-1" min:"-1"`
	// What offsets count.
	OffsetType string `json:"offset_type,omitempty" default:"line" enum:"line,byte"`
	// Form of content.
	OutputFormat string `json:"output_format,omitempty" default:"raw_utf8" enum:"raw_utf8,base64,hex"`
	// IANA name, as utf-16le.
	FileEncoding string `json:"file_encoding,omitempty" default:"auto"`
	// Number lines.
	AddLineNumbers bool `json:"add_line_numbers,omitempty" default:"false"`
	// Most bytes per file.
	MaxBytes int64 `json:"max_bytes,omitempty" min:"1"`
}

// Validate checks that one of path and paths is given, and one kind of window.
func (in ReadInput) Validate() error {
	switch {
	case in.Path == "" && len(in.Paths) == 0:
		return InvalidArgument("path", "field 'path' is required for action 'read' (or 'paths' for several files)")
	case in.Path != "" && len(in.Paths) > 0:
		return InvalidArgument("paths", "give 'path' or 'paths', not both")
	case (in.StartLine != 0 || in.EndLine != 0) &&
		(in.StartOffsetInclusive != 0 || in.EndOffsetInclusive != nil || in.OffsetType == "byte"):
		return InvalidArgument("start_line", "give lines (start_line, end_line) or offsets (start_offset_inclusive, end_offset_inclusive, offset_type), not both")
	case in.StartLine > 0 && in.EndLine > 0 && in.EndLine < in.StartLine:
		return InvalidArgument("end_line", "end_line %d is before start_line %d", in.EndLine, in.StartLine)
	case in.EndOffsetInclusive != nil && *in.EndOffsetInclusive != -1 && *in.EndOffsetInclusive < in.StartOffsetInclusive:
		return InvalidArgument("end_offset_inclusive", "end_offset_inclusive %d is before start_offset_inclusive %d", *in.EndOffsetInclusive, in.StartOffsetInclusive)
	case in.AddLineNumbers && in.OutputFormat != "" && in.OutputFormat != "raw_utf8":
		return InvalidArgument("add_line_numbers", "add_line_numbers works with output_format raw_utf8 only")
	}
	return nil
}

// ReadOutput holds the files in the order asked for.
type ReadOutput struct {
	// Files has one element per path.
	Files []FileContent `json:"files"`

	attachments
}

// FileContent is a window of one file.
type FileContent struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Content is the window, decoded to UTF-8 without byte order mark, or in base64 or hex.
	Content string `json:"content"`
	// Encoding is the file's, as utf-8; "binary" when it is not text.
	Encoding string `json:"encoding,omitempty"`
	// BOM says that the file starts with a byte order mark.
	BOM bool `json:"bom,omitempty"`
	// LineEnding is lf, crlf, cr, mixed or none.
	LineEnding string `json:"line_ending,omitempty"`
	// Size is the file's, in bytes.
	Size int64 `json:"size"`
	// Lines counts the file's lines; absent when the file was not read to its end.
	Lines *int64 `json:"lines,omitempty"`
	// StartLine is the first line shown, from 1; absent for a window of bytes.
	StartLine int64 `json:"start_line,omitempty"`
	// EndLine is the last line shown, inclusive.
	EndLine int64 `json:"end_line,omitempty"`
	// MIME is the media type by content.
	MIME string `json:"mime,omitempty"`
	// ETag is the hash of the whole file, for if_match; absent when the file was not read to its end.
	ETag string `json:"etag,omitempty"`
	// Next holds the arguments that read on; absent at the end of the window asked for.
	Next *ReadNext `json:"next,omitempty"`
	// Error says why this path could not be read.
	Error *Error `json:"error,omitempty"`
}

// ReadNext holds the arguments of the read that continues a cut one.
type ReadNext struct {
	// Path is the file to read on.
	Path string `json:"path"`
	// StartLine is the first line not shown.
	StartLine int64 `json:"start_line,omitempty"`
	// StartOffsetInclusive is the first byte not shown.
	StartOffsetInclusive int64 `json:"start_offset_inclusive,omitempty"`
	// OffsetType is byte with an offset.
	OffsetType string `json:"offset_type,omitempty"`
}

// InfoInput names what to describe.
type InfoInput struct {
	// File or directory.
	Path string `json:"path" example:"src/main.go"`
}

// InfoOutput describes a file or directory. A symbolic link is described
// itself, with its target.
type InfoOutput struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Type is file, directory, symlink or other.
	Type EntryType `json:"type"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// Mode is like "-rw-r--r--".
	Mode string `json:"mode"`
	// Created is the time of birth, where the file system records it.
	Created *time.Time `json:"created,omitempty"`
	// Modified is the time of the last change of content.
	Modified time.Time `json:"modified"`
	// Accessed is the time of the last read, where the file system records it.
	Accessed *time.Time `json:"accessed,omitempty"`
	// MIME is the media type by content.
	MIME string `json:"mime,omitempty"`
	// Encoding is utf-8, utf-16le and so on, or "binary".
	Encoding string `json:"encoding,omitempty"`
	// Lines counts the lines of a text file.
	Lines *int64 `json:"lines,omitempty"`
	// ETag is the hash of the content, for if_match.
	ETag string `json:"etag,omitempty"`
	// Target is what a symbolic link points to.
	Target string `json:"target,omitempty"`
}

// CdInput names the new current directory.
type CdInput struct {
	// Directory that relative paths start from afterwards.
	Path string `json:"path" example:"src"`
}

// CdOutput tells both directories.
type CdOutput struct {
	// Previous is the directory before.
	Previous string `json:"previous"`
	// Current is the directory now.
	Current string `json:"current"`
}

// PwdInput has no parameters.
type PwdInput struct{}

// PwdOutput tells the current directory.
type PwdOutput struct {
	// Current is where relative paths start.
	Current string `json:"current"`
	// Start is where the session started.
	Start string `json:"start"`
}

// RootsInput has no parameters.
type RootsInput struct{}

// RootsOutput lists the roots.
type RootsOutput struct {
	// Roots are the directories that paths may reach.
	Roots []Root `json:"roots"`
}

// Root is a directory that paths may reach.
type Root struct {
	// Name is what paths call it.
	Name string `json:"name"`
	// Writable says that files below it may be changed.
	Writable bool `json:"writable"`
}
