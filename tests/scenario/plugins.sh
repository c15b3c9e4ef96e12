#!/bin/sh
# plugins.sh — plugins installed, listed, removed and fetched when they are missing, through the real command line from a real server.
# Speaks TAP.
# usage: CLI=… SCRIPTED=… plugins.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"
plugins=$world/home/plugins
case $(uname -m) in
aarch64) arch=arm64 other=62 ;;
*) arch=amd64 other=183 ;;
esac

reset() {
    rm -rf "$world/home" "$world/state" "$world/run/cloud.json"
    mkdir -p "$world/state"
    : >"$world/files/log"
}

installed() {
    [ -x "$plugins/resource-$1/pulumi-resource-${1%-v*}" ] || wrong "resource-$1 is not installed"
    [ ! -e "$plugins/resource-$1.partial" ] || wrong "resource-$1 is still partial"
}

absent() {
    [ ! -e "$plugins/resource-$1" ] || wrong "resource-$1 is there"
    [ ! -e "$plugins/resource-$1.partial" ] || wrong "resource-$1.partial is there"
}

requests() {
    count=$(grep -c . "$world/files/log")
    [ "$count" -eq "$1" ] || wrong "$count requests instead of $1"
}

# --- the world: a server with plugins, good and bad; a project whose provider is not installed ---

mkdir -p "$world/files" "$world/bin" "$world/proj" "$world/run" "$world/state" "$world/pack"
cp "$scripted" "$world/pack/pulumi-resource-pkg"
echo "about" >"$world/pack/README"
# archive NAME VERSION FOLDER — of everything in a folder, as releases are published.
archive() {
    tar -C "$3" -czf "$world/files/pulumi-resource-$1-v$2-linux-$arch.tar.gz" .
}
archive pkg 1.0.0 "$world/pack"
archive pkg 1.1.0 "$world/pack"
good=$world/files/pulumi-resource-pkg-v1.0.0-linux-$arch.tar.gz
cp "$good" "$world/kept.tar.gz"
mkdir "$world/other"
cp "$scripted" "$world/other/pulumi-resource-pkc"
archive pkc 1.0.0 "$world/other"
sum=$(sha256sum "$good" | cut -d ' ' -f 1)

mkdir "$world/alien"
# The first bytes of an executable for another machine.
perl -e 'print "\x7fELF\x02\x01\x01", "\0" x 9, pack("vvV", 2, $ARGV[0], 1), "\0" x 200' "$other" >"$world/alien/pulumi-resource-alien"
chmod +x "$world/alien/pulumi-resource-alien"
archive alien 1.0.0 "$world/alien"
# Archives that want out, each in a way of its own.
python3 - "$world/files" "$arch" <<'END'
import io, sys, tarfile
ways = {
    "dots": [("../../outside", tarfile.REGTYPE, "")],
    "inner": [("a/../../../outside", tarfile.REGTYPE, "")],
    "absolute": [("/tmp/culumi-outside", tarfile.REGTYPE, "")],
    "link": [("out", tarfile.SYMTYPE, "../.."), ("out/outside", tarfile.REGTYPE, "")],
    "abslink": [("out", tarfile.SYMTYPE, "/tmp"), ("out/culumi-outside", tarfile.REGTYPE, "")],
    "folderlink": [("a", tarfile.DIRTYPE, ""), ("a/out", tarfile.SYMTYPE, ".."), ("a/out/../../outside", tarfile.REGTYPE, "")],
    "through": [("sub", tarfile.DIRTYPE, ""), ("in", tarfile.SYMTYPE, "sub"), ("in/outside", tarfile.REGTYPE, "")],
    "hardlink": [("hard", tarfile.LNKTYPE, "../../outside")],
    "device": [("null", tarfile.CHRTYPE, "")],
    "pipe": [("pipe", tarfile.FIFOTYPE, "")],
}
for name, members in ways.items():
    with tarfile.open(f"{sys.argv[1]}/pulumi-resource-{name}-v1.0.0-linux-{sys.argv[2]}.tar.gz", "w:gz") as archive:
        for path, kind, target in [(f"pulumi-resource-{name}", tarfile.REGTYPE, "")] + members:
            member = tarfile.TarInfo(path)
            member.type, member.linkname, member.mode = kind, target, 0o755
            member.size = 4 if kind == tarfile.REGTYPE else 0
            archive.addfile(member, io.BytesIO(b"evil"))
