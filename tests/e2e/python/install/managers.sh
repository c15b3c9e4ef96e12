#!/bin/sh
# managers.sh — uv and poetry, installed and run by `pulumi install`. Speaks TAP.
set -u
project=$PWD
POETRY_VIRTUALENVS_IN_PROJECT=true
export POETRY_VIRTUALENVS_IN_PROJECT

# claim NAME — with what was run last in $code, and what it printed in $log.
claim() {
    if [ "$code" -eq 0 ] && [ -x .venv/bin/python ]; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        echo "# exit code $code: $(cat "$log")"
    fi
}

for name in uv poetry; do
    folder=$project/.e2e/$name
    log=$folder/log
    mkdir -p "$folder/project"
    if ! python3 -m venv "$folder/tool" >"$folder/log" 2>&1 || ! "$folder/tool/bin/pip" install --quiet "$name" >>"$log" 2>&1; then
        echo "# $name is left out: it cannot be had here: $(tail -n 1 "$log")"
        continue
    fi
    cd "$folder/project" || exit 1
    printf 'name: install\nruntime:\n  name: python\n  options:\n    toolchain: %s\n' "$name" >Pulumi.yaml
    printf '[project]\nname = "install"\nversion = "0"\nrequires-python = ">=3.9"\n\n[tool.poetry]\npackage-mode = false\n' >pyproject.toml
    echo 'import pulumi' >__main__.py
    PATH=$folder/tool/bin:$PATH pulumi install --no-plugins >"$log" 2>&1
    code=$?
    claim "$name makes the environment of the program"
done

cd "$project/.e2e" && mkdir made-over && cd made-over || exit 1
if [ -x ../uv/tool/bin/uv ]; then
    printf 'name: install\nruntime:\n  name: python\n  options:\n    toolchain: uv\n' >Pulumi.yaml
    echo 'pulumi==3.140.0' >requirements.txt
    echo 'import pulumi; pulumi.export("done", True)' >__main__.py
    log=$PWD/log
    PATH=$project/.e2e/uv/tool/bin:$PATH
    { pulumi install && pulumi stack init made-over && pulumi up --yes --skip-preview; } >"$log" 2>&1
    code=$?
    claim "a project that was made for pip runs with uv"
    pulumi destroy --yes --skip-preview --remove >/dev/null 2>&1
fi
