#!/bin/sh
# bad_input.sh — what happens when files, plugins or the disk are not as they should be: an error that names what is wrong, the right exit
# code, and everything that was there is still there. Speaks TAP.
# usage: CLI=… SCRIPTED=… bad_input.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"
stack=$world/state/.pulumi/stacks/conf/dev.json
journal=$world/state/.pulumi/stacks/conf/dev.journal
two='[{"resource":"a","type":"pkg:index:Res","props":{"x":1}},{"resource":"b","type":"pkg:index:Res","props":{"y":"${a.out}"}}]'
three='[{"resource":"a","type":"pkg:index:Res","props":{"x":1}},{"resource":"b","type":"pkg:index:Res","props":{"y":"${a.out}"}},
        {"resource":"c","type":"pkg:index:Res","props":{"x":{"$secret":"s"}}}]'

# Puts the world back.
reset() {
    umount "$world/state" 2>/dev/null
    rm -rf "$world/state" "$world/proj" "$world/run" "$world/bin"
    cp -a "$world/saved/." "$world/"
    cd "$world/proj" || exit 1
}

sums() {
    (cd "$world" && find state proj -type f ! -path '*/locks/*' -exec sha256sum {} + | sort -k 2)
}

# Nothing of the state and the project may change from here on.
freeze() {
    sums >"$world/before"
}

intact() {
    sums >"$world/after"
    cmp -s "$world/before" "$world/after" || wrong "changed: $(diff "$world/before" "$world/after" | grep '^[<>]' | awk '{ print $3 }' | sort -u | tr '\n' ' ')"
}

# The resources of the state, without times.
resources() {
    "$cli" stack export 2>/dev/null | grep -v '"time":\|"magic":'
}

keeps_resources() {
    resources >"$world/now"
    cmp -s "$world/resources" "$world/now" || wrong "the resources of the state have changed"
}

plugin() {
    rm -f "$world/bin/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$world/bin/$1"
    chmod +x "$world/bin/$1"
}

# runs_short_of_patience TEXT — an update that does not wait long for plugins. On a busy machine a good one may also take longer than that:
# then it waits longer the next time, until the one that says nothing is blamed.
runs_short_of_patience() {
    for CULUMI_PLUGIN_TIMEOUT_MS in 1500 10000 60000; do
        export CULUMI_PLUGIN_TIMEOUT_MS
        run $up
        grep -qF -- "$1" "$world/out" && break
    done
    unset CULUMI_PLUGIN_TIMEOUT_MS
}

# flip FILE PLACE — changes one bit.
flip() {
    perl -e '($f, $n) = @ARGV; open F, "+<", $f or die; binmode F; seek F, $n, 0; read F, $c, 1; seek F, $n, 0; print F chr(ord($c) ^ 1 << $n % 7)' "$1" "$2"
}

# --- the world: a project with a stack of two resources and a secret ---

mkdir -p "$world/saved/proj" "$world/saved/state" "$world/saved/run" "$world/saved/bin" "$world/home"
ln -s "$scripted" "$world/saved/bin/pulumi-resource-pkg"
ln -s "$scripted" "$world/saved/bin/pulumi-language-script"
printf 'name: conf\nruntime: script\n' >"$world/saved/proj/Pulumi.yaml"
echo "$two" >"$world/saved/run/program.json"
cp -a "$world/saved/." "$world/"
cd "$world/proj" || exit 1
for command in "stack init dev" "config set --secret pw hidden" "$up"; do
    run $command
    [ "$code" -eq 0 ] || { echo "Bail out! '$command' fails: $(cat "$world/out")"; exit 1; }
done
rm -rf "$world/saved"
mkdir "$world/saved"
cp -a "$world/state" "$world/proj" "$world/run" "$world/bin" "$world/saved/"
resources >"$world/resources"

# --- checkpoints ---

size=$(wc -c <"$stack")
for length in 0 1 $((size / 10)) $((size / 2)) $((size - 2)); do
    for command in "stack export" "preview --non-interactive" "$up" "destroy --yes --skip-preview --non-interactive"; do
        begin "a checkpoint cut off after $length bytes stops '${command%% -*}'"
        truncate -s "$length" "$stack"
        freeze
        run $command
        exits 1
        says "error: stack file '$stack' is damaged; nothing was changed" "$stack.bak"
        intact
    done
done

