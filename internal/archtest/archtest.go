// Package archtest holds the rules of the house that no compiler checks, as
// tests: who may import whom, how long a file may be, that packages and
// modules are described. It has no code of its own.
package archtest
