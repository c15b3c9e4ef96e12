#!/bin/sh
# dist.sh — `make dist` and `make deb`: the same bytes each time; the sources build outside git, the package runs and lintian accepts it.
# FRESH_ROOT=FOLDER names the root of a fresh Debian 12 (debootstrap --variant=minbase bookworm FOLDER): there the package is installed, used and removed,
# which needs root and network. Speaks TAP.
set -u
. "$(dirname "$0")/made.sh"

# needs PROGRAM — or the test is left out, with the reason.
needs() {
    command -v "$1" >/dev/null 2>&1 && return 0
    skip "$2" "$1 is not installed"
    return 1
}

if git -C "$top" rev-parse --git-dir >/dev/null 2>&1; then
    begin "make dist packs the committed sources, the same way each time"
    make_in "$top" dist
    exits 0
    cp "$top"/build/dist/culumi-*.tar.gz "$world/first.tar.gz"
    make_in "$top" dist
    cmp -s "$world/first.tar.gz" "$top"/build/dist/culumi-*.tar.gz || wrong "the second differs"

    begin "what is packed builds where there is no git, and says that it cannot be packed again"
    mkdir "$world/unpacked"
    tar -xzf "$world/first.tar.gz" -C "$world/unpacked" --strip-components=1
    make_in "$world/unpacked" build/release/src/base/str.o build/release/gen/pages/graph.o
    exits 0
    make_in "$world/unpacked" dist
    [ "$code" -ne 0 ] || wrong "it was packed"
    says "no checkout of git"
fi

if needs dpkg-shlibdeps "make deb makes a package"; then
    begin "make deb makes a package, the same way each time"
    make_in "$top" deb SOURCE_DATE_EPOCH=1790000000
    exits 0
    cp "$top"/build/deb/culumi_*.deb "$world/first.deb"
    make_in "$top" deb SOURCE_DATE_EPOCH=1790000000
    cmp -s "$world/first.deb" "$top"/build/deb/culumi_*.deb || wrong "the second differs"

    begin "what is in the package runs, and knows what it needs"
    mkdir "$world/root"
    dpkg-deb -x "$world/first.deb" "$world/root"
    answer=$("$world/root/usr/bin/culumi" version 2>&1)
    [ "$answer" = v3.260.0 ] || wrong "culumi version answers '$answer'"
    dpkg-deb -f "$world/first.deb" Depends >"$world/out"
    says "libuv1"
    for page in man1/culumi.1 man1/culumi-stack-rename.1 man7/culumi-secrets.7; do
        [ -e "$world/root/usr/share/man/$page.gz" ] || wrong "no manual page $page"
    done

    if needs lintian "lintian accepts the package"; then
        begin "lintian accepts the package"
        lintian --no-cfg --fail-on error,warning "$world/first.deb" >"$world/out" 2>&1
        code=$?
        exits 0
    fi

    if [ -z "${FRESH_ROOT:-}" ]; then
        skip "on a fresh Debian it is installed, deploys a program, and goes away" "FRESH_ROOT names no fresh system"
    else
        begin "on a fresh Debian it is installed, deploys a program, and goes away"
        cp "$world/first.deb" "$FRESH_ROOT/tmp/culumi.deb"
        cp /etc/resolv.conf "$FRESH_ROOT/etc/resolv.conf"
        cat >"$FRESH_ROOT/tmp/culumi-try.sh" <<'END'
set -e
export DEBIAN_FRONTEND=noninteractive HOME=/root PULUMI_BACKEND_URL=file:///tmp/culumi-try PULUMI_CONFIG_PASSPHRASE=p
trap 'rm -rf /tmp/culumi* /root/.pulumi' EXIT
apt-get -q update
apt-get -q install -y --no-install-recommends /tmp/culumi.deb
cp -r /usr/share/doc/culumi/examples/hello /tmp/culumi-try
cd /tmp/culumi-try
culumi version
culumi stack init dev
culumi up --yes --skip-preview
culumi destroy --yes --skip-preview --remove
apt-get -q purge -y culumi
echo "left: $(find / -xdev -name '*[cp]ulumi*' ! -path '/tmp/*' ! -path '/proc/*' ! -path '/root/.pulumi*' ! -path '/var/log/*' | tr '\n' ' ')."
END
        unshare --mount --pid --fork sh -c "mount -t proc proc '$FRESH_ROOT/proc' && chroot '$FRESH_ROOT' sh /tmp/culumi-try.sh" >"$world/out" 2>&1
        code=$?
        exits 0
        says "v3.260.0" "4 created" "4 deleted" "left: ."
    fi
fi
plan
