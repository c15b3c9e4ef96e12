#!/bin/sh
# hardening.sh — reads off the programs themselves that a release build is hardened. Speaks TAP.
# usage: PROGRAMS="PROGRAM…" hardening.sh
set -u
here=$(realpath "$(dirname "$0")")
world=$(mktemp -d /tmp/culumi-test-XXXXXX)
trap 'rm -rf "$world"' EXIT
reset() {
    : >"$world/out"
}
. "$here/../scenario/tap.sh"

# has PATTERN COMMAND… — a line of what the command prints matches.
has() {
    pattern=$1
    shift
    "$@" >"$world/out" 2>/dev/null
    grep -Eq -- "$pattern" "$world/out" || wrong "no '$pattern' in what $* prints"
    : >"$world/out"
}

case $(uname -m) in
x86_64) tracking=-fcf-protection=branch ;;
*) tracking=-mbranch-protection=bti ;;
esac

for program in $PROGRAMS; do
    name=$(basename "$program")

    begin "$name is loaded at a random address"
    has 'Type: +DYN' readelf -hW "$program"
    has 'FLAGS_1.*PIE' readelf -dW "$program"

    begin "$name has read-only tables of functions from the start"
    has 'GNU_RELRO' readelf -lW "$program"
    has 'FLAGS.*BIND_NOW' readelf -dW "$program"

    begin "$name cannot run code on its stack"
    has 'GNU_STACK .* RW +0x' readelf -lW "$program"

    begin "$name checks its stack frames"
    has '__stack_chk_fail' readelf --dyn-syms -W "$program"

    begin "$name checks the sizes of buffers"
    has '__[a-z]+_chk' readelf --dyn-syms -W "$program"

    # The compiler writes its options into the debug information.
    begin "$name touches every page by which its stack grows, and marks where an indirect branch may land"
    has '-fstack-clash-protection' readelf -p .debug_str "$program"
    has "$tracking" readelf -p .debug_str "$program"
done
plan
