package access

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Verdict is what a rule, a policy or an approver says about a call. The zero
// value says nothing.
type Verdict uint8

// The verdicts, from the mildest to the strictest.
const (
	// Allow lets the call through.
	Allow Verdict = iota + 1
	// Ask lets the call through once the approver agrees. Said by an approver it
	// means "not now": the answer will come later.
	Ask
	// Deny refuses the call.
	Deny
)

// String returns "allow", "ask" or "deny".
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "undecided"
}

// Rule says what to do with some calls. A call has to fit all of Calls, Effects
// and Paths that are set; a rule with none of them is an error.
type Rule struct {
	// Name identifies the rule in refusals and in the audit log. Empty means
	// its verdict and its place in the list, as "deny #2".
	Name string
	// Verdict is what the rule says: [Allow], [Ask] or [Deny].
	Verdict Verdict
	// Calls are tools, as "git", and actions, as "git.push". Empty means all.
	Calls []string
	// Effects are those of which the call has at least one; 0 means any.
	Effects facade.Effect
	// Paths are patterns with '*', '?', '[…]' within a name and '**' for any
	// number of directories. One without '/' fits a name at any depth, one that
	// starts with '/' starts at the root, as does any other. A pattern covers
	// what it fits and everything below.
	//
	// A rule that asks or denies holds when one path of the call may be covered,
	// in any spelling that some file system takes for the same; one that allows,
	// when every path is, exactly: each by this rule or by another that allows.
	// A call that names no path fits no rule with Paths.
	Paths []string
	// NamedOnly makes a rule that asks or denies look at the paths that a call
	// names, and not at what it may reach below them. Without it a rule on "*.key"
	// holds for a grep of the whole root, and for every program that is run;
	// with it such a call can show or change what the rule is about. Of other
	// people's tools it is not known what they reach, so it is all below their
	// paths, until their inputs are a [ResourceLister].
	NamedOnly bool
}

// rule is a checked Rule.
type rule struct {
	Rule
	globs []glob
}

// compile checks a rule against the tools there are.
func compile(i int, r Rule, tools map[string][]string) (rule, error) {
	c := rule{Rule: r}
	if c.Name == "" {
		c.Name = fmt.Sprintf("%s #%d", r.Verdict, i+1)
	}
	fail := func(format string, args ...any) (rule, error) {
		return rule{}, fmt.Errorf("access: rule %q: %w", c.Name, fmt.Errorf(format, args...))
	}
	switch {
	case r.Verdict < Allow || r.Verdict > Deny:
		return fail("the verdict is %d; it must be Allow, Ask or Deny", r.Verdict)
	case len(r.Calls) == 0 && r.Effects == 0 && len(r.Paths) == 0:
		return fail("it selects nothing, so it would hold for everything; use the defaults of the policy for that")
	case r.NamedOnly && (r.Verdict == Allow || len(r.Paths) == 0):
		return fail("NamedOnly is for rules that ask or deny by Paths")
	}
	if r.Effects != 0 && !slices.ContainsFunc(classes[:], func(e facade.Effect) bool { return r.Effects.Has(e) }) {
		return fail("the effects %q are no class", r.Effects)
	}
	for _, call := range r.Calls {
		if err := known(call, tools); err != nil {
			return fail("%w", err)
		}
	}
	for _, p := range r.Paths {
		g, err := newGlob(p)
		if err != nil {
			return fail("%w", err)
		}
		c.globs = append(c.globs, g)
	}
	return c, nil
}

// known checks the name of a tool or an action.
func known(call string, tools map[string][]string) error {
	tool, action, dotted := strings.Cut(call, ".")
	actions, ok := tools[tool]
	switch {
	case !ok:
		names := make([]string, 0, len(tools))
		for name := range tools {
			names = append(names, name)
		}
		slices.Sort(names)
		return fmt.Errorf("there is no tool %q in %q; tools: %s", tool, call, strings.Join(names, ", "))
	case dotted && !slices.Contains(actions, action):
		return fmt.Errorf("tool %q has no action %q; actions: %s", tool, action, strings.Join(actions, ", "))
	}
	return nil
}

// selects reports whether the rule is about such a call, paths aside.
func (r *rule) selects(req *facade.Request) bool {
	if len(r.Calls) > 0 && !slices.Contains(r.Calls, req.Tool) && !slices.Contains(r.Calls, req.Tool+"."+req.Action) {
		return false
	}
	if r.Effects == 0 {
		return true
	}
	for _, i := range classesOf(req.Effect) {
		if r.Effects.Has(classes[i]) {
			return true
		}
	}
	return false
}

// reaches reports whether the rule holds for one of the places that a path may
// mean.
func (r *rule) reaches(res Resource, places []place) bool {
	for _, g := range r.globs {
		for _, p := range places {
			covers, below := match(g.exact, p.parts, p.floating)
			foldedCovers, foldedBelow := match(g.folded, foldAll(p.parts), p.floating)
			if covers || foldedCovers || (below || foldedBelow) && res.Tree && !r.NamedOnly {
				return true
			}
		}
	}
	return false
}

// allows reports whether the rule covers every place that a path may mean.
func (r *rule) allows(places []place) bool {
	for _, p := range places {
		if p.floating || !slices.ContainsFunc(r.globs, func(g glob) bool {
			covers, _ := match(g.exact, p.parts, false)
			return covers
		}) {
			return false
		}
	}
	return true
}
