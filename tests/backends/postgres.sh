#!/bin/sh
# postgres.sh — the command line with its stacks in PostgreSQL: a whole life of a stack, two writers, processes that are killed, connections
# that are cut, and what is refused. Speaks TAP.
# usage: CLI=… SCRIPTED=… postgres.sh
set -u
[ -n "${TEST_POSTGRES_PORT:-}" ] || exec "$(dirname "$0")/with-postgres" "$0"
here=$(realpath "$(dirname "$0")/../scenario")
distance=$(realpath "$(dirname "$0")/distance.py")
. "$here/world.sh"

sql() {
    $TEST_POSTGRES_PSQL -X -A -t -q -c "$1" "${2:-$database}"
}

# Every claim has a database of its own.
reset() {
    database=claim$((number + 1))
    sql "CREATE DATABASE $database" postgres
    rm -rf "$world/home" "$world/run/cloud.json" "$world/proj"
    mkdir -p "$world/proj"
    printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
    cd "$world/proj" || exit 1
    unset PULUMI_BACKEND_URL PGPASSWORD
    at "$TEST_POSTGRES_PORT"
}

# at PORT — the server is to be reached there.
at() {
    url="postgres://culumi@127.0.0.1:$1/$database?sslmode=disable"
    PULUMI_BACKEND_URL=$url
    export PULUMI_BACKEND_URL
}

# proxy OPTION… — something that delays or cuts stands before the server from now on.
proxy() {
    rm -f "$world/port"
    mkfifo "$world/port"
    python3 "$distance" "$TEST_POSTGRES_PORT" "$@" >"$world/port" &
    proxy_pid=$!
    servers="$servers $proxy_pid"
    read -r port <"$world/port"
    at "$port"
}

. "$here/../backends/stories"

locks() {
    sql "SELECT count(*) FROM pulumi_state WHERE key LIKE '%/.pulumi/locks/%'"
}

journals() {
    sql "SELECT count(*) FROM pulumi_state WHERE key LIKE '%/journals/%'"
}

tidy() {
    [ "$(locks)" = 0 ] || wrong "$1: a lock is left"
    [ "$(journals)" = 0 ] || wrong "$1: a journal is left: $(sql "SELECT key, octet_length(data->>'data') FROM pulumi_state WHERE key LIKE '%/journals/%'")"
}

# --- a life ---

begin "a stack lives in the rows that the reference would have"
program "$three"
run login "$url"
exits 0
says "Logged in to " "(postgres://culumi@127.0.0.1:"
live
sql "SELECT replace(key, '$database/', '') FROM pulumi_state ORDER BY 1" | sed 's/[0-9a-f]\{8\}-[-0-9a-f]*/ID/; s/[0-9]\{19\}/TIME/' >"$world/keys"
has_files "$world/keys"
sql "SELECT convert_from(decode(data->>'data', 'base64'), 'UTF8') FROM pulumi_state WHERE key = '$database/.pulumi/stacks/conf/dev.json'" | tr -d ' \n' >"$world/out"
says '"version":3' '"stack":"organization/conf/dev"'
tidy "after all that"
run $destroy
exits 0
run stack rm dev --yes
exits 0
run stack ls
says_not "dev"

begin "names that look like patterns are names"
program "$one"
for stack in dev d_v; do
    run stack init "$stack"
    exits 0
    run $up
    exits 0
done
run stack select d_v
exits 0
run $destroy
exits 0
run stack rm d_v --yes
exits 0
run stack select dev
exits 0
resources 2

begin "what the reference left is taken on"
# Its rows: an indented checkpoint, and the lock of a process on another machine.
program "$one"
run stack init dev
exits 0
lock=$(printf '{"pid":12,"username":"ann","hostname":"far","timestamp":"2026-11-17T05:46:41.123456789Z"}' | base64 -w0)
sql "INSERT INTO pulumi_state (key, data) VALUES ('$database/.pulumi/locks/organization/conf/dev/6f2c2b9e-0f35-4f8e-8f35-d0a0cfd4a0a1.json', '{\"data\":\"$lock\"}')"
run $up
[ "$code" -ne 0 ] || wrong "it went on in spite of the lock"
says "the stack is currently locked by 1 lock(s)" "created by ann@far (pid 12)"
run cancel --yes
exits 0
says "removed the lock of ann@far (pid 12), since 2026-11-17T05:46:41Z, "
[ "$(locks)" = 0 ] || wrong "the lock is still there"
run $up
exits 0
resources 2

# --- passwords ---