END

ln -s "$scripted" "$world/bin/pulumi-language-script"
printf 'name: conf\nruntime: script\n' >"$world/proj/Pulumi.yaml"
cd "$world/proj" || exit 1

. "$here/server.sh"
serve port
url=http://127.0.0.1:$port

program() {
    printf '[{"resource":"a","type":"%s:index:Res","props":{"x":1},"opts":{"version":"%s","pluginDownloadURL":"%s"}}]' "$1" "$2" "$3" \
        >"$world/run/program.json"
}

# --- install, list, remove ---

begin "a plugin comes from a server with its checksum, once"
run plugin install resource pkg v1.0.0 --server "$url/releases/\${VERSION}/" --checksum "$sum"
exits 0
says "[resource plugin pkg-1.0.0] installing" "Downloading plugin pkg-1.0.0"
installed pkg-v1.0.0
run plugin install resource pkg 1.0.0 --server "$url/releases/\${VERSION}/" --checksum "$sum"
exits 0
requests 1
grep -q "^/releases/1.0.0/pulumi-resource-pkg-v1.0.0-linux-$arch.tar.gz pulumi-cli/1 (" "$world/files/log" || wrong "asked otherwise"
run plugin install resource pkg 1.0.0 --server "$url" --reinstall
exits 0
requests 2

begin "versions lie side by side, and are listed and removed by themselves"
run plugin install resource pkg 1.0.0 --file "$good"
exits 0
run plugin install resource pkg 1.1.0 --server "$url"
exits 0
run plugin ls
exits 0
says "NAME  KIND      VERSION" "pkg   resource  1.1.0" "pkg   resource  1.0.0" "TOTAL plugin cache size: "
run plugin ls --json
exits 0
python3 - "$world/out" <<'END' || wrong "the JSON is not as it should be"
import json, sys
from datetime import datetime
plugins = json.load(open(sys.argv[1]))
assert [(p["name"], p["kind"], p["version"]) for p in plugins] == [("pkg", "resource", "1.1.0"), ("pkg", "resource", "1.0.0")]
for p in plugins:
    assert p["size"] > 0
    for key in "installTime", "lastUsedTime":
        datetime.strptime(p[key], "%Y-%m-%dT%H:%M:%S.%fZ")
END
run plugin rm resource pkg 1.1.0
exits 1
says "requires --yes"
run plugin rm resource pkg 1.1.0 --yes
exits 0
says "removed: resource pkg-1.1.0"
absent pkg-v1.1.0
installed pkg-v1.0.0
run plugin rm
exits 1
says "please pass --all"
run plugin rm --all --yes
exits 0
run plugin rm --all --yes
exits 0
says "no plugins found to uninstall"
[ -z "$(ls -A "$plugins")" ] || wrong "something is left: $(ls "$plugins")"

begin "a folder and an executable can be installed"
run plugin install resource pkg 1.0.0 --file "$world/pack"
exits 0
installed pkg-v1.0.0
run plugin install resource pkg 1.1.0 --file "$world/pack/pulumi-resource-pkg"
exits 0
installed pkg-v1.1.0

begin "a server that fails for the moment is asked again"
run plugin install resource pkg 1.0.0 --server "$url/flaky"
exits 0
says "Will retry in 80ms [1/5]" "Will retry in 160ms [2/5]"
installed pkg-v1.0.0
requests 3

begin "a redirect is followed"
run plugin install resource pkg 1.0.0 --server "$url/moved"
exits 0
installed pkg-v1.0.0

begin "several processes install it once"
for i in 1 2 3 4; do
    "$cli" plugin install resource pkg 1.0.0 --server "$url" >"$world/out.$i" 2>&1 &
    eval "child$i=$!"
