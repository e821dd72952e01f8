package gitimpl

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// environment is what git may know of the host: an allow-list, never the
// process's environment itself, where GIT_DIR, GIT_EXTERNAL_DIFF,
// GIT_CONFIG_COUNT and many others would change what git does.
type environment struct {
	base    []string // for every call
	network []string // for calls that reach a remote
	trusted []string // for repositories whose configuration is obeyed
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
	}
	// fixedUntrusted holds besides for untrusted repositories.
	fixedUntrusted = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1"}
)

// hostEnvironment collects what is passed on, once.
func hostEnvironment(root string) environment {
	return environment{
		base:    slices.Concat([]string{"PATH=" + safePath(root)}, passed(passAlways), fixed),
		network: passed(passNetwork),
		trusted: passed(passTrusted),
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

// settings renders pairs as the variables that git reads settings from.
func settings(groups ...[]pair) []string {
	n := 0
	var out []string
	for _, group := range groups {
		for _, p := range group {
			i := strconv.Itoa(n)
			out = append(out, "GIT_CONFIG_KEY_"+i+"="+p.key, "GIT_CONFIG_VALUE_"+i+"="+p.value)
			n++
		}
	}
	return append(out, "GIT_CONFIG_COUNT="+strconv.Itoa(n))
}

// homeVar is the variable that names the home directory.
func homeVar() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}
