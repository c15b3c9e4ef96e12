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
 +- random:index:RandomString code replace [diff: +keepers]
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
# What cannot be done.
$ pulumi do random:Nothing
error: package 'random' has no resource or function 'random:Nothing'
[2]
$ pulumi do random:RandomString mend code
error: 'mend' is nothing to do with a resource; there are read, create, patch, upsert and delete
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
error: --stateless is for functions and `read` only: what is created or changed has to be in the state of a stack
[1]
$ pulumi do random --length 3
error: unknown flag: --length
[1]
$ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true pulumi do absent:Thing
error: no resource plugin 'pulumi-resource-absent' found in the workspace or on your $PATH
[1]
