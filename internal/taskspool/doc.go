// Package taskspool keeps background tasks in a directory, so that they outlive
// the host that started them and a later host finds them: what they write, how
// they ended, and a way to feed and to kill them.
//
// Each task has a supervisor, a small Python program that is the parent of the
// task's program, drains its output into files and writes down its end. The
// host is not needed for any of it. See design/0021-background-tasks.md.
//
// It works on Linux for amd64 and arm64.
package taskspool
