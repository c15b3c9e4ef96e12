# What a wrong or missing word on the command line is answered with.
$ pulumi plan
error: unknown command "plan" for "pulumi"

Did you mean this?
	pulumi preview

Run 'pulumi --help' for usage.
[1]
$ pulumi apply
error: unknown command "apply" for "pulumi"

Did you mean this?
	pulumi up

Run 'pulumi --help' for usage.
[1]
$ pulumi udpate
error: unknown command "udpate" for "pulumi"

Did you mean this?
	pulumi up

Run 'pulumi --help' for usage.
[1]
$ pulumi rm
error: unknown command "rm" for "pulumi"

Did you mean this?
	pulumi destroy
	pulumi stack remove
	pulumi config remove

Run 'pulumi --help' for usage.
[1]
$ pulumi stop
error: unknown command "stop" for "pulumi"

Did you mean this?
	pulumi destroy

Run 'pulumi --help' for usage.
[1]
$ pulumi sttack
error: unknown command "sttack" for "pulumi"

Did you mean this?
	pulumi stack

Run 'pulumi --help' for usage.
[1]
$ pulumi stack slect
error: unknown command "slect" for "pulumi stack"

Did you mean this?
	pulumi stack select

Run 'pulumi stack --help' for usage.
[1]
$ pulumi stack updates
error: unknown command "updates" for "pulumi stack"

Did you mean this?
	pulumi stack history

Run 'pulumi stack --help' for usage.
[1]
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
# An import names what is missing, whether or not somebody approved it.
$ pulumi import
error: an inline resource must be specified if no converter or import file is used, missing type, name, and id
[1]
$ pulumi import a:b:C
error: an inline resource must be specified if no converter or import file is used, missing name and id
[1]
$ pulumi import a:b:C name
error: an inline resource must be specified if no converter or import file is used, missing id
[1]
$ pulumi import a:b:C name --yes
error: an inline resource must be specified if no converter or import file is used, missing id
[1]
# Options that exclude or need each other.
$ pulumi up --skip-preview --strict
error: --strict cannot be used with --skip-preview; strict requires a preview
[1]
$ pulumi preview --policy-pack-config nope
error: "--policy-pack-config" must be specified with "--policy-pack"
[1]
$ pulumi whoami --json --output default
error: if any flags in the group [output json] are set none of the others can be; [json output] were all set
[1]
$ pulumi about --json --output json
error: if any flags in the group [output json] are set none of the others can be; [json output] were all set
[1]
$ pulumi stack history --json --output json
error: if any flags in the group [output json] are set none of the others can be; [json output] were all set
[1]
$ pulumi stack tag ls --json --output json
error: if any flags in the group [output json] are set none of the others can be; [json output] were all set
[1]
$ pulumi up -p abc
error: invalid argument "abc" for "-p, --parallel" flag: strconv.ParseInt: parsing "abc": invalid syntax
[1]
$ pulumi up --parallel abc
error: invalid argument "abc" for "-p, --parallel" flag: strconv.ParseInt: parsing "abc": invalid syntax
[1]
$ pulumi up --yes=maybe
error: invalid argument "maybe" for "-y, --yes" flag: strconv.ParseBool: parsing "maybe": invalid syntax
[1]
$ pulumi preview --output xml
error: invalid argument "xml" for "--output" flag: output "xml" not supported, valid values are: default or json
[1]
$ pulumi stack init t1 --teams a 2>&1 | sed "s/$(hostname)/<host>/g"
error: stack t1 uses the <host> backend: <host> does not support --teams
$ pulumi stack init t1 --remote-config
error: could not create stack: remote config is not supported: the configuration of a stack is in its file beside the project
[1]
$ pulumi stack ls --json | grep '"name"'
    "name": "dev",
# The option of a menu is accepted below it.
$ pulumi stack ls -s dev --json | grep '"name"'
    "name": "dev",
