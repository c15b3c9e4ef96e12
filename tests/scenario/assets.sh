#!/bin/sh
# assets.sh — assets and archives that lie on a server, through the real command line. Speaks TAP.
# usage: CLI=… SCRIPTED=… assets.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"
. "$here/server.sh"

reset() {
    rm -rf "$world/state" "$world/run/cloud.json"
    mkdir -p "$world/state"
    echo "one" >"$world/files/page.txt"
    : >"$world/files/log"
    "$cli" stack init dev --non-interactive >"$world/out" 2>&1
}

mkdir -p "$world/files" "$world/bin" "$world/proj" "$world/run"
ln -s "$scripted" "$world/bin/pulumi-language-script"
ln -s "$scripted" "$world/bin/pulumi-resource-pkg"
printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
(cd "$world/proj" && tar -czf "$world/files/pack.tar.gz" Pulumi.yaml)
cd "$world/proj" || exit 1
serve port
url=http://127.0.0.1:$port

# asset URI, archive URI — as programs write them.
asset() {
    printf '{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","uri":"%s"}' "$1"
}
archive() {
    printf '{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","uri":"%s"}' "$1"
}

# program PROPERTIES — of the only resource.
program() {
    printf '[{"resource":"a","type":"pkg:index:Res","props":{%s}}]' "$1" >"$world/run/program.json"
}

# knows HASH — the state has it.
knows() {
    "$cli" stack export | grep "\"hash\": \"$1\"" >/dev/null || wrong "no hash $1 in the state"
}
sum() {
    sha256sum "$world/files/$1" | cut -d ' ' -f 1
}

begin "the hash is that of what the server has, fetched once for each registration"
program "\"a\":$(asset "$url/page.txt?v=1"),\"b\":[$(asset "$url/page.txt?v=1")]"
run $up
exits 0
knows "$(sum page.txt)"
[ "$(grep -c . "$world/files/log")" -eq 1 ] || wrong "not one request"

begin "other contents at the same address are a change"
program "\"a\":$(asset "$url/page.txt")"
run $up
echo "two" >"$world/files/page.txt"
run $up
exits 0
says "~ 1 updated"
knows "$(sum page.txt)"
run $up
says "2 unchanged"

begin "an archive has the hash of its file, and its members one by one as part of another"
program "\"a\":$(archive "$url/pack.tar.gz?x#y"),\"local\":{\"4dabf18193072939515e22adb298388d\":\"0def7320c3a5731c473e5ecbe6d01bc7\",\"assets\":{
    \"sub\":{\"4dabf18193072939515e22adb298388d\":\"0def7320c3a5731c473e5ecbe6d01bc7\",\"path\":\"$world/files/pack.tar.gz\"}}},
    \"remote\":{\"4dabf18193072939515e22adb298388d\":\"0def7320c3a5731c473e5ecbe6d01bc7\",\"assets\":{\"sub\":$(archive "$url/pack.tar.gz")}}"
run $up
exits 0
knows "$(sum pack.tar.gz)"
"$cli" stack export | python3 -c '
import json, sys
inputs = json.load(sys.stdin)["deployment"]["resources"][-1]["inputs"]
sys.exit(inputs["local"]["hash"] != inputs["remote"]["hash"])' || wrong "the same members have another hash"

begin "a redirect is followed, and a server that fails for the moment is asked again"
program "\"a\":$(asset "$url/moved/page.txt"),\"b\":$(asset "$url/flaky/page.txt")"
run $up
exits 0
knows "$(sum page.txt)"

begin "what is not there is an error that names it, and nothing is made"
program "\"a\":$(asset "$url/nothing.txt")"
run $up
exits 1
says "GET $url/nothing.txt: HTTP status 404"
[ ! -s "$world/run/cloud.json" ] || ! grep -q '"a"' "$world/run/cloud.json" || wrong "it was made"
program "\"a\":$(archive "$url/page.txt")"
run $up
exits 1
says "file at URL '$url/page.txt' is not a recognized archive format"
program "\"a\":$(asset "http://127.0.0.1:1/x")"
run $up
exits 1
says "http://127.0.0.1:1/x"

begin "an archive in an archive that unpacks to too much is refused with the limit, and nothing is made"
python3 - "$world/proj" <<'END'
import io, sys, tarfile, zipfile
with zipfile.ZipFile(sys.argv[1] + "/bomb.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for name in "ab":
        out.writestr(name, bytes(40 << 20))
with tarfile.open(sys.argv[1] + "/bomb.tgz", "w:gz") as out:
    member = tarfile.TarInfo("a")
    member.size = 80 << 20
    out.addfile(member, io.BytesIO(bytes(member.size)))
END
for format in zip tgz; do
    program "\"a\":{\"4dabf18193072939515e22adb298388d\":\"0def7320c3a5731c473e5ecbe6d01bc7\",\"assets\":{\"in\":{\"4dabf18193072939515e22adb298388d\":\"0def7320c3a5731c473e5ecbe6d01bc7\",\"path\":\"bomb.$format\"}}}"
    run $up
    exits 1
    says "bomb.$format' unpacks to more than 100 times its size; if you trust it, raise this limit with CULUMI_MAX_ARCHIVE_RATIO"
    CULUMI_MAX_ARCHIVE_BYTES=1000 run $up
    exits 1
    says "bomb.$format' unpacks to more than 1000 bytes"
    CULUMI_MAX_ARCHIVE_MEMBERS=0 run $up
    exits 1
    says "bomb.$format' has more than 0 members"
    [ ! -s "$world/run/cloud.json" ] || ! grep -q '"a"' "$world/run/cloud.json" || wrong "it was made"
    CULUMI_MAX_ARCHIVE_RATIO=10000 run $up
    exits 0
    rm -f "$world/run/cloud.json" "$world/proj/bomb.$format"
    run destroy --yes --skip-preview --non-interactive
done

plan