done
for i in 1 2 3 4; do
    eval "wait \$child$i" || wrong "process $i failed: $(cat "$world/out.$i")"
done
installed pkg-v1.0.0
requests 1

# --- bad input ---

begin "a wrong checksum is refused, and what was there stays"
run plugin install resource pkg 1.0.0 --server "$url" --checksum 00ff
exits 1
says "invalid checksum, expected 00ff, actual $sum"
absent pkg-v1.0.0
run plugin install resource pkg 1.0.0 --file "$good" --checksum "$sum"
exits 0
run plugin install resource pkg 1.0.0 --server "$url" --checksum 00ff --reinstall
exits 1
installed pkg-v1.0.0

begin "a plugin that the server does not have is an error"
run plugin install resource pkg 9.9.9 --server "$url"
exits 1
says "404 HTTP error fetching plugin from $url/pulumi-resource-pkg-v9.9.9-linux-$arch.tar.gz"
absent pkg-v9.9.9
requests 1

begin "a download that always breaks off is given up"
run plugin install resource pkg 1.0.0 --server "$url/cut"
exits 1
says "failed all 5 attempts" "before it was complete"
absent pkg-v1.0.0
requests 5

begin "nobody at the address is an error"
run plugin install resource pkg 1.0.0 --server "http://127.0.0.1:1"
exits 1
says "failed all 5 attempts" "Connection refused"

begin "a truncated archive is refused"
head -c $(($(wc -c <"$good") - 5)) "$good" >"$world/truncated.tar.gz"
run plugin install resource pkg 1.0.0 --file "$world/truncated.tar.gz"
exits 1
says "is not a valid tar archive"
absent pkg-v1.0.0

begin "an archive that reaches outside its folder is refused"
for way in dots inner absolute link abslink folderlink through hardlink device pipe; do
    run plugin install resource $way 1.0.0 --server "$url"
    exits 1
    absent $way-v1.0.0
    [ -z "$(find "$world/home" /tmp/culumi-outside -name '*outside' 2>/dev/null)" ] || wrong "$way: something was written outside"
    case $way in
    dots) says "tar entry '../../outside' escapes destination directory" ;;
    absolute | inner | link | abslink | folderlink) says "escapes destination directory" ;;
    through) says "'in' is in the way of a folder" ;;
    *) says "unexpected plugin file type" ;;
    esac
done
[ -z "$(ls -d "$plugins"/*/ 2>/dev/null)" ] || wrong "something is left"

begin "an archive that unpacks to too much is refused with the limit, and nothing is left"
python3 - "$world/bomb.tar.gz" <<'END'
import gzip, sys, tarfile
with gzip.open(sys.argv[1], "wb", 9) as out:
    member = tarfile.TarInfo("pulumi-resource-bomb")
    member.size, member.mode = 80 << 20, 0o755
    out.write(member.tobuf())
    for _ in range(80):
        out.write(bytes(1 << 20))
    out.write(bytes(1024))
END
run plugin install resource bomb 1.0.0 --file "$world/bomb.tar.gz"
exits 1
says "bomb.tar.gz' unpacks to more than 100 times its size; if you trust it, raise this limit with CULUMI_MAX_ARCHIVE_RATIO"
absent bomb-v1.0.0
CULUMI_MAX_ARCHIVE_RATIO=10000 run plugin install resource bomb 1.0.0 --file "$world/bomb.tar.gz"
exits 0
installed bomb-v1.0.0
rm "$world/bomb.tar.gz"
CULUMI_MAX_ARCHIVE_BYTES=1000 run plugin install resource pkg 1.0.0 --file "$good"
exits 1
says "unpacks to more than 1000 bytes" "CULUMI_MAX_ARCHIVE_BYTES"
absent pkg-v1.0.0
CULUMI_MAX_ARCHIVE_MEMBERS=2 run plugin install resource pkg 1.0.0 --server "$url"
exits 1
says "has more than 2 members" "CULUMI_MAX_ARCHIVE_MEMBERS"
absent pkg-v1.0.0
CULUMI_MAX_ARCHIVE_MEMBERS=many run plugin install resource pkg 1.0.0 --file "$good"
exits 1
says "CULUMI_MAX_ARCHIVE_MEMBERS is 'many', which is not a number"

