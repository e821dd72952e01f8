// Package transcript holds conversations with the tools that anyone can read:
// testdata/*.txtar has files, the calls a model makes, and the text that it
// gets. Its test plays them; -update writes the text anew.
package transcript
