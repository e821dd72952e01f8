#!/bin/sh
# Every check of the project; see `make test`. Each step prints its name, and
# the first that fails ends the run.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
export TOOLFACADE_REQUIRE=1
modules=$(internal/scripts/modules.sh)

step() { printf '\n== %s %s\n' "$(date +%T)" "$*"; }

step "format, vet and build for every system"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; exit 1; }
mkdir -p .cache
(cd tools && go build -o "$root/.cache/crossvet" ./crossvet)
for module in $modules; do
	echo "$module"
	(cd "$module" && go vet ./... && "$root/.cache/crossvet" linux/arm64 darwin/arm64 windows/amd64)
done
for target in linux/arm64 darwin/arm64 windows/amd64; do
	echo "the server for $target"
	(cd examples/mcpserver && GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go build -o /dev/null .)
done

step "modules are tidy"
for module in $modules; do
	(cd "$module" && go mod tidy -diff)
done

step "lint"
internal/scripts/lint.sh

step "npm packages of the host tests"
[ ! -f host/mcp/testdata/js/package-lock.json ] || (cd host/mcp/testdata/js && npm ci --no-audit --no-fund --loglevel=error)

step "tests with the race detector"
status=0
for module in $modules; do
	(cd "$module" && go test -race -timeout 30m ./...) || status=1
done
[ $status = 0 ]

step "fuzz every target for a moment"
internal/scripts/fuzz.sh "${FUZZTIME:-5s}"

step "all checks passed"
