// Package pyexec is the python tool: code and scripts run by a Python
// interpreter below a root, in a sandbox, at once or in the background.
package pyexec
