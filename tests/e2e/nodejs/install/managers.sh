#!/bin/sh
# managers.sh — every package manager that npm has, installed and run by `pulumi install`. Speaks TAP.
set -u
project=$PWD
for manager in yarn@1.22.22 pnpm@9.15.9 bun; do
    name=${manager%@*}
    folder=$project/.e2e/$name
    mkdir -p "$folder/tool" "$folder/project"
    if ! npm install --silent --prefix "$folder/tool" "$manager" >"$folder/log" 2>&1 ||
        ! "$folder/tool/node_modules/.bin/$name" --version >>"$folder/log" 2>&1; then
        echo "# $name is left out: it cannot be had here: $(tail -n 1 "$folder/log")"
        continue
    fi
    cd "$folder/project" || exit 1
    printf 'name: install\nruntime:\n  name: nodejs\n  options:\n    packagemanager: %s\n' "$name" >Pulumi.yaml
    cp "$project/package.json" "$project/index.js" .
    PATH=$folder/tool/node_modules/.bin:$PATH pulumi install >"$folder/log" 2>&1
    code=$?
    if [ $code -eq 0 ] && [ -e node_modules/left-pad/package.json ]; then
        echo "ok - $name installs what the program is built on"
    else
        echo "not ok - $name installs what the program is built on"
        echo "# exit code $code: $(cat "$folder/log")"
    fi
done
