# One function or one resource without a program: packages, functions, resources.
$ printf 'name: proj\nruntime: yaml\noutputs:\n  plain: a$${b}\n  hidden:\n    fn::secret: s\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi up --skip-preview >/dev/null
$ pulumi do random | sed -n 1,5p
Name: random
Module: index
Version: 4.21.1
Description: Names, numbers and secrets that are made once and kept.
Resources: 10
$ pulumi do random:RandomPet | tail -1
pulumi do random:index/randomPet:RandomPet read ID | create NAME | patch NAME | upsert NAME | delete NAME
# A function is called; its answer is JSON.
$ pulumi do command:local:run --command 'echo "$GREETING ${HOME:+there}"' --environment '{GREETING: hello}'
{
  "command": "echo \"$GREETING ${HOME:+there}\"",
  "environment": {
    "GREETING": "hello"
  },
  "stderr": "",
  "stdout": "hello there"
}
$ printf 'command: echo filed\n' >inputs.yaml; pulumi do command:local:run --input-file inputs.yaml --stateless | grep stdout
  "stdout": "filed"
$ pulumi do command:local:run '--command+' 'echo ${pulumi.stack}' | grep stdout
  "stdout": "dev"
$ pulumi do command:local:run --command 'exit 3'
error: invocation of command:local:run returned an error: exit status 3: running "exit 3":
[1]
# Read asks the provider, and keeps nothing.
$ pulumi do random:RandomString read abcdef | grep -e id -e result -e __
  "id": "abcdef",
  "result": "abcdef",
$ pulumi stack --show-urns | grep -c random
0
[1]
# Create, patch and delete are updates that touch nothing else.
$ pulumi do random:RandomString create code --length 5 --special=false
error: --yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode
[2]
$ pulumi do random:RandomString create code --length 5 --special=false --yes | grep -e created$ -e unchanged
    1 unchanged
    + 1 created
    1 unchanged
$ pulumi do random:RandomString create code --length 5 --yes
error: the stack has 'code' already; `patch` changes it
[1]
$ pulumi do random:RandomString patch code --keepers '{a: b}' --dry-run | grep -e '+-' -e unchanged
 +- random:index:RandomString code replace [diff: +keepers]; keepers forces replacement
    +-1 to replace
    1 unchanged
$ pulumi do random:RandomString upsert code --length 6 --yes | grep -e replaced$ -e unchanged
    1 unchanged
    +-1 replaced
    1 unchanged
$ pulumi stack export | grep -e '"length": 6' -e '"special": false' | sort -u
                    "length": 6,
                    "special": false
                    "special": false,
$ pulumi stack output --show-secrets --json
{
  "hidden": "s",
  "plain": "a${b}"
}
$ pulumi do random:RandomString patch other --length 6 --yes
error: the stack has no random:index/randomString:RandomString 'other'
[1]
$ pulumi do random:RandomString delete code --yes | grep -e deleted$ -e unchanged
    1 unchanged
    - 1 deleted
    1 unchanged
$ pulumi do random:RandomString delete code --yes
error: the stack has no random:index/randomString:RandomString 'code'
[1]
# List asks the provider what there is: one page, so many, or all.
$ mkdir -p $PULUMI_HOME/plugins/resource-cloud-v1.0.0; ln -s $SCRIPTED $PULUMI_HOME/plugins/resource-cloud-v1.0.0/pulumi-resource-cloud
$ cat >../run/schemas.json <<'END'
> {"cloud": {"name": "cloud", "version": "1.0.0", "resources": {
>   "cloud:index:Disk": {"inputProperties": {"name": {"type": "string"}, "size": {"type": "integer"}},
>     "listInputs": {"properties": {"size": {"type": "integer", "description": "Of this size only."}, "name": {"type": "string"}, "all": {"type": "boolean"}}}},
>   "cloud:index:Zone": {"listInputs": {"properties": {"region": {"type": "string"}}, "required": ["region"]}},
>   "cloud:index:Lock": {}}}}
> END
$ object='{"type": "cloud:index:Disk", "props": {"name": "%s", "size": %s}}'
> printf "{\"objects\": {\"d-1\": $object, \"d-2\": $object, \"d-3\": $object, \"d-4\": $object, \"d-5\": $object}}" a 1 b 2 c 1 d 1 '' 2 >../run/cloud.json
$ pulumi config set cloud:region north; pulumi config set --secret cloud:token hidden
$ pulumi do cloud:Disk | tail -8

