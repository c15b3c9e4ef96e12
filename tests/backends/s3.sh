#!/bin/sh
# s3.sh — the command line with its stacks in a bucket: a whole life of a stack, two writers, processes that are killed, what is refused, and how
# many requests it takes. Speaks TAP.
# usage: CLI=… SCRIPTED=… s3.sh
set -u
[ -n "${TEST_STORE_PORT:-}" ] || exec "$(dirname "$0")/with-s3" "$0"
tests=$(realpath "$(dirname "$0")/..")
here=$tests/scenario
. "$here/world.sh"

# Every claim has a prefix of its own; $objects is the folder of its objects.
reset() {
    prefix=claim$((number + 1))
    objects=$TEST_STORE_FOLDER/$prefix
    rm -rf "$world/home" "$world/run/cloud.json" "$world/proj"
    mkdir -p "$world/proj" "$world/user"
    printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
    cd "$world/proj" || exit 1
    at "$TEST_STORE_PORT"
}

# at PORT — the server is to be reached there.
at() {
    url="$TEST_STORE_URL/$prefix$TEST_STORE_QUERY&endpoint=http://127.0.0.1:$1"
    PULUMI_BACKEND_URL=$url
    HOME=$world/user
    AWS_EC2_METADATA_DISABLED=true
    export PULUMI_BACKEND_URL HOME AWS_EC2_METADATA_DISABLED
}

. "$here/../backends/stories"

# A seal of a journal that was taken over stays for a while; it is empty.
tidy() {
    [ -z "$(find "$objects/.pulumi/locks" -type f 2>/dev/null)" ] || wrong "$1: a lock is left"
    [ -z "$(find "$objects/.pulumi/journals" -type f -size +0 2>/dev/null)" ] || wrong "$1: a journal is left"
}

# --- a life ---

begin "a stack lives in the objects that the reference would have"
program "$three"
run login "$url"
exits 0
says "Logged in to " "($url)"
unset PULUMI_BACKEND_URL
live
run cancel --yes
exits 0
says "there was nothing to cancel"
(cd "$objects" && find . -type f) | sed 's/[0-9]\{19\}/TIME/; s/^..//' >"$world/keys"
has_files "$world/keys"
tidy "after all that"
run stack rename new
exits 0
resources 4
run $destroy
exits 0
run stack rm new --yes
exits 0
run stack ls
says_not "new"

begin "a bucket is copied to a folder and back"
program "$three"
run stack init dev
exits 0
run $up
exits 0
mkdir -p "$world/copy"
cp -r "$objects/.pulumi" "$world/copy/"
PULUMI_BACKEND_URL=file://$world/copy
run stack select dev
exits 0
run preview --non-interactive
exits 0
says "4 unchanged"
program "$one"
run $up
exits 0
cp "$world/copy/.pulumi/stacks/conf/dev.json" "$objects/.pulumi/stacks/conf/dev.json"
at "$TEST_STORE_PORT"
resources 2

begin "compressed states are read and written, and the format changes"
program "$three"
run stack init dev
exits 0
for setting in PULUMI_DIY_BACKEND_GZIP=true PULUMI_DIY_BACKEND_ZSTD=true none=; do
    program "$three"
    env "$setting" "$cli" $up >"$world/out" 2>&1 || wrong "$setting: up fails"
    resources 4
    [ "$(find "$objects/.pulumi/stacks" -name 'dev.json*' ! -name '*.bak' | wc -l)" -eq 1 ] || wrong "$setting: more than one state"
    program "$one"
    run $up
    exits 0
    resources 2
done

begin "what the reference left is taken on"
program "$one"
run stack init dev
exits 0
folder=$objects/.pulumi/locks/organization/conf/dev
mkdir -p "$folder"
printf '{"pid":12,"username":"ann","hostname":"far","timestamp":"2026-11-17T05:46:41.123456789Z"}' >"$folder/6f2c2b9e-0f35-4f8e-8f35-d0a0cfd4a0a1.json"
run $up
[ "$code" -ne 0 ] || wrong "it went on in spite of the lock"
says "the stack is currently locked by 1 lock(s)" "created by ann@far (pid 12)" "s3://bucket/$prefix/.pulumi/locks/"
[ "$(find "$folder" -type f | wc -l)" -eq 1 ] || wrong "a lock of ours is left"
run cancel --yes
exits 0
run $up
exits 0
resources 2
tidy "afterwards"

# --- what is refused ---