begin "a password is used, and neither shown nor kept"
program "$one"
sql "GRANT ALL ON DATABASE $database TO guarded; GRANT ALL ON SCHEMA public TO guarded"
unset PULUMI_BACKEND_URL
place="127.0.0.1:$TEST_POSTGRES_PORT/$database?sslmode=disable"
run login "postgres://guarded:s3cret%2F%3F@$place"
exits 0
says "the password of the URL is not kept" "(postgres://guarded@$place)"
says_not "s3cret"
[ "$(stat -c %a "$world/home/credentials.json")" = 600 ] || wrong "others may read the credentials"
run stack init dev
[ "$code" -ne 0 ] || wrong "it works without the password"
says "cannot connect to 'postgres://guarded@$place'" "PGPASSWORD"
PGPASSWORD='s3cret/?'
export PGPASSWORD
run stack init dev
exits 0
run $up --logtostderr -v 9
exits 0
says_not "s3cret"
run whoami -v
says "postgres://guarded@$place"
run about
says_not "s3cret"
unset PGPASSWORD
PULUMI_BACKEND_URL="postgres://guarded:wrong-s3cret@$place" run stack ls
[ "$code" -ne 0 ] || wrong "the wrong password was accepted"
says "password authentication failed"
says_not "s3cret"
run logout "postgres://guarded:s3cret%2F%3F@$place"
exits 0
grep -rqF s3cret "$world/home" "$world/proj" && wrong "a file has the password"

# --- what is refused ---

begin "what cannot be used is named, with what to do, and nothing is changed"
at 1
run stack ls
[ "$code" -ne 0 ] || wrong "no server, no error"
says "cannot connect to 'postgres://culumi@127.0.0.1:1/$database" "is the server running"
at "$TEST_POSTGRES_PORT"
sql "CREATE TABLE accounts (id integer)"
PULUMI_BACKEND_URL="$url&table=accounts" run stack ls
[ "$code" -ne 0 ] || wrong "a table of something else was used"
says "table 'accounts' of 'postgres://culumi@127.0.0.1:" "is no state table" "?table=NAME"
PULUMI_BACKEND_URL="postgres://culumi@127.0.0.1:$TEST_POSTGRES_PORT/$database" run stack ls
[ "$code" -ne 0 ] || wrong "went on without TLS"
says "add sslmode=disable"
PULUMI_BACKEND_URL="postgresql://culumi:s3cret@h/db" run stack ls
[ "$code" -ne 0 ] || wrong "an unknown scheme was used"
says_not "s3cret"

begin "with TLS a certificate is verified where the URL wants it"
sql "ALTER SYSTEM SET ssl = on" postgres
sql "SELECT pg_reload_conf()" postgres >/dev/null
plain="postgres://culumi@127.0.0.1:$TEST_POSTGRES_PORT/$database"
# The reload takes a moment.
tries=0
until PULUMI_BACKEND_URL=$plain "$cli" stack ls >"$world/out" 2>&1 || [ "$tries" -ge 100 ]; do tries=$((tries + 1)); done
[ "$tries" -lt 100 ] || wrong "the server does not speak TLS"
PULUMI_BACKEND_URL="$plain?sslmode=verify-full&sslrootcert=$TEST_POSTGRES_CERT" run stack ls
exits 0
SSL_CERT_FILE=$TEST_POSTGRES_CERT PULUMI_BACKEND_URL="$plain?sslmode=verify-full" run stack ls
exits 0
PULUMI_BACKEND_URL="$plain?sslmode=verify-full" run stack ls
[ "$code" -ne 0 ] || wrong "an unknown authority was trusted"
says "cannot connect to '$plain?sslmode=verify-full'" "sslrootcert in the URL or by SSL_CERT_FILE"
sql "ALTER SYSTEM RESET ssl" postgres
sql "SELECT pg_reload_conf()" postgres >/dev/null

# --- two writers ---

begin "a lock keeps others out; cancel takes it away, and its owner writes nothing more"
program "$one"
run stack init dev
exits 0
pause journal.after-sync:1
run $up
[ "$code" -ne 0 ] || wrong "two updates at a time"
says "the stack is currently locked by 1 lock(s)" "@$(hostname) (pid $paused)"
run preview --non-interactive
exits 0
run cancel --yes
exits 0
program "$three"
run $up
exits 0
sum=$(sql "SELECT md5(data::text) FROM pulumi_state WHERE key = '$database/.pulumi/stacks/conf/dev.json'")
resume
[ "$code" -ne 0 ] || wrong "the update whose lock was taken away succeeded"
says "another process has taken over the stack"
[ "$sum" = "$(sql "SELECT md5(data::text) FROM pulumi_state WHERE key = '$database/.pulumi/stacks/conf/dev.json'")" ] || wrong "it wrote the checkpoint"
tidy "afterwards"
resources 4

