package schema

import (
	"slices"
	"strings"
)

// use is what one action says about a member of its input or output.
type use struct {
	action   string
	text     string // its description
	required bool   // the action needs it, and the schema does not say so
	extra    string // constraints of this action alone, in words
}

// describeUses joins what the actions say about one member: each text once,
// followed by the actions it holds for, unless it holds for all of them.
func describeUses(uses []use, all []string) string {
	var parts []string
	for _, group := range grouped(uses, func(u use) string { return u.text }) {
		parts = append(parts, sentence(group, all))
	}
	return strings.Join(parts, " ")
}

// grouped splits uses by key in the order of first use.
func grouped(uses []use, key func(use) string) [][]use {
	var groups [][]use
	for _, u := range uses {
		i := slices.IndexFunc(groups, func(g []use) bool { return key(g[0]) == key(u) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], u)
	}
	return groups
}

// sentence renders uses with one text as "Text (read, write; required for
// write; read: default auto)."
func sentence(uses []use, all []string) string {
	var notes []string
	note := func(s string) {
		if s != "" {
			notes = append(notes, s)
		}
	}
	note(who(uses, all))
	note(needed(uses))
	for _, g := range grouped(uses, func(u use) string { return u.extra }) {
		switch extra := g[0].extra; {
		case extra == "":
		case len(g) == len(uses):
			note(extra)
		default:
			note(actionsOf(g) + ": " + extra)
		}
	}
	text := uses[0].text
	if len(notes) == 0 {
		return text
	}
	in := "(" + strings.Join(notes, "; ") + ")"
	if text == "" {
		return in
	}
	return strings.TrimSuffix(text, ".") + " " + in + "."
}

// who names the actions of uses, whichever way is shorter; "" when they are all
// there are.
func who(uses []use, all []string) string {
	var others []string
	for _, a := range all {
		if !slices.ContainsFunc(uses, func(u use) bool { return u.action == a }) {
			others = append(others, a)
		}
	}
	if len(others) == 0 {
		return ""
	}
	names, except := actionsOf(uses), "all but "+strings.Join(others, ", ")
	if len(except) < len(names) {
		return except
	}
	return names
}

// needed says which of the uses are required; "" when none is.
func needed(uses []use) string {
	var required []use
	for _, u := range uses {
		if u.required {
			required = append(required, u)
		}
	}
	switch len(required) {
	case 0:
		return ""
	case len(uses):
		return "required"
	}
	return "required for " + actionsOf(required)
}

func actionsOf(uses []use) string {
	var names []string
	for _, u := range uses {
		names = append(names, u.action)
	}
	return strings.Join(names, ", ")
}
