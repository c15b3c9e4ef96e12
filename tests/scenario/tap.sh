# tap.sh — the frame of claims about the command line, for scripts that source it. They set $cli and $world (a folder), and may define
# `reset`, which puts the world back before each claim.

number=0
claim=""
problems=""

begin() {
    finish
    claim=$1
    reset
}

finish() {
    [ -n "$claim" ] || return 0
    number=$((number + 1))
    if [ -z "$problems" ]; then
        echo "ok $number - $claim"
    else
        echo "not ok $number - $claim"
        printf '%s\n' "$problems" | sed 's/^/# /'
        sed 's/^/#    /' "$world/out" | head -n 30
    fi
    claim=""
    problems=""
}

# skip CLAIM WHY
skip() {
    finish
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

plan() {
    finish
    echo "1..$number"
}

wrong() {
    problems="$problems$1
"
}

run() {
    timeout 300 "$cli" "$@" >"$world/out" 2>&1
    code=$?
}

exits() {
    [ "$code" -eq "$1" ] || wrong "exit code $code instead of $1"
}

says() {
    for text in "$@"; do
        grep -qF -- "$text" "$world/out" || wrong "does not say: $text"
    done
}

says_not() {
    grep -qF -- "$1" "$world/out" && wrong "says: $1"
}
