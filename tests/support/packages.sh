#!/bin/sh
# packages.sh — tools/install-packages on systems that are not this one: made of links to the few programs that such a system has. Speaks TAP.
set -u
. "$(dirname "$0")/made.sh"
script=$(command -v script)

reset() {
    rm -rf "$world/bin"
    mkdir -p "$world/bin"
    # What the script itself needs; no package manager.
    for name in sh awk grep dirname env; do
        ln -s "$(command -v $name)" "$world/bin/$name"
    done
    : >"$world/out"
    : >"$world/ran"
}

# fake NAME [LINE…] — a program that notes how it was called, then does the lines.
fake() {
    name=$1
    shift
    {
        echo "#!$world/bin/sh"
        echo "echo $name \"\$@\" >>'$world/ran'"
        printf '%s\n' "$@"
    } >"$world/bin/$name"
    chmod +x "$world/bin/$name"
}

# installs [NAME=VALUE…] — gcc and libuv are wanted.
installs() {
    env -u CI "$@" PATH="$world/bin" "$top/tools/install-packages" gcc libuv1-dev libssl-dev >"$world/out" 2>&1 </dev/null
    code=$?
}

ran() {
    grep -q -- "$1" "$world/ran" || wrong "was not run: $1"
}

ran_not() {
    grep -q -- "$1" "$world/ran" && wrong "was run: $1"
}

# system ID — an os-release of its own.
system() {
    echo "ID=$1" >"$world/os-release"
}

begin "nothing is asked and nothing run where everything is there, with no package manager at all"
fake gcc
fake pkg-config
installs
exits 0
[ ! -s "$world/out" ] || wrong "it printed something"

begin "Fedora is given its own names, of what is missing only"
fake gcc
fake pkg-config '[ "$2" != libuv ]'
system fedora
installs OS_RELEASE="$world/os-release"
exits 1
says "dnf install libuv-devel"
says_not "openssl-devel"

begin "Arch is given its own names"
system arch
installs OS_RELEASE="$world/os-release"
exits 1
says "pacman -S gcc libuv openssl"

begin "Alpine is given its own names"
system alpine
installs OS_RELEASE="$world/os-release"
exits 1
says "apk add build-base libuv-dev openssl-dev"

begin "the headers of the kernel are a package of their own where the compiler does not bring them"
system alpine
fake gcc 'read -r line; [ "$line" != "#include <linux/fs.h>" ]'
fake pkg-config
env -u CI OS_RELEASE="$world/os-release" PATH="$world/bin" "$top/tools/install-packages" gcc linux-libc-dev libuv1-dev >"$world/out" 2>&1
code=$?
exits 1
says "apk add linux-headers"
says_not "build-base" "libuv-dev"

begin "a system that is not known is given all of them"
system plan9
installs OS_RELEASE="$world/os-release"
exits 1
says "apt-get install gcc libuv1-dev libssl-dev" "dnf install" "pacman -S" "apk add"

begin "root installs at once"
fake apt-get
fake id 'echo 0'
installs
exits 0
ran "apt-get install .*gcc libuv1-dev libssl-dev"

begin "nobody is there to be asked: sudo is not run, the names are said"
fake apt-get
fake id 'echo 1000'
fake sudo
system debian
installs OS_RELEASE="$world/os-release"
exits 1
says "apt-get install gcc libuv1-dev libssl-dev"
ran_not "sudo"

# On a terminal of its own; the answer is typed ahead.
begin "a person is asked before sudo runs, and may say no"
fake apt-get
fake id 'echo 1000'
fake sudo
echo n | env PATH="$world/bin" "$script" -qec "$top/tools/install-packages gcc" /dev/null >"$world/out" 2>&1
says "Install with sudo apt-get? [y/N]"
ran_not "sudo"

begin "a person says yes"
fake apt-get
fake id 'echo 1000'
fake sudo '"$@"'
echo y | env PATH="$world/bin" "$script" -qec "$top/tools/install-packages gcc" /dev/null >"$world/out" 2>&1
ran "sudo apt-get update"
ran "apt-get install .*gcc"

begin "a CI machine whose sudo needs no password is installed on"
fake apt-get
fake id 'echo 1000'
fake sudo '[ "$1" = -n ] || "$@"'
installs CI=true
exits 0
ran "apt-get install"
plan
