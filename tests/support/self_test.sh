#!/bin/sh
# self_test.sh — the runner of scenarios notices what it should notice. Speaks TAP.
# usage: CLI=… SCRIPTED=… self_test.sh
set -u
cli=$(realpath "$CLI")
scripted=$(realpath "$SCRIPTED")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/self-test-XXXXXX)
trap 'rm -rf "$work"' EXIT
number=0
unset TOTALS

# scenario NAME — copies one of the suite.
scenario() {
    rm -rf "$work/s"
    mkdir -p "$work/s/golden"
    cp "$here/../scenario/$1.yaml" "$work/s/"
    cp "$here/../scenario/$(dirname "$1")/golden/$(basename "$1").json" "$work/s/golden/"
    golden=$work/s/golden/$(basename "$1").json
}

# claim TEXT EXIT OUTPUT… — what the runner does with it now.
claim() {
    claim=$1
    wanted=$2
    shift 2
    "$scripted" -bin "$cli" $flags "$work/s" >"$work/out" 2>&1
    code=$?
    number=$((number + 1))
    verdict=ok
    [ "$code" -eq "$wanted" ] || verdict="not ok"
    for text in "$@"; do
        grep -qF -- "$text" "$work/out" || verdict="not ok"
    done
    echo "$verdict $number - $claim"
    [ "$verdict" = ok ] || sed 's/^/# /' "$work/out"
}

flags=""
scenario basic/basic-component
claim "a scenario that holds passes" 0 "ok   basic-component" "1 passed, 0 failed"

# One change in each section of the golden file; the first operation is an update.
change() {
    scenario "$3"
    sed -i "0,/$2/s//$4/" "$golden"
    claim "another '$1' is noticed" 1 "$1 differs" "0 passed, 1 failed"
}
change exit '"exit": 0' basic/basic-component '"exit": 1'
change calls '"rpc": "Create"' basic/basic-component '"rpc": "Make"'
change answers '"id": "kid-1"' basic/basic-component '"id": "kid-2"'
change callbacks '"rpc": "hook"' hook/hook-lifecycle '"rpc": "other"'
change steps '"op": "create"' basic/basic-component '"op": "update"'
change summary '"create": ' basic/basic-component '"create": 1'
change state '"custom": true' basic/basic-component '"custom": false'
change cloud '"kid-1": {' basic/basic-component '"kid-7": {'

change events '"isPreview": false' events/events-interrupt '"isPreview": true'
change plan '"<seed>"' plan/plan-file-other-steps '"<another>"'
change json '"changeSummary"' events/json-both '"changes"'
change starts '"pulumi-resource-third"' provider/provider-starts-early '"pulumi-resource-pkg"'

# The command line, but an event gets lost.
cat >"$work/lossy" <<END
#!/bin/sh
"$cli" "\$@"
code=\$?
[ ! -f "\$SCENARIO_DIR/events.json" ] || sed -i 2d "\$SCENARIO_DIR/events.json"
exit \$code
END
chmod +x "$work/lossy"
scenario events/events-interrupt
flags="-v -bin $work/lossy"
claim "a gap in the event log is noticed" 1 "fault: the sequence does not rise by one"

scenario basic/basic-component
sed -i '0,/"rpc": "Create"/s//"rpc": "Make"/' "$golden"
flags="-sections exit,state"
claim "a section that is not asked for is not compared" 0 "1 passed, 0 failed"

flags="-bless"
claim "blessing writes a new golden file" 0 "1 passed, 0 failed"
flags=""
claim "a blessed scenario passes" 0 "1 passed, 0 failed"

echo basic-component >"$work/known"
flags="-known $work/known"
claim "what is known to fail is left out" 0 "0 passed, 0 failed, 1 skipped"
flags=""

scenario basic/basic-component
rm "$golden"
claim "a scenario without a golden file fails" 1 "no golden file"

scenario basic/basic-component
sed -i 's/^ops:/opps:/' "$work/s/basic-component.yaml"
claim "a key that means nothing fails" 1 "unknown key 'opps'"

echo "1..$number"
