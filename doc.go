// Package toolfacade gives an agent a complete, confined set of tools on one
// directory of the host:
//
//	tools, err := toolfacade.Open("path/to/project", nil)
//	if err != nil {
//		return err
//	}
//	defer tools.Close()
//	result, err := tools.Dispatch(ctx, "filesystem", facade.Call{Args: argsFromTheModel})
//
// The map of the house:
//
//   - facade: the contracts (FileTools and the others), dispatch, results,
//     errors, events. Start reading there.
//   - schema: the JSON Schema of a tool for each model provider.
//   - fsimpl: the filesystem tool on any afero.Fs; fsimpl/rootfs confines one
//     to a directory.
//   - gitimpl: the git tool on the git program.
//   - sandbox, pyexec and termexec: code and commands, contained.
//   - docs: documents, read, indexed and searched.
//   - facade/facadetest: conformance suites for implementations of your own.
//   - host/…: adapters that register a set with an agent framework, each a
//     module of its own.
//   - examples/quickstart shows all of it in a page; reference/ has every
//     action, parameter and result.
//
// Nothing is registered globally and nothing runs on import.
package toolfacade
