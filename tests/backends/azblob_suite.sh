#!/bin/sh
# azblob_suite.sh — the claims about all backends (tests/unit/test_backend_suite.c) against a real server of Azure's blob storage. Speaks TAP.
# usage: SUITE=… azblob_suite.sh
set -u
[ -n "${TEST_STORE_PORT:-}" ] || exec "$(dirname "$0")/with-azblob" "$0"
CULUMI_SUITE_URL="azblob://box/%s?protocol=http&domain=127.0.0.1:$TEST_STORE_PORT"
export CULUMI_SUITE_URL
exec "$SUITE"
