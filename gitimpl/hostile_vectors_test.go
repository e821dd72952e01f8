package gitimpl_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// arena is one hostile repository: "root/victim" is what the library is asked
// to work in, "root/remote.git" its remote, "outside" what nothing may touch.
// The payloads append to a file when they run.
type arena struct {
	*lab
	mark      string // the file that a payload writes to
	run, pipe string // payloads: one that fails, one that copies its input
}

const victim = "root/victim"

// config writes settings of the victim, as "name value" lines, without git.
func (a *arena) config(lines ...string) { a.configOf(victim+"/.git/config", lines...) }

func (a *arena) configOf(file string, lines ...string) {
	var b strings.Builder
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		b.WriteString("[" + key[:first])
		if first != last {
			b.WriteString(` "` + key[first+1:last] + `"`)
		}
		b.WriteString("]\n\t" + key[last+1:] + ` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + "\"\n")
	}
	old, _ := os.ReadFile(a.path(file))
	a.write(file, string(old)+b.String())
}

func (a *arena) program(file, body string) {
	a.write(file, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(a.path(file), 0o755); err != nil {
		a.Fatal(err)
	}
}

func (a *arena) hook(dir, name string) { a.program(dir+"/"+name, "echo "+name+" >> "+a.mark) }

func (a *arena) attributes(line string) { a.write(victim+"/.git/info/attributes", "* "+line+"\n") }

func (a *arena) link(target, name string) {
	_ = os.RemoveAll(a.path(name))
	if err := os.Symlink(target, a.path(name)); err != nil {
		a.Fatal(err)
	}
}

// vector is one way for a repository to make git run something or to lead it
// outside.
type vector struct {
	name  string
	setup func(*arena)
	// refused vectors make the whole repository unusable.
	refused bool
}

// vectors are the ways in: settings of a repository, its hooks, its remotes
// and what lies in its git directory.
func vectors(t *testing.T) []vector {
	list := append(settingVectors(), hookVectors()...)
	list = append(list, transportVectors(t)...)
	return append(list, placeVectors()...)
}

func settingVectors() []vector {
	return []vector{
		{name: "core.fsmonitor", setup: func(a *arena) { a.config("core.fsmonitor " + a.run) }},
		{name: "include.path", setup: func(a *arena) {
			a.configOf("root/victim/evil.cfg", "core.fsmonitor "+a.run)
			a.config("include.path ../evil.cfg")
		}},
		{name: "includeIf", setup: func(a *arena) {
			a.configOf("root/victim/evil.cfg", "core.fsmonitor "+a.run)
			a.config("includeIf.gitdir:/.path ../evil.cfg")
		}},
		{name: "config.worktree", setup: func(a *arena) {
			a.config("core.repositoryformatversion 1", "extensions.worktreeConfig true")
			a.configOf(victim+"/.git/config.worktree", "core.fsmonitor "+a.run)
		}},
		{name: "diff.external", setup: func(a *arena) { a.config("diff.external " + a.run) }},
		{name: "diff driver command", setup: func(a *arena) { a.attributes("diff=evil"); a.config("diff.evil.command " + a.run) }},
		{name: "textconv", setup: func(a *arena) { a.attributes("diff=evil"); a.config("diff.evil.textconv " + a.pipe) }},
		{name: "filter clean and smudge", setup: func(a *arena) {
			a.attributes("filter=evil")
			a.config("filter.evil.clean "+a.pipe, "filter.evil.smudge "+a.pipe)
		}},
		{name: "filter process", setup: func(a *arena) { a.attributes("filter=evil"); a.config("filter.evil.process " + a.run) }},
		{name: "filter in .gitattributes", setup: func(a *arena) {
			a.write(victim+"/.gitattributes", "* filter=evil diff=evil merge=evil\n")
			a.config("filter.evil.clean "+a.pipe, "filter.evil.smudge "+a.pipe)
		}},
		{name: "core.attributesFile", setup: func(a *arena) {
			a.write("root/victim/attrs", "* filter=evil\n")
			a.config("core.attributesFile "+a.path("root/victim/attrs"), "filter.evil.clean "+a.pipe)
		}},
		{name: "merge driver", setup: func(a *arena) {
			a.attributes("merge=evil")
			a.config("merge.evil.driver "+a.run, "merge.default evil")
		}},
		{name: "core.hooksPath", setup: func(a *arena) {
			a.hook("root/victim/h", "post-index-change")
			a.hook("root/victim/h", "reference-transaction")
			a.config("core.hooksPath " + a.path("root/victim/h"))
		}},
		{name: "gpg.program on commit", setup: func(a *arena) { a.config("commit.gpgSign true", "gpg.program "+a.run) }},
		{name: "gpg.ssh.defaultKeyCommand", setup: func(a *arena) {
			a.config("commit.gpgSign true", "gpg.format ssh", "gpg.ssh.defaultKeyCommand "+a.run, "gpg.ssh.program "+a.run)
		}},
		{name: "log.showSignature", setup: func(a *arena) { a.signedCommit(); a.config("log.showSignature true", "gpg.program "+a.run) }},
		{name: "pager", setup: func(a *arena) {
			a.config("core.pager "+a.run, "pager.log "+a.run, "pager.status true", "pager.diff "+a.run)
		}},
		{name: "alias", setup: func(a *arena) { a.config("alias.status !"+a.run, "alias.st !"+a.run) }},
		{name: "editors", setup: func(a *arena) { a.config("core.editor "+a.run, "sequence.editor "+a.run) }},
		{name: "trailers", setup: func(a *arena) {
			a.config("trailer.x.key X", "trailer.x.command "+a.run, "trailer.x.ifmissing add")
		}},
		{name: "interactive.diffFilter", setup: func(a *arena) { a.config("interactive.diffFilter " + a.run) }},
	}
}

// signedCommit makes the latest commit one with a signature to verify.
func (a *arena) signedCommit() {
	text := a.git(victim, "cat-file", "commit", "HEAD")
	head, body, _ := strings.Cut(text, "\n\n")
	a.write("signed", head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n"+body)
	id := strings.TrimSpace(a.git(victim, "hash-object", "-t", "commit", "-w", a.path("signed")))
	a.git(victim, "update-ref", "refs/heads/main", id)
}

func hookVectors() []vector {
	var list []vector
	for _, name := range []string{
		"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "reference-transaction", "post-checkout",
		"post-merge", "pre-merge-commit", "pre-push", "pre-rebase", "post-rewrite", "fsmonitor-watchman", "pre-auto-gc",
	} {
		list = append(list, vector{name: "hook " + name, setup: func(a *arena) { a.hook(victim+"/.git/hooks", name) }})
	}
	for _, name := range []string{"pre-receive", "update", "post-receive", "post-update", "reference-transaction"} {
		list = append(list, vector{name: "hook " + name + " of a remote inside", setup: func(a *arena) { a.hook("root/remote.git/hooks", name) }})
	}
	return append(list,
		vector{name: "hooksPath of a remote inside", setup: func(a *arena) {
			a.hook("root/h", "pre-receive")
			a.configOf("root/remote.git/config", "core.hooksPath "+a.path("root/h"))
		}},
		vector{name: "fsmonitor of a remote inside that updates its work tree", setup: func(a *arena) {
			a.configOf("root/remote.git/config", "core.fsmonitor "+a.run, "receive.denyCurrentBranch updateInstead")
		}},
		vector{name: "alternateRefsCommand of a remote inside", setup: func(a *arena) {
			a.write("root/remote.git/objects/info/alternates", a.path("root/victim/.git/objects")+"\n")
			a.configOf("root/remote.git/config", "core.alternateRefsCommand "+a.run)
		}},
		vector{name: "packObjectsHook of a remote inside", setup: func(a *arena) {
			a.configOf("root/remote.git/config", "uploadpack.packObjectsHook "+a.run)
		}},
	)
}

func transportVectors(t *testing.T) []vector {
	asks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(asks.Close)
	return []vector{
		{name: "ssh command", setup: func(a *arena) { a.config("core.sshCommand "+a.run, "remote.origin.url ssh://localhost:1/x") }},
		{name: "ssh host that is an option", setup: func(a *arena) { a.config("remote.origin.url ssh://-oProxyCommand=" + a.run + "/x") }},
		{name: "ext remote", setup: func(a *arena) { a.config("protocol.ext.allow always", "remote.origin.url ext::"+a.run) }},
		{name: "ext by insteadOf", setup: func(a *arena) {
			a.config("protocol.ext.allow always", "url.ext::"+a.run+".insteadOf "+a.path("root/remote.git"))
		}},
		{name: "remote.vcs", setup: func(a *arena) {
			a.config("protocol.ext.allow always", "remote.origin.vcs ext", "remote.origin.url "+a.run)
		}},
		{name: "uploadpack", setup: func(a *arena) { a.config("remote.origin.uploadpack " + a.run) }},
		{name: "receivepack", setup: func(a *arena) { a.config("remote.origin.receivepack " + a.run) }},
		{name: "gitProxy", setup: func(a *arena) { a.config("core.gitProxy "+a.run, "remote.origin.url git://localhost:1/x") }},
		{name: "credential.helper", setup: func(a *arena) { a.config("credential.helper !"+a.run, "remote.origin.url "+asks.URL+"/x.git") }},
		{name: "credential helper of an address", setup: func(a *arena) {
			a.config("credential."+asks.URL+".helper !"+a.run, "remote.origin.url "+asks.URL+"/x.git")
		}},
		{name: "askPass", setup: func(a *arena) { a.config("core.askPass "+a.run, "remote.origin.url "+asks.URL+"/x.git") }},
		{name: "promisor", setup: func(a *arena) {
			a.config("core.repositoryformatversion 1", "extensions.partialClone evil", "remote.evil.promisor true",
				"remote.evil.url "+a.path("root/remote.git"), "remote.evil.uploadpack "+a.run)
			a.dropBlob("HEAD~1:a.txt")
		}},
		{name: "remotes file", setup: func(a *arena) {
			a.config("protocol.ext.allow always")
			a.write(victim+"/.git/remotes/legacy", "URL: ext::"+a.run+"\n")
			a.write(victim+"/.git/branches/origin2", "ext::"+a.run+"\n")
		}},
		{name: "submodule with fsmonitor", setup: func(a *arena) {
			a.git(victim, "submodule", "--quiet", "add", a.path("root/remote.git"), "sub")
			a.git(victim, "commit", "-qm", "sub")
			a.configOf(victim+"/.git/modules/sub/config", "core.fsmonitor "+a.run)
			a.write(victim+"/sub/a.txt", "changed\n")
		}},
	}
}

// dropBlob removes an object, so that git wants to fetch it.
func (a *arena) dropBlob(rev string) {
	id := strings.TrimSpace(a.git(victim, "rev-parse", rev))
	if err := os.Remove(a.path(victim + "/.git/objects/" + id[:2] + "/" + id[2:])); err != nil {
		a.Fatal(err)
	}
}

func placeVectors() []vector {
	return []vector{
		{name: ".git file that leads outside", refused: true, setup: func(a *arena) {
			if err := os.Rename(a.path(victim+"/.git"), a.path("outside/git")); err != nil {
				a.Fatal(err)
			}
			a.configOf("outside/git/config", "core.fsmonitor "+a.run)
			a.write(victim+"/.git", "gitdir: "+a.path("outside/git")+"\n")
		}},
		{name: ".git link that leads outside", refused: true, setup: func(a *arena) {
			if err := os.Rename(a.path(victim+"/.git"), a.path("outside/git")); err != nil {
				a.Fatal(err)
			}
			a.configOf("outside/git/config", "core.fsmonitor "+a.run)
			a.link(a.path("outside/git"), victim+"/.git")
		}},
		{name: "common directory outside", refused: true, setup: func(a *arena) {
			a.git("outside", "init", "-q", "common")
			a.configOf("outside/common/.git/config", "core.fsmonitor "+a.run)
			a.write(victim+"/.git/commondir", a.path("outside/common/.git")+"\n")
		}},
		{name: "core.worktree", setup: func(a *arena) { a.config("core.worktree " + a.path("outside")) }},
		{name: "alternates outside", refused: true, setup: func(a *arena) {
			a.git("outside", "init", "-q", "store")
			a.write(victim+"/.git/objects/info/alternates", a.path("outside/store/.git/objects")+"\n")
		}},
		{name: "objects outside", refused: true, setup: func(a *arena) {
			if err := os.Rename(a.path(victim+"/.git/objects"), a.path("outside/objects")); err != nil {
				a.Fatal(err)
			}
			a.link(a.path("outside/objects"), victim+"/.git/objects")
		}},
		{name: "log that is a link", setup: func(a *arena) { a.link(a.path("outside/profile"), victim+"/.git/logs/HEAD") }},
		{name: "index that is a link", refused: true, setup: func(a *arena) { a.link(a.path("outside/profile"), victim+"/.git/index") }},
		{name: "config that is a link", refused: true, setup: func(a *arena) {
			a.configOf("outside/evil.cfg", "core.fsmonitor "+a.run)
			a.link(a.path("outside/evil.cfg"), victim+"/.git/config")
		}},
		{name: "ref outside", setup: func(a *arena) { a.link(a.path("outside/secret"), victim+"/.git/refs/heads/leak") }},
		{name: "files that lead outside", setup: func(a *arena) {
			a.link(a.path("outside/secret"), victim+"/a.txt")
			a.link(a.path("outside"), victim+"/d")
		}},
		{name: "excludes and templates outside", setup: func(a *arena) {
			a.config("core.excludesFile "+a.path("outside/secret"), "commit.template "+a.path("outside/secret"),
				"blame.ignoreRevsFile "+a.path("outside/secret"), "mailmap.file "+a.path("outside/secret"))
		}},
		{name: "todo list of a rebase", setup: func(a *arena) {
			id := strings.TrimSpace(a.git(victim, "rev-parse", "HEAD"))
			for name, content := range map[string]string{
				"git-rebase-todo": "exec " + a.run + "\n", "head-name": "refs/heads/main\n", "onto": id + "\n", "orig-head": id + "\n",
				"msgnum": "0\n", "end": "1\n", "interactive": "", "strategy": a.run + "\n", "gpg_sign_opt": "-S\n",
			} {
				a.write(victim+"/.git/rebase-merge/"+name, content)
			}
			a.config("gpg.program " + a.run)
		}},
		{name: "ssh in the root's PATH", setup: func(a *arena) {
			a.program("root/bin/ssh", "echo ssh >> "+a.mark)
			a.program("root/bin/git-upload-pack", "echo up >> "+a.mark)
			a.TB.(*testing.T).Setenv("PATH", a.path("root/bin")+":"+os.Getenv("PATH"))
			a.config("remote.origin.url ssh://localhost:1/x")
		}},
		{name: "environment of the host", setup: func(a *arena) {
			t := a.TB.(*testing.T)
			for k, v := range map[string]string{
				"GIT_EXTERNAL_DIFF": a.run, "GIT_SSH_COMMAND": a.run, "GIT_ASKPASS": a.run, "GIT_EDITOR": a.run, "GIT_PAGER": a.run, "GIT_TRACE": a.path("outside/profile"),
				"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": a.run, "GIT_PROXY_COMMAND": a.run,
			} {
				t.Setenv(k, v)
			}
		}},
	}
}