begin "a flipped bit in a checkpoint is an error that names it, or changes nothing else"
i=0
while [ $i -lt 60 ]; do
    cp "$world/saved/state/.pulumi/stacks/conf/dev.json" "$stack"
    flip "$stack" $((size * i / 60))
    freeze
    run stack export
    case $code in
    0) ;;
    1) says "$stack" ;;
    *) wrong "bit at $((size * i / 60)): exit code $code" ;;
    esac
    intact
    i=$((i + 1))
done

begin "a checkpoint of 200,000 open brackets is an error"
perl -e 'print "{\"version\":3,\"checkpoint\":{\"latest\":{\"resources\":[{\"urn\":\"urn:pulumi:dev::conf::a:b:C::d\",\"inputs\":{\"x\":", "[" x 200000' >"$stack"
freeze
run stack export
exits 1
says "$stack"
intact

begin "a folder in the place of a checkpoint is an error"
rm "$stack"
mkdir "$stack"
run $up
exits 1
says "$stack"

begin "an import of something else is an error, and the state stays"
echo rubbish >"$world/run/rubbish.json"
freeze
run stack import --file "$world/run/rubbish.json"
exits 1
says "$world/run/rubbish.json" "could not deserialize deployment"
intact

begin "an import from a file that is not there is an error"
freeze
run stack import --file "$world/run/none.json"
exits 1
says "$world/run/none.json"
intact

begin "a plan that is none is an error"
echo rubbish >"$world/run/rubbish.json"
run $up --plan "$world/run/rubbish.json"
exits 1
says "plan"
keeps_resources

# --- journals: what an update that was killed leaves ---

struck() {
    echo "$three" >"$world/run/program.json"
    CULUMI_FAULT=journal.after-sync:2 run $up
    [ -s "$journal" ] || wrong "no journal was left"
    cp "$journal" "$world/journal"
}

begin "a journal cut off anywhere is read as far as it goes"
struck
length=$(wc -c <"$world/journal")
i=0
while [ $i -lt 30 ]; do
    head -c $((length * i / 30)) "$world/journal" >"$journal"
    freeze
    run stack export
    exits 0
    intact
    i=$((i + 1))
done

begin "a flipped bit in a journal is an error that names it and what to do, or ends what is read"
struck
i=0
while [ $i -lt 60 ]; do
    cp "$world/journal" "$journal"
    flip "$journal" $((length * i / 60))
    freeze
    run stack export
    case $code in
    0) ;;
    1) says "$journal" "nothing was changed" ;;
    *) wrong "bit at $((length * i / 60)): exit code $code" ;;
    esac
    intact
    i=$((i + 1))
done

# --- project and configuration ---

begin "a project file that is no YAML is an error with file and line"
printf 'name: conf\nruntime: [script\n' >Pulumi.yaml
freeze
run $up
exits 1
says "$world/proj/Pulumi.yaml" "line 3"
intact

begin "a project file of random bytes is an error"
perl -e 'srand 7; print map { chr int rand 256 } 1 .. 5000' >Pulumi.yaml
freeze
run $up
exits 1
says "$world/proj/Pulumi.yaml"
intact

begin "a project file that would unfold without end is an error"
perl -e '$p = "a"; print "a: &a [x,x,x,x,x,x,x,x,x]\n"; for (qw(b c d e f g h i j)) { print "$_: &$_ [", join(",", ("*$p") x 9), "]\n"; $p = $_ }' >Pulumi.yaml
run $up
exits 1
says "$world/proj/Pulumi.yaml"

begin "no project file is an error"
rm Pulumi.yaml
run $up
exits 1
says "no Pulumi.yaml project file found"

for command in "$up" "config" "config set k v"; do
    begin "a stack configuration that is no YAML stops '${command%% -*}' with file and line"
    printf 'config: {a\n' >Pulumi.dev.yaml
    freeze
    run $command
    exits 1
    says "$world/proj/Pulumi.dev.yaml" "line 2"
    intact
done

begin "a damaged ciphertext in the configuration is an error"
sed -i 's/\(secure: v1:................:....\)\(.\)/\1<\2>/; s/<Z>/A/; s/<.>/Z/' Pulumi.dev.yaml
freeze
run $up
exits 1
says "error"
intact

# --- passphrases ---

begin "a wrong passphrase is an error"
freeze
PULUMI_CONFIG_PASSPHRASE=wrong
run $up
exits 1
says "incorrect passphrase"
run config get pw
exits 1
says "incorrect passphrase"
PULUMI_CONFIG_PASSPHRASE=right
intact

