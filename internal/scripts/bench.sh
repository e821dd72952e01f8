#!/bin/sh
# Runs the benchmarks: those of the packages, with allocations, then the ones
# that time other programs side by side and compare their output.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
go test -run '^$' -bench . -benchmem ./facade ./fsimpl ./fsimpl/rootfs
cd "$root/bench"
go test -v -count=1 -timeout 60m ./...
failed=0
go run ./files || failed=1
go run ./git || failed=1
go run ./sandbox || failed=1
go run ./python || failed=1
# TOOLFACADE_CORPUS names a directory of documents and reference texts.
go run ./documents -goals ${TOOLFACADE_CORPUS:+"$TOOLFACADE_CORPUS"} || failed=1
go run ./search || failed=1 # needs Debian's package linux-source
exit $failed
