#!/bin/sh
# Prints the folders of modules.txt; "all" includes the linters' own module.
set -eu
cd "$(dirname "$0")/../.."
grep -v '^#' modules.txt | if [ "${1:-}" = all ]; then cat; else grep -v '^tools$'; fi
