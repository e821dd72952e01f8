// Package ignore decides which files a .gitignore hides, exactly as git does:
// the last matching pattern of the deepest file wins, '!' shows again, '*' and
// '?' stop at '/', '**' between slashes spans directories, and a pattern with
// a '/' before its end is anchored at the directory of its file.
//
// Git never looks into a hidden directory, so nothing below one can be shown
// again; that part is the caller's walk. Letters are compared as given: the
// setting core.ignoreCase is not consulted.
package ignore
