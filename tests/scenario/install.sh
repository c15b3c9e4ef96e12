#!/bin/sh
# install.sh — `install`: which package manager is run how, in which order, and what happens when it fails; plugins that are source code, from
# folders, archives and git repositories. Package managers are stand-ins that write down how they were called: no network. Speaks TAP.
# usage: CLI=… HOSTS=… SCRIPTED=… install.sh
set -u
here=$(realpath "$(dirname "$0")")
. "$here/world.sh"
hosts=$(realpath "$HOSTS")
tools=$world/tools
PATH=$world/bin:$tools:/usr/bin:/bin
LOG=$world/log
HOME=$world
export PATH LOG HOME
unset PULUMI_PREFER_YARN PULUMI_PYTHON_CMD UV_PROJECT_ENVIRONMENT VIRTUAL_ENV CONDA_PREFIX
plugins=$world/home/plugins
proj=$world/proj
case $(uname -m) in
aarch64) arch=arm64 ;;
*) arch=amd64 ;;
esac


reset() {
    cd "$world" || exit 1
    rm -rf "$world/home" "$world/state" "$proj" "$tools"
    mkdir -p "$world/state" "$proj" "$tools"
    : >"$LOG"
    : >"$world/files/log"
    cd "$proj" || exit 1
}

# tool NAME… — stand-ins for package managers of Node.js: each makes node_modules, with a package that needs a plugin.
tool() {
    for name in "$@"; do
        cat >"$tools/$name" <<END
#!/bin/sh
echo "$name \$* in \$(basename "\$PWD")" >>"\$LOG"
echo "$name says hello"
echo "$name complains" >&2
[ ! -e fail ] || exit 3
mkdir -p node_modules/@acme/pkg
printf '{"name":"@acme/pkg","version":"1.0.0","pulumi":{"resource":true,"name":"pkg","server":"$url"}}' >node_modules/@acme/pkg/package.json
END
        chmod +x "$tools/$name"
    done
}

# called LINE… — the tools were called so, in that order, and not otherwise.
called() {
    printf '%s\n' "$@" >"$world/wanted"
    diff "$world/wanted" "$LOG" >"$world/difference" || wrong "called otherwise: $(cat "$world/difference")"
}