# --- killed ---

begin "wherever an update is killed, the next one goes on from there"
kill_everywhere

begin "what a killed update did is known, and the checkpoint is the last whole one"
program "$three"
run stack init dev
exits 0
CULUMI_FAULT=journal.after-sync:4 run $up
[ "$code" -eq 137 ] || wrong "it was not killed"
sql "SELECT convert_from(decode(data->>'data', 'base64'), 'UTF8') FROM pulumi_state WHERE key = '$database/.pulumi/stacks/conf/dev.json'" >"$world/out"
says_not '"urn"'
"$cli" stack export >"$world/out" 2>&1
says '"urn"'

# --- the network ---

begin "an update survives connections that are cut in the middle of an answer"
program "$three"
run stack init dev
exits 0
proxy --cut-every 9
run stack select dev
exits 0
run $up
exits 0
resources 4
run $destroy
exits 0
kill "$proxy_pid"
at "$TEST_POSTGRES_PORT"
resources 0
tidy "after the cuts"

begin "an update survives a restart of the server"
program "$three"
run stack init dev
exits 0
pause journal.before-write:2
"$TEST_POSTGRES_CTL" restart >/dev/null 2>&1 || wrong "no restart"
resume
exits 0
resources 4
tidy "afterwards"

begin "a server that goes away in the middle is named, and nothing is lost"
program "$three"
run stack init dev
exits 0
pause journal.before-write:2
"$TEST_POSTGRES_CTL" stop >/dev/null 2>&1 || wrong "no stop"
resume
[ "$code" -ne 0 ] || wrong "it claims success"
says "postgres://culumi@127.0.0.1:"
"$TEST_POSTGRES_CTL" start >/dev/null 2>&1 || wrong "no start"
run cancel --yes
run $up
exits 0
resources 4
tidy "afterwards"

# stop_answering POINT — an update goes on from there, with a server that takes what it is sent and says nothing.
stop_answering() {
    program "$three"
    run stack init dev
    exits 0
    proxy
    PULUMI_BACKEND_URL="$url$2"
    run stack select dev
    exits 0
    pause "$1"
    kill -STOP "$proxy_pid"
    kill -CONT "$paused"
}

# ends_soon — the update ends by itself within a minute; its exit code.
ends_soon() {
    (sleep 60; kill -KILL "$paused") 2>/dev/null &
    alarm=$!
    wait "$paused"
    code=$?
    kill "$alarm" 2>/dev/null
    cp "$world/paused" "$world/out"
    [ "$code" -ne 137 ] || wrong "it waited without end"
    kill -KILL "$proxy_pid" # what it has taken and not passed on is gone
    at "$TEST_POSTGRES_PORT"
}

# goes_on — nothing was lost. The lock could not be removed by who did not get an answer.
goes_on() {
    run cancel --yes
    exits 0
    run $up
    exits 0
    resources 4
    tidy "afterwards"
}

begin "an update that waits for an answer can be interrupted while steps run"
stop_answering journal.before-write:2 ""
sleep 1
kill -TERM "$paused"
ends_soon
[ "$code" -ne 0 ] || wrong "it claims success"
says "SIGTERM received; cancelling" "the server did not answer, and was not waited for any longer"
goes_on

begin "an update that waits for an answer can be interrupted when it saves"
stop_answering checkpoint.before-rename:1 ""
sleep 1
kill -INT "$paused"
ends_soon
[ "$code" -ne 0 ] || wrong "it claims success"
goes_on

begin "a server that never answers again is given up"
stop_answering journal.before-write:2 "&tcp_user_timeout=400&connect_timeout=2"
ends_soon
[ "$code" -ne 0 ] || wrong "it claims success"
says "postgres://culumi@127.0.0.1:"
goes_on

# --- many ---

begin "10,000 resources"
awk 'BEGIN { printf "["; for (i = 0; i < 10000; i++) printf "%s{\"resource\":\"r%d\",\"type\":\"pkg:index:Res\",\"props\":{\"x\":%d}}", i ? "," : "", i, i; printf "]" }' >"$world/run/program.json"
run stack init dev
exits 0
run $up --suppress-progress --parallel 64
exits 0
says "10001 created"
resources 10001
run preview --non-interactive --suppress-progress
exits 0
says "10001 unchanged"
tidy "afterwards"

plan
