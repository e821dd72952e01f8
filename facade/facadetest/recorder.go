package facadetest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// Events collects events. Hand its Emit to [facade.Call], [facade.WithSession]
// or [facade.Set.Subscribe]. The zero value is ready to use, by several
// goroutines too.
type Events struct {
	mu   sync.Mutex
	all  []facade.Event
	more chan struct{} // closed and replaced when an event arrives
}

// Emit takes an event.
func (e *Events) Emit(ev facade.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ev)
	if e.more != nil {
		close(e.more)
		e.more = nil
	}
}

// All returns the events so far, in their order.
func (e *Events) All() []facade.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.all)
}

// Of returns the events so far that have one of the types.
func (e *Events) Of(types ...facade.EventType) []facade.Event {
	return slices.DeleteFunc(e.All(), func(ev facade.Event) bool { return !slices.Contains(types, ev.Type) })
}

// Paths returns the paths of the events so far that have the type.
func (e *Events) Paths(t facade.EventType) []string {
	var out []string
	for _, ev := range e.Of(t) {
		out = append(out, ev.Path)
	}
	return out
}

// Reset forgets the events so far.
func (e *Events) Reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = nil
}

// Wait returns once there are n events of the types, or of any type when none
// is given, and reports whether that happened before the limit.
func (e *Events) Wait(n int, limit time.Duration, types ...facade.EventType) bool {
	timeout := time.After(limit)
	for {
		e.mu.Lock()
		if e.more == nil {
			e.more = make(chan struct{})
		}
		more := e.more
		e.mu.Unlock()
		have := len(e.All())
		if len(types) > 0 {
			have = len(e.Of(types...))
		}
		if have >= n {
			return true
		}
		select {
		case <-more:
		case <-timeout:
			return false
		}
	}
}

// FilesCall is one call that [FakeFiles] received.
type FilesCall struct {
	// Action is the method called.
	Action facade.FileAction
	// Session is the session on whose behalf.
	Session string
	// Input is the method's input struct, as facade.ReadInput.
	Input any
}

// FakeFiles is a [facade.FileTools] without files: it records its calls and
// answers as told. The zero value answers everything with an empty output. It
// is safe for concurrent use.
type FakeFiles struct {
	// Answer, when not nil, makes the reply to a call: the method's output
	// struct, as facade.ReadOutput, or nil for an empty one; and an error. Set
	// it before the first call.
	Answer func(ctx context.Context, call FilesCall) (output any, err error)

	mu    sync.Mutex
	calls []FilesCall
}

var _ facade.FileTools = (*FakeFiles)(nil)

// Calls returns the calls so far, in their order.
func (f *FakeFiles) Calls() []FilesCall {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

func fake[Out any](ctx context.Context, f *FakeFiles, action facade.FileAction, in any) (Out, error) {
	call := FilesCall{Action: action, Session: facade.Info(ctx).Session, Input: in}
	f.mu.Lock()
	f.calls = append(f.calls, call)
	f.mu.Unlock()
	var out Out
	if f.Answer == nil {
		return out, nil
	}
	answer, err := f.Answer(ctx, call)
	if answer != nil {
		out = answer.(Out)
	}
	return out, err
}

// List implements [facade.FileReader].
func (f *FakeFiles) List(ctx context.Context, in facade.ListInput) (facade.ListOutput, error) {
	return fake[facade.ListOutput](ctx, f, facade.FileList, in)
}

// Find implements [facade.FileReader].
func (f *FakeFiles) Find(ctx context.Context, in facade.FindInput) (facade.FindOutput, error) {
	return fake[facade.FindOutput](ctx, f, facade.FileFind, in)
}

// Read implements [facade.FileReader].
func (f *FakeFiles) Read(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error) {
	return fake[facade.ReadOutput](ctx, f, facade.FileRead, in)
}

// Create implements [facade.FileWriter].
func (f *FakeFiles) Create(ctx context.Context, in facade.CreateInput) (facade.CreateOutput, error) {
	return fake[facade.CreateOutput](ctx, f, facade.FileCreate, in)
}

// Write implements [facade.FileWriter].
func (f *FakeFiles) Write(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
	return fake[facade.WriteOutput](ctx, f, facade.FileWrite, in)
}

// Delete implements [facade.FileWriter].
func (f *FakeFiles) Delete(ctx context.Context, in facade.DeleteInput) (facade.DeleteOutput, error) {
	return fake[facade.DeleteOutput](ctx, f, facade.FileDelete, in)
}

// Modify implements [facade.FileWriter].
func (f *FakeFiles) Modify(ctx context.Context, in facade.ModifyInput) (facade.ModifyOutput, error) {
	return fake[facade.ModifyOutput](ctx, f, facade.FileModify, in)
}

// Replace implements [facade.FileWriter].
func (f *FakeFiles) Replace(ctx context.Context, in facade.ReplaceInput) (facade.ReplaceOutput, error) {
	return fake[facade.ReplaceOutput](ctx, f, facade.FileReplace, in)
}
