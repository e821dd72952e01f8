// Package host is what the adapters in the folders below have in common: the
// tools of a set as one dialect wants them defined, and a result as a host
// gives it back to its model. An adapter of your own takes a page:
//
//	tools, err := host.Tools(set, schema.OpenAI)
//	… // register each Tool's Name, Description and Input
//	reply, err := host.Dispatch(ctx, set, host.Call{ID: id, Name: name, Args: args}, host.TextOnly)
//	… // send reply.Text, marked as failed when reply.Failed
//
// # Failures
//
// Whatever goes wrong in a tool is a [Reply] for the model to read, and
// Reply.Text says so by itself, because half of the hosts have no mark for a
// failure. An error is returned only when the context ended: it is the one
// reason to stop a run.
//
// # Sessions
//
// What a tool remembers between calls, the current directory, the undo history
// and the tasks, belongs to the session that the context names. An agent that
// serves several conversations runs each one under its own:
//
//	ctx = facade.WithSession(ctx, conversation, nil)
package host
