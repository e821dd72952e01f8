package facadetest

// gitSpellings are names that some file system takes for .git.
var gitSpellings = []string{".git", ".GIT", ".Git", ".git.", ".git ", ".git. .", "git~1", "GIT~1", ".g\u200cit", ".git\u200d"}

// protectRules are about names whose content other programs obey.
func protectRules() []filesRule {
	return []filesRule{
		{
			Name: "protected/write", Needs: writes,
			Explanation: "Writing below .git is protected_path, also where it does not exist, at any depth and in every spelling that some file system takes for it; nothing changes.",
			Run: func(f *filesTest) {
				f.seed("sub/x", "")
				f.unchanged(func() {
					for _, name := range gitSpellings {
						for _, p := range []string{name + "/hooks/pre-commit", "sub/" + name + "/config", name} {
							f.fails("protected_path", "write", "path", p, "content", "x")
							f.fails("protected_path", "create", "paths", []string{"fine", p})
						}
					}
					f.fails("protected_path", "write", "path", "sub/../.git/config", "content", "x", "dry_run", true)
				})
				f.ok("write", "path", ".gitignore", "content", "x\n")
				f.ok("write", "path", ".github/ci.yml", "content", "x\n")
			},
		},
		{
			Name: "protected/change", Needs: writes,
			Explanation: "What is below .git can be read, but not changed, deleted or replaced.",
			Run: func(f *filesTest) {
				f.seed(".git/config", "[core]\n", "a.txt", "x\n")
				f.unchanged(func() {
					equal(f, "content", f.read(".git/config").Content, "[core]\n")
					f.fails("protected_path", "replace", "path", ".git/config", "old_content", "core", "new_content", "x")
					f.fails("protected_path", "modify", "path", ".git/config", "start_offset_inclusive", 0, "end_offset_inclusive", 0, "new_content", "x")
					f.fails("protected_path", "write", "path", ".git/config", "content", "x", "append", true)
					f.fails("protected_path", "delete", "paths", []string{"a.txt", ".git/config"})
					f.fails("protected_path", "delete", "paths", []string{".git"}, "recursive", true)
				})
			},
		},
		{
			Name: "protected/move", Needs: moves,
			Explanation: "Nothing is moved or copied into .git, nor moved out of it.",
			Run: func(f *filesTest) {
				f.seed(".git/config", "[core]\n", "a.txt", "x\n")
				f.unchanged(func() {
					f.fails("protected_path", "move", "source", "a.txt", "destination", ".git/hooks")
					f.fails("protected_path", "copy", "source", "a.txt", "destination", ".GIT/config", "overwrite", true)
					f.fails("protected_path", "move", "source", ".git", "destination", "elsewhere")
				})
			},
		},
		{
			Name: "protected/edit", Needs: edits,
			Explanation: "edit and patch do not change what is below .git.",
			Run: func(f *filesTest) {
				f.seed(".git/config", "core\n", "a.txt", "x\n")
				f.unchanged(func() {
					f.fails("protected_path", "edit", "edits", []any{edit("a.txt", "x", "y"), edit(".git/config", "core", "y")})
					f.fails("protected_path", "patch", "patch", "--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n")
				})
			},
		},
		{
			Name: "protected/link", Needs: all(confined, writes),
			Explanation: "A symbolic link to .git does not open it for writing.",
			Run: func(f *filesTest) {
				f.seed(".git/config", "[core]\n")
				f.must(f.Store.(LinkStore).Symlink(".git", "alias"))
				f.unchanged(func() {
					f.fails("protected_path", "write", "path", "alias/config", "content", "x")
					f.fails("protected_path", "write", "path", "alias/hooks/post-commit", "content", "x")
					f.fails("protected_path", "delete", "paths", []string{"alias/config"})
				})
			},
		},
	}
}
