#!/bin/sh
# system.sh — how the command line lives with the system around it: modes of files, signals, processes, limits. Speaks TAP.
# usage: CLI=… SCRIPTED=… system.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"

reset() {
    rm -rf "$world/home" "$world/state" "$world/run/cloud.json" "$world/proj"
    mkdir -p "$world/state" "$world/proj"
    printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
    cd "$world/proj" || exit 1
    run stack init dev
    exits 0
}

mkdir -p "$world/bin" "$world/run"
ln -s "$scripted" "$world/bin/pulumi-language-script"
ln -s "$scripted" "$world/bin/pulumi-resource-pkg"

# program JSON — what the program does from now on.
program() {
    printf '%s' "$1" >"$world/run/program.json"
}
one='[{"resource":"a","type":"pkg:index:Res","props":{"x":1}}]'

# --- modes of files ---

begin "what is written is for its owner alone, and what was there keeps its mode"
program "$one"
former=$(umask)
umask 022
run config set --secret word hush
exits 0
run preview --non-interactive --save-plan plan.json
exits 0
run $up --event-log events.json
exits 0
run stack tag set colour blue
exits 0
run stack export --file export.json
exits 0
for file in Pulumi.dev.yaml plan.json events.json export.json; do
    mode=$(stat -c %a "$file")
    [ "$mode" = 600 ] || wrong "$file has the mode $mode"
done
find "$world/state/.pulumi" "$world/home" -perm /077 >"$world/out"
[ ! -s "$world/out" ] || wrong "others may read what is below"
chmod 640 Pulumi.dev.yaml "$world/state/.pulumi/stacks/conf/dev.json"
run config set other value
exits 0
run $up
exits 0
for file in Pulumi.dev.yaml "$world/state/.pulumi/stacks/conf/dev.json"; do
    mode=$(stat -c %a "$file")
    [ "$mode" = 640 ] || wrong "$file has the mode $mode now"
done
umask "$former"

plan
