// Package search finds the lines of files that match a pattern.
//
// A pattern is a regular expression in the syntax of RE2, or plain text.
// Without [Options.Multiline] it is compared with each line alone, without its
// line ending ("\n" or "\r\n"), so that ^, $, \s and [^x] never reach into
// another line. What the package reports is what package regexp finds on that
// line; literal prefilters and an automaton only choose the lines it has to
// look at.
//
// Files are read in pieces. The memory used does not depend on the size of a
// file nor on the length of its lines.
package search
