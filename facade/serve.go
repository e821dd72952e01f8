package facade

import (
	"bytes"
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Call serves one call of a model. Whatever goes wrong inside, bad arguments,
// a refusal, a failure, even a panic, is in the result. The error is not nil
// only when the call failed and the context had ended; then it is the context's
// cause, and the result is there all the same.
//
// Every call publishes one [EventCallFinished]. [EventCallStarted] comes before
// it when the call reached the implementation, past all checks.
func (t *Tool) Call(ctx context.Context, call Call) (*Result, error) {
	start := time.Now()
	s := &scope{
		CallInfo: CallInfo{ID: call.ID, Session: call.Session, Tool: t.facade},
		emit:     call.Emit, bus: t.bus, budget: t.opts.OutputBudget,
	}
	ctx = context.WithValue(ctx, callKey{}, s)
	res := t.serve(ctx, s, call)
	if e := res.Error; e != nil {
		e.Tool, e.Action = t.facade, s.Action
		t.redact(e)
	}
	t.present(res, s)
	s.finish(res, start)
	if res.Error != nil && ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, nil
}

// finish publishes the end of the call.
func (s *scope) finish(res *Result, start time.Time) {
	e := Event{Type: EventCallFinished, Duration: time.Since(start)}
	if res.Error != nil {
		e.Code, e.Message = res.Error.Code, res.Error.Message
	}
	s.publish(e)
}

// serve decodes, validates and runs the call, and packs whatever comes out. No
// panic leaves it.
func (t *Tool) serve(ctx context.Context, s *scope, call Call) (res *Result) {
	res = &Result{budget: t.opts.OutputBudget}
	defer func() {
		if r := recover(); r != nil {
			res.Data, res.Error = nil, t.panicked(s, r)
		}
	}()
	req, notes, run, err := t.request(call, s)
	res.Notes = notes
	if err == nil {
		if err = ctx.Err(); err == nil {
			res.Data, err = run(ctx, req)
		}
	}
	if err != nil {
		res.Error = asError(err)
		ended(ctx, res.Error, err)
	}
	return res
}

// ended says of a failure after the end of ctx what it is: an operation that was
// cut short has many words for it.
func ended(ctx context.Context, e *Error, err error) {
	code := CodeOf(ctx.Err())
	switch {
	case ctx.Err() == nil, e.Code != CodeInternal && e.Code != code:
	case err == ctx.Err(): //nolint:errorlint // only the bare error says nothing more
		e.Code, e.Message = code, endedText(code)
	default:
		e.Code = code
	}
}

func endedText(code Code) string {
	if code == CodeTimeout {
		return "the time for the call ran out"
	}
	return "the call was canceled"
}

// present fills in the text form within the budget. The presenter is the
// implementation's too, so a panic in it is caught.
func (t *Tool) present(res *Result, s *scope) {
	defer func() {
		if r := recover(); r != nil {
			res.Data, res.Parts, res.Text = nil, nil, ""
			res.Error = t.panicked(s, r)
			res.Error.Tool, res.Error.Action = s.Tool, s.Action
			res.present()
			res.cut()
		}
	}()
	res.shorten()
	res.present()
	res.cut()
}

// panicked tells the host of a panic and returns what the model learns of it.
func (t *Tool) panicked(s *scope, recovered any) *Error {
	if t.opts.OnPanic != nil {
		stack := debug.Stack()
		func() {
			defer func() { _ = recover() }() // a listener's defect is not the caller's
			t.opts.OnPanic(t.facade, s.Action, recovered, stack)
		}()
	}
	return Errorf(CodeInternal, "the %s action failed unexpectedly; this is a defect of the tool", s.Action).
		WithHint("try another way; repeating the same call will fail again")
}

// request finds the action, decodes its input and validates it. The handler it
// returns runs the middlewares and then the method.
func (t *Tool) request(call Call, s *scope) (*Request, []string, Handler, error) {
	args, bad := parseArgs(call.Args)
	if bad != nil {
		return nil, nil, nil, bad
	}
	a, err := t.action(args)
	if err != nil {
		return nil, nil, nil, err
	}
	s.Action = a.Name
	d := decoder{tool: t, action: a}
	in := a.decode(&d, args)
	if err := d.err(); err != nil {
		return nil, d.notes, nil, err
	}
	if v, ok := in.(Validator); ok {
		if err := v.Validate(); err != nil {
			return nil, d.notes, nil, err
		}
	}
	req := &Request{Call: call, Tool: t.facade, Action: a.Name, Effect: a.Effect, Input: in}
	if e, ok := in.(Effector); ok {
		req.Effect = e.Effect(a.Effect)
	}
	run := func(ctx context.Context, req *Request) (any, error) {
		s.publish(Event{Type: EventCallStarted})
		return a.run(ctx, req.Input)
	}
	return req, d.notes, chain(chain(run, a.middleware), t.middleware), nil
}

// action returns the action that args name.
func (t *Tool) action(args []byte) (*Action, error) {
	// A second one is found when the members are decoded.
	var raw []byte
	for w := walk(args); raw == nil && w.next(); {
		if isAction(w.key) {
			raw = w.value
		}
	}
	switch {
	case (raw == nil || raw[0] == 'n') && t.fixed:
		return &t.actions[0], nil
	case raw == nil || raw[0] == 'n':
		e := InvalidArgument("action", "field 'action' is required for %s tool%s", t.name, t.valid())
		for w := walk(args); w.next(); {
			if key, err := unquote(w.key); err == nil && key != "action" && strings.EqualFold(key, "action") {
				e.Hint = "names are case-sensitive: 'action'"
			}
		}
		return nil, e
	case raw[0] != '"':
		return nil, InvalidArgument("action", "field 'action' must be a string, got %s%s", describe(raw), t.valid())
	}
	name, err := unquote(raw)
	if err != nil {
		return nil, InvalidArgument("action", "field 'action' %w", err)
	}
	if i, ok := t.byName[name]; ok {
		return &t.actions[i], nil
	}
	e := Errorf(CodeUnknownAction, "unknown action '%s' for %s tool%s", printable(name), t.name, t.valid())
	e.Field = "action"
	if near := meant(name, t.actionNames()); near != "" {
		e.Hint = "did you mean '" + near + "'?"
	}
	return nil, e
}

// isAction reports whether a quoted member name is "action", in any spelling.
func isAction(quoted []byte) bool {
	if string(quoted) == `"action"` {
		return true
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return false
	}
	key, err := unquote(quoted)
	return err == nil && key == "action"
}

func (t *Tool) valid() string {
	return "; valid actions: " + strings.Join(t.actionNames(), ", ")
}

// newRedactor returns what hides host paths, nil when there are none. The
// longest path goes first, so that one inside another is hidden whole.
func newRedactor(hostPaths []string) *strings.Replacer {
	var spellings []string
	for _, p := range hostPaths {
		p = strings.TrimRight(p, `/\`)
		if p == "" {
			continue
		}
		spellings = append(spellings, p)
		if strings.Contains(p, `\`) { // as %q and JSON write it, and as Go programs do
			spellings = append(spellings, strings.ReplaceAll(p, `\`, `\\`), strings.ReplaceAll(p, `\`, "/"))
		}
	}
	if len(spellings) == 0 {
		return nil
	}
	slices.SortStableFunc(spellings, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(spellings))
	for _, p := range spellings {
		pairs = append(pairs, p, "<root>")
	}
	return strings.NewReplacer(pairs...)
}

// redact removes host paths from the texts a model sees.
func (t *Tool) redact(e *Error) {
	if t.redactor == nil {
		return
	}
	e.Message = t.redactor.Replace(e.Message)
	e.Hint = t.redactor.Replace(e.Hint)
	e.Path = t.redactor.Replace(e.Path)
}
