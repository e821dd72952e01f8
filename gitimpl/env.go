package gitimpl

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// environment is what git may know of the host: an allow-list, never the
// process's environment itself, where GIT_DIR, GIT_EXTERNAL_DIFF,
// GIT_CONFIG_COUNT and many others would change what git does.
type environment struct {
	base    []string // for every call
	network []string // for calls that reach a remote
	trusted []string // for repositories whose configuration is obeyed
	// whole is base with all that holds for each call in an untrusted
	// repository.
	whole []string
}

// Variables passed on as they are. The first group is what programs need to
// start on the various systems.
var (
	passAlways = []string{
		"TMPDIR", "TMP", "TEMP", "SystemRoot", "SYSTEMROOT", "windir", "ComSpec", "PATHEXT",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE",
	}
	passNetwork = []string{
		"SSH_AUTH_SOCK", "SSH_AGENT_PID", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
		"no_proxy", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "USER", "LOGNAME",
	}
	passTrusted = []string{
		"HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles",
		"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "USER", "LOGNAME",
		"GNUPGHOME", "GPG_TTY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
	}
	// fixed holds for every call. Messages are English, nothing asks
	// questions, reading takes no locks, and paths are never patterns.
	fixed = []string{
		"LC_ALL=C", "LANGUAGE=", "TERM=dumb",
		"GIT_TERMINAL_PROMPT=0", "GCM_INTERACTIVE=never", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GIT_PAGER=cat", "GIT_EDITOR=:", "GIT_SEQUENCE_EDITOR=:", "GIT_MERGE_AUTOEDIT=no",
		"GIT_LITERAL_PATHSPECS=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
		"GIT_FLUSH=0", // or log writes each commit by itself
	}
	// fixedUntrusted holds besides for untrusted repositories.
	fixedUntrusted = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1"}
)

// hostEnvironment collects what is passed on, once.
func hostEnvironment(root string, id *Identity) environment {
	base := slices.Concat([]string{"PATH=" + safePath(root)}, passed(passAlways), fixed)
	return environment{
		base:    base,
		network: passed(passNetwork),
		trusted: passed(passTrusted),
		whole:   slices.Concat(base, fixedUntrusted, identity(id), []string{settings(denied, steady)}),
	}
}

// identity is the host's choice of who commits.
func identity(id *Identity) []string {
	if id == nil {
		return nil
	}
	return []string{
		"GIT_AUTHOR_NAME=" + id.Name, "GIT_AUTHOR_EMAIL=" + id.Email,
		"GIT_COMMITTER_NAME=" + id.Name, "GIT_COMMITTER_EMAIL=" + id.Email,
	}
}

func passed(names []string) []string {
	var out []string
	for _, name := range names {
		if v, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// safePath is PATH without relative directories and without those inside the
// root, where a repository could put its own ssh.
func safePath(root string) string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) || root != filepath.Dir(root) && within(root, dir) {
			continue
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil && root != filepath.Dir(root) && within(root, real) {
			continue
		}
		dirs = append(dirs, dir)
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// pair is a setting given on top of all configuration files.
type pair struct{ key, value string }

// denied switches off, one by one, what could start a program. The private
// common directory does not have such settings in the first place; this is
// the second line, and it covers what is compiled into git.
var denied = []pair{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", os.DevNull},
	{"core.pager", "cat"},
	{"core.editor", ":"},
	{"sequence.editor", ":"},
	{"core.askPass", ""},
	{"core.gitProxy", ""},
	{"core.alternateRefsCommand", ""},
	{"core.attributesFile", os.DevNull},
	{"credential.helper", ""},
	{"gpg.program", "false"},
	{"gpg.ssh.program", "false"},
	{"gpg.x509.program", "false"},
	{"gpg.ssh.defaultKeyCommand", ""},
	{"commit.gpgSign", "false"},
	{"tag.gpgSign", "false"},
	{"push.gpgSign", "false"},
	{"log.showSignature", "false"},
	{"merge.verifySignatures", "false"},
	{"interactive.diffFilter", ""},
	{"submodule.recurse", "false"},
	{"rerere.enabled", "false"},
	{"fetch.writeCommitGraph", "false"},
}

// steady makes output and behaviour independent of configuration.
var steady = []pair{
	{"color.ui", "false"},
	{"core.quotePath", "false"},
	{"core.commentChar", "#"},
	{"core.warnAmbiguousRefs", "false"}, // a warning nobody reads, for a dozen looks at files
	{"diff.autoRefreshIndex", "false"},
	{"safe.bareRepository", "explicit"},
	{"fetch.recurseSubmodules", "false"},
	{"push.recurseSubmodules", "no"},
	{"push.followTags", "false"},
	{"rebase.autoSquash", "false"},
	{"rebase.autoStash", "false"},
	{"merge.autoStash", "false"},
	{"merge.conflictStyle", "merge"},
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},
	{"receive.autogc", "false"},
	{"user.useConfigOnly", "true"},
	{"advice.detachedHead", "false"},
	{"log.showRoot", "true"},
}

// settings renders pairs as the variable in which git hands what follows -c to
// the commands that it starts. Git reads its configuration several times per
// command, and takes the pairs from one variable in much less time than from
// the many of GIT_CONFIG_COUNT. A git that did not know the form would refuse
// to run.
func settings(groups ...[]pair) string {
	var b strings.Builder
	b.WriteString("GIT_CONFIG_PARAMETERS=")
	for _, group := range groups {
		for _, p := range group {
			b.WriteString(quoted(p.key) + "=" + quoted(p.value) + " ")
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// quoted is s as git quotes it, for itself and for a shell.
func quoted(s string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "!", `'\!'`).Replace(s) + "'"
}

// homeVar is the variable that names the home directory.
func homeVar() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}
