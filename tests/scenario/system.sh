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

# --- signals at exact moments ---

locks() {
    find "$world/state/.pulumi/locks" -type f 2>/dev/null
}

leftovers() {
    find "$world" -name '*.tmp'
}

tidy() {
    [ -z "$(locks)" ] || wrong "$1: a lock is left"
    [ -z "$(leftovers)" ] || wrong "$1: left: $(leftovers)"
}

# strike POINT:N SIGNAL COMMAND… — the command gets the signal when it comes to the point.
strike() {
    point=$1 signal=$2
    shift 2
    CULUMI_FAULT=$point CULUMI_FAULT_SIGNAL=$signal timeout 60 "$cli" "$@" >"$world/out" 2>&1
    code=$?
}

begin "a signal just after the lock was taken cancels the update, and leaves no lock"
program "$one"
for signal in 1 2 15; do
    strike lock.taken:1 $signal $up
    [ "$code" -ne 0 ] && [ "$code" -lt 124 ] || wrong "signal $signal: exit code $code"
    says " received; cancelling."
    tidy "signal $signal"
done
run $up
exits 0

begin "a signal while history is written or the lock released ends us when that is done"
program "$one"
for signal in 1 2 15; do
    for point in history.before-entry:1 history.after-entry:1 file.before-rename:2 file.before-link:1 lock.before-release:1 lock.after-release:1; do
        before=$(find "$world/state/.pulumi/history" -name '*.history.json' 2>/dev/null | wc -l)
        strike $point $signal $up
        [ "$code" -eq $((128 + signal)) ] || wrong "$point, signal $signal: exit code $code"
        tidy "$point, signal $signal"
        [ "$(find "$world/state/.pulumi/history" -name '*.history.json' | wc -l)" -eq $((before + 1)) ] || wrong "$point, signal $signal: no history"
    done
done
run $up
exits 0

begin "a signal during an edit of the state ends us when the edit is done and the lock is gone"
program "$one"
run $up
exits 0
run stack export --file "$world/run/export.json"
exits 0
for point in lock.taken:1 checkpoint.before-rename:1 lock.before-release:1; do
    strike $point 15 stack import --file "$world/run/export.json"
    [ "$code" -eq 143 ] || wrong "$point: exit code $code"
    tidy "$point"
done
strike lock.taken:1 2 stack init other
[ "$code" -eq 130 ] || wrong "stack init: exit code $code"
tidy "stack init"
run stack select other
exits 0

begin "what a killed writer left is swept by the next one"
program "$one"
for point in file.before-rename:1 file.before-rename:2 file.before-link:1 checkpoint.before-rename:1; do
    strike $point 9 $up
    [ -n "$(leftovers)" ] || wrong "$point: nothing to sweep"
    run cancel --yes
    exits 0
    run $up
    exits 0
    tidy "$point"
done
strike fs.before-rename:1 9 config set key value
[ -n "$(leftovers)" ] || wrong "config: nothing to sweep"
run config set key value
exits 0
tidy "config"
strike fs.before-rename:1 9 stack tag set colour blue
[ -n "$(leftovers)" ] || wrong "tags: nothing to sweep"
run cancel --yes
run $up
exits 0
tidy "tags"

begin "who waits for another command that changes the project says so, and can be interrupted"
for line in "new yaml --yes --force --name other --stack dev --dir ." "config set key other" "preview --non-interactive --config key=other" \
    "stack rename other --stack dev" "stack rm dev --yes" "destroy --yes --non-interactive --remove"; do
    rm -f "$world/held"
    flock --no-fork "$world/proj" sh -c 'touch "$1"; exec sleep 600' - "$world/held" &
    holder=$!
    until [ -e "$world/held" ]; do sleep 0.02; done
    timeout 120 "$here/interrupt.py" TERM "grep -q 'Waiting for another command' '$world/out'" "$cli" $line >"$world/out" 2>&1
    code=$?
    kill $holder
    wait $holder 2>"$world/killed"
    case $code in
    1 | 143) ;;
    *) wrong "$line: exit code $code" ;;
    esac
done
reset

# --- peers that never answer ---

# stuck NAME FILE — a signal comes when the file is there, and the plugin is stopped then: it answers nothing any more, not even Cancel.
stuck() {
    export CULUMI_PLUGIN_TIMEOUT_MS=8000
    timeout 120 "$here/interrupt.py" TERM "[ -e '$world/run/$2' ] && kill -STOP \$(pgrep -f '^$world/bin/$1')" "$cli" $up >"$world/out" 2>&1
    code=$?
    unset CULUMI_PLUGIN_TIMEOUT_MS
    exits 1
}

begin "a provider that does not even answer Cancel is given up, and what it was doing stays a pending operation"
program '[{"resource":"a","type":"pkg:index:Res","props":{"x":1}},{"resource":"b","type":"pkg:index:Res","props":{"x":1},"dependsOn":["a"]}]'
echo '[{"on": "Create", "name": "b", "mark": "creating", "appears": {"never": ""}}]' >"$world/run/rules.json"
stuck pulumi-resource-pkg creating
says "the outcome of creating it is unknown, and it stays a pending operation" "answered neither Create nor Cancel"
tidy "provider"
run stack export
exits 0
says '"pending_operations": [' '"type": "creating"' '::a"'
rm "$world/run/rules.json"