begin "what cannot be used is named, with what to do, and nothing is changed"
program "$one"
AWS_SECRET_ACCESS_KEY=hush run stack ls
[ "$code" -ne 0 ] || wrong "the wrong secret was accepted"
says "s3://bucket/$prefix" "SignatureDoesNotMatch" "check the credentials"
says_not "hush"
PULUMI_BACKEND_URL="s3://none$TEST_STORE_QUERY&endpoint=http://127.0.0.1:$TEST_STORE_PORT" run stack ls
[ "$code" -ne 0 ] || wrong "a bucket that does not exist was used"
says "s3://none" "the bucket does not exist"
PULUMI_BACKEND_URL="$url&colour=blue" run stack ls
[ "$code" -ne 0 ] || wrong "an unknown parameter was accepted"
says 'unknown query parameter "colour"'
PULUMI_BACKEND_URL="s3://bucket?region=elsewhere&s3ForcePathStyle=true&endpoint=http://127.0.0.1:$TEST_STORE_PORT" run stack ls
[ "$code" -ne 0 ] || wrong "the wrong region was accepted"
says "another region"
PULUMI_BACKEND_URL="s3://bucket?region=x&endpoint=http://127.0.0.1:1" run stack ls
[ "$code" -ne 0 ] || wrong "no server, no error"
says "s3://bucket" "127.0.0.1:1"
AWS_ACCESS_KEY_ID='' run stack ls
[ "$code" -ne 0 ] || wrong "no credentials, no error"
says "no AWS credentials were found" "AWS_ACCESS_KEY_ID"
[ ! -e "$objects" ] || wrong "something was written"

# --- two writers ---

begin "a lock keeps others out; cancel takes it away, and its owner writes nothing more"
for point in lock.taken:1 journal.after-sync:1 journal.after-sync:2 journal.before-write:3 checkpoint.before-rename:1; do
    prefix=claim-$point
    objects=$TEST_STORE_FOLDER/$prefix
    at "$TEST_STORE_PORT"
    rm -f "$world/run/cloud.json"
    program "$three"
    run stack init dev
    exits 0
    pause "$point"
    run $up
    [ "$code" -ne 0 ] || wrong "$point: two updates at a time"
    says "the stack is currently locked by 1 lock(s)" "@$(hostname) (pid $paused)"
    run preview --non-interactive
    exits 0
    run cancel --yes
    exits 0
    says "has been canceled"
    sum=$(md5sum "$objects/.pulumi/stacks/conf/dev.json")
    resume
    [ "$code" -ne 0 ] || wrong "$point: the update whose lock was taken away succeeded"
    says "another process has taken over the stack"
    [ "$sum" = "$(md5sum "$objects/.pulumi/stacks/conf/dev.json")" ] || wrong "$point: it wrote the checkpoint"
    run $up
    exits 0
    resources 4
    tidy "$point"
done

# --- killed ---

begin "wherever an update is killed, the next one goes on from there"
kill_everywhere cancel

begin "what a killed update did is known, and the checkpoint is the last whole one"
program "$three"
run stack init dev
exits 0
CULUMI_FAULT=journal.after-sync:5 run $up
[ "$code" -eq 137 ] || wrong "it was not killed"
cp "$objects/.pulumi/stacks/conf/dev.json" "$world/out"
says_not '"urn"'
"$cli" stack export >"$world/out" 2>&1
says '"urn"'

# --- how far away ---

begin "requests are few and at the same time: 50 ms of distance cost little"
awk 'BEGIN { printf "[{\"parallel\":["; for (i = 0; i < 100; i++) printf "%s{\"resource\":\"r%d\",\"type\":\"pkg:index:Res\",\"props\":{\"x\":%d}}", i ? "," : "", i, i; printf "]}]" }' >"$world/run/program.json"
run stack init dev
exits 0
mkfifo "$world/port"
python3 "$tests/backends/delay.py" "$TEST_STORE_PORT" 50 "$world/requests" >"$world/port" &
servers="$servers $!"
read -r port <"$world/port"
at "$port"
run stack select dev
exits 0
: >"$world/requests"
run $up --suppress-progress --parallel 16
exits 0
says "101 created"
python3 "$tests/backends/round_trips.py" "$world/requests" >"$world/out" || wrong "more requests than promised"
sed 's/^/# /' "$world/out"
at "$TEST_STORE_PORT"
resources 101
tidy "afterwards"

plan
