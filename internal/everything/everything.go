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
		facade.Git(git{}),
		facade.Python(python{}),
		facade.Document(document{}),
		facade.Terminal(terminal{}),
		facade.Sync(synchronizer{}),
	}
}

// Core returns filesystem, git, python and document with the actions of their
// basic contracts: what a model gets of a host that wants few tokens.
func Core() []*facade.Tool {
	return []*facade.Tool{
		facade.Files(coreFiles{}),
		facade.Git(coreGit{}),
		facade.Python(python{}),
		facade.Document(document{}),
	}
}

// The types below have the methods of the interfaces in them, so that builders
// bind every action. The interfaces are nil: nothing ever calls them.

type coreFiles struct{ facade.FileTools }

type files struct {
	facade.FileTools
	facade.FileSearcher
	facade.FileEditor
	facade.FileMover
	facade.FileInformer
	facade.FileNavigator
	facade.FileJournal
}

type coreGit struct{ facade.GitTools }

type git struct {
	facade.GitTools
	facade.GitExtras
}

type python struct {
	facade.PythonTools
	facade.PythonTaskFeeder
}

type document struct{ facade.DocumentTools }

type terminal struct {
	facade.TerminalTools
	facade.TerminalTasks
}

type synchronizer struct{ facade.SyncTools }

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
