// Package termexec is the terminal tool: commands of the operating system run
// below a root, in a sandbox.
package termexec