begin "a language host that does not even answer Cancel does not hold up the end"
program '[{"resource":"a","type":"pkg:index:Res","props":{"x":1}},{"appears":{"never":""}}]'
echo '[{"on": "Create", "name": "a", "mark": "created"}]' >"$world/run/rules.json"
rm -f "$world/run/created"
stuck pulumi-language-script created
tidy "language host"
rm "$world/run/rules.json"

# --- processes ---

# Processes that run a program of this world.
survivors() {
    python3 - "$world/" <<'END'
import glob, sys
for name in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        words = open(name, errors="replace").read().split("\0")[:2]
    except OSError:
        continue
    if any(word.startswith(sys.argv[1]) for word in words):
        print(name.split("/")[2])
END
}

# Waits until no process is left, but not for ever.
vanish() {
    for _ in $(seq 300); do
        [ -n "$(survivors)" ] || return 0
        sleep 0.1
    done
    for pid in $(survivors); do
        wrong "$1: still there: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
        kill -9 "$pid"
    done
}

# wrap LINE — the provider is a script that does something first, and then runs the real one without exec.
mkdir "$world/real"
ln -s "$scripted" "$world/real/pulumi-resource-pkg"
cp "$(command -v sleep)" "$world/real/lasting"
wrap() {
    rm "$world/bin/pulumi-resource-pkg"
    printf '#!/bin/sh\n%s\n"%s" "$@"\n:\n' "$1" "$world/real/pulumi-resource-pkg" >"$world/bin/pulumi-resource-pkg"
    chmod +x "$world/bin/pulumi-resource-pkg"
}
daemon="setsid $world/real/lasting 1000 </dev/null >/dev/null 2>&1 &"

# kill_engine LINE — the provider does that first; then the engine is killed, and nothing may be left.
kill_engine() {
    wrap "$1"
    program "$one"
    strike step.done:2 9 $up
    [ "$code" -eq 137 ] || wrong "exit code $code"
    vanish "$1"
    run cancel --yes
    exits 0
}

begin "a provider behind a wrapper ends with an engine that is killed, and so does its daemon"
for line in : "$daemon" "$world/real/lasting 1000 &" "trap '' TERM; $daemon"; do
    kill_engine "$line"
done

# Groups of the kernel's that hold processes; a place where we may make one, or nothing.
cgroups=$(python3 - <<'END'
import os
place = next((line[3:].strip() for line in open("/proc/self/cgroup") if line.startswith("0::/")), "")
for mount in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
    if place and os.path.exists(mount + "/cgroup.procs") and os.access(mount + place, os.W_OK):
        print(mount + place)
        break
END
)

begin "a daemon without a trace ends with an engine that is killed, where control groups can be made"
if [ -n "$cgroups" ]; then
    for line in "env -i $daemon" "trap '' TERM; env -i $daemon"; do
        kill_engine "$line"
    done
    run $up
    exits 0
    for _ in $(seq 300); do # that of an engine that was killed is removed when all have ended
        left=$(find "$cgroups" -maxdepth 1 -name 'culumi-*' | while read -r group; do
            id=${group##*/culumi-}
            [ -e "/proc/${id%%.*}" ] || echo "$group"
        done)
        [ -n "$left" ] || break
        sleep 0.1
    done
    [ -z "$left" ] || wrong "left: $left"
else
    echo "# no control group can be made here: not tried"
fi

begin "what providers leave behind ends with the command, also without a trace in its environment"
for line in "$daemon" "env -i $daemon" "(setsid sh -c '$world/real/lasting 1000; :' </dev/null >/dev/null 2>&1 &)"; do
    wrap "$line"
    program "$one"
    run $up
    exits 0
    [ -z "$(survivors)" ] || wrong "$line: something is left"
    vanish "$line"
done
wrap :

begin "what a command starts in the background lives as long as the update, and longer in a session of its own"
cat >"$world/run/start" <<END
$world/real/lasting 1000 </dev/null >/dev/null 2>&1 &
echo \$! >$world/run/group
$daemon
echo \$! >$world/run/session
until grep -q '^$world/real/lasting' /proc/\$!/cmdline; do sleep 0.01; done
END
echo "for who in group session; do grep -q lasting /proc/\$(cat $world/run/\$who)/cmdline || exit 1; done" >"$world/run/look"
program '[{"resource":"a","type":"command:local:Command","props":{"create":"sh '"$world"'/run/start"}},
{"resource":"b","type":"command:local:Command","props":{"create":"sh '"$world"'/run/look"},"dependsOn":["a"]}]'
run $up
exits 0
left=$(survivors)
[ "$left" = "$(cat "$world/run/session")" ] || wrong "left: $left, not $(cat "$world/run/session")"
kill -9 "$(cat "$world/run/session")"
vanish "commands"

