#!/bin/sh
# managers.sh MANAGER... — uv, poetry: an SDK is added, lost and made again, and replaced by its next version. Speaks TAP.
. "$E2E_TESTS/managers.sh"
installed=.venv
use_shade() { sed -i 's/color="red"/color="red", shade="dark"/; s/^pulumi.export("color".*/&\npulumi.export("shade", box.shade)/' __main__.py; }
POETRY_VIRTUALENVS_IN_PROJECT=true
export POETRY_VIRTUALENVS_IN_PROJECT

# write_requirements, write_project — write what the program needs, in one form or the other.
write_requirements() { echo 'pulumi>=3.142.0,<4.0.0' >requirements.txt; }
# Poetry is told the place of the index: not every mirror has the interface that it uses by default.
write_project() {
    cat >pyproject.toml <<'END'
[project]
name = "package"
version = "0"
requires-python = ">=3.10,<4"
dependencies = ["pulumi>=3.142.0,<4.0.0"]

[tool.poetry]
package-mode = false

[[tool.poetry.source]]
name = "simple"
url = "https://pypi.org/simple/"
priority = "primary"
END
}

# try_form MANAGER FORM — a project of that form goes through everything.
try_form() {
    name="$1, $2"
    folder=$project/.e2e/$1-$2
    mkdir -p "$folder/project"
    cd "$folder/project" || exit 1
    printf 'name: package\nruntime:\n  name: python\n  options:\n    toolchain: %s\n' "$1" >Pulumi.yaml
    cp "$project/__main__.py" .
    "write_$2"
    go_through "$1-$2"
}

for manager in "$@"; do
    tool=$project/.e2e/$manager
    if ! python3 -m venv "$tool" >"$tool.log" 2>&1 || ! "$tool/bin/pip" install --quiet "$manager" >>"$tool.log" 2>&1; then
        left_out "$manager" "$tool.log"
        continue
    fi
    PATH=$tool/bin:$PATH
    [ "$manager" = poetry ] || try_form "$manager" requirements # poetry would ask the default place
    try_form "$manager" project
done