# interrupted SIGNAL WORDS… — runs the command line, and sends it a signal when it is in the middle of a download.
interrupted() {
    signal=$1
    shift
    "$here/interrupt.py" "$signal" "grep -q hang '$world/files/log'" "$cli" "$@" >"$world/out" 2>&1
    code=$?
}

begin "an installer that was killed leaves nothing that counts"
interrupted KILL plugin install resource pkg 1.0.0 --server "$url/hang"
exits 137
mkdir -p "$plugins/resource-pkg-v1.0.0" # as if it had been killed while it wrote
: >"$plugins/resource-pkg-v1.0.0.partial"
run plugin ls
says "TOTAL plugin cache size: 0 B"
run plugin install resource pkg 1.0.0 --server "$url"
exits 0
installed pkg-v1.0.0
[ -z "$(ls "$plugins" | grep download)" ] || wrong "a download is left"

begin "^C ends a download, and nothing is left of it"
interrupted INT plugin install resource pkg 1.0.0 --server "$url/hang"
exits 130
absent pkg-v1.0.0
run plugin install resource pkg 1.0.0 --server "$url"
exits 0

begin "words that mean nothing are errors"
run plugin install bogus pkg 1.0.0
exits 1
says "unrecognized plugin kind: bogus"
run plugin install resource
exits 1
says "missing plugin name argument"
run plugin install resource pkg latest --server "$url"
exits 1
says "invalid plugin semver"
run plugin install resource pkg 1.0.0 --server "$url" --checksum xyz
exits 1
says "--checksum was not a valid hex string"
run plugin install resource ../pkg 1.0.0 --server "$url"
exits 1
says "invalid plugin name '../pkg'"
run plugin install language nodejs 1.0.0 --server "$url"
exits 1
says "bundled"
# .NET and Java do not come with us: they can be fetched.
run plugin install language java 1.0.0 --server "$url"
exits 1
says "pulumi-language-java-v1.0.0"
run plugin install resource pkg 1.0.0 --file "$world/pack/README"
exits 1
says "neither a tar.gz archive nor executable"
run plugin rm bogus --yes
exits 1
says "unrecognized plugin kind: bogus"
run plugin rm resource pkg 'what>' --yes
exits 1
says "invalid plugin semver"
[ ! -d "$plugins" ] || [ -z "$(ls -d "$plugins"/*/ 2>/dev/null)" ] || wrong "something was installed"

# --- during an operation ---

begin "a provider that is missing is installed on the way"
run stack init dev --non-interactive
program pkg 1.0.0 "$url"
run $up
exits 0
says "Downloading provider: pkg" "+ 2 created"
installed pkg-v1.0.0
[ -e "$plugins/resource-pkg-v1.0.0.lastused" ] || wrong "its use is not noted"
requests 1
run $up
exits 0
says_not "Downloading provider"
program pkg 1.1.0 "$url"
run $up
exits 0
installed pkg-v1.1.0
run destroy --yes --skip-preview --non-interactive
exits 0

begin "without permission nothing is installed"
run stack init dev --non-interactive
program pkg 1.0.0 "$url"
PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true
export PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION
run $up
unset PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION
exits 1
says "no resource plugin 'pulumi-resource-pkg' found in the workspace at version v1.0.0 or on your \$PATH from $url"
requests 0

begin "a provider that cannot be fetched says how to try by hand"
run stack init dev --non-interactive
program pkg 7.0.0 "$url"
run $up
exits 1
says "Could not automatically download and install resource plugin 'pulumi-resource-pkg' at version v7.0.0" \
    "\`$(basename "$cli") plugin install resource pkg v7.0.0 --server $url\`" "404 HTTP error fetching plugin"
