package access

import "github.com/toolfacade/toolfacade/facade"

// ByEffect has one value for each class of effect. A call may be in several
// classes, as a push, which writes and uses the network. One that declares no
// class counts as being in all of them.
type ByEffect[T any] struct {
	Read, Write, Execute, Network, Destructive T
}

// classes lists the effects that are classes, in the order of their bits.
var classes = [...]facade.Effect{
	facade.EffectRead, facade.EffectWrite, facade.EffectExecute, facade.EffectNetwork, facade.EffectDestructive,
}

// all lists the values in the order of classes.
func (b ByEffect[T]) all() [len(classes)]T {
	return [...]T{b.Read, b.Write, b.Execute, b.Network, b.Destructive}
}

// of lists the values for the classes of e.
func (b ByEffect[T]) of(e facade.Effect) []T {
	var values []T
	for _, i := range classesOf(e) {
		values = append(values, b.all()[i])
	}
	return values
}

// classesOf lists the indexes into classes that e has.
func classesOf(e facade.Effect) []int {
	var in, every []int
	for i, class := range classes {
		every = append(every, i)
		if e.Has(class) {
			in = append(in, i)
		}
	}
	if in == nil {
		return every
	}
	return in
}

// orElse returns b with the zero values replaced by those of other.
func orElse[T comparable](b, other ByEffect[T]) ByEffect[T] {
	pick := func(v, instead T) T {
		var zero T
		if v == zero {
			return instead
		}
		return v
	}
	return ByEffect[T]{
		Read: pick(b.Read, other.Read), Write: pick(b.Write, other.Write), Execute: pick(b.Execute, other.Execute),
		Network: pick(b.Network, other.Network), Destructive: pick(b.Destructive, other.Destructive),
	}
}
