package gitimpl

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/gitimpl/internal/gitrule"
)

// setting is one value of a repository's configuration. Section and name are
// in lower case; the subsection, as a remote's name, is as written.
type setting struct {
	section, sub, name string
	value              string
}

// key is the setting's name without the subsection.
func (s setting) key() string { return s.section + "." + s.name }

// parseConfig lets git read configuration text and returns its settings.
// Includes are not followed.
func (g *Git) parseConfig(ctx context.Context, git string, raw []byte) ([]setting, error) {
	dir, err := g.temp.sub("empty")
	if err != nil {
		return nil, err
	}
	var out []byte
	run := process{
		path: git, args: []string{"config", "--file", "-", "--null", "--list", "--no-includes"}, dir: dir, grace: g.opts.Grace,
		env: slices.Concat(g.env.base, fixedUntrusted, []string{
			"GIT_CONFIG_GLOBAL=" + osNull, homeVar() + "=" + dir, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		}),
		stdin:  bytes.NewReader(raw),
		stdout: func(r io.Reader) (err error) { out, err = io.ReadAll(r); return err },
	}
	code, err := run.run(ctx)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, fail(facade.CodeConflict, ErrNotRepository, "the repository's configuration is malformed")
	}
	return splitSettings(out), nil
}

// splitSettings takes "section.sub.name\nvalue\0" apart. A name without value
// means true.
func splitSettings(out []byte) []setting {
	var list []setting
	for item := range bytes.SplitSeq(out, []byte{0}) {
		key, value, valued := strings.Cut(string(item), "\n")
		if !valued {
			value = "true"
		}
		first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
		if first < 0 {
			continue
		}
		s := setting{section: key[:first], name: key[last+1:], value: value}
		if first != last {
			s.sub = key[first+1 : last]
		}
		list = append(list, s)
	}
	return list
}

// The patterns that values must match, by the kind of setting.
var (
	flagValue   = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|[0-9]{1,4}|)$`)
	wordValue   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)
	nameValue   = regexp.MustCompile(`^[^\x00-\x1f\x7f<>]{1,200}$`)
	refValue    = regexp.MustCompile(`^refs/[^\x00-\x20\x7f~^:?*\[\\]{1,400}$`)
	fetchValue  = regexp.MustCompile(`^\+?refs/[^\x00-\x20\x7f~^:?\[\\]{1,400}:refs/remotes/[^\x00-\x20\x7f~^:?\[\\]{1,400}$`)
	remoteName  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}$`)
	filterValue = regexp.MustCompile(`^[A-Za-z0-9:=+%.]{1,80}$`)
)

// allowed names the settings that a repository may choose, and what their
// values look like. Everything else does not reach git.
var allowed = map[string]*regexp.Regexp{
	"core.repositoryformatversion":  flagValue,
	"core.filemode":                 flagValue,
	"core.symlinks":                 flagValue,
	"core.ignorecase":               flagValue,
	"core.precomposeunicode":        flagValue,
	"core.autocrlf":                 wordValue,
	"core.eol":                      wordValue,
	"core.safecrlf":                 wordValue,
	"core.sharedrepository":         wordValue,
	"core.trustctime":               flagValue,
	"core.checkstat":                wordValue,
	"core.logallrefupdates":         wordValue,
	"core.untrackedcache":           wordValue,
	"core.preloadindex":             flagValue,
	"core.sparsecheckout":           flagValue,
	"core.sparsecheckoutcone":       flagValue,
	"index.sparse":                  flagValue,
	"index.version":                 flagValue,
	"index.threads":                 wordValue,
	"extensions.objectformat":       wordValue,
	"extensions.compatobjectformat": wordValue,
	"extensions.refstorage":         wordValue,
	"extensions.partialclone":       remoteName,
	"extensions.preciousobjects":    flagValue,
	"extensions.relativeworktrees":  flagValue,
	"user.name":                     nameValue,
	"user.email":                    nameValue,
	"author.name":                   nameValue,
	"author.email":                  nameValue,
	"committer.name":                nameValue,
	"committer.email":               nameValue,
	"branch.remote":                 remoteName,
	"branch.pushremote":             remoteName,
	"branch.merge":                  refValue,
	"remote.fetch":                  fetchValue,
	"remote.promisor":               flagValue,
	"remote.partialclonefilter":     filterValue,
}

// withSub are the sections that have subsections; the others have none.
var withSub = []string{"branch", "remote"}

// filterSettings keeps what a repository may choose. Addresses of remotes are
// kept for later judgement, without reaching git before.
func filterSettings(list []setting) (kept []setting, err error) {
	for _, s := range list {
		switch s.key() {
		case "remote.url", "remote.pushurl":
			if remoteName.MatchString(s.sub) && !strings.ContainsAny(s.value, "\x00\n") {
				kept = append(kept, s)
			}
			continue
		case "extensions.worktreeconfig", "extensions.noop":
			continue
		}
		pattern, ok := allowed[s.key()]
		if !ok && s.section == "extensions" {
			return nil, fail(facade.CodeUnsupported, ErrNotRepository, "the repository uses the extension '%s', which is not supported", s.name)
		}
		if !ok || !pattern.MatchString(s.value) || slices.Contains(withSub, s.section) != (s.sub != "") {
			continue
		}
		if s.section == "remote" && !remoteName.MatchString(s.sub) || s.section == "branch" && !gitrule.ValidBranch(s.sub) {
			continue
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// render writes settings as a configuration file.
func render(list []setting) string {
	name := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	value := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	var b strings.Builder
	for _, s := range list {
		b.WriteString("[" + s.section)
		if s.sub != "" {
			b.WriteString(` "` + name.Replace(s.sub) + `"`)
		}
		b.WriteString("]\n\t" + s.name + ` = "` + value.Replace(s.value) + "\"\n")
	}
	return b.String()
}
