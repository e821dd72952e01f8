// Package sandbox contains child processes: what they can write, read, reach
// and leave behind.
//
// [Namespaces] uses Linux namespaces without any helper program, [Bubblewrap]
// the program bwrap, and [None] nothing. [Auto] picks the strongest that works
// here and fails when none does; nothing is ever weakened silently. Probe says
// what each of them holds, and how to get the rest.
package sandbox
