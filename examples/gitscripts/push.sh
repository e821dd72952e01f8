#!/bin/sh
# Pushes after the tests of the project have passed. TEST_COMMAND, which the
# host sets when it registers the script, says how to run them; without it the
# usual command of the project's kind is used.
set -eu

if [ -z "${TEST_COMMAND:-}" ]; then
	if [ -f go.mod ]; then
		TEST_COMMAND='go test ./...'
	elif [ -f package.json ]; then
		TEST_COMMAND='npm test'
	elif [ -f Makefile ]; then
		TEST_COMMAND='make test'
	else
		echo "no TEST_COMMAND, and no go.mod, package.json or Makefile to guess it from" >&2
		exit 2
	fi
fi

# Tests that use git must not meet the variables that point to this repository.
echo "running: $TEST_COMMAND"
if ! (
	# shellcheck disable=SC2046 # these are names without blanks
	unset $(git rev-parse --local-env-vars)
	sh -c "$TEST_COMMAND"
); then
	echo "tests failed: nothing was pushed" >&2
	exit 1
fi

set -- --porcelain
if [ "$TOOLFACADE_DRY_RUN" = 1 ]; then set -- "$@" --dry-run; fi
if [ -n "$TOOLFACADE_LEASE" ]; then set -- "$@" --force-with-lease="$TOOLFACADE_LEASE"; fi
git push "$@" "$TOOLFACADE_REMOTE" "$TOOLFACADE_REFSPEC"
