#!/bin/sh
# Runs every fuzz target of every module for the given time (default 5s).
#   fuzz.sh 10m     the long run, see CONTRIBUTING.md
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
mkdir -p .cache
for file in $(git ls-files -co --exclude-standard '*_test.go' | xargs grep -l '^func Fuzz'); do
	cd "$root/$(dirname "$file")"
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$root/$file"); do
		echo "$(dirname "$file") $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-5s}" . >"$root/.cache/fuzz.log" 2>&1 || {
			cat "$root/.cache/fuzz.log"
			exit 1
		}
	done
done
