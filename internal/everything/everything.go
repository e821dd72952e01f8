// Package everything builds every tool of the library with all its actions,
// for generators and tests that look at contracts rather than at
// implementations. There are none behind the tools: call them through
// [Answered] only.
package everything

import (
	"context"
	"reflect"

	"github.com/toolfacade/toolfacade/facade"
)

// Tools returns every tool with every action. A new tool is one line here and
// one type below.
func Tools() []*facade.Tool {
	return []*facade.Tool{
		facade.Files(files{}),
	}
}

// Original returns the tools with the actions that every implementation has.
func Original() []*facade.Tool {
	return []*facade.Tool{
		facade.Files(originalFiles{}),
	}
}

// The types below have the methods of the interfaces in them, so that builders
// bind every action. The interfaces are nil: nothing ever calls them.

type originalFiles struct{ facade.FileTools }

type files struct {
	facade.FileTools
	facade.FileSearcher
	facade.FileEditor
	facade.FileMover
	facade.FileInformer
	facade.FileNavigator
	facade.FileJournal
}

// Answered returns a copy of t whose calls are decoded and validated as always
// and then answered by answer, in place of an implementation.
func Answered(t *facade.Tool, answer facade.Handler) *facade.Tool {
	return t.With(func(facade.Handler) facade.Handler { return answer })
}

// empty answers with the zero value of the action's output.
func empty(t *facade.Tool) facade.Handler {
	outputs := map[string]reflect.Type{}
	for _, a := range t.Actions() {
		outputs[a.Name] = a.Out
	}
	return func(_ context.Context, req *facade.Request) (any, error) {
		return reflect.Zero(outputs[req.Action]).Interface(), nil
	}
}