absent pkg-v7.0.0

# A proxy that nobody serves: the same everywhere, with and without a network.
begin "a provider that no usual place gives away says what was tried, why it failed and how to try by hand"
run stack init dev --non-interactive
program pkg 1.0.0 ""
export https_proxy=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9
run $up
unset https_proxy HTTPS_PROXY
exits 1
says "Could not automatically download and install resource plugin 'pulumi-resource-pkg' at version v1.0.0" \
    "\`$(basename "$cli") plugin install resource pkg v1.0.0\`" "api.github.com" "127.0.0.1"
absent pkg-v1.0.0

begin "the usual places can be replaced"
run stack init dev --non-interactive
program pkg 1.0.0 ""
PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES="^github://api.github.com/([a-z]+)/.*=$url/\$1"
export PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES
run $up
unset PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES
exits 0
installed pkg-v1.0.0
grep -q "^/pulumi/pulumi-resource-pkg-v1.0.0" "$world/files/log" || wrong "asked otherwise"

begin "a plugin for another machine says so when it is started"
run plugin install resource alien 1.0.0 --server "$url"
exits 0
run stack init dev --non-interactive
program alien 1.0.0 ""
run $up
exits 1
says "failed to load plugin" "it was built for linux-" "and this machine is linux-$arch"

# --- before an operation ---

needs() {
    printf '[{"requires":{"name":"pkg","version":"1.0.0","server":"%s"}},{"requires":{"name":"pkc","version":"1.0.0","server":"%s"}},
             {"resource":"a","type":"pkg:index:Res","props":{"x":1}}]' "$1" "$1" >"$world/run/program.json"
}

begin "what a program needs is installed before it runs, at once, and shown in the event log"
run stack init dev --non-interactive
needs "$url/slow"
run $up --event-log "$world/events"
exits 0
says "Downloading plugin pkg-1.0.0: starting" "Downloading plugin pkg-1.0.0: done" "Installing plugin pkc-1.0.0: done" "+ 2 created"
says_not "Downloading provider"
says_not "[==="
installed pkg-v1.0.0
installed pkc-v1.0.0
requests 2
python3 - "$world/events" <<'END' || wrong "the events are not as they should be"
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
progress = [e["progressEvent"] for e in events if "progressEvent" in e]
downloads = [p for p in progress if p["id"] == "plugin-download:pkg-1.0.0"]
assert downloads[-1]["done"] and downloads[-1]["received"] == downloads[-1]["total"] > 0
assert all(p["type"] == "plugin-download" and not p["done"] for p in downloads[:-1]) and len(downloads) > 2
installs = [p for p in progress if p["id"] == "plugin-install:pkg-1.0.0"]
assert [p["done"] for p in installs] == [False, True] and all(p["total"] == downloads[-1]["total"] for p in installs)
assert installs[-1]["received"] == installs[-1]["total"]
assert any(p["id"] == "plugin-install:pkc-1.0.0" and p["done"] for p in progress)
first, last = {}, {}
for i, p in enumerate(progress):
    first.setdefault(p["id"], i)
    last[p["id"]] = i
one, other = "plugin-download:pkg-1.0.0", "plugin-download:pkc-1.0.0"
assert first[one] < last[other] and first[other] < last[one], "one after the other"
END

begin "operations beside each other install it once"
for stack in one two three; do
    run stack init $stack --non-interactive
done
needs "$url/slow"
for stack in one two three; do
    "$cli" preview --non-interactive --stack $stack >"$world/out.$stack" 2>&1 &
    eval "child_$stack=$!"
done
for stack in one two three; do
    eval "wait \$child_$stack" || wrong "stack $stack failed: $(cat "$world/out.$stack")"
done
installed pkg-v1.0.0
installed pkc-v1.0.0
requests 2

begin "what only the state needs is installed before it is destroyed"
run stack init dev --non-interactive
needs "$url"
run $up
exits 0
rm -rf "$plugins"
run destroy --yes --skip-preview --non-interactive
exits 0
says "Downloading plugin pkg-1.0.0: starting" "- 2 deleted"

