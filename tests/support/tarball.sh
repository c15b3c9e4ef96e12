#!/bin/sh
# tarball.sh — `make tarball`: the same bytes each time, nothing that glibc 2.31 does not have, and programs that work where they are unpacked.
# OLD_ROOT=FOLDER names the root of an old system, as debootstrap makes one (debootstrap --variant=minbase bullseye FOLDER): there they are run, too,
# which needs root. Speaks TAP.
set -u
. "$(dirname "$0")/made.sh"

make_tarball() {
    make_in "$top" tarball SOURCE_DATE_EPOCH=1790000000
}

# deploys — a script that makes the example's stack and takes it down; in the folder of a copy of it.
cat >"$world/deploys" <<'END'
set -e
export PULUMI_HOME=$PWD/home PULUMI_BACKEND_URL=file://$PWD PULUMI_CONFIG_PASSPHRASE=p
culumi version
culumi stack init dev
culumi up --yes --skip-preview
culumi destroy --yes --skip-preview --remove
END

begin "make tarball packs the same bytes each time"
make_tarball
if [ "$code" -ne 0 ] && grep -q "cannot be fetched" "$world/out"; then
    claim="" # nothing was claimed yet
    skip "make tarball packs the same bytes each time" "$(grep -m 1 "cannot be fetched" "$world/out")"
    plan
    exit
fi
exits 0
cp "$top"/build/tarball/culumi-*.tar.gz "$world/first.tar.gz"
rm -rf "$top/build/tarball/bin"
make_tarball
cmp -s "$world/first.tar.gz" "$top"/build/tarball/culumi-*.tar.gz || wrong "the second differs"

begin "its programs need the C library only, and nothing in it that is newer than 2.31"
mkdir "$world/opt"
tar -xzf "$world/first.tar.gz" -C "$world/opt" --strip-components=1
for program in culumi pulumi-language-go pulumi-language-nodejs pulumi-language-python pulumi-language-yaml; do
    objdump -p "$world/opt/lib/culumi/$program" >"$world/out" || wrong "$program cannot be read"
    newest=$(grep -o 'GLIBC_2\.[0-9.]*' "$world/out" | sort -V | tail -1)
    [ "$(printf '%s\nGLIBC_2.31\n' "$newest" | sort -V | tail -1)" = GLIBC_2.31 ] || wrong "$program needs $newest"
    grep -qE 'NEEDED.*lib(uv|yaml|protobuf|crypto|z|zstd)\.so' "$world/out" && wrong "$program needs more: $(grep NEEDED "$world/out" | tr -s ' \n' ' ')"
done

begin "it has manual pages, completions and examples, and links that lead somewhere"
for file in share/man/man1/culumi-up.1 share/man/man7/culumi-secrets.7 share/bash-completion/completions/culumi share/zsh/site-functions/_culumi \
    share/doc/culumi/examples/hello/Pulumi.yaml bin/culumi bin/pulumi; do
    [ -e "$world/opt/$file" ] || wrong "no $file"
done

begin "unpacked anywhere, it deploys a program"
cp -r "$world/opt/share/doc/culumi/examples/hello" "$world/hello"
(cd "$world/hello" && PATH="$world/opt/bin:$PATH" sh "$world/deploys") >"$world/out" 2>&1
code=$?
exits 0
says "4 created" "4 deleted"

if [ -z "${OLD_ROOT:-}" ]; then
    skip "so it does on an old system" "OLD_ROOT names no old system"
else
    begin "so it does on an old system"
    place=$(mktemp -d "$OLD_ROOT/tmp/culumi-test-XXXXXX")
    trap 'rm -rf "$world" "$place"' EXIT
    cp -r "$world/opt" "$world/hello" "$world/deploys" "$place"
    inside=${place#"$OLD_ROOT"}
    # A mount of its own, which is gone when the last process in there is.
    unshare --mount --pid --fork sh -c "mount -t proc proc '$OLD_ROOT/proc' && chroot '$OLD_ROOT' sh -c 'cd $inside/hello && PATH=$inside/opt/bin:\$PATH sh ../deploys'" >"$world/out" 2>&1
    code=$?
    exits 0
    says "v3.260.0" "4 created" "4 deleted"
fi
plan
