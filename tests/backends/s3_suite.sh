#!/bin/sh
# s3_suite.sh — the claims about all backends (tests/unit/test_backend_suite.c) against a real server of S3. Speaks TAP.
# usage: SUITE=… s3_suite.sh
set -u
[ -n "${TEST_STORE_PORT:-}" ] || exec "$(dirname "$0")/with-s3" "$0"
CULUMI_SUITE_URL="$TEST_STORE_URL/%s$TEST_STORE_QUERY&endpoint=http://127.0.0.1:$TEST_STORE_PORT"
export CULUMI_SUITE_URL
exec "$SUITE"
