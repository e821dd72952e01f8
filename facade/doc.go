// Package facade holds the contracts of every tool and the dispatch between a
// model's JSON and plain Go methods. It imports the standard library only.
//
// A [Tool] is an ordered list of actions. Each [Action] is made by [Bind] from
// a name, an [Effect], one line of documentation and an ordinary method
//
//	func (f *Files) Read(ctx context.Context, in facade.ReadInput) (facade.ReadOutput, error)
//
// whose input and output types are inferred. Decoder, schema, access checks,
// events, host annotations and the generated reference all read that one list,
// so they cannot drift apart.
//
// # One call
//
// [Tool.Call] looks at "action", decodes the remaining members exactly (see
// [Field] for the struct tags it obeys), validates, runs the middlewares and
// then the method, and returns a [Result]. What goes wrong inside a call is
// part of the result ([Result.Error]): the model can read it and act. A Go
// error means that the host misused the library or that the context ended.
//
// # Contracts
//
// Every tool has a small required interface and optional ones found by
// assertion, so a partial implementation yields a tool with a smaller action
// enum: [FileTools], [GitTools], [PythonTools], [DocumentTools],
// [TerminalTools] and [SyncTools]. Package facadetest checks implementations.
//
// # Compatibility
//
// Action names, parameters, result fields and error codes are stable within a
// major version. Message texts, hints and the layout of [Result.Text] are
// written for people and models and may change at any time.
package facade