project() {
    printf 'name: conf\nruntime:\n  name: %s\n' "$1" >Pulumi.yaml
    shift
    [ $# -eq 0 ] || printf '  options:\n' >>Pulumi.yaml
    for option in "$@"; do
        printf '    %s\n' "$option" >>Pulumi.yaml
    done
}

installed() {
    [ -d "$plugins/resource-$1" ] || wrong "resource-$1 is not installed"
    [ ! -e "$plugins/resource-$1.partial" ] || wrong "resource-$1 is still partial"
}

absent() {
    [ -z "$(ls -d "$plugins/resource-$1" "$plugins/resource-$1".* 2>/dev/null | grep -v 'lock$')" ] || wrong "something of resource-$1 is there"
}

requests() {
    count=$(grep -c . "$world/files/log")
    [ "$count" -eq "$1" ] || wrong "$count requests instead of $1"
}

# On a machine that has next to nothing.
run_bare() {
    timeout 60 env PATH="$world/bin:$tools:$world/few" "$cli" "$@" >"$world/out" 2>&1
    code=$?
}

# --- the world: a server of plugins, our language hosts ---

mkdir -p "$world/bin" "$world/files" "$world/pack"
mkdir "$world/few"
for name in sh mkdir basename; do
    ln -s "$(command -v $name)" "$world/few/"
done
for host in nodejs python go yaml; do
    ln -s "$hosts/pulumi-language-$host" "$world/bin/"
done
cp "$scripted" "$world/pack/pulumi-resource-pkg"
tar -C "$world/pack" -czf "$world/files/pulumi-resource-pkg-v1.0.0-linux-$arch.tar.gz" .
: >"$world/files/log"
. "$here/server.sh"
serve port
url=http://127.0.0.1:$port

# --- Node.js ---

begin "packages are installed before the program is asked which plugins it needs, and output is shown"
tool npm
project nodejs
echo '{}' >package.json
run install
exits 0
called "npm install --loglevel=error in proj"
says "Installing dependencies..." "npm says hello" "npm complains" "Finished installing dependencies" "[resource plugin pkg-1.0.0] installing"
installed pkg-v1.0.0
run install
exits 0
requests 1
run install --reinstall
exits 0
requests 2

begin "each half can be left out"
tool npm
project nodejs
echo '{}' >package.json
run install --no-plugins
exits 0
called "npm install --loglevel=error in proj"
requests 0
run install --no-dependencies --parallel 1
exits 0
called "npm install --loglevel=error in proj"
installed pkg-v1.0.0

begin "the lock file says which package manager it is"
tool npm yarn pnpm bun
project nodejs
echo '{}' >package.json
for lock in yarn.lock pnpm-lock.yaml bun.lock bun.lockb; do
    touch $lock
    run install --no-plugins
    exits 0
    rm $lock
done
called "yarn install in proj" "pnpm install --use-stderr in proj" "bun install in proj" "bun install in proj"

begin "the option says so before that, and the environment knows yarn"
tool npm yarn pnpm bun
echo '{}' >package.json
touch yarn.lock
for manager in npm yarn pnpm bun; do
    project nodejs "packagemanager: $manager"
    run install --no-plugins
    exits 0
done
rm yarn.lock
project nodejs
export PULUMI_PREFER_YARN=true
run install --no-plugins
unset PULUMI_PREFER_YARN
exits 0
project nodejs "production: true"
run install --no-plugins
exits 0
called "npm install --loglevel=error in proj" "yarn install in proj" "pnpm install --use-stderr in proj" "bun install in proj" \
    "yarn install in proj" "npm install --loglevel=error --production in proj"

begin "without a package.json no package manager is asked"
tool npm
project nodejs
run install
exits 1
says "there is no package.json in '$world/" "npm init --yes"
[ ! -s "$LOG" ] || wrong "npm was called"

begin "packages of a workspace are installed at its root"
tool npm
mkdir -p infra
printf '{"workspaces":["infra"]}' >package.json
cd infra || exit 1
project nodejs
printf '{"name":"infra"}' >package.json
run install --no-plugins
exits 0
says "Detected workspace root at $proj"
called "npm install --loglevel=error in proj"

begin "a package manager that is missing is named"
project nodejs "packagemanager: pnpm"
echo '{}' >package.json
run_bare install
exits 1
says "Could not find \`pnpm\` executable." "Install pnpm and make sure it is in your PATH"
project nodejs
touch yarn.lock
tool npm
run_bare install --no-plugins
exits 0
says "could not find yarn on the \$PATH, trying npm instead"

begin "a package manager that fails ends the command"
tool npm
project nodejs
echo '{}' >package.json
touch fail
run install
exits 1
says "npm complains" "error: installing dependencies: npm install failed with exit code 3"
requests 0
cat >"$tools/npm" <<'END'
#!/bin/sh
exit 0
END
run install
exits 1
says "npm install reported success, but node_modules directory is missing"

begin "the version of node that the project names is set up, if that is wanted"
tool npm fnm
cat >"$tools/fnm" <<'END'
#!/bin/sh
echo "fnm $*" >>"$LOG"
END
project nodejs
echo '{}' >package.json
echo v20.1.0 >.nvmrc
run install --no-plugins
exits 0
run install --no-plugins --use-language-version-tools
exits 0
says "Setting Nodejs version to v20.1.0"
called "npm install --loglevel=error in proj" "fnm env --shell bash" "fnm use v20.1.0 --install-if-missing" "fnm alias v20.1.0 default" \
    "npm install --loglevel=error in proj"

begin "^C ends the package manager with all its children"
cat >"$tools/npm" <<'END'
#!/bin/sh
sleep 86399.$MARK &
echo $! >"$LOG.child"
wait
END
chmod +x "$tools/npm"
project nodejs
echo '{}' >package.json
MARK=$$ "$here/interrupt.py" INT "test -s '$LOG.child'" "$cli" install >"$world/out" 2>&1
grep -qs "86399[.]$$" /proc/[0-9]*/cmdline && wrong "a child is left"
says_not "Finished"

# --- Python, Go, YAML ---

# A python that makes virtual environments of itself.
python_tool() {
    cat >"$tools/python3" <<'END'
#!/bin/sh
echo "$(basename "$(dirname "$(dirname "$0")")")/$(basename "$0") $*" | sed "s|$PWD|HERE|g" >>"$LOG"
case "$*" in
"-m venv "*)
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    ;;
"-m pip list"*) echo "[]" ;;
"--version") echo "Python 3.11.2" ;;
esac
END
    chmod +x "$tools/python3"
}

