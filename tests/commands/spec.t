# The tree of commands as JSON, and as pages.
$ pulumi generate-cli-spec | python3 -c '
> import json, sys
> tree = json.load(sys.stdin)
> stack = tree["commands"]["stack"]
> print(tree["type"], "executable" in tree, stack["type"], stack["executable"], stack["flags"]["stack"]["type"])
> print(stack["commands"]["rename"])
> print(stack["commands"]["list"]["flags"]["all"])
> print(tree["commands"]["state"]["commands"]["remove"]["arguments"])
> print(tree["commands"]["up"]["flags"]["target"])'
menu False menu True string
{'type': 'command', 'arguments': {'arguments': [{'name': 'new-name'}], 'requiredArguments': 1}, 'description': 'Rename a stack'}
{'name': 'all', 'type': 'boolean', 'description': 'List the stacks of all projects'}
{'arguments': [{'name': 'urn'}], 'variadic': True}
{'name': 'target', 'type': 'string', 'description': 'Only this resource: a URN, with * and ** as wildcards', 'repeatable': True}
$ printf '{"version":1,"scopes":[{"path":[],"propagate":true,"flags":{"color":{"preset":"never"}}},{"path":["env"],"propagate":true,"exclude":true},{"path":["stack","rename"],"flags":{}},{"path":["up"],"flags":{"yes":{"omit":true},"parallel":{"preset":3}}}]}' >over.json
$ pulumi generate-cli-spec --overrides over.json | python3 -c '
> import json, sys
> tree = json.load(sys.stdin); up = tree["commands"]["up"]["flags"]
> print("env" in tree["commands"], up["yes"].get("omit"), up["parallel"].get("preset"), tree["flags"]["color"].get("preset"), up["stack"].get("omit"))'
False True 3 never None
$ echo '[' >over.json; pulumi generate-cli-spec --overrides over.json
error: failed to parse overrides file: line 2 column 1: unexpected end of JSON input
[1]
$ pulumi generate-cli-spec --overrides nope.json
error: failed to read overrides file: open nope.json: no such file or directory
[1]
$ pulumi gen-markdown pages
error: 'pages' is no folder: make it first
[1]
$ mkdir pages; pulumi gen-markdown pages; test $(ls pages | grep -cE '^pulumi(_[a-z_-]+)?\.md$') -ge 68; ls pages | grep env
pulumi_about_env.md
pulumi_config_env.md
pulumi_config_env_add.md
pulumi_config_env_init.md
pulumi_config_env_list.md
pulumi_config_env_remove.md
$ sed 's/^#/ #/' pages/pulumi_stack_unselect.md
---
title: "pulumi stack unselect"
---

Forget which stack is selected

 ## Synopsis

```
  pulumi stack unselect [options]
```

 ## Examples

```
  pulumi stack unselect
```

 ## Options

```
  -s, --stack text                          No effect here: it is an option of `stack`
```

 ## Options inherited from parent commands

```
  -h, --help                                Show this text
  -C, --cwd text                            Run as if started in this directory
      --color text                          Colour of the output: always, never, raw or auto (default auto)
      --non-interactive                     Never prompt; write lines instead of a live display
  -Q, --fully-qualify-stack-names           Show stack names with organization and project
  -e, --emoji                               Use emojis in the output
      --disable-integrity-checking          Do not verify the state when it is read or written
  -v, --verbose number                      Detail of the log, from 0 to 11
      --logtostderr                         Write the log to standard error
      --logflow                             Pass the log options on to plugins
      --tracing text                        Write a trace of steps and calls to file:PATH, for view-trace and convert-trace
      --otel-traces text                    Write a trace of steps and calls, as OTLP JSON, to file://PATH
      --profiling text                      No effect here
      --memprofilerate number               No effect here
```

 ## SEE ALSO

* [pulumi stack](pulumi_stack.md)	 - Show a stack and its resources
$ pulumi gen-man manual
error: 'manual' is no folder: make it first
[1]
$ mkdir manual; pulumi gen-man manual; test $(ls manual | grep -cE '^pulumi(-[a-z-]+)?\.1$') -eq $(ls pages | wc -l); ls manual | grep -v '\.1$'
pulumi-backends.7
pulumi-environment.7
pulumi-exit-codes.7
pulumi-imports.7
pulumi-paths.7
pulumi-secrets.7
$ cat manual/pulumi-state-rename.1
.TH "PULUMI\-STATE\-RENAME" 1 "" "culumi 0.1.0" "User Commands"
.SH NAME
pulumi\-state\-rename \- Rename a resource in the state
.SH SYNOPSIS
.nf
  pulumi state rename [URN] [NEW\-NAME] [options]
.fi
.SH EXAMPLES
.nf
  pulumi state rename URN new\-name
.fi
.SH OPTIONS
.TP
\fB\-s\fR, \fB\-\-stack\fR\fI text\fR
The stack to work on; the selected one by default
.TP
\fB\-y\fR, \fB\-\-yes\fR
Do not ask for confirmation
.SH SEE ALSO
\fBpulumi\-state\fR(1),
\fBpulumi\fR(1) for the options of every command
