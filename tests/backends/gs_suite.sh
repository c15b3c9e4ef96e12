#!/bin/sh
# gs_suite.sh — the claims about all backends (tests/unit/test_backend_suite.c) against a real server of Google Cloud Storage. Speaks TAP.
# usage: SUITE=… gs_suite.sh
set -u
[ -n "${STORAGE_EMULATOR_HOST:-}" ] || exec "$(dirname "$0")/with-gs" "$0"
CULUMI_SUITE_URL=gs://bucket/%s
export CULUMI_SUITE_URL
exec "$SUITE"