begin "pip: a virtual environment is made, then filled"
python_tool
project python "virtualenv: venv"
echo pulumi >requirements.txt
run install --no-plugins
exits 0
says "Creating virtual environment..." "Updating pip, setuptools, and wheel in virtual environment..." "Finished installing dependencies"
called "${world##*/}/python3 -m venv HERE/venv" "venv/python -m pip install --upgrade pip setuptools wheel" \
    "venv/python -m pip install -r requirements.txt"

begin "a Python project without a virtual environment gets one, which its project file names"
python_tool
printf '# mine\nname: conf # the name\nruntime: python\ndescription: "a project"\n' >Pulumi.yaml
chmod 640 Pulumi.yaml
run install --no-plugins
exits 0
says "The project has no virtual environment: it gets one in 'venv', which is written to Pulumi.yaml."
called "${world##*/}/python3 -m venv HERE/venv" "venv/python -m pip install --upgrade pip setuptools wheel"
printf '# mine\nname: conf # the name\nruntime:\n  name: python\n  options:\n    virtualenv: venv\ndescription: "a project"\n' >"$world/wanted"
diff "$world/wanted" Pulumi.yaml >"$world/difference" || wrong "the project file is otherwise: $(cat "$world/difference")"
[ "$(stat -c %a Pulumi.yaml)" = 640 ] || wrong "the project file has another mode"
run install --no-plugins
exits 0
says_not "no virtual environment"

begin "options that are there stay as they are written"
python_tool
printf 'name: conf\nruntime:\n  options: {typechecker: mypy} # checked\n  name: python\n' >Pulumi.yaml
run install --no-plugins
exits 0
printf 'name: conf\nruntime:\n  options: {typechecker: mypy, virtualenv: venv} # checked\n  name: python\n' >"$world/wanted"
diff "$world/wanted" Pulumi.yaml >"$world/difference" || wrong "the project file is otherwise: $(cat "$world/difference")"

begin "the Python of the search path is used if the user wants it: an empty option, or an environment that is active"
python_tool
project python 'virtualenv: ""'
run install --no-plugins
exits 0
says_not "no virtual environment"
project python
VIRTUAL_ENV=$world run install --no-plugins
exits 0
says_not "no virtual environment"
called "${world##*/}/python3 -m pip install --upgrade pip setuptools wheel" "${world##*/}/python3 -m pip install --upgrade pip setuptools wheel"
[ ! -e venv ] || wrong "a virtual environment was made"

begin "uv and poetry are run by their names, or found by their lock files"
for name in uv poetry; do
    printf '#!/bin/sh\necho "%s $*" >>"$LOG"\n' $name >"$tools/$name"
    chmod +x "$tools/$name"
done
project python "toolchain: uv"
touch pyproject.toml
run install --no-plugins
exits 0
project python "toolchain: poetry"
run install --no-plugins
exits 0
project python
touch poetry.lock
run install --no-plugins
exits 0
touch uv.lock
run install --no-plugins
exits 0
called "uv sync" "poetry install --no-ansi" "poetry install --no-ansi" "uv sync"
rm "$tools/uv"
run install --no-plugins
exits 1
says "Could not find \`uv\` executable." "or set the toolchain option in Pulumi.yaml to \`pip\`"

begin "a project that was made for pip is made over for uv"
printf '#!/bin/sh\necho "uv $*" >>"$LOG"\n' >"$tools/uv"
chmod +x "$tools/uv"
project python "toolchain: uv"
echo pulumi >requirements.txt
run install --no-plugins
exits 0
called "uv init --bare --no-package --no-pin-python" "uv --version" "uv add --no-sync -r requirements.txt" "uv sync"
says "Deleted requirements.txt"
[ ! -e requirements.txt ] || wrong "requirements.txt is there"

