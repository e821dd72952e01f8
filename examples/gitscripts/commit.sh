#!/bin/sh
# Commits everything in the work tree. The message comes in a file, so that
# nothing in it is ever read by the shell.
set -eu

git add --all

set -- --file="$TOOLFACADE_MESSAGE_FILE" --cleanup=verbatim
if [ "$TOOLFACADE_AMEND" = 1 ]; then set -- "$@" --amend; fi
if [ "$TOOLFACADE_ALLOW_EMPTY" = 1 ]; then set -- "$@" --allow-empty; fi
if [ -n "$TOOLFACADE_AUTHOR" ]; then set -- "$@" --author="$TOOLFACADE_AUTHOR"; fi
git commit "$@"
