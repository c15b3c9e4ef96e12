#!/bin/sh
# file_killed.sh — what `killed` claims, with file://, which needs no server. Speaks TAP.
set -u
PLACE=file
export PLACE
exec "$(dirname "$0")/killed"