$ pulumi stack unselect --stack dev
Stack was unselected
$ pulumi stack select dev
$ pulumi stack tag set k v; pulumi stack tag delete k; pulumi stack tag ls
NAME  VALUE
# With nothing to cancel, cancel says so.
$ pulumi cancel --yes
No update of 'dev' is running: there was nothing to cancel
$ mkdir -p ../state/.pulumi/locks/organization/proj/dev; echo '{}' >../state/.pulumi/locks/organization/proj/dev/1.json
$ pulumi cancel --yes
info: removed the lock of somebody unknown
The currently running update for 'dev' has been canceled!
$ pulumi cancel --yes
No update of 'dev' is running: there was nothing to cancel
# Login and logout where a variable names the backend.
$ pulumi logout
Logged out of file://<dir>/state
$ mkdir ../other; pulumi login file://$HOME/other 2>&1 | sed "s/$(hostname) as .* (/<host> as <user> (/"
warning: The PULUMI_BACKEND_URL environment variable is set to 'file://<dir>/state', which conflicts with the login URL 'file://<dir>/other'.
Logged in to <host> as <user> (file://<dir>/other)
$ pulumi plugin rm --yes --all 2>/dev/null
# The confirmation may come through a pipe.
$ mkdir -p $PULUMI_HOME/plugins/tool-echo-v1.2.0; pulumi plugin rm --all </dev/null
This will remove 1 plugin from the cache:
    tool echo-1.2.0

Please confirm that this is what you'd like to do by typing `yes`: error: non-interactive mode requires --yes flag
[1]
# An empty operand is a variable that was not set: it stands neither for all plugins nor for a default.
$ for line in "''" "tool ''" "tool echo ''"; do eval "pulumi plugin rm $line --yes"; echo $?; done; ls $PULUMI_HOME/plugins
error: unrecognized plugin kind: 
1
error: the name of the plugin is empty
1
error: invalid plugin semver: invalid version range ''
1
tool-echo-v1.2.0
$ echo yes | pulumi plugin rm --all
This will remove 1 plugin from the cache:
    tool echo-1.2.0

Please confirm that this is what you'd like to do by typing `yes`: removed: tool echo-1.2.0
# What is wrong with the line is said before anything is opened or asked.
$ pulumi stack unselect; pulumi up </dev/null
Stack was unselected
error: --yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode
[2]
$ pulumi import -f list.json a:b:C name id
error: an inline resource may not be specified in conjunction with an import file
[1]
$ pulumi preview -s nosuch one
error: `preview` takes an operand only with --remote
[1]
$ pulumi stack select dev
# Readers of `about --json` find the members they know.
$ pulumi about --json | grep -E '"go(Version|Compiler)"' | sed -E 's/"(gcc|clang)( [^"]*)?"/"<compiler>"/'
    "goVersion": "<compiler>",
    "goCompiler": "<compiler>"
# What is wrong with the backend or the project is a part of the report.
$ PULUMI_BACKEND_URL=nope://x pulumi about --json | grep -A1 -E '"(backend|currentStack|errors)"' | cut -c1-100
  "backend": null,
  "currentStack": null,
  "cliAbout": {
--
  "errors": [
    "Could not access the backend: unsupported backend URL 'nope://x': expected file://PATH, https:/
$ PULUMI_BACKEND_URL=file:///nowhere/at-all pulumi about 2>&1 | grep -E '^(CLI|Backend|warning)'
CLI       
warning: Could not access the backend: unable to open state directory "file:///nowhere/at-all": stat /nowhere/at-all: no such file or directory
$ mkdir broken; cd broken; echo 'name: [' >Pulumi.yaml; pulumi about 2>&1 | grep -E '^(CLI|Backend|warning)'
CLI       
Backend        
warning: Failed to read project: could not load project '<dir>/project/broken/Pulumi.yaml': could not unmarshal '<dir>/project/broken/Pulumi.yaml': invalid YAML file: line 2 column 1: did not find expected node content (while parsing a flow node)
warning: Failed to get information about the current stack: no stack is selected
# The hint about $ is given where a shell may have taken one away.
$ pulumi preview --target urn:pulumi:dev::proj::a:b:C::x | grep '^    error:'
    error: Target 'urn:pulumi:dev::proj::a:b:C::x' could not be found in the stack.
$ pulumi preview --target urn:pulumi:dev::proj::a:b:C:d:E::x | grep '^    error:'
    error: Target 'urn:pulumi:dev::proj::a:b:C:d:E::x' could not be found in the stack. Did you forget to escape $ in your shell?
$ pulumi preview --target 'urn:pulumi:dev::proj::a:b:C$c:d:E::x' | grep '^    error:'
    error: Target 'urn:pulumi:dev::proj::a:b:C$c:d:E::x' could not be found in the stack.
$ pulumi preview --target urn:x | grep '^    error:'
    error: Target 'urn:x' could not be found in the stack.