begin "a project that was made for pip is made over for poetry"
printf '#!/bin/sh\necho "poetry $*" >>"$LOG"\n' >"$tools/poetry"
chmod +x "$tools/poetry"
project python "toolchain: poetry"
printf '# comment\n-i https://example.com\npulumi>=3.0.0,<4.0.0 # ours\nplain\nexact == 1.2.3\nwith[a,b]~=2.0 ; python_version > "3"\n' >requirements.txt
run install --no-plugins
exits 0
called "poetry install --no-ansi"
says "Deleted requirements.txt"
python3 - <<'END' || wrong "pyproject.toml is not as it should be: $(cat pyproject.toml)"
import sys
try:
    import tomllib
except ImportError:
    sys.exit(0)
poetry = tomllib.load(open("pyproject.toml", "rb"))["tool"]["poetry"]
assert poetry["package-mode"] is False and poetry["name"] == "proj"
assert poetry["dependencies"] == {
    "python": "^3.10", "pulumi": ">=3.0.0,<4.0.0", "plain": "*", "exact": "1.2.3", "with": {"version": "~=2.0", "extras": ["a", "b"]}}
END

begin "the version of Python that the project names is set up, if that is wanted"
for name in pyenv poetry; do
    printf '#!/bin/sh\necho "%s $* $POETRY_VIRTUALENVS_PREFER_ACTIVE_PYTHON" >>"$LOG"\n' $name >"$tools/$name"
    chmod +x "$tools/$name"
done
project python "toolchain: poetry"
touch pyproject.toml
echo 3.11 >.python-version
run install --no-plugins
exits 0
run install --no-plugins --use-language-version-tools
exits 0
says "Installing python version from .python-version file at $proj/.python-version"
called "poetry install --no-ansi " "pyenv install --skip-existing " "poetry install --no-ansi true"

begin "go tidies its modules; a missing go is named"
printf '#!/bin/sh\necho "go $*" >>"$LOG"\n' >"$tools/go"
chmod +x "$tools/go"
project go
run install --no-plugins
exits 0
called "go mod tidy -compat=1.18"
printf '#!/bin/sh\necho "the network is down" >&2\nexit 1\n' >"$tools/go"
run install --no-plugins
exits 1
says "the network is down" "\`go mod tidy\` failed to install dependencies: exit status 1"
if [ ! -x /usr/bin/go ]; then
    rm "$tools/go"
    run install --no-plugins
    exits 1
    says "go" "PATH"
fi

begin "yaml has nothing to install but plugins"
printf 'name: conf\nruntime: yaml\nresources:\n  a:\n    type: pkg:index:Res\n    options:\n      version: 1.0.0\n      pluginDownloadURL: %s\n' \
    "$url" >Pulumi.yaml
run install
exits 0
installed pkg-v1.0.0

begin "a runtime that nobody has is an error"
project cobol
run install
exits 1
says "load language plugin cobol: no language plugin 'pulumi-language-cobol' found in the workspace"
cd "$world" || exit 1
run install
exits 1
says "no Pulumi.yaml project file found"

# --- plugins that are source code ---

component() {
    mkdir -p "$1"
    printf 'runtime: nodejs\n' >"$1/PulumiPlugin.yaml"
    echo '{}' >"$1/package.json"
}

begin "a plugin that is source code gets what it is built on"
tool npm
component "$world/source"
tar -C "$world/source" -czf "$world/source.tar.gz" .
run plugin install resource comp 1.0.0 --file "$world/source.tar.gz"
exits 0
called "npm install --loglevel=error in resource-comp-v1.0.0"
installed comp-v1.0.0
[ -d "$plugins/resource-comp-v1.0.0/node_modules" ] || wrong "nothing was installed in it"
run plugin install resource comp 2.0.0 --file "$world/source"
exits 0
installed comp-v2.0.0

begin "a plugin whose packages cannot be installed is not installed"
tool npm
component "$world/broken"
touch "$world/broken/fail"
run plugin install resource comp 1.0.0 --file "$world/broken"
exits 1
says "npm complains" "npm install failed with exit code 3"
absent comp-v1.0.0
run plugin ls
says "TOTAL plugin cache size: 0 B"
printf 'nothing: here\n' >"$world/broken/PulumiPlugin.yaml"
run plugin install resource comp 1.0.0 --file "$world/broken"
exits 1
says "loading PulumiPlugin.yaml: it names no runtime"
absent comp-v1.0.0