begin "before the operation nothing is installed if it is not wanted"
run stack init dev --non-interactive
needs "$url"
run $up --skip-plugin-pre-install
exits 0
says "Downloading provider: pkg"
says_not "Downloading plugin"
requests 1
rm -rf "$plugins"
: >"$world/files/log"
PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true
export PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION
run $up
unset PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION
exits 1
requests 0

begin "what cannot be had is asked for once, and told where it is needed"
run stack init dev --non-interactive
needs "$url/nowhere"
rm -f "$world/files/pulumi-resource-pkg-v1.0.0-linux-$arch.tar.gz"
run $up
cp "$world/kept.tar.gz" "$good"
exits 1
says "Could not automatically download and install resource plugin 'pulumi-resource-pkg' at version v1.0.0" "404 HTTP error"
says_not "Downloading plugin pkg"
requests 2

begin "^C does not wait for a download, before an operation or in it"
run stack init dev --non-interactive
for way in before during; do
    needs "$url/hang"
    [ $way = before ] || program pkg 1.0.0 "$url/hang"
    : >"$world/files/log"
    interrupted INT $up
    [ "$code" -ne 92 ] || wrong "it waited"
    says "error: update canceled"
    absent pkg-v1.0.0
done

begin "a bar is drawn on a terminal, and only there"
run stack init dev --non-interactive
needs "$url/slow"
TERM=xterm script -qec "'$cli' preview" /dev/null >"$world/out" 2>&1 </dev/null
says "Downloads" "Downloading plugin pkg-1.0.0  [===" "%"
rm -rf "$plugins"
TERM=xterm script -qec "'$cli' plugin install" /dev/null >"$world/out" 2>&1 </dev/null
says "Downloading plugin pkg-1.0.0 [===" "Downloading plugin pkc-1.0.0 [==="
rm -rf "$plugins"
run plugin install
exits 0
says "Downloading plugin pkg-1.0.0"
says_not "[==="

begin "the plugins of a project are installed and listed without being named"
needs "$url"
run plugin install --parallel 1
exits 0
installed pkg-v1.0.0
installed pkc-v1.0.0
run plugin install
exits 0
says_not "installing"
requests 2
run plugin install --reinstall
exits 0
requests 4
run plugin install resource pkg 1.1.0 --server "$url" --exact
exits 0
run plugin ls --project
exits 0
says "pkg     resource  1.0.0" "pkc     resource  1.0.0"
says_not "1.1.0"
says "language"
run plugin ls --project --json
exits 0
[ "$(grep -v '^warning' "$world/out" | python3 -c 'import json, sys; print(sorted(plugin["kind"] for plugin in json.load(sys.stdin)))')" = "['language', 'resource', 'resource']" ] || wrong "not two plugins and the host"
run plugin install --file "$good"
exits 1
says "--file (-f) is only valid if a specific package is being installed"
cd "$world" || exit 1
run plugin install
exits 1
says "no Pulumi.yaml project file found"
run plugin ls --project
exits 1
cd "$world/proj" || exit 1

# --- HTTPS ---

