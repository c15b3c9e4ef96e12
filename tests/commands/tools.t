# plugin run starts the executable of a plugin: its outputs, its input, its exit code.
$ mkdir -p $PULUMI_HOME/plugins/tool-echo-v1.0.0 $PULUMI_HOME/plugins/tool-echo-v2.0.0; for v in 1 2; do printf '#!/bin/sh\necho version '$v' "$@"; cat; echo complaint >&2; exit 3\n' >$PULUMI_HOME/plugins/tool-echo-v$v.0.0/pulumi-tool-echo; chmod +x $PULUMI_HOME/plugins/tool-echo-v$v.0.0/pulumi-tool-echo; done
$ echo input | pulumi plugin run echo one -- --two -v
version 2 one --two -v
input
complaint
[3]
$ pulumi plugin run echo@1.0.0
version 1
complaint
[3]
$ pulumi plugin run echo --kind tool </dev/null
version 2
complaint
[3]
$ pulumi plugin run $PULUMI_HOME/plugins/tool-echo-v1.0.0/pulumi-tool-echo by path
version 1 by path
complaint
[3]
$ pulumi plugin run nope
error: could not get plugin path: no tool plugin 'pulumi-tool-nope' found in the workspace or on your $PATH
[1]
$ pulumi plugin run nope@1.0.0 --kind resource
error: could not get plugin path: no resource plugin 'pulumi-resource-nope' found in the workspace at version v1.0.0 or on your $PATH
[1]
$ pulumi plugin run x --kind thing
error: unrecognized plugin kind: thing
[1]
$ pulumi plugin run ../../x
error: '../../x' is no executable: only plugins that are programs by themselves can be run
[1]
$ pulumi plugin run
error: requires at least 1 arg(s), only received 0
[1]
$ cp $PULUMI_HOME/plugins/tool-echo-v1.0.0/pulumi-tool-echo ../bin/pulumi-tool-other; pulumi plugin run other
warning: using pulumi-tool-other from $PATH at <dir>/bin/pulumi-tool-other
version 1
complaint
[3]
# A Python package that is installed as it lies in its folder: its list of files is about another place. One is removed by hand, but for its records.
$ mkdir -p ../lib/src/acme_thing ../lib/src/acme_thing.egg-info $PULUMI_HOME/plugins/resource-thing-v3.2.1; cp $PULUMI_HOME/plugins/tool-echo-v1.0.0/pulumi-tool-echo $PULUMI_HOME/plugins/resource-thing-v3.2.1/pulumi-resource-thing
> touch ../lib/src/acme_thing/__init__.py; echo '{"resource":true,"name":"thing","version":"3.2.1"}' >../lib/src/acme_thing/pulumi-plugin.json
> printf 'Metadata-Version: 2.1\nName: acme-thing\nVersion: 3.2.1\n' >../lib/src/acme_thing.egg-info/PKG-INFO; echo src/acme_thing/pulumi-plugin.json >../lib/src/acme_thing.egg-info/SOURCES.txt
> printf 'name: snake\nruntime: python\n' >Pulumi.yaml; PYTHONPATH=../lib/src pulumi plugin ls -p | grep -o '^thing  *resource  *3.2.1'
thing   resource  3.2.1
$ mkdir -p venv/bin venv/lib/python3.11/site-packages/pulumi_gone-1.0.0.dist-info; ln -s $(command -v python3) venv/bin/python; touch venv/pyvenv.cfg; cd venv/lib/python3.11/site-packages/pulumi_gone-1.0.0.dist-info
> printf 'Name: pulumi-gone\nVersion: 1.0.0\n' >METADATA; echo pulumi_gone/pulumi-plugin.json,, >RECORD; cd - >/dev/null; printf 'name: snake\nruntime: {name: python, options: {virtualenv: venv}}\n' >Pulumi.yaml; pulumi plugin ls -p | head -n 1 | cut -c1-4
NAME
# PULUMI_PYTHON_CMD is that Python or an error, not another one.
$ printf 'name: snake\nruntime: python\n' >Pulumi.yaml; for python in no-python ./no-python ../bin /; do PULUMI_PYTHON_CMD=$python pulumi plugin ls -p; done; printf '#!/bin/sh\nexec python3 "$@"\n' >../bin/mine; chmod +x ../bin/mine; for python in mine ../bin/mine; do PYTHONPATH=../lib/src PULUMI_PYTHON_CMD=$python pulumi plugin ls -p | cut -c1-5 | grep thing; done
error: loading project plugins: failed to discover plugin requirements: PULUMI_PYTHON_CMD is 'no-python', which is no program here: set it to the Python to use, or unset it
error: loading project plugins: failed to discover plugin requirements: PULUMI_PYTHON_CMD is './no-python', which is no program here: set it to the Python to use, or unset it
error: loading project plugins: failed to discover plugin requirements: PULUMI_PYTHON_CMD is '../bin', which is no program here: set it to the Python to use, or unset it
error: loading project plugins: failed to discover plugin requirements: PULUMI_PYTHON_CMD is '/', which is no program here: set it to the Python to use, or unset it
thing
thing