begin "a command that runs when the engine is killed ends with all that it has started"
printf '%s 1000 &\nkill -9 $1\nwait\n' "$world/real/lasting" >"$world/run/start"
program '[{"resource":"a","type":"command:local:Command","props":{"create":"sh '"$world"'/run/start $PPID"}}]'
run $up
[ "$code" -eq 137 ] || wrong "exit code $code"
vanish "command"
run cancel --yes
exits 0

begin "a command ends also with an engine that is killed before it could take note of it"
printf '%s 1000 &\nuntil grep -q "^State:.T" /proc/$1/status; do sleep 0.01; done\nkill -9 $1\nwait\n' "$world/real/lasting" >"$world/run/start"
strike process.started:2 19 $up
[ "$code" -eq 137 ] || wrong "exit code $code"
vanish "command"
run cancel --yes
exits 0

begin "what a command has left in the background ends with an engine that is killed later"
printf '%s 1000 >/dev/null 2>&1 &\n' "$world/real/lasting" >"$world/run/start"
program '[{"resource":"a","type":"command:local:Command","props":{"create":"sh '"$world"'/run/start"}},
{"resource":"b","type":"pkg:index:Res","props":{"x":1},"dependsOn":["a"]},
{"resource":"c","type":"command:local:Command","props":{"create":"kill -9 $PPID"},"dependsOn":["b"]}]'
run $up
[ "$code" -eq 137 ] || wrong "exit code $code"
vanish "left in the background"

# Started by another engine, nothing but the host itself can end it.
begin "a language host ends by itself when the engine that started it was killed"
for host in "$HOSTS"/pulumi-language-*; do
    name=$(basename "$host")
    : >"$world/run/port"
    sh -c "'$host' 127.0.0.1:1 >'$world/run/port' & echo \$! >'$world/run/pid'; wait" &
    engine=$!
    until [ -s "$world/run/port" ]; do sleep 0.05; done
    kill -9 $engine
    wait $engine 2>/dev/null
    pid=$(cat "$world/run/pid")
    for second in $(seq 300); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$pid" 2>/dev/null; then
        wrong "$name lives on"
        kill -9 "$pid"
    fi
done

# --- looking inside ---

begin "SIGQUIT lists all fibers, and the update goes on"
cat >"$world/run/start" <<END
kill -QUIT \$1
for i in \$(seq 600); do grep -q '^what an address is' "$world/out" && exit 0; sleep 0.1; done
exit 1
END
program '[{"resource":"a","type":"command:local:Command","props":{"create":"sh '"$world"'/run/start $PPID"}}]'
run $up
exits 0
says "fibers of process "
says "  run_main ("
says "answers /pulumirpc.ResourceMonitor/RegisterResource ("
says "waits for bytes to read since "

gdb="gdb shows the fibers of a running process and of a core file, with their calls"
if command -v gdb >/dev/null && gdb -batch -ex 'python print("y")' 2>/dev/null | grep -q y; then
    begin "$gdb"
    # The shadow memory of a sanitizer would make a core file of terabytes.
    lists=gdb core=""
    grep -q __asan_init "$cli" || lists="gdb gdb-core" core="-ex 'generate-core-file $world/run/core'"
    echo "gdb -batch -p \$1 -x '$here/../../tools/gdb-fibers.py' -ex fibers $core >'$world/run/gdb' 2>&1" >"$world/run/start"
    program '[{"resource":"a","type":"command:local:Command","props":{"create":"sh '"$world"'/run/start $PPID"}}]'
    export CULUMI_ALLOW_CORE_DUMPS=true
    run $up
    unset CULUMI_ALLOW_CORE_DUMPS
    exits 0
    [ -z "$core" ] || gdb -batch "$cli" "$world/run/core" -x "$here/../../tools/gdb-fibers.py" -ex fibers >"$world/run/gdb-core" 2>&1
    rm -f "$world/run/core"
    for list in $lists; do
        cp "$world/run/$list" "$world/out"
        says " run_main: waits for a latch"
        says "run_on_loop at src/cli/dispatch.c:"
        says "; answers /pulumirpc.ResourceMonitor/RegisterResource"
        says "fiber_sleep_ms at src/fiber/"
    done
else
    skip "$gdb" "there is no gdb with Python"
fi

# --- limits ---

begin "too few descriptors are an error with a name"
for most in 4 6 10; do
    (
        ulimit -n $most
        exec timeout 60 "$cli" stack ls
    ) >"$world/out" 2>&1
    code=$?
    exits 1
    says "error: start: open a descriptor: Too many open files"
done

begin "whatever the limit of descriptors, an update ends with its reason"
program "$one"
for most in 14 16 17 18 19 20 21 22 23 24; do
    (
        ulimit -n $most
        exec timeout 60 "$cli" $up
    ) >"$world/out" 2>&1
    code=$?
    [ "$code" -eq 0 ] || exits 1
    [ "$code" -eq 0 ] || says "Too many open files"
done

begin "a low limit of descriptors that may be raised is raised, and not for commands"
program '[{"resource":"a","type":"command:local:Command","props":{"create":"ulimit -n"}}]'
(
    ulimit -Sn 17
    exec timeout 300 "$cli" $up
) >"$world/out" 2>&1
code=$?
exits 0
run stack export
says '"stdout": "17"'

plan
