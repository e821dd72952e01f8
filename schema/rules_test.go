package schema_test

// rule is something that an action's Validate method refuses and that a schema
// without combinators cannot say. Every rule has a call that breaks it.
type rule struct {
	tool, message string // message is a regular expression
	args          string
}

var rules = []rule{
	{"filesystem_read", `^field 'path' is required for action 'read' \(or 'paths' for several files\)$`, `{}`},
	{"filesystem_read", `^give 'path' or 'paths', not both$`, `{"path":"a","paths":["b"]}`},
	{"filesystem_read", `^give lines .* or offsets .*, not both$`, `{"path":"a","start_line":1,"offset_type":"byte"}`},
	{"filesystem_read", `^end_line \d+ is before start_line \d+$`, `{"path":"a","start_line":3,"end_line":2}`},
	{"filesystem_read", `^end_offset_inclusive \d+ is before start_offset_inclusive \d+$`, `{"path":"a","start_offset_inclusive":3,"end_offset_inclusive":2}`},
	{"filesystem_read", `^add_line_numbers works with output_format raw_utf8 only$`, `{"path":"a","add_line_numbers":true,"output_format":"hex"}`},
	{"filesystem_write", `^create_only and append contradict each other$`, `{"path":"a","content":"","create_only":true,"append":true}`},
	{"filesystem_write", `^create_only and if_match contradict each other$`, `{"path":"a","content":"","create_only":true,"if_match":"x"}`},
	{"filesystem_write", `^file_encoding has no meaning with mode binary$`, `{"path":"a","content":"","mode":"binary","file_encoding":"utf-16le"}`},
	{"filesystem_modify", `^end_offset_inclusive \d+ is before start_offset_inclusive \d+$`, `{"path":"a","start_offset_inclusive":3,"end_offset_inclusive":1,"new_content":""}`},
	{"filesystem_replace", `^field 'old_content' must not be empty$`, `{"path":"a","old_content":"","new_content":"b"}`},
	{"filesystem_replace", `^old_content and new_content are the same; nothing would change$`, `{"path":"a","old_content":"b","new_content":"b"}`},

	{"git_stage", `^give 'files', or stage_all=true for everything$`, `{}`},
	{"git_stage", `^give 'files' or 'stage_all', not both$`, `{"files":["a"],"stage_all":true}`},
	{"git_unstage", `^give 'files', or unstage_all=true for everything$`, `{}`},
	{"git_unstage", `^give 'files' or 'unstage_all', not both$`, `{"files":["a"],"unstage_all":true}`},
	{"git_commit", `^field 'message' must not be empty$`, `{"message":" "}`},
	{"git_commit", `^field 'message' holds a NUL character$`, `{"message":"a\u0000b"}`},
	{"git_commit", `^give 'files' or 'stage_all', not both$`, `{"message":"a","files":["a"],"stage_all":true}`},
	{"git_commit", `^field 'author' must be "Name <email>", got `, `{"message":"a","author":"Ada"}`},
	{"git_diff", `^staged compares with the index; 'to' contradicts it$`, `{"staged":true,"to":"main"}`},
	{"git_diff", `^merge_base needs 'from'$`, `{"merge_base":true}`},
	{"git_diff", `^merge_base compares commits; 'staged' contradicts it$`, `{"merge_base":true,"from":"main","staged":true}`},
	{"git_restore", `^nothing to restore: set staged, worktree or both$`, `{"files":["a"],"worktree":false}`},
	{"git_fetch", `^give 'branch' or 'fetch_all', not both$`, `{"branch":"main","fetch_all":true}`},
	{"git_pull", `^rebase=true contradicts mode=merge$`, `{"rebase":true,"mode":"merge"}`},
	{"git_show", `^give 'path' for a file's content or 'files' for changes, not both$`, `{"path":"a","files":["b"]}`},
	{"git_blame", `^end_line -?\d+ is before start_line -?\d+$`, `{"path":"a","start_line":3,"end_line":2}`},
	{"git_switch", `^detach goes to 'ref' without a branch; 'branch' and 'create' contradict it$`, `{"detach":true,"branch":"main"}`},
	{"git_switch", `^field 'branch' is required, unless detach is set$`, `{}`},
	{"git_switch", `^ref needs create or detach$`, `{"branch":"main","ref":"v1"}`},
	{"git_stash", `^'message' belongs to operation push$`, `{"operation":"pop","message":"a"}`},
	{"git_stash", `^'files' belongs to operation push$`, `{"operation":"pop","files":["a"]}`},
	{"git_stash", `^'include_untracked' belongs to operation push$`, `{"operation":"pop","include_untracked":true}`},

	{"python_run", `^field 'code' is required \(or 'script' for a file\)$`, `{}`},
	{"python_run", `^give 'script' or 'code', not both$`, `{"script":"a.py","code":"1"}`},
	{"python_run_background", `^field 'code' is required \(or 'script' for a file\)$`, `{}`},
	{"python_run_background", `^give 'script' or 'code', not both$`, `{"script":"a.py","code":"1"}`},
	{"python_task_output", `^give 'offset' or 'tail', not both$`, `{"task_id":"a","offset":1,"tail":1}`},
	{"python_task_input", `^give 'data' to write, or 'eof' to close the input$`, `{"task_id":"a"}`},

	{"document_search", `^field 'query' must not be empty$`, `{"query":""}`},

	{"terminal_run", `^field 'command' must not be empty$`, `{"command":""}`},
	{"terminal_start", `^field 'command' must not be empty$`, `{"command":""}`},
	{"terminal_output", `^field 'task_id' is required \(or 'pid'\)$`, `{}`},
	{"terminal_output", `^give 'task_id' or 'pid', not both$`, `{"task_id":"a","pid":1}`},
	{"terminal_output", `^give 'offset' or 'tail', not both$`, `{"task_id":"a","offset":1,"tail":1}`},
	{"terminal_input", `^field 'task_id' is required \(or 'pid'\)$`, `{}`},
	{"terminal_input", `^give 'task_id' or 'pid', not both$`, `{"task_id":"a","pid":1,"eof":true}`},
	{"terminal_input", `^give 'data' to write, or 'eof' to close the input$`, `{"task_id":"a"}`},
	{"terminal_kill", `^field 'task_id' is required \(or 'pid'\)$`, `{}`},
	{"terminal_kill", `^give 'task_id' or 'pid', not both$`, `{"task_id":"a","pid":1}`},

	{"sync_update_config", `^give at least one of 'auto_sync', 'debounce_ms' and 'exclude_patterns'$`, `{}`},
}
