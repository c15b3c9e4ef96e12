#!/bin/sh
# gs_killed.sh — what `killed` claims, with gs://. Speaks TAP.
set -u
PLACE=gs
export PLACE
exec "$(dirname "$0")/killed"
