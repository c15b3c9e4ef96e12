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
