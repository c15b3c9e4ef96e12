# made.sh — the frame of claims about what make makes, for scripts that source it: $top is this checkout, $world a folder of their own.
here=$(realpath "$(dirname "$0")")
top=$(realpath "$here/../..")
world=$(mktemp -d /tmp/culumi-test-XXXXXX)
trap 'rm -rf "$world"' EXIT
reset() {
    : >"$world/out"
}
. "$here/../scenario/tap.sh"

# make_in FOLDER TARGET… — out of the reach of the make that runs this.
make_in() {
    folder=$1
    shift
    env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$folder" "$@" >"$world/out" 2>&1
    code=$?
}
