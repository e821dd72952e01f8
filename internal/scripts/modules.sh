#!/bin/sh
# Prints the folders of modules.txt.
set -eu
cd "$(dirname "$0")/../.."
grep -v '^#' modules.txt
