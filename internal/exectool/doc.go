// Package exectool is what the python and the terminal tool share: programs
// started below a root and inside a sandbox, as tasks that can be waited for,
// read, fed and killed. Their contracts have the same shapes, so it speaks in
// those of the python tool.
package exectool
