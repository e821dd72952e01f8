package fssync

import (
	"maps"
	"path"
	"slices"

	"github.com/toolfacade/toolfacade/facade"
)

// step is one change to make: the file of one side becomes that of the other.
type step struct {
	path     string
	from, to *side
	sum      string // of the file to copy; "" to delete
	old      string // of the file that is replaced; "" for none
}

// plan is what a run has to do.
type plan struct {
	steps     []step
	conflicts []facade.SyncConflict
	// alike are the hashes of the files that both sides have alike; gone are the
	// paths remembered that neither side has.
	alike map[string]string
	gone  []string
	// settled is what is known again of files whose change a crash cut short.
	settled map[string]string
	// emptied is the side that has lost all of its files at once, "" for none.
	emptied string
	// temps are files on each side that a crash has left.
	temps [2][]string
}

// sides are what is compared: two trees and what they had in common.
type sides struct {
	source, target *side
	s, t           *tree
	base           map[string]string
}

// plan fills in p, in the order of paths.
func (x *sides) plan(p *plan, direction facade.SyncDirection) {
	paths := map[string]bool{}
	for _, m := range []map[string]string{x.s.files, x.t.files, x.base} {
		for name := range m {
			paths[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		x.compare(p, name, direction)
	}
}

// fewFiles is how many files may be gone at once before that looks like an
// accident.
const fewFiles = 20

// suspect notes a side that is empty now and that the other would follow: a disk
// that is not mounted looks like this.
func (x *sides) suspect(p *plan) {
	for _, side := range []struct {
		*side
		tree *tree
	}{{x.source, x.s}, {x.target, x.t}} {
		deletions := 0
		for _, st := range p.steps {
			if st.from == side.side && st.sum == "" {
				deletions++
			}
		}
		if len(side.tree.files) == 0 && deletions > fewFiles {
			p.emptied = side.name
		}
	}
}

func (x *sides) compare(p *plan, name string, direction facade.SyncDirection) {
	s, t, base := x.s.files[name], x.t.files[name], x.base[name]
	if odd := x.odd(name); odd != "" {
		if s != "" || t != "" {
			p.conflict(name, odd)
		}
		return
	}
	switch {
	case s == t && s == "":
		p.gone = append(p.gone, name)
	case s == t:
		p.alike[name] = s
	case base == t && base != "", t == "" && base == "":
		p.oneSided(step{name, x.source, x.target, s, t}, direction, facade.SyncToTarget)
	case base == s && base != "", s == "" && base == "":
		p.oneSided(step{name, x.target, x.source, t, s}, direction, facade.SyncToSource)
	case s == "":
		p.outlived(step{name, x.target, x.source, t, ""}, direction, facade.SyncToSource)
	case t == "":
		p.outlived(step{name, x.source, x.target, s, ""}, direction, facade.SyncToTarget)
	case base == "":
		p.conflict(name, "the sides hold different files, and it is not known which is newer")
	default:
		p.conflict(name, "changed on both sides")
	}
}

func (p *plan) conflict(name, reason string) {
	p.conflicts = append(p.conflicts, facade.SyncConflict{Path: name, Reason: reason})
}

// oneSided takes up a change that one side made, which travels in the direction
// way. Against the direction asked for, what the other side deleted is restored,
// what it changed or has alone is left.
func (p *plan) oneSided(st step, direction, way facade.SyncDirection) {
	switch {
	case direction == way || direction == facade.SyncBoth:
		p.steps = append(p.steps, st)
	case st.sum == "": // the side to change deleted it, so it gets it back
		p.steps = append(p.steps, step{st.path, st.to, st.from, st.old, ""})
	case st.old != "":
		p.conflict(st.path, "changed on the "+st.from.name+" only; synchronize "+string(way)+" or both")
	}
}

// outlived takes up a file that one side deleted and the other changed. A change
// cannot be had again and a deletion can, so the file comes back. It is
// also how somebody who reaches one side only settles a conflict: by deleting.
func (p *plan) outlived(st step, direction, way facade.SyncDirection) {
	if direction == way || direction == facade.SyncBoth {
		p.steps = append(p.steps, st)
		return
	}
	p.conflict(st.path, "deleted on the "+st.to.name+", changed on the "+st.from.name+"; synchronize "+string(way)+" or both to have it back")
}

// odd says what stands in the way of a file at name: something else at the same
// path, or a file where the other side has a directory.
func (x *sides) odd(name string) string {
	for _, side := range []struct {
		name        string
		this, other *tree
	}{{x.source.name, x.s, x.t}, {x.target.name, x.t, x.s}} {
		if what := side.this.odd[name]; what != "" {
			return "the " + side.name + " has " + what + " there"
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, file := side.this.files[dir]; file && side.other.odd[dir] != "" {
				return "the " + side.name + " has a file where its directory would be"
			}
			if what := side.this.odd[dir]; what != "" && what != "a directory" {
				return "the " + side.name + " has " + what + " where its directory would be"
			}
		}
	}
	return ""
}
