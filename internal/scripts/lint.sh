#!/bin/sh
# Lints every module with the version pinned in tools/go.mod.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
bin=$root/.cache/golangci-lint
(cd tools && go build -o "$bin" github.com/golangci/golangci-lint/v2/cmd/golangci-lint)
status=0
for module in $(internal/scripts/modules.sh); do
	echo "lint $module"
	(cd "$module" && "$bin" run --allow-parallel-runners --config "$root/.golangci.yml" ./...) || status=1
done
exit $status
