package access

import (
	"strconv"
	"strings"
)

// patchPaths lists every path that a unified diff might name: more than it
// does rather than less, since a removed line "-- a" looks like a header.
func patchPaths(patch string) []string {
	var paths []string
	for line := range strings.SplitSeq(patch, "\n") {
		line = strings.TrimSuffix(line, "\r")
		for _, key := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to "} {
			if rest, ok := strings.CutPrefix(line, key); ok {
				paths = append(paths, patchName(rest)...)
			}
		}
		if rest, ok := strings.CutPrefix(line, "diff --git "); ok {
			paths = append(paths, gitHeader(rest)...)
		}
	}
	return paths
}

// gitHeader lists the names in "a/name b/name": a name may hold blanks, so each
// blank may be the one between.
func gitHeader(line string) []string {
	var paths []string
	for i := range len(line) {
		if line[i] != ' ' {
			continue
		}
		before, after := bare(line[:i]), bare(line[i+1:])
		if before == after || strings.HasPrefix(line, `"`) || strings.HasSuffix(line, `"`) {
			paths = append(paths, patchName(line[:i])...)
			paths = append(paths, patchName(line[i+1:])...)
		}
	}
	return paths
}

// patchName lists the readings of a name: with and without the time after a
// tab, with and without the prefix, quoted or not.
func patchName(name string) []string {
	stamped, _, _ := strings.Cut(name, "\t")
	var paths []string
	seen := map[string]bool{"": true, "/dev/null": true}
	for _, n := range []string{name, strings.TrimRight(stamped, " ")} {
		readings := []string{n, bare(n)}
		if plain, err := strconv.Unquote(n); err == nil {
			readings = []string{plain, bare(plain)}
		}
		for _, r := range readings {
			if !seen[r] {
				seen[r] = true
				paths = append(paths, r)
			}
		}
	}
	return paths
}

// bare takes off the prefix that diff programs put before a name.
func bare(name string) string {
	if len(name) > 2 && name[1] == '/' && strings.IndexByte("abiwco", name[0]) >= 0 {
		return name[2:]
	}
	return name
}
