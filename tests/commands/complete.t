# What may stand where the cursor is: commands, options, and the values of both.
$ printf 'name: proj\nruntime: yaml\nconfig:\n  region: {type: string, description: Where it runs, default: here}\nresources:\n  pet: {type: random:RandomPet}\n  word: {type: random:RandomUuid}\noutputs: {name: x, size: 3}\n' >Pulumi.yaml
$ pulumi stack init dev; pulumi stack init prod --no-select; pulumi config set aws:zone a; pulumi config set size 3; pulumi up --skip-preview >/dev/null
Created stack 'dev'
Created stack 'prod'
$ pulumi __complete sta
stack	Show a stack and its resources
state	Edit the state of a stack by hand
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete stack se
select	Select the stack that commands work on
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __completeNoDesc plugin ''
install
list
remove
run
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up --skip-p
--skip-plugin-pre-install	Do not install plugins before the operation
--skip-preview	Do not preview first
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up --colo
--color	Colour of the output: always, never, raw or auto
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up --color ''
always
never
raw
auto
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete stack ls --output=j
--output=json
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete stack select ''
dev	resources: 4
prod	resources: 0
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete stack output -s p
prod	resources: 0
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up --stack=
--stack=dev	resources: 4
--stack=prod	resources: 0
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete --non-interactive -sdev up -s ''
dev	resources: 4
prod	resources: 0
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete config get ''
region	Where it runs
aws:zone
size
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete config rm-all size ''
region	Where it runs
aws:zone
size
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete stack output ''
name
size
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete state delete urn:pulumi:dev::proj::random
urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet
urn:pulumi:dev::proj::random:index/randomUuid:RandomUuid::word
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up --target urn:pulumi:dev::proj::random:index/randomP
urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete state delete -s prod ''
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete help sta
stack	Show a stack and its resources
state	Edit the state of a stack by hand
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete help back
backends	Where stacks are kept
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete gen-completion ''
bash
zsh
fish
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete do random:RandomPet ''
list
read
create
patch
upsert
delete
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ mkdir -p $PULUMI_HOME/plugins/tool-echo-v1.2.0 $PULUMI_HOME/plugins/resource-thing-v0.1.0 $PULUMI_HOME/templates/mine; pulumi __complete plugin rm ''; pulumi __complete plugin rm tool ''; pulumi __complete plugin rm tool echo ''; pulumi __complete plugin run ''
tool
resource
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
echo
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
1.2.0	echo
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
echo
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete up m
mine
:0
Completion ended with directive: ShellCompDirectiveDefault
$ pulumi __complete stack graph ''
:0
Completion ended with directive: ShellCompDirectiveDefault
$ pulumi __complete stack nope ''
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete -C /nope stack select ''
dev	resources: 4
prod	resources: 0
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ PULUMI_BACKEND_URL=file:///nope pulumi __complete stack select ''
:4
Completion ended with directive: ShellCompDirectiveNoFileComp
$ pulumi __complete
error: requires at least 1 arg(s), only received 0
[1]
# Hidden commands are not offered.
$ pulumi __completeNoDesc '' | grep -cE '^(env|insights|__complete)$'
Completion ended with directive: ShellCompDirectiveNoFileComp
0
[1]
$ pulumi gen-completion pwsh
error: "pwsh" is not a supported shell
[1]
$ pulumi completion bash | sed -n 2p
__pulumi_words() {