if ! ls /usr/lib/*/libcurl.so.4 >/dev/null 2>&1; then
    skip HTTPS "libcurl4 is not installed"
elif ! openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$world/key.pem" -out "$world/cert.pem" >/dev/null 2>&1; then
    skip HTTPS "openssl is not installed"
else
    cat "$world/key.pem" "$world/cert.pem" >"$world/both.pem"
    serve tls-port "$world/both.pem"
    begin "a plugin comes over HTTPS from a server that is trusted"
    run plugin install resource pkg 1.0.0 --server "https://localhost:$port"
    exits 1
    says "certificate"
    absent pkg-v1.0.0
    requests 0
    SSL_CERT_FILE=$world/cert.pem
    export SSL_CERT_FILE
    run plugin install resource pkg 1.0.0 --server "https://localhost:$port" --checksum "$sum"
    exits 0
    installed pkg-v1.0.0
    run plugin install resource pkg 9.9.9 --server "https://localhost:$port"
    exits 1
    says "404 HTTP error fetching plugin"
    unset SSL_CERT_FILE
    mkdir -p "$world/certs"
    cp "$world/cert.pem" "$world/certs/" && openssl rehash "$world/certs"
    export SSL_CERT_DIR="$world/certs"
    run plugin install resource pkg 1.1.0 --server "https://localhost:$port"
    exits 0
    installed pkg-v1.1.0
    unset SSL_CERT_DIR
    export SSL_CERT_FILE="$world/cert.pem"

    begin "a release is found as GitHub tells of it, and the newest if no version is named"
    run plugin install resource pkg 1.0.0 --server "github://localhost:$port/somebody"
    exits 0
    installed pkg-v1.0.0
    grep -q "^/repos/somebody/pulumi-pkg/releases/tags/v1.0.0 .* None" "$world/files/log" || wrong "asked otherwise"
    grep -q "^/asset/pulumi-resource-pkg-v1.0.0" "$world/files/log" || wrong "the archive comes from elsewhere"
    run plugin install resource pkg --server "github://localhost:$port/somebody/plugins"
    exits 0
    run plugin rm resource pkg --yes
    run plugin install resource pkg --server "github://localhost:$port/somebody/plugins"
    exits 0
    installed pkg-v1.1.0
    grep -q "^/repos/somebody/plugins/releases/latest " "$world/files/log" || wrong "asked otherwise for the newest"
    run plugin install resource pkg 9.9.9 --server "github://localhost:$port/somebody"
    exits 1
    says "404 HTTP error fetching plugin from https://localhost:$port/repos/somebody/pulumi-pkg/releases/tags/v9.9.9"

    begin "a token is used, and left out where it is refused"
    export GITHUB_TOKEN=good
    run plugin install resource pkg 1.0.0 --server "github://localhost:$port/somebody"
    exits 0
    grep -q "^/repos/.* token good" "$world/files/log" || wrong "the token is not sent"
    GITHUB_TOKEN=expired
    run plugin install resource pkg 1.1.0 --server "github://localhost:$port/somebody"
    exits 0
    installed pkg-v1.1.0
    unset GITHUB_TOKEN

    begin "a release is found as GitLab tells of it"
    export GITLAB_TOKEN=good
    run plugin install resource pkg 1.0.0 --server "gitlab://localhost:$port/4711"
    exits 0
    installed pkg-v1.0.0
    grep -q "^/api/v4/projects/4711/releases/v1.0.0/downloads/pulumi-resource-pkg-v1.0.0-.* Bearer good" "$world/files/log" ||
        wrong "asked otherwise"
    run plugin rm resource pkg --yes
    run plugin install resource pkg --server "gitlab://localhost:$port/4711"
    exits 0
    installed pkg-v1.1.0
    unset GITLAB_TOKEN SSL_CERT_FILE

    begin "a proxy is used, but not for those that no_proxy names, nor for this machine"
    export http_proxy="$url" no_proxy=""
    run plugin install resource pkg 1.0.0 --server "http://plugins.invalid"
    exits 0
    installed pkg-v1.0.0
    grep -q "^http://plugins.invalid/pulumi-resource-pkg-v1.0.0" "$world/files/log" || wrong "the proxy was not asked"
    no_proxy=plugins.invalid
    run plugin install resource pkg 1.1.0 --server "http://plugins.invalid"
    exits 1
    absent pkg-v1.1.0
    http_proxy=http://127.0.0.1:1 no_proxy=""
    run plugin install resource pkg 1.1.0 --server "$url"
    exits 0
    installed pkg-v1.1.0
    unset http_proxy no_proxy
    export HTTP_PROXY="$url"
    run plugin rm resource pkg --yes
    run plugin install resource pkg 1.0.0 --server "http://plugins.invalid"
    exits 0
    installed pkg-v1.0.0
    unset HTTP_PROXY
fi

plan
