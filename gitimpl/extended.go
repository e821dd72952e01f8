package gitimpl

import "github.com/toolfacade/toolfacade/facade"

var (
	_ facade.GitTools  = (*Extended)(nil)
	_ facade.GitExtras = (*Extended)(nil)
)

// Extended is a [Git] with the extra actions: show, blame, branches, switch,
// stash, conflicts and remotes.
type Extended struct{ *Git }

// Extended returns g with the extra actions. It shares everything with g;
// closing either closes both.
func (g *Git) Extended() *Extended { return &Extended{g} }
