// Package nats runs background tasks on many machines over NATS JetStream.
//
// A [Store] is a [facade.TaskStore]: it submits, lists, cancels and reads tasks
// from any machine. A [Worker] runs them below a root directory of its own
// machine, in a sandbox. Between them stand a queue, the tasks' records, their
// output by byte offset, and leases that the workers renew.
//
// A task starts at most once. A worker claims it before it starts the program,
// and whoever looks at a task whose worker let its lease run out makes it
// [facade.TaskLost]: it is never run again silently. A worker that cannot renew
// its lease in time kills what it runs. Submitting with a key makes a retry by
// the host safe too.
//
// The workers' roots hold the same project, on a shared file system or as
// copies: NATS carries programs, input and output, not the files of the project.
// Whoever may publish on the connection may run programs on the workers, so the
// account that it uses should be theirs alone.
package nats
