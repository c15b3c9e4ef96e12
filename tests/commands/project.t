# What a command says when the project, or a file the user names, is not there or not right.
$ pulumi -C halloumi stack ls
error: chdir halloumi: no such file or directory
[1]
$ pulumi preview
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi stack
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi stack --show-name
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi destroy --yes
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi cancel --yes
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi stack output
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ pulumi state delete --yes urn:pulumi:dev::proj::a:b:C::x
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
# Among Terraform files an operation says how to come from there.
$ touch main.tf
$ pulumi up --yes
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found however, a Terraform configuration file was detected. To convert this configuration to a Pulumi project, please see the documentation at https://www.pulumi.com/docs/iac/guides/migration/migrating-to-pulumi/from-terraform/
[1]
# Also who would have to approve, with no terminal to be asked at.
$ pulumi up
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found however, a Terraform configuration file was detected. To convert this configuration to a Pulumi project, please see the documentation at https://www.pulumi.com/docs/iac/guides/migration/migrating-to-pulumi/from-terraform/
[1]
$ pulumi destroy
error: --yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode
[2]
$ pulumi refresh --yes
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found however, a Terraform configuration file was detected. To convert this configuration to a Pulumi project, please see the documentation at https://www.pulumi.com/docs/iac/guides/migration/migrating-to-pulumi/from-terraform/
[1]
$ pulumi config
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `pulumi new` to do so: no project file found
[1]
$ rm main.tf
# A project file that is no YAML, and one for another version: that stops only what runs the program.
$ echo 'name: [x' >Pulumi.yaml
$ pulumi stack init dev
error: could not load project '<dir>/project/Pulumi.yaml': could not unmarshal '<dir>/project/Pulumi.yaml': invalid YAML file: line 2 column 1: did not find expected ',' or ']' (while parsing a flow sequence)
[1]
$ printf 'name: proj\nruntime: yaml\nrequiredPulumiVersion: ">=9.0.0"\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi config set a b
$ pulumi config get a
b
$ pulumi stack history --page 10000000
No stack updates found on page '10000000'
$ pulumi preview
error: Pulumi CLI version <version> does not satisfy the version range ">=9.0.0"
[1]
$ pulumi up --yes
error: Pulumi CLI version <version> does not satisfy the version range ">=9.0.0"
[1]
$ pulumi refresh --yes
error: Pulumi CLI version <version> does not satisfy the version range ">=9.0.0"
[1]
$ pulumi destroy --yes
error: Pulumi CLI version <version> does not satisfy the version range ">=9.0.0"
[1]
$ pulumi import a:b:C x y --yes
error: Pulumi CLI version <version> does not satisfy the version range ">=9.0.0"
[1]
$ pulumi stack export | grep -c deployment
1
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
# Files the user names.
$ pulumi up --yes --plan halloumi
error: open halloumi: no such file or directory
[1]
$ pulumi stack import --file halloumi
error: could not open file: open halloumi: no such file or directory
[1]
$ pulumi import --file halloumi --yes
error: could not read import file: open halloumi: no such file or directory
[1]
# A plan is written into the file that is there: its mode, its links and who has it open stay.
$ echo old >plan.json; chmod 640 plan.json; exec 3<plan.json; pulumi preview --save-plan plan.json >preview.log 2>&1 || cat preview.log; stat -c %a plan.json; head -c 1 <&3
640
{
$ ln -s target.json link.json; pulumi preview --save-plan link.json >preview.log 2>&1 || cat preview.log; readlink link.json; stat -c %a target.json
target.json
600
$ echo old >import.json; exec 3<import.json; pulumi preview --import-file import.json >preview.log 2>&1 || cat preview.log; head -c 1 <&3
{
# An environment changes what values mean, so none is shown or used.
$ printf 'environment: [a]\nconfig:\n  proj:a: b\n' >Pulumi.dev.yaml
$ pulumi config 2>&1 | sed "s/backend $(hostname) /backend <host> /"
error: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ pulumi config get a 2>&1 | sed "s/backend $(hostname) /backend <host> /"
error: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ pulumi preview 2>&1 | sed "s/backend $(hostname) /backend <host> /"
error: getting stack configuration: opening environment: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ printf 'environment:\n  values: {x: y}\n' >Pulumi.dev.yaml
$ pulumi preview 2>&1 | sed "s/backend $(hostname) /backend <host> /"
error: getting stack configuration: opening environment: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
# A list that names none is what is left of one.
$ printf 'environment: []\nconfig:\n  proj:a: b\n' >Pulumi.dev.yaml; pulumi config get a; pulumi config set b c; cat Pulumi.dev.yaml
b
environment: []
config:
  proj:a: b
  proj:b: c
$ echo 'config: [x' >Pulumi.dev.yaml
$ pulumi config
error: could not unmarshal '<dir>/project/Pulumi.dev.yaml': invalid YAML file: line 2 column 1: did not find expected ',' or ']' (while parsing a flow sequence)
[1]
# What keeps an operation from beginning is an error of the command: no resource is to blame.
$ mkdir begin && printf 'name: proj\nruntime: nope\n' >begin/Pulumi.yaml && pulumi -C begin stack init begin
Created stack 'begin'
$ for operation in preview "up -f" "destroy -f --run-program"; do pulumi -C begin $operation 2>&1 >/dev/null; echo $?; done
error: failed to load language plugin nope: no language plugin 'pulumi-language-nope' found in the workspace or on your $PATH; go, nodejs, python and yaml are here, `pulumi plugin install language nope` gets another if it is published
1
error: failed to load language plugin nope: no language plugin 'pulumi-language-nope' found in the workspace or on your $PATH; go, nodejs, python and yaml are here, `pulumi plugin install language nope` gets another if it is published
1
error: failed to load language plugin nope: no language plugin 'pulumi-language-nope' found in the workspace or on your $PATH; go, nodejs, python and yaml are here, `pulumi plugin install language nope` gets another if it is published
1
$ printf 'name: proj\nruntime: yaml\n' >begin/Pulumi.yaml; pulumi -C begin preview --client nonsense
Previewing update (begin):

error: failed to discover package requirements: invalid address 'nonsense'
[1]
$ pulumi -C begin preview --policy-pack missing
Previewing update (begin):
Loading policy packs...: starting
error: policy pack "missing" failed to start: failed to load plugin <dir>/project/begin/missing: plugin not found: neither a program nor a PulumiPolicy.yaml is there
[1]