begin "no passphrase is an error that says how to give one"
freeze
unset PULUMI_CONFIG_PASSPHRASE
run $up
exits 1
says "PULUMI_CONFIG_PASSPHRASE" "PULUMI_CONFIG_PASSPHRASE_FILE"
export PULUMI_CONFIG_PASSPHRASE=right
intact

begin "a passphrase file that is not there is an error that names it"
freeze
unset PULUMI_CONFIG_PASSPHRASE
PULUMI_CONFIG_PASSPHRASE_FILE=$world/none
export PULUMI_CONFIG_PASSPHRASE_FILE
run $up
exits 1
says "$world/none"
unset PULUMI_CONFIG_PASSPHRASE_FILE
export PULUMI_CONFIG_PASSPHRASE=right
intact

# --- plugins ---

for name in pulumi-resource-pkg pulumi-language-script; do
    begin "$name that prints rubbish is an error that names it"
    plugin $name 'echo rubbish; sleep 5'
    run $up
    exits 1
    says "$world/bin/$name" "invalid port" "rubbish"
    keeps_resources

    begin "$name that ends at once is an error that names it"
    plugin $name 'echo "last words" >&2; exit 3'
    run $up
    exits 1
    says "$world/bin/$name" "exit status 3" "last words"
    keeps_resources

    begin "$name that stays silent is an error that names it"
    plugin $name 'exec sleep 3600'
    runs_short_of_patience "$world/bin/$name"
    exits 1
    says "$world/bin/$name" "did not print its port"
    keeps_resources

    begin "$name that does not listen is an error that names it"
    plugin $name 'echo 1; exec sleep 3600'
    runs_short_of_patience "$world/bin/$name"
    exits 1
    says "$world/bin/$name" "did not begin responding"
    keeps_resources

    begin "$name that is no program is an error that names it"
    rm "$world/bin/$name"
    echo "no program" >"$world/bin/$name"
    chmod +x "$world/bin/$name"
    run $up
    exits 1
    says "$world/bin/$name" "Exec format error"
    keeps_resources

    begin "$name that is missing is an error that names it"
    rm "$world/bin/$name"
    run $up
    exits 1
    says "'$name'"
    keeps_resources
done

begin "a plugin that speaks, but no gRPC, is an error that names it"
plugin pulumi-resource-pkg "exec perl -MIO::Socket::INET -e '\$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\"); \$| = 1; print \$s->sockport, \"\\n\"; while (\$c = \$s->accept) { print \$c \"rubbish\" x 100; close \$c }'"
run $up
exits 1
says "pulumi-resource-pkg"
keeps_resources

# --- disks ---

for call in journal.write journal.sync journal.reserve; do
    begin "an update that cannot record ($call) stops, says so, and loses nothing"
    echo "$three" >"$world/run/program.json"
    CULUMI_FAIL=$call:1
    export CULUMI_FAIL
    run $up
    unset CULUMI_FAIL
    exits 1
    says "$journal" "run the command again"
    run $up
    exits 0
done

# --- failures behind a failure: the program fails, and then something of culumi's own ---

failing='[{"resource":"c","type":"pkg:index:Res","props":{"x":1}},{"fail":"the program gives up"}]'

# fails_with NAME:N TEXT… — the program fails and then the named call; both are shown. An empty name: the world is bad enough.
fails_with() {
    echo "$failing" >"$world/run/program.json"
    export CULUMI_FAIL="$1"
    shift
    run $up $extra
    unset CULUMI_FAIL
    exits 1
    says "the program gives up" "$@"
}
extra=""

# How often a call is made by an update whose program fails.
count_calls() {
    echo "$failing" >"$world/run/program.json"
    CULUMI_FAULT_LIST=$world/hits run $up
    grep -cx "fail $1" "$world/hits"
    rm "$world/hits"
}

begin "a checkpoint that cannot be written is shown although the program has failed too"
fails_with fs.rename:1 "error: " "rename" "$stack" "Input/output error" "run the command again"
run stack export
exits 0
says "::c\""

begin "a history that cannot be written is shown although the program has failed too"
rm -rf "$world/state/.pulumi/history/conf/dev"
echo "in the way" >"$world/state/.pulumi/history/conf/dev"
fails_with "" "error: " "$world/state/.pulumi/history/conf/dev" "File exists"

