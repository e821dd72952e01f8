package fsimpl_test

import (
	"encoding/json"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/internal/pathname"
)

// action is one way to name a path in a call. Patterns are spelled so that
// a reply which quotes them does not look like a leak.
type action struct {
	name string
	// before and args are calls on a path; before prepares.
	before, args func(path string) json.RawMessage
	// changes says that the action may change files.
	changes bool
	// opens says that the action has to open the path itself.
	opens bool
}

// with makes the arguments of an action, one of which is the path under test,
// as a model has to spell it.
func with(a facade.FileAction, field string, kv ...any) func(string) json.RawMessage {
	return func(p string) json.RawMessage {
		var value any = pathname.Escape(p)
		if field == "paths" {
			value = []any{value}
		}
		return args(a, append([]any{field, value}, kv...)...)
	}
}

const secretPattern = "OUTSIDE.CONTENT" // a regular expression for escapetest.Secret

func pathActions() []action {
	return []action{
		{name: "list", args: with(facade.FileList, "path", "include_ignored", true)},
		{name: "list recursive", args: with(facade.FileList, "path", "recursive", true, "sort", "mtime")},
		{name: "find", args: with(facade.FileFind, "path", "patterns", []string{"**"})},
		{name: "find content", args: with(facade.FileFind, "path", "keywords_file_content", []string{secretPattern}, "regex_keywords", true, "include_ignored", true)},
		{name: "grep", args: with(facade.FileGrep, "path", "pattern", secretPattern, "include_ignored", true)},
		{name: "grep multiline", args: with(facade.FileGrep, "path", "pattern", secretPattern, "multiline", true, "output", "files")},
		{name: "read", args: with(facade.FileRead, "path"), opens: true},
		{name: "read several", args: with(facade.FileRead, "paths")},
		{name: "read base64", args: with(facade.FileRead, "path", "output_format", "base64", "max_bytes", 64), opens: true},
		{name: "read window", args: with(facade.FileRead, "path", "start_line", -1, "file_encoding", "iso-8859-1", "max_bytes", 64), opens: true},
		{name: "info", args: with(facade.FileInfo, "path")},
		{name: "cd and list", before: with(facade.FileCd, "path"), args: func(string) json.RawMessage { return args(facade.FileList, "recursive", true) }},
		{name: "cd and read", before: with(facade.FileCd, "path"), args: func(string) json.RawMessage { return args(facade.FileRead, "path", "secret.txt") }},
		{name: "create", args: with(facade.FileCreate, "paths"), changes: true},
		{name: "write", args: with(facade.FileWrite, "path", "content", "planted"), changes: true},
		{name: "append", args: with(facade.FileWrite, "path", "content", "planted", "append", true), changes: true},
		{name: "create only", args: with(facade.FileWrite, "path", "content", "planted", "create_only", true), changes: true},
		{name: "modify", args: with(facade.FileModify, "path", "start_offset_inclusive", 0, "end_offset_inclusive", -1, "new_content", "planted"), changes: true, opens: true},
		{name: "replace", args: with(facade.FileReplace, "path", "old_content", secretPattern, "is_regex", true, "new_content", "planted"), changes: true},
		{name: "dry run", args: with(facade.FileReplace, "path", "old_content", "(?s)^.{5}", "is_regex", true, "new_content", "planted", "dry_run", true), changes: true},
		{name: "delete", args: with(facade.FileDelete, "paths"), changes: true},
		{name: "delete recursive", args: with(facade.FileDelete, "paths", "recursive", true), changes: true},
		{name: "move away", args: with(facade.FileMove, "source", "destination", "stolen"), changes: true},
		{name: "move here", args: with(facade.FileMove, "destination", "source", "inside.txt", "overwrite", true), changes: true},
		{name: "move tree here", args: with(facade.FileMove, "destination", "source", "empty", "overwrite", true), changes: true},
		{name: "copy away", args: with(facade.FileCopy, "source", "destination", "stolen"), changes: true},
		{name: "copy here", args: with(facade.FileCopy, "destination", "source", "inside.txt", "overwrite", true), changes: true},
		{name: "copy tree here", args: with(facade.FileCopy, "destination", "source", "sub", "overwrite", true), changes: true},
	}
}