List inputs:
 - all (boolean)
 - name (string)
 - size (integer): Of this size only.
List inputs marked with '*' are required

pulumi do cloud:index:Disk list | read ID | create NAME | patch NAME | upsert NAME | delete NAME
$ pulumi do cloud:Disk list
There are more: --all lists them, --count N so many.
[
  {
    "id": "d-1",
    "name": "a"
  },
  {
    "id": "d-2",
    "name": "b"
  }
]
$ pulumi do cloud:Disk list --count 3 --stateless --output json
[
  {
    "id": "d-1",
    "name": "a"
  },
  {
    "id": "d-2",
    "name": "b"
  },
  {
    "id": "d-3",
    "name": "c"
  }
]
$ pulumi do cloud:Disk list --all | grep -c id
5
$ pulumi do cloud:Disk list --size 2 --all
[
  {
    "id": "d-2",
    "name": "b"
  },
  {
    "id": "d-5",
    "name": ""
  }
]
$ pulumi do cloud:Disk list --all --size+ 'fn::length: [x]' --name c
[
  {
    "id": "d-3",
    "name": "c"
  }
]
$ pulumi do cloud:Disk list --input:all
[]
$ printf 'name: nobody\n' >which.yaml; pulumi do cloud:Disk list --input-file which.yaml --package cloud@1.0.0
[]
# Its provider has the configuration of the stack.
$ grep -e '"Configure"' ../run/trace.jsonl | grep -c -e 'cloud:config:region.*north'
7
$ grep -h '"List"' ../run/trace.jsonl | grep -o '"request":.*' | sort -u
"request":{"continuation_token":"2","limit":"1","query":{},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"continuation_token":"2","query":{},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"continuation_token":"4","query":{},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"limit":"3","query":{},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"query":{"all":true},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"query":{"name":"c","size":1},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"query":{"name":"nobody"},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"query":{"size":2},"token":"cloud:index:Disk"},"rpc":"List"}
"request":{"query":{},"token":"cloud:index:Disk"},"rpc":"List"}
$ pulumi stack --show-urns | grep -c cloud
0
[1]
$ pulumi config set pulumi:disable-default-providers '["cloud"]'; pulumi do cloud:Disk list; pulumi config rm pulumi:disable-default-providers
error: Default provider for 'cloud' disabled: the configuration has pulumi:disable-default-providers
# What cannot be listed.
$ pulumi do random:RandomString list
error: random:index/randomString:RandomString cannot be listed: its provider does not offer it
[1]
$ pulumi do cloud:Lock list
error: cloud:index:Lock cannot be listed: its provider does not offer it
[1]
$ pulumi do cloud:Zone list
error: cloud:index:Zone can only be listed with --region
[1]
$ pulumi do cloud:Disk list --colour red
error: cloud:index:Disk cannot be listed by 'colour'; it can by: all, name, size
[1]
$ printf 'colour: red\n' >which.yaml; pulumi do cloud:Disk list --input-file which.yaml
error: cloud:index:Disk cannot be listed by 'colour'; it can by: all, name, size
[1]
$ pulumi do cloud:Disk list d-1
error: 'd-1' is one word too many
[1]
$ pulumi do cloud:Disk list --all --count 3
error: --all and --count are mutually exclusive
[1]
$ pulumi do cloud:Disk list --count some
error: --count: 'some' is no number of resources
[1]
$ pulumi do cloud:Disk list --all=perhaps
error: --all: 'perhaps' is neither true nor false
[1]
$ echo '[{"on": "List", "error": "no such call", "code": "UNIMPLEMENTED"}]' >../run/rules.json; pulumi do cloud:Disk list
error: provider 'cloud' cannot list resources
[1]
$ echo '[{"on": "List", "error": "the cloud is away", "code": "UNAVAILABLE"}]' >../run/rules.json; pulumi do cloud:Disk list
error: the cloud is away
[1]
$ echo '[{"on": "List", "crash": true}]' >../run/rules.json; pulumi do cloud:Disk list 2>&1 | sed 's/exit status.*\|signal.*/<end>/'
error: Detected that <dir>/home/plugins/resource-cloud-v1.0.0/pulumi-resource-cloud exited prematurely. 
       This is *always* a bug in the provider. Please report the issue to the provider author as appropriate.
       To assist with debugging we have dumped the STDOUT and STDERR streams of the plugin:
error: cloud (resource) plugin [<dir>/home/plugins/resource-cloud-v1.0.0/pulumi-resource-cloud] ended during List: <end>
$ echo '[{"on": "List", "repeat": true}]' >../run/rules.json; pulumi do cloud:Disk list --all
error: provider 'cloud' answers with the same page again and again
[1]
$ echo '[{"on": "List", "circle": true}]' >../run/rules.json; pulumi do cloud:Disk list --all
error: provider 'cloud' answers with the same page again and again
[1]
$ echo '[{"on": "CheckConfig", "respond": {"failures": [{"property": "region", "reason": "there is no north"}]}}]' >../run/rules.json; pulumi do cloud:Disk list
error: configuration of provider 'cloud': 'region': there is no north
[1]
$ echo '[{"on": "Configure", "error": "who are you?"}]' >../run/rules.json; pulumi do cloud:Disk list
error: who are you?
[1]
# Its provider can be another than the default one: configured on the line, by a file, or one of the stack.
$ rm ../run/rules.json; echo '{"objects": {"d-1": {"type": "cloud:index:Disk", "props": {"name": "a", "size": 1}}}}' >../run/cloud.json
$ cat >../run/schemas.json <<'END'
> {"cloud": {"name": "cloud", "version": "1.0.0", "provider": {"inputProperties": {"region": {"type": "string"}, "maxRetries": {"type": "integer"}, "token": {"type": "string"}}},
>   "resources": {"cloud:index:Disk": {"inputProperties": {"size": {"type": "integer"}, "mountPoint": {"type": "string"}}, "listInputs": {"properties": {}}}},
>   "functions": {"cloud:index:find": {"inputs": {"properties": {"name": {"type": "string"}}}, "outputs": {"properties": {"name": {"type": "string"}}}}}}}
> END
$ cat >configured <<'END'
> grep -h '"Configure"' ../run/trace.jsonl | tail -1 | grep -o '"args":{[^{}]*'
> END
$ printf 'region: west\nmaxRetries: 3\n' >provider.yaml; printf '{"name": "n"}' >find.json
$ pulumi do cloud:find --input-file find.json --input json --cloud:region south; sh configured
{
  "name": "n"
}
"args":{"region":"south"
$ pulumi do cloud:Disk read d-1 --provider-file provider.yaml | grep '"name"'; sh configured
  "name": "a",
"args":{"maxRetries":3,"region":"west"
$ pulumi do cloud:Disk list --provider-file provider.yaml --cloud:region+ '${pulumi.stack}' | grep id; sh configured
    "id": "d-1",
"args":{"maxRetries":3,"region":"dev"
$ pulumi do cloud:Disk create one --size 2 --mount-point /x --provider-file provider.yaml --cloud:max-retries 4 --yes | grep -e created$ -e unchanged
    1 unchanged
    + 2 created
    1 unchanged
$ pulumi stack export | grep -e '::one"' -e '"provider".*one-provider' | sed 's/-provider::.*/-provider::<id>/'
                "urn": "urn:pulumi:dev::proj::cloud:index:Disk::one",
                "provider": "urn:pulumi:dev::proj::pulumi:providers:cloud::one-provider::<id>
$ pulumi do cloud:Disk patch one --size 3 --yes | grep -e updated$ -e unchanged
    2 unchanged
    ~ 1 updated
    2 unchanged
$ pulumi do cloud:Disk create two --provider urn:pulumi:dev::proj::pulumi:providers:cloud::one-provider --yes | grep -e created$ -e unchanged
    3 unchanged
    + 1 created
    3 unchanged
$ pulumi do cloud:find --provider urn:pulumi:dev::proj::pulumi:providers:cloud::one-provider --cloud:region east; sh configured
{}
"args":{"maxRetries":4,"region":"east"
$ pulumi stack export | grep -c '"provider".*::one-provider::'
2
$ pulumi do cloud:Disk delete two --yes >/dev/null; pulumi do cloud:Disk delete one --yes | grep -e deleted$
    - 1 deleted
$ pulumi do cloud:find --provider urn:nobody
error: --provider: the stack has no 'urn:nobody'
[1]
$ pulumi do cloud:find --provider urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
error: --provider: 'urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev' is not a provider but a pulumi:pulumi:Stack
[1]
$ pulumi do random:RandomString read abc --provider urn:pulumi:dev::proj::pulumi:providers:cloud::one-provider
error: --provider: 'urn:pulumi:dev::proj::pulumi:providers:cloud::one-provider' is a provider of 'cloud', not of 'random'
[1]
$ pulumi do cloud:find --cloud:colour red
error: pulumi:providers:cloud has no property 'colour'; it has: maxRetries, region, token
[1]
$ pulumi do cloud:find --input pcl
error: --input 'pcl' is not supported: expected yaml or json
[1]
# Options may come before the token: each takes the next word.
$ pulumi do --length 5 random:RandomString create early --yes | grep -e created$
    + 1 created
$ pulumi do --length 5 | sed -n 1p
Call one function, or look after one resource, without a program
$ pulumi do random:RandomString create late --min-lower 2 --length 5 --dry-run | grep -e '+ '
 +  random:index:RandomString late create
    + 1 to create
# What cannot be done.
$ pulumi do random:Nothing
error: package 'random' has no resource or function 'random:Nothing'
[2]
$ pulumi do random:RandomString mend code
error: 'mend' is nothing to do with a resource; there are list, read, create, patch, upsert and delete
[1]
$ pulumi do random:RandomString create
error: say which one: the name of the resource is missing
[1]
$ pulumi do random:RandomString create x --size 3
error: random:index/randomString:RandomString has no property 'size'; it has: keepers, length, lower, minLower, minNumeric, minSpecial, minUpper, number, numeric, overrideSpecial, special, upper
[1]
$ pulumi do random:RandomString create x --length some
error: --length: 'some' is no integer
[1]
$ pulumi do random:RandomString create x --length inf
error: --length: 'inf' is no integer
[1]
$ pulumi do random:RandomString create x --length
error: --length needs a value
[1]
$ pulumi do random:RandomString create x --upper=maybe
error: --upper: 'maybe' is neither true nor false
[1]
$ pulumi do random:RandomString read x y
error: 'y' is one word too many
[1]
$ pulumi do random:RandomString create x --stateless --length 3
error: --stateless is for functions, `list` and `read` only: what is created or changed has to be in the state of a stack
[1]
$ pulumi do random --length 3
error: unknown flag: --length
[1]
$ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true pulumi do absent:Thing
error: no resource plugin 'pulumi-resource-absent' found in the workspace or on your $PATH
[1]
