package gitimpl

import (
	"context"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// remote is a configured remote whose address has been judged.
type remote struct {
	name    string
	url     string
	pushURL string   // like url unless configured
	fetch   []string // refspecs
	inside  bool     // a directory inside the root
}

// remoteNames lists the configured remotes that have an address, in order.
func (r *repo) remoteNames() []string {
	var list []string
	for _, s := range r.settings {
		if s.key() == "remote.url" && !slices.Contains(list, s.sub) && remoteName.MatchString(s.sub) {
			list = append(list, s.sub)
		}
	}
	slices.Sort(list)
	return list
}

// remote finds a remote by its name; addresses are not taken.
func (r *repo) remote(name string) (*remote, error) {
	all := r.remoteNames()
	if !slices.Contains(all, name) {
		e := fail(facade.CodeNotFound, ErrUnknownRemote, "there is no remote '%s'", name)
		e.Field = "remote"
		e.Hint = gitrule.RemoteHint(name, all)
		return nil, e
	}
	m := &remote{name: name, url: r.setting("remote.url", name), pushURL: r.setting("remote.pushurl", name)}
	if m.pushURL == "" {
		m.pushURL = m.url
	}
	for _, s := range r.settings {
		if s.key() == "remote.fetch" && s.sub == name && fetchValue.MatchString(s.value) {
			m.fetch = append(m.fetch, s.value)
		}
	}
	if len(m.fetch) == 0 {
		m.fetch = []string{"+refs/heads/*:refs/remotes/" + name + "/*"}
	}
	if r.g.opts.Trust == TrustConfig {
		return m, nil
	}
	for _, address := range []string{m.url, m.pushURL} {
		if reason := r.refuses(address); reason != "" {
			e := fail(facade.CodeDenied, ErrUnknownRemote, "the address of remote '%s' is not allowed: %s", name, reason)
			e.Field = "remote"
			return nil, e.WithHint("https and ssh addresses are allowed, and repositories inside the root; the host can allow more")
		}
	}
	m.inside = r.inside(m.pushURL)
	return m, nil
}

// scpAddress matches user@host:path.
var scpAddress = regexp.MustCompile(`^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:[^:].*$`)

// refuses returns why an address may not be used, or "".
func (r *repo) refuses(address string) string {
	if strings.Contains(address, "::") {
		return "it names a program"
	}
	scheme, rest, ok := strings.Cut(address, "://")
	switch {
	case ok && scheme == "https", ok && scheme == "ssh":
	case ok && scheme == "http":
		if !r.g.opts.InsecureHTTP {
			return "http is not encrypted"
		}
	case ok && scheme == "file", !ok && !scpAddress.MatchString(address):
		if r.g.opts.FileRemotes || r.inside(address) {
			return ""
		}
		return "it is a directory outside the root"
	case ok:
		return "the scheme '" + scheme + "' is not supported"
	default:
		return ""
	}
	if host := strings.TrimLeft(rest[strings.LastIndexByte(rest[:hostEnd(rest)], '@')+1:], "["); host == "" || strings.HasPrefix(host, "-") {
		return "it has no host"
	}
	return ""
}

func hostEnd(rest string) int {
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return i
	}
	return len(rest)
}

// local returns the directory that an address names, or "".
func (r *repo) local(address string) string {
	if path, ok := strings.CutPrefix(address, "file://"); ok {
		address = path
	} else if strings.Contains(address, "://") || scpAddress.MatchString(address) {
		return ""
	}
	if !filepath.IsAbs(address) {
		address = filepath.Join(r.top, address)
	}
	return address
}

// inside reports whether an address is a directory that git may use anyway.
func (r *repo) inside(address string) bool {
	dir := r.local(address)
	if dir == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && r.g.contains(real)
}

// hardenedReceive receives a push into a repository inside the root without
// running anything that it contains.
const hardenedReceive lit = "--receive-pack=" + hardenedProgram

// hardenedProgram is the program of hardenedReceive.
const hardenedProgram = "git -c core.hooksPath=/dev/null -c core.fsmonitor=false" +
	" -c core.alternateRefsCommand= -c receive.denyCurrentBranch=refuse -c receive.autogc=false" +
	" -c receive.procReceiveRefs= -c gpg.program=false receive-pack"

// reach completes a command that talks to remote m: address, protocol,
// helpers and credentials.
func (r *repo) reach(ctx context.Context, c *command, m *remote, push bool) error {
	extra, err := r.credentials(ctx, m, push)
	if err != nil {
		return err
	}
	ssh := r.g.opts.SSHCommand
	if r.g.opts.Trust == Untrusted {
		extra = append(extra, pair{"remote." + m.name + ".url", m.url}, pair{"remote." + m.name + ".pushurl", m.pushURL})
		if m.inside { // for the push of a script, which has no such flag
			extra = append(extra, pair{"remote." + m.name + ".receivepack", hardenedProgram})
		}
		protocols := "https:ssh"
		if r.g.opts.InsecureHTTP {
			protocols += ":http"
		}
		if r.local(m.url) != "" || r.local(m.pushURL) != "" {
			protocols += ":file"
		}
		c.with("GIT_ALLOW_PROTOCOL=" + protocols)
		if ssh == "" {
			ssh = "ssh -oBatchMode=yes"
		}
	}
	if ssh != "" {
		c.with("GIT_SSH_COMMAND=" + ssh)
	}
	c.with(r.with(extra...))
	c.with(r.g.env.network...)
	for _, address := range []string{m.url, m.pushURL} {
		if dir := r.local(address); dir != "" {
			r.mask = append(masker{dir, m.name}, r.mask...)
		}
	}
	return nil
}

// credentials asks the host, and makes the answer a header for this address
// only.
func (r *repo) credentials(ctx context.Context, m *remote, push bool) ([]pair, error) {
	address := m.url
	if push {
		address = m.pushURL
	}
	u, err := url.Parse(address)
	if err != nil || r.g.opts.Credentials == nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil, nil
	}
	u.User = nil
	c, err := r.g.opts.Credentials(ctx, CredentialRequest{Remote: m.name, URL: u.String(), Push: push})
	if err != nil {
		return nil, fail(facade.CodePermissionDenied, err, "the host has no credentials for remote '%s'", m.name)
	}
	if c == (Credential{}) {
		return nil, nil
	}
	token := base64.StdEncoding.EncodeToString([]byte(c.Username + ":" + c.Password))
	r.mask = append(masker{token, "***"}, r.mask...)
	if c.Password != "" {
		r.mask = append(masker{c.Password, "***"}, r.mask...)
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment = "", "", "", ""
	return []pair{{"http." + u.String() + "/.extraHeader", "Authorization: Basic " + token}}, nil
}
