#!/bin/sh
# azblob_killed.sh — what `killed` claims, with azblob://. Speaks TAP.
set -u
PLACE=azblob
export PLACE
exec "$(dirname "$0")/killed"
