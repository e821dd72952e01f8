package facade

import (
	"context"
	"reflect"
)

// Action is one entry of a tool's action enum, bound to an implementation.
// Make one with [Bind]; treat it as read-only.
type Action struct {
	// Name is the value of "action" in a call.
	Name string
	// Doc says in a line what the action does, for the model.
	Doc string
	// Effect is what the action may do; an input that is an [Effector]
	// refines it for one call.
	Effect Effect
	// In and Out are the struct types of input and output.
	In, Out reflect.Type

	decode func(d *decoder, args []byte) any
	run    func(ctx context.Context, in any) (any, error)
	// middleware is that of a granular tool whose action was put back into its
	// facade; it runs inside the tool's own.
	middleware []Middleware
}

// Bind ties a name to a method. In and Out, both structs, are inferred from
// it; [Field] has the struct tags of In. Bind panics when one is malformed: that
// is a programming error.
func Bind[Name ~string, In, Out any](
	name Name, effect Effect, doc string, method func(context.Context, In) (Out, error),
) Action {
	plan := planOf(reflect.TypeFor[In]())
	return Action{
		Name: string(name), Doc: doc, Effect: effect,
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		decode: func(d *decoder, args []byte) any {
			in := new(In)
			d.object(plan, args, reflect.ValueOf(in).Elem(), "")
			return in
		},
		run: func(ctx context.Context, in any) (any, error) {
			out, err := method(ctx, *in.(*In))
			if err != nil && reflect.ValueOf(&out).Elem().IsZero() {
				return nil, err
			}
			return out, err
		},
	}
}

// Fields lists the parameters of the action in the order of its input struct.
func (a Action) Fields() []Field { return Fields(a.In) }

// Validator is implemented by inputs with rules that struct tags cannot say:
// one of two fields, a range whose start is after its end. The error should be
// an [InvalidArgument]. It runs after decoding, before any middleware.
type Validator interface {
	Validate() error
}
