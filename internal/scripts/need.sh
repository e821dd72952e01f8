#!/bin/sh
# Installs the programs that a target needs and that are absent: Debian
# packages, with the rights at hand. Prints what it installs.
#   need.sh go | test | bench
set -eu

missing=""
need() { # program package
	command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

install_missing() {
	[ -n "$missing" ] || return 0
	echo "installing:$missing"
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "these packages are needed and cannot be installed here without apt-get:$missing" >&2
		exit 1
	fi
	sudo=""
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
	# shellcheck disable=SC2086 # a list of packages
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

if ! command -v go >/dev/null 2>&1; then
	echo "Go is needed: https://go.dev/dl" >&2
	exit 1
fi

case "${1:-go}" in
go) ;;
test | bench)
	need git git
	need python3 python3
	need gcc gcc # the race detector links with it
	need node nodejs
	need npm npm
	need bwrap bubblewrap
	need tesseract tesseract-ocr
	/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || missing="$missing python3-matplotlib"
	set -- "$1" /usr/lib/postgresql/*/bin/initdb # Debian keeps it out of PATH
	[ -x "$2" ] || need initdb postgresql
	[ "$1" = test ] || { need rg ripgrep; need fdfind fd-find; }
	;;
*)
	echo "usage: need.sh go | test | bench" >&2
	exit 2
	;;
esac
install_missing
