#!/bin/sh
# Runs every fuzz target of every module for the given time (default 5s).
#   fuzz.sh 10m     the long run, see CONTRIBUTING.md
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
mkdir -p .cache
for module in $(internal/scripts/modules.sh); do
	cd "$root/$module"
	for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
		for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
			echo "$package $target"
			go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-5s}" "$package" >"$root/.cache/fuzz.log" 2>&1 || {
				cat "$root/.cache/fuzz.log"
				exit 1
			}
		done
	done
done
