#!/bin/sh
# managers.sh — package managers other than npm: an SDK is added, lost and made again, and replaced by its next version. Speaks TAP.
. "$E2E_TESTS/managers.sh"
installed=node_modules
use_shade() { sed -i 's/color: "red"/color: "red", shade: "dark"/; s/^export const color.*/&\nexport const shade = box.shade;/' index.ts; }

for name in yarn@1.22.22 pnpm@12.18.0 bun@1.4.4; do
    manager=${name%@*}
    folder=$project/.e2e/$name
    mkdir -p "$folder/tool" "$folder/project"
    if ! npm install --silent --prefix "$folder/tool" "$name" >"$folder/log" 2>&1 ||
        ! "$folder/tool/node_modules/.bin/$manager" --version >>"$folder/log" 2>&1; then
        left_out "$name" "$folder/log"
        continue
    fi
    cd "$folder/project" || exit 1
    printf 'name: package\nruntime:\n  name: nodejs\n  options:\n    packagemanager: %s\n' "$manager" >Pulumi.yaml
    cp "$project/index.ts" "$project/tsconfig.json" .
    printf '{"name": "package", "private": true, "main": "index.ts", "dependencies": {"@pulumi/pulumi": "3.270.0", "@types/node": "20.17.0", "typescript": "5.6.3"}}\n' >package.json
    printf -- '--install.ignore-engines true\n--install.network-timeout 600000\n' >.yarnrc # node may be older than the SDK asks for
    PATH=$folder/tool/node_modules/.bin:$PATH
    go_through "$manager-${name#*@}"
done