begin "a lock that cannot be removed is shown although the program has failed too"
last=$(count_calls fs.remove)
reset
fails_with "fs.remove:$last" "error: " "remove '$world/state/.pulumi/locks/" "Input/output error"

begin "an event log that cannot be written is shown although the program has failed too"
extra="--event-log /dev/full"
fails_with "" "error: write event log '/dev/full': No space left on device"
extra=""

begin "an event log that cannot be made stops an update, and the state stays"
run $up --event-log "$world/none/events"
exits 1
says "create event log '$world/none/events'"
keeps_resources

begin "signals that cannot be watched stop an update, and the state stays"
export CULUMI_FAIL=signal.watch:1
run $up
unset CULUMI_FAIL
exits 1
says "watch signal"
keeps_resources

begin "signals that cannot be watched any more are shown although the program has failed too"
last=$(count_calls signal.watch)
reset
fails_with "signal.watch:$last" "error: watch signal"

begin "output that cannot be written is shown although the program has failed too"
echo "$failing" >"$world/run/program.json"
"$cli" $up >/dev/full 2>"$world/out"
code=$?
exits 1
says "error: the output could not be written in full"

if [ "$(id -u)" = 0 ] && mkdir -p "$world/state" && mount -t tmpfs -o size=16m tmpfs "$world/state" 2>/dev/null; then
    umount "$world/state"
    begin "a full disk stops an update; with space again, the next one completes it"
    mv "$world/state" "$world/state.kept"
    mkdir "$world/state"
    mount -t tmpfs -o size=16m tmpfs "$world/state"
    cp -a "$world/state.kept/." "$world/state/"
    rm -rf "$world/state.kept"
    echo "$three" >"$world/run/program.json"
    dd if=/dev/zero of="$world/state/filler" bs=64k 2>/dev/null
    run $up
    exits 1
    says "No space left on device" "$world/state"
    keeps_resources
    rm "$world/state/filler"
    run $up
    exits 0
    says "+ 1 created"
    finish
    umount "$world/state"
else
    finish
    number=$((number + 1))
    echo "ok $number - a full disk stops an update # SKIP no file system can be mounted here"
fi

# As somebody who may not write there.
as_other() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$cli" "$@" >"$world/out" 2>&1
    else
        "$cli" "$@" >"$world/out" 2>&1
    fi
    code=$?
}

begin "a state folder without the right to write is an error that names a file in it"
chmod 755 "$world"
chmod -R a+rwX "$world/home" "$world/run" "$world/proj"
chmod -R a-w,a+rX "$world/state"
freeze
as_other $up
exits 1
says "$world/state" "ermission denied"
intact
chmod -R u+w "$world/state"

# --- locks ---

begin "a stack that another process works on is locked, and that process is not disturbed"
echo "$three" >"$world/run/program.json"
echo '[{"on": "Create", "mark": "creating", "appears": {"go-on": ""}}]' >"$world/run/rules.json"
"$cli" $up >"$world/first" 2>&1 &
first=$!
i=0
while [ $i -lt 1200 ] && [ ! -e "$world/run/creating" ]; do
    sleep 0.05
    i=$((i + 1))
done
for command in "$up" "destroy --yes --skip-preview --non-interactive" "stack rm --yes --force dev" "refresh --yes --skip-preview --non-interactive"; do
    run $command
    exits 1
    says "the stack is currently locked by 1 lock(s)" "pid $first" "$(basename "$cli") cancel"
done
echo '[]' >"$world/run/rules.json" # the preview need not wait
run preview --non-interactive
exits 0
: >"$world/run/go-on"
wait $first
code=$?
cp "$world/first" "$world/out"
exits 0
says "+ 1 created"

begin "the lock of a process that is gone says so"
struck
run $up
exits 1
says "that process is gone; run \`$(basename "$cli") cancel\`"
run cancel --yes dev
exits 0
run $up
exits 0

# --- command lines ---

begin "a stack that does not exist is an error"
run $up --stack nope
exits 6
says "no stack named 'nope' found"

begin "an option that does not exist is an error"
run up --nope
exits 1
says "unknown flag: --nope"

begin "a command that does not exist is an error"
run nope
exits 1
says 'unknown command "nope"'

begin "a backend folder that does not exist is an error that names it"
PULUMI_BACKEND_URL=file://$world/none
run stack ls
PULUMI_BACKEND_URL=file://$world/state
exits 1
says "$world/none"

plan
