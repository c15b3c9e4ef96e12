# state get shows one resource, found by its URN or its name.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev; pulumi stack import --file $TRANSCRIPTS/rich.json --force >/dev/null 2>&1; pulumi stack --show-urns | grep -c URN
Created stack 'dev'
10
$ pulumi state get a
Type: random:index/randomString:RandomString
URN:  urn:pulumi:dev::proj::random:index/randomString:RandomString::a
ID:   id-a
Inputs:
    length: 4

Outputs:
    id    : "id-a"
    length: 4
    result: "id-a"

$ pulumi state get urn:pulumi:dev::proj::random:index/randomString:RandomString::a --output json
{
  "id": "id-a",
  "inputs": {
    "length": 4
  },
  "outputs": {
    "id": "id-a",
    "length": 4,
    "result": "id-a"
  },
  "type": "random:index/randomString:RandomString",
  "urn": "urn:pulumi:dev::proj::random:index/randomString:RandomString::a"
}
$ pulumi state get proj-dev --json | sed -n 1,12p
{
  "id": "",
  "inputs": {},
  "outputs": {
    "b": false,
    "e": [],
    "n": 1.5,
    "nul": null,
    "o": {
      "k": [
        1,
        "two",
$ pulumi state get proj-dev
Type: pulumi:pulumi:Stack
URN:  urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
Outputs:
    b  : false
    e  : []
    n  : 1.5
    nul: <null>
    o  : {
        k: [
            [0]: 1
            [1]: "two"
            [2]: {
                z: true
            }
        ]
    }
    s  : [secret]
    str: "a b\n\"c\""
    x  : 4

$ pulumi state get
error: Must supply <resource> unless pulumi is run interactively
[1]
$ pulumi state get nope
error: no resource identified by "nope" found in the stack; run `pulumi do show-resources` to list resource reference identifiers
[1]
$ pulumi state get urn:nope
error: "urn:nope" is not a valid resource URN
[1]
$ pulumi state get urn:pulumi:dev::proj::random:index/randomString:RandomString::aa
error: No such resource "urn:pulumi:dev::proj::random:index/randomString:RandomString::aa" exists in the current state
Did you mean:
  urn:pulumi:dev::proj::random:index/randomString:RandomString::a
  urn:pulumi:dev::proj::random:index/randomString:RandomString::b
  urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state get a -s nope
error: no stack named 'nope' found
[6]
# A name that two resources have is not enough.
$ printf 'name: proj\nruntime: yaml\nresources:\n  one: {type: random:RandomPet, name: same}\n  two: {type: random:RandomUuid, name: same}\n  s: {type: random:RandomPassword, properties: {length: 8}}\n' >Pulumi.yaml; pulumi stack init two; pulumi up --skip-preview >/dev/null; pulumi state get same
Created stack 'two'
error: 2 resources in the stack are named "same":
    urn:pulumi:two::proj::random:index/randomPet:RandomPet::same
    urn:pulumi:two::proj::random:index/randomUuid:RandomUuid::same
specify one by URN
[1]
$ pulumi state get s --json | grep -E 'bcryptHash|"result"'
    "bcryptHash": "[secret]",
    "result": "[secret]",
$ pulumi state get s --show-secrets --json | grep -cE '"result": ".{8}"'
1
$ pulumi state get s --show-secrets | grep -cE 'result +: ".{8}"'
1
# Short names stand for URNs.
$ pulumi do show-resources | grep RandomPet
same_a8d3d9  urn:pulumi:two::proj::random:index/randomPet:RandomPet::same
$ pulumi do show-resources -o json | grep -c urn
3
$ pulumi do show-resources --output xml
error: unsupported output format "xml"; supported values are text and json
[1]
$ pulumi state get $(pulumi do show-resources | sed -n "s/ .*RandomPet.*//p") | sed -n 1,2p
Type: random:index/randomPet:RandomPet
URN:  urn:pulumi:two::proj::random:index/randomPet:RandomPet::same
# state edit needs a person.
$ EDITOR=true pulumi state edit
error: pulumi state edit must be run in interactive mode
[1]
# state repair says what it is going to change.
$ pulumi stack init broken; pulumi stack export -s two >whole.json
Created stack 'broken'
$ cat >break.py <<'END'
> import json
> doc = json.load(open("whole.json")); text = json.dumps(doc).replace("pulumi:two::", "pulumi:broken::").replace("proj-two", "proj-broken"); doc = json.loads(text)
> rs = doc["deployment"]["resources"]; stack = "urn:pulumi:broken::proj::pulumi:pulumi:Stack::proj-broken"
> gone = "urn:pulumi:broken::proj::a:b:C::gone"
> rs[-1]["parent"] = gone; rs[-1]["dependencies"] = [gone, stack]; rs[-1]["propertyDependencies"] = {"p": [gone]}; rs[-1]["deletedWith"] = gone
> rs.append(rs.pop(1))
> json.dump(doc, open("broken.json", "w"))
> END
$ python3 break.py; pulumi stack import --force --file broken.json 2>/dev/null
Import complete.
$ pulumi preview 2>&1 | grep -oE 'state repair|disable-integrity-checking'
state repair
disable-integrity-checking
$ pulumi state repair
The following resources will be reordered to appear before their dependents:

* urn:pulumi:broken::proj::pulumi:providers:random::default

The following resources will be modified to remove missing dependencies:

~ urn:pulumi:broken::proj::random:index/randomPassword:RandomPassword::s
  - urn:pulumi:broken::proj::a:b:C::gone [parent]
  - urn:pulumi:broken::proj::a:b:C::gone [dependency]
  - urn:pulumi:broken::proj::a:b:C::gone [property dependency: p]
  - urn:pulumi:broken::proj::a:b:C::gone [deleted with]

State repaired successfully
$ pulumi state repair
The snapshot is already valid; skipping repair
$ python3 break.py; pulumi stack import --force --file broken.json 2>/dev/null; pulumi state repair --yes
Import complete.
State repaired successfully
# What cannot be repaired is explained, and stays.
$ sed 's/"dependencies": \["urn:pulumi:broken::proj::a:b:C::gone"/"dependencies": ["urn:pulumi:broken::proj::random:index\/randomPet:RandomPet::same"/' broken.json >circle.json; python3 -c '
> import json; doc = json.load(open("circle.json")); rs = doc["deployment"]["resources"]
> pet = [r for r in rs if "RandomPet" in r["type"]][0]; word = [r for r in rs if "RandomPassword" in r["type"]][0]
> pet["dependencies"] = [word["urn"]]; word["dependencies"] = [pet["urn"]]; word["parent"] = pet["parent"]; json.dump(doc, open("circle.json", "w"))'; pulumi stack import --force --file circle.json 2>/dev/null; pulumi stack export >before; pulumi state repair --stack broken; pulumi stack export | cmp - before
Import complete.
error: Failed to repair the snapshot automatically: snapshot has cyclic dependencies

The state has to be repaired by hand, as follows:

1. Export it to a file:

   pulumi stack export --stack 'broken' > state.json

2. Keep a copy:

   cp state.json state.json.backup

3. Edit state.json: take out dependencies that form a circle, and what cannot be read.

4. Import it again:

   pulumi stack import --stack 'broken' < state.json
