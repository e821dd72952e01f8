package access

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// PolicyOptions tune a policy. nil and the zero value mean the defaults.
type PolicyOptions struct {
	// Default is the verdict for calls without a rule, by class of effect; a call
	// in several classes gets the strictest. Zero values mean Allow for reading,
	// and Ask for writing, executing, the network and destroying.
	Default ByEffect[Verdict]
	// Approver answers for a person when the verdict is Ask. Without one, such
	// calls fail with [facade.CodeNeedsApproval].
	Approver Approver
	// ApprovalTimeout is how long the approver may take; then it has refused.
	// 0 means [DefaultApprovalTimeout].
	ApprovalTimeout time.Duration
	// Roots are absolute paths that mean the root, as a host's "/srv/project".
	// An absolute path below none of them is matched by rules that ask or deny
	// as if it could start anywhere, and by none that allows. "/" says that all
	// absolute paths start at the root.
	Roots []string
}

// Policy decides about calls: deny before ask before allow, whatever the order
// of the rules. It is safe for concurrent use.
type Policy struct {
	rules    []rule // the strictest first
	defaults ByEffect[Verdict]
	roots    []string
	dirs     map[string]*navigator // by facade
	byPath   bool
	approval approval
}

// NewPolicy returns a policy for the tools of a set, or of a view that keeps
// the facades' names. A rule that names a tool or action that the set has not,
// a malformed pattern and a rule without any condition are errors.
//
// Where a tool has a current directory (action cd), the policy asks it by its
// action pwd, which therefore has to be in the set. A cd waits for the calls
// of its session that the policy has let through, so that none of them means
// another file than was decided about.
func NewPolicy(set *facade.Set, rules []Rule, opts *PolicyOptions) (*Policy, error) {
	if opts == nil {
		opts = &PolicyOptions{}
	}
	p := &Policy{
		defaults: orElse(opts.Default, ByEffect[Verdict]{Read: Allow, Write: Ask, Execute: Ask, Network: Ask, Destructive: Ask}),
		approval: newApproval(opts),
	}
	for _, v := range p.defaults.all() {
		if v > Deny {
			return nil, fmt.Errorf("access: the default verdict is %d; it must be Allow, Ask or Deny", v)
		}
	}
	for _, root := range opts.Roots {
		if !isAbs(root) {
			return nil, fmt.Errorf("access: the root %q is not absolute", root)
		}
		p.roots = append(p.roots, path.Clean(strings.ReplaceAll(root, `\`, "/")))
	}
	tools := actionsOf(set)
	for i, r := range rules {
		c, err := compile(i, r, tools)
		if err != nil {
			return nil, err
		}
		p.byPath = p.byPath || len(c.globs) > 0
		p.rules = append(p.rules, c)
	}
	slices.SortStableFunc(p.rules, func(a, b rule) int { return int(b.Verdict) - int(a.Verdict) })
	var err error
	p.dirs, err = navigators(set)
	return p, err
}

// actionsOf lists the actions of each facade.
func actionsOf(set *facade.Set) map[string][]string {
	tools := map[string][]string{}
	for _, t := range set.Tools() {
		for _, a := range t.Actions() {
			tools[t.Facade()] = append(tools[t.Facade()], a.Name)
		}
	}
	return tools
}

// Ruling is what a policy says about one call.
type Ruling struct {
	// Verdict is never the zero value.
	Verdict Verdict
	// Rule is the name of the rule that decided, or "default".
	Rule string
	// Path is the one that made a rule hold; "" when none did.
	Path string
}

// Decide returns the ruling about a call without asking anybody: what
// [Policy.Middleware] goes by. dir is the current directory of the call's
// session, relative to the root.
func (p *Policy) Decide(req *facade.Request, dir string) Ruling {
	resources := Resources(req.Input)
	var wide [][]place
	if p.byPath {
		for _, res := range resources {
			wide = append(wide, spellings(res.Path, dir, p.roots))
		}
	}
	var allowing []*rule
	for i := range p.rules {
		r := &p.rules[i]
		switch {
		case !r.selects(req):
		case r.Verdict == Allow:
			allowing = append(allowing, r)
		case len(r.globs) == 0:
			return Ruling{Verdict: r.Verdict, Rule: r.Name}
		default:
			for k, res := range resources {
				if r.reaches(res, wide[k]) {
					return Ruling{Verdict: r.Verdict, Rule: r.Name, Path: res.Path}
				}
			}
		}
	}
	if name, ok := p.allowed(resources, dir, allowing); ok {
		return Ruling{Verdict: Allow, Rule: name}
	}
	return Ruling{Verdict: slices.Max(p.defaults.of(req.Effect)), Rule: "default"}
}

// allowed looks for rules that together cover every path, and returns the name
// of the first.
func (p *Policy) allowed(resources []Resource, dir string, rules []*rule) (string, bool) {
	for _, r := range rules {
		if len(r.globs) == 0 {
			return r.Name, true
		}
	}
	name := ""
	for _, res := range resources {
		places := meanings(res.Path, dir, p.roots)
		i := slices.IndexFunc(rules, func(r *rule) bool { return r.allows(places) })
		if i < 0 {
			return "", false
		}
		if name == "" {
			name = rules[i].Name
		}
	}
	return name, name != ""
}

// Middleware enforces the policy; pass the method value to [facade.Set.With].
func (p *Policy) Middleware(next facade.Handler) facade.Handler {
	return func(ctx context.Context, req *facade.Request) (any, error) {
		nav := p.dirs[req.Tool]
		dir, err := nav.current(ctx, req.Call.Session)
		if err != nil {
			return nil, facade.Errorf(facade.CodeDenied, "the current directory is not known, so nothing can be decided: %w", err)
		}
		ruling := p.Decide(req, dir)
		note(ctx, ruling.Verdict.String(), ruling.Rule)
		switch ruling.Verdict {
		case Allow:
		case Ask:
			if err := p.approval.ask(ctx, req, ruling, dir); err != nil {
				return nil, err
			}
		default:
			return nil, denied(ruling)
		}
		if nav == nil || ruling.Verdict == Allow && !p.byPath && !changesDir(req) {
			return next(ctx, req)
		}
		return nav.within(ctx, req, dir, next)
	}
}

func denied(r Ruling) *facade.Error {
	by := "by rule '" + r.Rule + "'"
	if r.Rule == "default" {
		by = "by default"
	}
	e := facade.Errorf(facade.CodeDenied, "the host's policy refuses this call %s", by)
	if r.Path == "" {
		return e.WithHint("work without this action; only the host can change the policy")
	}
	return e.WithPath(shownPath(r.Path)).
		WithHint("work on other paths; a call on a directory above a refused path is refused too")
}
