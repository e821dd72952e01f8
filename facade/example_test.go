package facade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// notes is somebody's own service. Nothing in it knows of models.
type notes struct{ all []string }

type AddInput struct {
	Text     string `json:"text" description:"Text of the note." example:"buy milk"`
	Priority int    `json:"priority,omitempty" description:"How urgent it is." default:"3" min:"1" max:"5"`
}

type AddOutput struct {
	ID int `json:"id" description:"ID of the new note."`
}

func (n *notes) Add(_ context.Context, in AddInput) (AddOutput, error) {
	in = facade.Defaulted(in) // a Go caller's AddInput{Text: "x"} means priority 3 too
	n.all = append(n.all, fmt.Sprintf("%s (%d)", in.Text, in.Priority))
	return AddOutput{ID: len(n.all)}, nil
}

type ReadInput struct {
	ID int `json:"id" description:"ID of the note." min:"1"`
}

type ReadOutput struct {
	Text string `json:"text"`
}

func (n *notes) Read(_ context.Context, in ReadInput) (ReadOutput, error) {
	if in.ID > len(n.all) {
		return ReadOutput{}, facade.Errorf(facade.CodeNotFound, "no note %d", in.ID).
			WithHint("the notes are 1 to %d", len(n.all))
	}
	return ReadOutput{Text: n.all[in.ID-1]}, nil
}

// NoteAction is an action of the notes tool.
type NoteAction string

const (
	NoteAdd  NoteAction = "add"
	NoteRead NoteAction = "read"
)

func notesTool(n *notes) *facade.Tool {
	return facade.New("notes", "Keep notes.",
		facade.Bind(NoteAdd, facade.EffectWrite, "Add a note.", n.Add),
		facade.Bind(NoteRead, facade.EffectRead|facade.Idempotent, "Read a note.", n.Read))
}

// Any Go methods become a tool: one line each.
func ExampleNew() {
	tool := notesTool(&notes{})
	for _, args := range []string{
		`{"action":"add","text":"buy milk","priority":"1"}`,
		`{"action":"read","id":1}`,
		`{"action":"read","id":7}`,
		`{"action":"read","text":"milk"}`,
		`{"action":"erase"}`,
	} {
		r, err := tool.Call(context.Background(), facade.Call{Args: json.RawMessage(args)})
		if err != nil {
			fmt.Println(err) // the context ended
			return
		}
		fmt.Println(r.FullText())
	}
	// Output:
	// {"id":1}
	// note: priority: took string "1" as an integer
	// {"text":"buy milk (1)"}
	// error (not_found): no note 7
	// hint: the notes are 1 to 1
	// error (invalid_argument): 2 problems: field 'text' does not belong to action 'read'; it is taken by: add; field 'id' is required for action 'read'
	// hint: fields of 'read': id
	// error (unknown_action): unknown action 'erase' for notes tool; valid actions: add, read
}

// The actions of a tool carry what hosts want to know of them.
func ExampleBind() {
	for _, a := range notesTool(&notes{}).Actions() {
		fmt.Printf("%s (%v): %s\n", a.Name, a.Effect, a.Doc)
		for _, f := range a.Fields() {
			fmt.Printf("  %s %v, required %v, default %q\n", f.Name, f.Type, f.Required, f.Default)
		}
	}
	// Output:
	// add (write): Add a note.
	//   text string, required true, default ""
	//   priority int, required false, default "3"
	// read (read, idempotent): Read a note.
	//   id int, required true, default ""
}

// A host with its own loop needs nothing but Dispatch: it takes the names of
// tools and the granular names of actions alike.
func ExampleSet_Dispatch() {
	set := facade.NewSet([]*facade.Tool{notesTool(&notes{})}, nil)
	defer func() { _ = set.Close() }()
	show := func(s *facade.Set, name, args string) {
		r, err := s.Dispatch(context.Background(), name, facade.Call{ID: "call_1", Args: json.RawMessage(args)})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Text)
	}
	show(set, "notes", `{"action":"add","text":"a"}`)
	show(set, "notes_read", `{"id":1}`)
	show(set.View(facade.ReadOnly), "notes", `{"action":"add","text":"b"}`)
	show(set, "note", `{}`)
	// Output:
	// {"id":1}
	// {"text":"a (3)"}
	// error (unknown_action): unknown action 'add' for notes tool; valid actions: read
	// error (unknown_action): unknown tool 'note'; valid tools: notes
	// hint: did you mean 'notes'?
}

// A view shows a model less, or the same in other shapes. Dispatch refuses what
// it leaves out.
func ExampleSet_View() {
	set := facade.NewSet([]*facade.Tool{notesTool(&notes{})}, nil)
	defer func() { _ = set.Close() }()
	for _, v := range []struct {
		name  string
		views []facade.View
	}{
		{"all", nil},
		{"read-only", []facade.View{facade.ReadOnly}},
		{"without one action", []facade.View{facade.Deny("notes.add")}},
		{"split", []facade.View{facade.SplitReadWrite}},
		{"one tool per action", []facade.View{facade.Allow("notes.read", "notes.add"), facade.Granular}},
	} {
		fmt.Print(v.name, ":")
		for _, t := range set.View(v.views...).Tools() {
			fmt.Print(" ", t.Name(), " with")
			for _, a := range t.Actions() {
				fmt.Print(" ", a.Name)
			}
		}
		fmt.Println()
	}
	// Output:
	// all: notes with add read
	// read-only: notes with read
	// without one action: notes with read
	// split: notes_query with read notes_change with add
	// one tool per action: notes_add with add notes_read with read
}

// Subscribers see every call of a set, and of all its views.
func ExampleSet_Subscribe() {
	set := facade.NewSet([]*facade.Tool{notesTool(&notes{})}, nil)
	set.Subscribe(func(e facade.Event) {
		fmt.Printf("%s: %s.%s %s\n", e.Call, e.Tool, e.Action, e.Code)
	}, facade.EventCallFinished)
	call := facade.Call{ID: "call_1", Args: json.RawMessage(`{"action":"read","id":1}`)}
	if _, err := set.Dispatch(context.Background(), "notes", call); err != nil {
		fmt.Println(err)
	}
	if err := set.Close(); err != nil { // waits for the subscribers
		fmt.Println(err)
	}
	// Output:
	// call_1: notes.read not_found
}

// A middleware sees the decoded input and the effect, and may refuse.
func ExampleMiddleware() {
	audit := func(next facade.Handler) facade.Handler {
		return func(ctx context.Context, req *facade.Request) (any, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			out, err := next(ctx, req)
			fmt.Printf("audit: %s.%s (%v) %q\n", req.Tool, req.Action, req.Effect, facade.CodeOf(err))
			return out, err
		}
	}
	short := func(next facade.Handler) facade.Handler {
		return func(ctx context.Context, req *facade.Request) (any, error) {
			if in, ok := req.Input.(*AddInput); ok && len(in.Text) > 10 {
				return nil, facade.Errorf(facade.CodeDenied, "notes have at most 10 characters here")
			}
			return next(ctx, req)
		}
	}
	tool := notesTool(&notes{}).With(audit, short)
	for _, text := range []string{"buy milk", "buy milk, bread and cheese"} {
		args, err := json.Marshal(map[string]string{"action": "add", "text": text})
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := tool.Call(context.Background(), facade.Call{Args: args})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Text)
	}
	// Output:
	// audit: notes.add (write) ""
	// {"id":1}
	// audit: notes.add (write) "denied"
	// error (denied): notes have at most 10 characters here
}
