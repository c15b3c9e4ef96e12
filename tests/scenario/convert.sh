#!/bin/sh
# convert.sh — converters that are started by `convert`: what they write, and what is left when they fail. Speaks TAP.
# usage: CLI=… SCRIPTED=… convert.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"
mkdir -p "$world/bin" "$world/proj" "$world/run" "$world/state" "$world/tmp"
cp "$scripted" "$world/bin/pulumi-converter-other"
printf '#!/bin/sh\necho out of order >&2\nexit 1\n' >"$world/bin/pulumi-converter-bad"
chmod +x "$world/bin/pulumi-converter-bad"
TMPDIR=$world/tmp
export TMPDIR
cd "$world/proj" || exit 1
echo source >program.other

reset() {
    cd "$world/proj" || exit 1
}

begin "a converter gets the words behind -- and an address for schemas, and all it writes arrives"
run convert --from other --language pcl --out ../made -- one --two
exits 0
says "Converting from other..." "Converting to pcl..."
[ "$(cat ../made/main.pp)" = 'output word0 { value = "one" }
output word1 { value = "--two" }
// asks for schemas' ] || wrong "wrote $(cat ../made/main.pp)"
[ "$(cat ../made/sub/data)" = data ] || wrong "a folder is missing"

begin "a converter that fails, one that is missing and a language that cannot be printed write nothing"
run convert --from bad --language pcl --out ../bad
exits 1
run convert --from none --language pcl --out ../none
exits 1
says "error: load converter plugin: load \"none\": no converter plugin 'pulumi-converter-none' found in the workspace or on your \$PATH"
run convert --from other --language typescript --out ../ts
exits 1
says "error: programs cannot be printed in 'typescript' yet"
run convert --from other
exits 1
says 'error: required flag(s) "language" not set'
run convert --language pcl --name "a b"
exits 1
says "'a b' is not a valid project name"
for name in bad none ts; do [ ! -e "../$name" ] || wrong "../$name is there"; done
[ -z "$(ls "$TMPDIR")" ] || wrong "left in TMPDIR: $(ls "$TMPDIR")"

begin "a converter that is interrupted leaves nothing behind"
printf '#!/bin/sh\n: >"%s/run/converting"\nexec sleep 600\n' "$world" >"$world/bin/pulumi-converter-slow"
chmod +x "$world/bin/pulumi-converter-slow"
for signal in INT TERM HUP; do
    rm -f "$world/run/converting"
    timeout 120 "$here/interrupt.py" $signal "[ -e '$world/run/converting' ]" "$cli" convert --from slow --language pcl --out ../slow >"$world/out" 2>&1
    code=$?
    case $code in
    129 | 130 | 143) ;;
    *) wrong "$signal: exit code $code" ;;
    esac
    [ -z "$(ls "$TMPDIR")" ] || wrong "$signal: left in TMPDIR: $(ls "$TMPDIR")"
done
[ ! -e ../slow ] || wrong "../slow is there"

begin "PCL is copied as it is, but not into itself"
mkdir ../pcl && cd ../pcl && echo 'output o { value = 1 }' >main.pp
run convert --from pcl --language pcl --out ../copy
exits 0
cmp -s main.pp ../copy/main.pp || wrong "it differs"
run convert --from pcl --language pcl --out sub
exits 1
says "is inside of the folder"

begin "what has no effect on PCL is said"
run convert --from pcl --language pcl --out ../idle --strict --generate-only --mappings a
exits 0
says "warning: --strict has no effect here" "warning: --generate-only has no effect here" "warning: --mappings has no effect here"

begin "PCL that is none is an error with its file and line, and nothing is written"
cd ../pcl && mkdir -p parts && printf 'a = 1\noutput o {\n  value = "${a + 1}\n}\n' >parts/part.pp
run convert --from pcl --language pcl --out ../broken
exits 1
says "error: parts/part.pp: line 3: a string does not end"
[ ! -e ../broken ] || wrong "../broken is there"
run convert --from pcl --language pcl
exits 1
says "error: parts/part.pp: line 3:"
printf 'output o {\n  value = [for v in x : "%%{ if v }${v}%%{ endif }"]\n}\n' >parts/part.pp
run convert --from pcl --language pcl --out ../whole
exits 0
cmp -s parts/part.pp ../whole/parts/part.pp || wrong "it differs"
reset
run convert --from other --language pcl --out ../broken -- 'a"'
exits 1
says "error: what the converter 'other' made is no PCL: main.pp: line 1: the line should end before '\"'"
[ ! -e ../broken ] || wrong "../broken is there"

begin "what cannot be read or has no place leaves nothing half-written"
cd ../pcl && mkdir -p ../taken/parts/part.pp && ln -sf . loop
run convert --from pcl --language pcl --out ../taken
exits 1
says "parts/part.pp' is there already, and is a folder"
[ ! -e ../taken/main.pp ] || wrong "main.pp is there"
mkdir ../old && echo mine >../old/mine && echo old >../old/main.pp
run convert --from pcl --language pcl --out ../old
exits 0
[ "$(ls ../old)" = "main.pp
mine
parts" ] || wrong "there is $(ls ../old)"
cmp -s main.pp ../old/main.pp || wrong "main.pp is the old one"
[ -z "$(ls -d ../*.culumi-* 2>/dev/null)" ] || wrong "left: $(ls -d ../*.culumi-*)"
[ -z "$(ls "$TMPDIR")" ] || wrong "left in TMPDIR: $(ls "$TMPDIR")"
plan
