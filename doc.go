// Package toolfacade gives an agent a complete, confined set of tools on one
// directory of the host:
//
//	tools, err := toolfacade.Open(dir, nil) // safe defaults
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
//   - sandbox, pyexec and termexec: code and commands, contained; runner has the
//     options that pyexec and termexec share; dispatch/nats,
//     a module of its own, runs their background tasks on other machines.
//   - llm, a module of its own: what needs a model, as describing images.
//   - docs: documents, read, indexed and searched; docs/pdf, docs/index/sqlite
//     and docs/index/postgres are modules of their own.
//   - fssync: two directory trees, kept alike.
//   - facade/access: who may do what, approval, limits, an audit log.
//   - facade/facadetest: conformance suites for implementations of your own.
//   - host/…: adapters that register a set with an agent framework, each a
//     module of its own.
//   - examples/quickstart shows all of it in a page; reference/ has every
//     action, parameter and result.
//
// Nothing is registered globally and nothing runs on import.
package toolfacade