begin "folders that the project names come first, what they need before them"
tool npm
component inner
component outer
printf 'packages:\n  inner: ../inner\n' >>outer/PulumiPlugin.yaml
project nodejs
printf 'packages:\n  outer: ./outer\n  pkg:\n    source: pkg\n    version: 1.0.0\n    pluginDownloadURL: %s\n' "$url" >>Pulumi.yaml
echo '{}' >package.json
run install --no-plugins
exits 0
called "npm install --loglevel=error in inner" "npm install --loglevel=error in outer" "npm install --loglevel=error in $(basename "$proj")"
# They are no components yet, so that they cannot say what an SDK for them is to have.
run install
exits 1
says "package 'outer': " "package 'inner': could not read plugin"
cd outer || exit 1
run install
exits 1
says "package 'inner': could not read plugin"
printf 'packages:\n  gone: ./gone\n' >>../Pulumi.yaml
cd ..
sed -i '/outer/d' Pulumi.yaml
printf 'name: conf\nruntime: nodejs\npackages:\n  gone: ./gone\n' >Pulumi.yaml
run install
exits 1
says "package 'gone': no folder at path '$proj/gone'"

begin "a folder that the project names serves its program"
mkdir comp
cat >comp/PulumiPlugin.yaml <<'END'
runtime: yaml
name: greet
components:
  Hello:
    inputs:
      who: { type: string }
    resources: {}
    outputs:
      text: hello ${who}
END
cat >Pulumi.yaml <<'END'
name: conf
runtime: yaml
packages:
  greet: ./comp
resources:
  a:
    type: greet:index:Hello
    properties: { who: world }
outputs:
  text: ${a.text}
END
run install
exits 0
run stack init dev --non-interactive
run up --yes --skip-preview --non-interactive
exits 0
says "hello world"

begin "a package that the project names finds the packages that it names itself"
export SCENARIO_DIR="$world/run"
mkdir -p "$SCENARIO_DIR" low middle
printf '{"pkg":{"name":"pkg"}}' >"$SCENARIO_DIR/schemas.json"
cat >low/PulumiPlugin.yaml <<'END'
runtime: yaml
name: low
components:
  Word:
    resources: {}
    outputs:
      text: from below
END
cat >middle/PulumiPlugin.yaml <<END
runtime: yaml
name: middle
packages:
  low: ../low
  pkg:
    source: pkg
    version: 1.0.0
    pluginDownloadURL: $url
components:
  Sentence:
    resources:
      word:
        type: low:index:Word
    outputs:
      text: \${word.text}
END
cat >Pulumi.yaml <<'END'
name: conf
runtime: yaml
packages:
  middle: ./middle
resources:
  a:
    type: middle:index:Sentence
outputs:
  text: ${a.text}
END
run install
exits 0
installed pkg-v1.0.0
requests 1
[ -n "$(ls middle/sdks/low 2>/dev/null)" ] || wrong "the package of the package is not declared"
run stack init dev --non-interactive
run up --yes --skip-preview --non-interactive
exits 0
says "from below"
rm -rf middle/sdks
cd middle || exit 1
run install
exits 0
[ -n "$(ls sdks/low 2>/dev/null)" ] || wrong "the package of the plugin is not declared"
cd ..
rm -rf "$SCENARIO_DIR"
unset SCENARIO_DIR

begin "packages that need each other are refused"
tool npm
component low
component middle
printf 'packages:\n  middle: ../middle\n' >>low/PulumiPlugin.yaml
printf 'packages:\n  low: ../low\n' >>middle/PulumiPlugin.yaml
printf 'name: conf\nruntime: yaml\npackages:\n  low: ./low\n' >Pulumi.yaml
run install
exits 1
says "installing \`packages\` from Pulumi.yaml: cycle found: low -> middle -> low"
cd low || exit 1
run install
exits 1
says "installing \`packages\` from PulumiPlugin.yaml: cycle found: low -> middle -> low"
cd ..

