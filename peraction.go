package toolfacade

import "github.com/toolfacade/toolfacade/facade"

// PerAction is the view for hosts that expect one small tool per action under a
// plain name, as the systems did that came before facades: read_file and
// file_read, write_file, list_files, search_files, edit_file, delete_file,
// run_command, run_python, git_status, git_diff and git_commit. What the set
// lacks, it lacks here too.
//
//	for _, t := range set.View(toolfacade.PerAction).Tools() {
//		register(t.Name(), func(args json.RawMessage) json.RawMessage {
//			res, _ := t.Call(ctx, facade.Call{Args: args})
//			return res.Envelope() // {"status":"success","result":…}
//		})
//	}
func PerAction(t *facade.Tool) []*facade.Tool {
	return facade.Named(
		facade.Name{Tool: "read_file", Call: "filesystem.read"},
		facade.Name{Tool: "file_read", Call: "filesystem.read"},
		facade.Name{Tool: "write_file", Call: "filesystem.write"},
		facade.Name{Tool: "list_files", Call: "filesystem.list"},
		facade.Name{Tool: "search_files", Call: "filesystem.grep"},
		facade.Name{Tool: "edit_file", Call: "filesystem.edit"},
		facade.Name{Tool: "delete_file", Call: "filesystem.delete"},
		facade.Name{Tool: "run_command", Call: "terminal.run"},
		facade.Name{Tool: "run_python", Call: "python.run"},
		facade.Name{Tool: "git_status", Call: "git.status"},
		facade.Name{Tool: "git_diff", Call: "git.diff"},
		facade.Name{Tool: "git_commit", Call: "git.commit"},
	)(t)
}
