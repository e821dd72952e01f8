// Package dfa finds the lines of a text that may match a regular expression,
// in one pass and at a cost per byte that does not depend on the expression.
//
// It is a filter: no line that matches is missed, but a line reported need not
// match: the filter is exact for ASCII lines without '\r' only.
//
// The automaton works on bytes. Its states are made when first needed and kept
// in a cache of bounded size; when an expression needs new states all the
// time, a matcher gives up.
package dfa
