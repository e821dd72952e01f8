package facade

import "strings"

// Effect says what an action may do to the world. Bits combine.
type Effect uint8

// The effects. Idempotent qualifies the others: repeating the call with the
// same arguments changes nothing more.
const (
	// EffectRead looks at something.
	EffectRead Effect = 1 << iota
	// EffectWrite changes something, if only by adding to it.
	EffectWrite
	// EffectExecute runs programs or code, which may do whatever contains them lets them.
	EffectExecute
	// EffectNetwork talks to other machines.
	EffectNetwork
	// EffectDestructive may replace or remove what was there, as the
	// destructiveHint of the Model Context Protocol has it: an edit of a file is
	// destructive, also where undo takes it back. To single out deletion, name the
	// action.
	EffectDestructive
	// Idempotent qualifies the effects above.
	Idempotent
)

// effectNames lists the printable effects in the order of their bits.
var effectNames = [...]string{"read", "write", "execute", "network", "destructive", "idempotent"}

// Has reports whether e includes every bit of other.
func (e Effect) Has(other Effect) bool { return e&other == other }

// ReadOnly reports whether an action with this effect only observes: it reads,
// and neither writes, executes nor destroys.
func (e Effect) ReadOnly() bool {
	return e.Has(EffectRead) && e&(EffectWrite|EffectExecute|EffectDestructive) == 0
}

// String lists the effects, as "write, destructive".
func (e Effect) String() string {
	var names []string
	for i, name := range effectNames {
		if e&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Effector is implemented by inputs whose effect depends on their values: a
// push with force, a document read by a remote model. It returns the effect of
// this call, given the one declared in [Bind].
type Effector interface {
	Effect(declared Effect) Effect
}
