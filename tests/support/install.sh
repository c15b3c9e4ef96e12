#!/bin/sh
# install.sh — `make install` into an empty folder: what is installed deploys a program, and goes away again. Speaks TAP.
set -u
. "$(dirname "$0")/made.sh"
stage=$world/stage

# make_to TARGET — into the stage.
make_to() {
    make_in "$top" "$1" DESTDIR="$stage" PREFIX=/opt/tools
}

begin "make install installs culumi, and pulumi beside it"
make_to install
exits 0
for name in culumi pulumi; do
    answer=$("$stage/opt/tools/bin/$name" version 2>&1)
    [ "$answer" = v3.260.0 ] || wrong "$name version answers '$answer'"
done

begin "completions of both names are where shells look for them"
for file in bash-completion/completions/culumi bash-completion/completions/pulumi zsh/site-functions/_culumi fish/vendor_completions.d/pulumi.fish; do
    name=$(basename "$file" .fish)
    grep -q "Completion of ${name#_} for" "$stage/opt/tools/share/$file" || wrong "$file is not for ${name#_}"
done

begin "there is a manual page for every command and topic, which groff has nothing to say about"
pages=$stage/opt/tools/share/man
wanted=$(python3 - "$stage/opt/tools/bin/culumi" <<'END'
import re, subprocess, sys
def pages(words):
    yield "-".join(["culumi"] + words)
    if words == ["help"]: # it shows the help of the program
        return
    text = subprocess.run([sys.argv[1]] + words + ["--help"], capture_output=True, text=True).stdout
    for name in re.findall(r"^  ([a-z][a-z-]*)", (re.search(r"^Commands:\n(.*?)\n\n", text, re.M | re.S) or [None, ""])[1], re.M):
        yield from pages(words + [name])
print(*pages([]))
END
)
[ "$(echo "$wanted" | wc -w)" -gt 70 ] || wrong "only these commands are in the help: $wanted"
for page in $wanted; do
    [ -s "$pages/man1/$page.1" ] || wrong "no page $page(1)"
done
for topic in backends secrets environment paths imports exit-codes; do
    grep -q "^culumi" "$pages/man7/culumi-$topic.7" || wrong "no page culumi-$topic(7)"
done
if command -v groff >/dev/null; then
    for page in "$pages"/man?/culumi*; do
        groff -K utf8 -man -Tutf8 -ww -z "$page" >"$world/out" 2>&1
        [ ! -s "$world/out" ] || wrong "$(basename "$page"): $(head -1 "$world/out")"
    done
    groff -man -Tascii -P-cbou "$pages/man1/culumi-stack-rename.1" | tr '\n' ' ' | tr -s ' ' >"$world/out"
    says "culumi stack rename NEW-NAME" "-s, --stack text"
fi

begin "what is installed finds its language hosts and deploys a program"
mkdir -p "$world/state" "$world/project"
cp "$top/examples/hello/Pulumi.yaml" "$world/project"
cd "$world/project" || exit 1
export PULUMI_HOME="$world/home" PULUMI_BACKEND_URL="file://$world/state" PULUMI_CONFIG_PASSPHRASE=p
cli=$stage/opt/tools/bin/culumi
run stack init dev
exits 0
run up --yes --skip-preview
exits 0
says "created"

begin "a Python program without its SDK is sent to the program that was called"
python3 -m venv --without-pip venv
printf 'name: hello\nruntime: {name: python, options: {virtualenv: venv}}\n' >Pulumi.yaml
: >__main__.py
for name in culumi pulumi; do
    cli=$stage/opt/tools/bin/$name
    run preview --stack dev --non-interactive
    exits 1
    says "Have you run $name install, or added pulumi"
done

begin "make uninstall leaves nothing of it"
make_to uninstall
exits 0
left=$(find "$stage" ! -type d)
[ -z "$left" ] || wrong "left: $left"

begin "a pulumi of somebody else is left alone, and said"
mkdir -p "$stage/opt/tools/bin"
echo "another" >"$stage/opt/tools/bin/pulumi"
make_to install
exits 0
says "bin/pulumi is another program and was left alone"
[ "$(cat "$stage/opt/tools/bin/pulumi")" = another ] || wrong "it was replaced"
make_to uninstall
[ "$(cat "$stage/opt/tools/bin/pulumi")" = another ] || wrong "it was removed"
plan