begin "a package of a yaml project is declared as its plugin describes it, and used so"
export SCENARIO_DIR="$world/run"
mkdir -p "$SCENARIO_DIR"
cat >Pulumi.yaml <<END
name: conf
runtime: yaml
packages:
  pkg:
    source: pkg
    version: 1.0.0
    pluginDownloadURL: $url
resources:
  a:
    type: pkg:index:Res
    properties: { x: 1 }
END
printf '{"pkg":{"name":"pkg","resources":{"pkg:index:Res":{"inputProperties":{"x":{"type":"number"}}}}}}' >"$SCENARIO_DIR/schemas.json"
run install
exits 0
installed pkg-v1.0.0
[ "$(cat sdks/pkg/pkg-1.0.0.yaml)" = "packageDeclarationVersion: 1
name: pkg
version: 1.0.0
downloadUrl: $url" ] || wrong "declared otherwise: $(cat sdks/*/*)"
run stack init dev --non-interactive
run up --yes --skip-preview --non-interactive
exits 0
says "+ 2 created"
run stack export
says '"version": "1.0.0"' "\"pluginDownloadURL\": \"$url\""
sed -i 's/version: 1.0.0/&\n    parameters: [sub, more]/; s/pkg:index:Res/sub:index:Res/' Pulumi.yaml
printf '{"pkg":{"name":"sub","version":"2.0.0","parameterization":{"baseProvider":{"name":"pkg","version":"1.0.0"},"parameter":"aGk="},
         "resources":{"sub:index:Res":{"inputProperties":{"x":{"type":"number"}}}}}}' >"$SCENARIO_DIR/schemas.json"
rm -rf sdks
run install
exits 0
[ "$(cat sdks/sub/sub-2.0.0.yaml)" = "packageDeclarationVersion: 1
name: pkg
version: 1.0.0
downloadUrl: $url
parameterization:
  name: sub
  version: 2.0.0
  value: aGk=" ] || wrong "declared otherwise: $(cat sdks/*/*)"
run preview --non-interactive
exits 0
says "sub:index:Res"
printf 'nothing' >"$SCENARIO_DIR/schemas.json"
run install
exits 1
says "package 'pkg'"
rm -rf "$SCENARIO_DIR"
unset SCENARIO_DIR

begin "in the folder of a plugin, what the plugin is built on is installed"
tool npm
component comp
cd comp || exit 1
run install
exits 0
called "npm install --loglevel=error in comp"
mkdir -p deep
cd deep || exit 1
run install --no-dependencies
exits 0
called "npm install --loglevel=error in comp"

begin "a plugin that the project describes can be installed by its name there"
printf 'name: conf\nruntime: yaml\npackages:\n  mine:\n    source: pkg\n    version: 1.0.0\n    pluginDownloadURL: %s\n' "$url" >Pulumi.yaml
run plugin install resource mine
exits 0
installed pkg-v1.0.0
requests 1

begin "in the folder of a policy pack, what the pack is built on is installed"
tool npm
project nodejs
mkdir policy
printf 'runtime: nodejs\n' >policy/PulumiPolicy.yaml
echo '{}' >policy/package.json
cd policy || exit 1
run install
exits 0
called "npm install --loglevel=error in policy"

begin "an SDK that the project lacks is made"
tool npm
project nodejs
echo '{}' >package.json
printf 'packages:\n  pkg:\n    source: pkg\n    version: 1.0.0\n    pluginDownloadURL: %s\n' "$url" >>Pulumi.yaml
run install
exits 0
[ -e sdks/pkg/package.json ] || wrong "no SDK was made: $(find sdks)"

# --- git ---

if ! command -v git >/dev/null; then
    skip "plugins from git repositories" "git is not installed"
else
    repo=$world/repos/org/repo
    mkdir -p "$repo/sub"
    component "$repo"
    component "$repo/sub"
    (
        cd "$repo" || exit 1
        git init -q
        git config user.name x
        git config user.email x@example.com
        echo one >which
        git add -A && git commit -qm one && git tag v1.0.0
        echo two >which
        git commit -qam two && git tag v1.2.0 && git tag v2.0.0-alpha.1 && git tag unrelated
        echo three >which
        git commit -qam three
    )
    git clone -q --bare "$repo" "$world/repos/org/repo.git"
    git clone -q --bare "$repo" "$world/repos/org/plain.git"
    git -C "$world/repos/org/plain.git" tag -d v1.0.0 v1.2.0 v2.0.0-alpha.1 >/dev/null
    head=$(git -C "$repo" rev-parse HEAD)
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://$world/repos/.insteadOf GIT_CONFIG_VALUE_0=https://git.example.com/
    export GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0

    # which FOLDER TEXT
    which_is() {
        [ "$(cat "$plugins/resource-git.example.com_org_$1/which" 2>/dev/null)" = "$2" ] || wrong "$1 is not $2"
    }

    begin "a plugin comes from a repository by its tag"
    tool npm
    run plugin install resource git.example.com/org/repo@v1.0.0
    exits 0
    installed git.example.com_org_repo.git-v1.0.0
    which_is repo.git-v1.0.0 one
    called "npm install --loglevel=error in resource-git.example.com_org_repo.git-v1.0.0"
    run plugin install resource git.example.com/org/repo@v1.0.0
    exits 0
    says_not installing
    run plugin ls
    says "git.example.com_org_repo.git" "1.0.0"

    begin "the newest release of a repository is chosen, or its last commit"
    tool npm
    run plugin install resource https://git.example.com/org/repo
    exits 0
    which_is repo.git-v1.2.0 two
    run plugin install resource git://git.example.com/org/plain.git
    exits 0
    which_is "plain.git-v0.0.0-x$head" three

    begin "a commit and a folder of a repository can be named"
    tool npm
    short=$(printf %.8s "$head")
    run plugin install resource "git.example.com/org/repo@$short"
    exits 0
    which_is "repo.git-v0.0.0-x$short" three
    run plugin install resource git.example.com/org/repo/sub 1.2.0
    exits 0
    installed git.example.com_org_repo.git_sub-v1.2.0
    called "npm install --loglevel=error in resource-git.example.com_org_repo.git-v0.0.0-x$short" "npm install --loglevel=error in sub"

    begin "what a repository does not have is an error, and what was there stays"
    tool npm
    run plugin install resource git.example.com/org/repo@1.0.0
    exits 0
    run plugin install resource git.example.com/org/repo@7.0.0
    exits 1
    says "Remote branch v7.0.0 not found"
    run plugin install resource git.example.com/org/repo@0123456789
    exits 1
    run plugin install resource git.example.com/org/gone@1.0.0
    exits 1
    says "git clone" "gone.git"
    run plugin install resource git.example.com/org/repo/nowhere@1.0.0
    exits 1
    says "the repository has no folder 'nowhere'"
    run plugin install resource git.example.com/org/repo@latest
    exits 1
    says "VERSION must be valid semver or git commit hash: latest"
    run plugin install resource git.example.com/org/repo@1.0.0 1.0.0
    exits 1
    says "cannot specify a version when the version is part of the name"
    run plugin install resource git.example.com/org/repo/../../etc@1.0.0
    exits 1
    run plugin install resource http://git.example.com/org/repo@1.0.0
    exits 1
    says "unknown URL scheme"
    [ "$(ls -d "$plugins"/*/ | wc -l)" = 1 ] || wrong "something else is there: $(ls "$plugins")"
    installed git.example.com_org_repo.git-v1.0.0
    GIT_CONFIG_VALUE_0=https://elsewhere.example.com/
    run plugin install resource git.example.com/org/repo@1.0.0 --reinstall
    GIT_CONFIG_VALUE_0=https://git.example.com/
    exits 1
    which_is repo.git-v1.0.0 one

    begin "a component in a repository serves a program, installed on the way"
    mkdir -p "$world/repos/org/yaml"
    cat >"$world/repos/org/yaml/PulumiPlugin.yaml" <<'END'
runtime: yaml
name: greet
components:
  Hello:
    inputs:
      who: { type: string }
    resources: {}
    outputs:
      text: hello ${who}
END
    (
        cd "$world/repos/org/yaml" || exit 1
        git init -q && git config user.name x && git config user.email x@example.com
        git add -A && git commit -qm one && git tag v1.0.0
    )
    git clone -q --bare "$world/repos/org/yaml" "$world/repos/org/yaml.git"
    cat >Pulumi.yaml <<'END'
name: conf
runtime: yaml
resources:
  a:
    type: greet:index:Hello
    properties: { who: world }
    options:
      version: 1.0.0
      pluginDownloadURL: git://git.example.com/org/yaml
outputs:
  text: ${a.text}
END
    run stack init dev --non-interactive
    run up --yes --skip-preview --non-interactive
    exits 0
    says "hello world"
    installed git.example.com_org_yaml.git-v1.0.0
    rm -rf "$plugins"
    run install
    exits 0
    installed git.example.com_org_yaml.git-v1.0.0
    rm -rf "$plugins"
    sed -i '/options:/,/pluginDownloadURL/d; s|^runtime: yaml|&\npackages:\n  greet: git.example.com/org/yaml|' Pulumi.yaml
    run up --yes --skip-preview --non-interactive
    exits 1
    run install
    exits 0
    grep -q "^downloadUrl: git://git.example.com/org/yaml" sdks/org-greet/greet-1.0.0.yaml || wrong "declared otherwise: $(cat sdks/*/*)"
    run up --yes --skip-preview --non-interactive
    exits 0
    says "2 unchanged"

    begin "a component in a repository is added, by its newest tag or the one that is named"
    rm -rf "$plugins" sdks
    printf 'name: conf\nruntime: yaml\n' >Pulumi.yaml
    run package add git.example.com/org/yaml
    exits 0
    says "Added package org/greet"
    grep -qx "  greet: git.example.com/org/yaml@1.0.0" Pulumi.yaml || wrong "remembered otherwise: $(cat Pulumi.yaml)"
    installed git.example.com_org_yaml.git-v1.0.0
    rm -rf "$plugins" sdks
    run package add git.example.com/org/yaml.git@1.0.0
    exits 0
    grep -qx "  greet: git.example.com/org/yaml.git@1.0.0" Pulumi.yaml || wrong "remembered otherwise: $(cat Pulumi.yaml)"
    grep -qx "version: 1.0.0" sdks/org-greet/greet-1.0.0.yaml || wrong "declared otherwise: $(cat sdks/*/*)"
    cp Pulumi.yaml before
    run package add git.example.com/org/yaml@9.9.9
    exits 1
    run package add git.example.com/org/none
    exits 1
    cmp -s Pulumi.yaml before || wrong "the project was changed: $(cat Pulumi.yaml)"

    begin "what is generated is taken away again when the package manager fails"
    project nodejs "packagemanager: npm"
    printf '{\n  "name": "conf"\n}\n' >package.json
    cp Pulumi.yaml before
    cp package.json before.json
    tool npm
    touch fail
    run package add git.example.com/org/yaml
    exits 1
    rm fail "$tools/npm"
    cmp -s Pulumi.yaml before && cmp -s package.json before.json || wrong "the project was changed: $(cat Pulumi.yaml package.json)"
    [ ! -e sdks ] || [ -e sdks/org-greet/greet-1.0.0.yaml ] || wrong "an SDK is left: $(find sdks)"

    begin "what such a plugin is built on is installed before an operation, and shown"
    tool npm
    export SCENARIO_DIR="$world/run"
    mkdir -p "$SCENARIO_DIR"
    ln -sf "$scripted" "$world/bin/pulumi-language-script"
    project script
    echo '[{"requires":{"name":"comp","version":"1.0.0","server":"git://git.example.com/org/repo"}}]' >"$SCENARIO_DIR/program.json"
    run stack init dev --non-interactive
    run up --yes --skip-preview --non-interactive
    exits 0
    says "npm says hello" "npm complains"
    installed git.example.com_org_repo.git-v1.0.0
    called "npm install --loglevel=error in resource-git.example.com_org_repo.git-v1.0.0"
    rm -rf "$SCENARIO_DIR" "$world/bin/pulumi-language-script"
    unset SCENARIO_DIR

    begin "without git a repository cannot be had"
    run_bare plugin install resource git.example.com/org/repo@1.0.0
    exits 1
    says "could not find git on the \$PATH"
fi

plan
