package fsimpl_test

import (
	"encoding/json"

	"github.com/toolfacade/toolfacade/facade"
)

// change is one call of a writing action.
type change struct {
	name string
	seed map[string]string
	args json.RawMessage
	// moved names files that change places: each content has to be somewhere at
	// any time.
	moved bool
}

// tree is what every change starts from.
func tree() map[string]string {
	return map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "other\n",
		"d/x.txt": "in d\n", "d/sub/y.txt": "deeper\n", "d/sub/empty/": "",
		"e/x.txt": "in e\n", "e/z.txt": "last\n",
	}
}

// changes has each way of each action to change a tree.
func changes() []change {
	list := []change{
		{name: "create", args: args(facade.FileCreate, "paths", []string{"n1/n2", "d/n3", "n4"})},
		{name: "write new", args: args(facade.FileWrite, "path", "n.txt", "content", "new\n")},
		{name: "write new in new directories", args: args(facade.FileWrite, "path", "n1/n2/n.txt", "content", "new\n")},
		{name: "write empty", args: args(facade.FileWrite, "path", "a.txt", "content", "")},
		{name: "overwrite", args: args(facade.FileWrite, "path", "d/x.txt", "content", "new content, longer than before\n")},
		{name: "append", args: args(facade.FileWrite, "path", "a.txt", "content", "four\n", "append", true)},
		{name: "modify", args: args(facade.FileModify, "path", "a.txt", "start_offset_inclusive", 1, "end_offset_inclusive", 1, "new_content", "TWO\n")},
		{name: "replace", args: args(facade.FileReplace, "path", "a.txt", "old_content", "two", "new_content", "zwei")},
		{name: "edit several", args: args(facade.FileEdit, "edits", []map[string]string{
			{"path": "a.txt", "old_text": "two", "new_text": "zwei"},
			{"path": "b.txt", "old_text": "other", "new_text": "changed"},
			{"path": "d/x.txt", "old_text": "in d", "new_text": "in D"},
		})},
		{name: "patch", args: args(facade.FilePatch, "patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n"+
			"--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n--- /dev/null\n+++ b/n/new.txt\n@@ -0,0 +1 @@\n+new\n")},
		{name: "delete file", args: args(facade.FileDelete, "paths", []string{"a.txt"})},
		{name: "delete tree", args: args(facade.FileDelete, "paths", []string{"d"}, "recursive", true)},
		{name: "delete several", args: args(facade.FileDelete, "paths", []string{"a.txt", "d", "e/x.txt"}, "recursive", true)},
		{name: "move file", args: args(facade.FileMove, "source", "a.txt", "destination", "c.txt"), moved: true},
		{name: "move to other directory", args: args(facade.FileMove, "source", "d/x.txt", "destination", "e/new.txt"), moved: true},
		{name: "move to new directory", args: args(facade.FileMove, "source", "a.txt", "destination", "n1/n2/a.txt"), moved: true},
		{name: "move tree", args: args(facade.FileMove, "source", "d", "destination", "e/d"), moved: true},
		{name: "move over file", args: args(facade.FileMove, "source", "a.txt", "destination", "b.txt", "overwrite", true)},
		{name: "move over file elsewhere", args: args(facade.FileMove, "source", "d/x.txt", "destination", "e/x.txt", "overwrite", true)},
		{name: "copy file", args: args(facade.FileCopy, "source", "a.txt", "destination", "c.txt")},
		{name: "copy to new directory", args: args(facade.FileCopy, "source", "a.txt", "destination", "n1/a.txt")},
		{name: "copy tree", args: args(facade.FileCopy, "source", "d", "destination", "n")},
		{name: "copy over file", args: args(facade.FileCopy, "source", "a.txt", "destination", "e/x.txt", "overwrite", true)},
		{name: "copy over tree", args: args(facade.FileCopy, "source", "d", "destination", "e", "overwrite", true)},
		{name: "move over tree", args: args(facade.FileMove, "source", "d", "destination", "e", "overwrite", true)},
	}
	for i := range list {
		list[i].seed = tree()
	}
	return list
}
