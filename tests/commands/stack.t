# Stacks: made, listed, selected, shown, renamed, removed.
$ pulumi stack ls
error: no Pulumi.yaml found; please run this command in a project directory
[1]
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT
$ pulumi stack
error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one
[1]
$ pulumi stack init dev
Created stack 'dev'
$ pulumi stack init dev
error: stack 'organization/proj/dev' already exists
[1]
$ pulumi stack init 'bad name'
error: a stack name may only contain alphanumeric, hyphens, underscores, or periods: invalid character ' ' at position 3
[1]
$ pulumi stack init a/b/c/d
error: 'a/b/c/d' is not the name of a stack: it is written as stack, organization/stack or organization/project/stack
[1]
$ pulumi stack init two --no-select
Created stack 'two'
$ pulumi stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT
dev* <ago> 0
two <ago> 0
$ pulumi stack ls --json | grep -v '"url"'
[
  {
    "name": "dev",
    "current": true,
    "lastUpdate": "<time>",
    "resourceCount": 0
  },
  {
    "name": "two",
    "current": false,
    "lastUpdate": "<time>",
    "resourceCount": 0
  }
]
$ pulumi stack ls --project nope
NAME  LAST UPDATE  RESOURCE COUNT
$ pulumi stack --show-name
dev
$ pulumi stack select nope
error: no stack named 'nope' found
[6]
$ pulumi stack select three -c
Created stack 'three'
$ pulumi stack --show-name
three
$ pulumi stack select
error: no stack selected; specify a stack name with --stack
[6]
$ pulumi stack unselect
Stack was unselected
$ pulumi stack --show-name
error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one
[1]
$ pulumi stack select dev
$ pulumi stack output
Current stack outputs (0):
    No output values currently in this stack
$ pulumi stack output --json
{}
$ pulumi stack history
Stack has never been updated
$ pulumi stack graph empty.dot && cat empty.dot
Wrote stack dependency graph to `empty.dot`
strict digraph {
}
# What a rich state looks like.
$ pulumi stack import --file "$TRANSCRIPTS/rich.json"
warning: removing pending operation 'creating' on 'urn:pulumi:dev::proj::random:index/randomString:RandomString::pend' from snapshot
Import complete.
$ pulumi stack
Current stack is dev:
    Managed by <host>
    Last updated: <ago> (<time>)
    Pulumi version used: <version>
Current stack resources (10):
    TYPE                                          NAME
    pulumi:pulumi:Stack                           proj-dev
    ├─ random:index/randomString:RandomString     a
    ├─ random:index/randomString:RandomString     b
    ├─ my:mod:Comp                                comp
    │  ├─ random:index/randomString:RandomString  c1
    │  └─ random:index/randomString:RandomString  c2
    ├─ random:index/randomString:RandomString     dw
    ├─ random:index/randomString:RandomString     ext
    ├─ random:index/randomString:RandomString     old
    └─ pulumi:providers:random                    default

Current stack outputs (8):
    OUTPUT  VALUE
    b       false
    e       []
    n       1.5
    nul     null
    o       {"k":[1,"two",{"z":true}]}
    s       [secret]
    str     a b
            "c"
    x       4

Use `pulumi stack select` to change stack; `pulumi stack ls` lists known ones
$ pulumi stack --show-ids | grep -B 1 ID:
    ├─ random:index/randomString:RandomString     a
    │     ID: id-a
    ├─ random:index/randomString:RandomString     b
    │     ID: id-b
--
    │  ├─ random:index/randomString:RandomString  c1
    │  │     ID: id-c1
    │  └─ random:index/randomString:RandomString  c2
    │        ID: id-c2
    ├─ random:index/randomString:RandomString     dw
    │     ID: id-dw
    ├─ random:index/randomString:RandomString     ext
    │     ID: id-ext
    ├─ random:index/randomString:RandomString     old
    │     ID: id-old
    └─ pulumi:providers:random                    default
          ID: <uuid>
$ pulumi stack --show-urns | sed -n '/TYPE/,/^$/p'
    TYPE                                          NAME
    pulumi:pulumi:Stack                           proj-dev
    │  URN: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
    ├─ random:index/randomString:RandomString     a
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::a
    ├─ random:index/randomString:RandomString     b
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::b
    ├─ my:mod:Comp                                comp
    │  │  URN: urn:pulumi:dev::proj::my:mod:Comp::comp
    │  ├─ random:index/randomString:RandomString  c1
    │  │     URN: urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1
    │  └─ random:index/randomString:RandomString  c2
    │        URN: urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c2
    ├─ random:index/randomString:RandomString     dw
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
    ├─ random:index/randomString:RandomString     ext
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::ext
    ├─ random:index/randomString:RandomString     old
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::old
    └─ pulumi:providers:random                    default
          URN: urn:pulumi:dev::proj::pulumi:providers:random::default

$ pulumi stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT
dev* <ago> 10
three <ago> 0
two <ago> 0
$ pulumi stack output
Current stack outputs (8):
    OUTPUT  VALUE
    b       false
    e       []
    n       1.5
    nul     null
    o       {"k":[1,"two",{"z":true}]}
    s       [secret]
    str     a b
            "c"
    x       4
$ pulumi stack output --show-secrets
Current stack outputs (8):
    OUTPUT  VALUE
    b       false
    e       []
    n       1.5
    nul     null
    o       {"k":[1,"two",{"z":true}]}
    s       hidden
    str     a b
            "c"
    x       4
$ pulumi stack output --json
{
  "b": false,
  "e": [],
  "n": 1.5,
  "nul": null,
  "o": {
    "k": [
      1,
      "two",
      {
        "z": true
      }
    ]
  },
  "s": "[secret]",
  "str": "a b\n\"c\"",
  "x": 4
}
$ pulumi stack output --shell
b=false
e=\[]
n=1.5
nul=null
o=\{\"k\":\[1,\"two\",\{\"z\":true}]}
s=\[secret]
str='a b
"c"'
x=4
$ pulumi stack output --shell --json
error: only one of --json and --shell may be set
[1]
$ pulumi stack output x
4
$ pulumi stack output o
{"k":[1,"two",{"z":true}]}
$ pulumi stack output o --json
{
  "k": [
    1,
    "two",
    {
      "z": true
    }
  ]
}
$ pulumi stack output str
a b
"c"
$ pulumi stack output str --json
"a b\n\"c\""
$ pulumi stack output n
1.5
$ pulumi stack output e
[]
$ pulumi stack output nul
null
$ pulumi stack output s
[secret]
$ pulumi stack output s --show-secrets
hidden
$ pulumi stack output nope
error: current stack does not have output property 'nope'
[1]
$ pulumi stack output x --shell
x=4
$ pulumi stack graph g.dot && cat g.dot
Wrote stack dependency graph to `g.dot`
strict digraph {
    Resource0 [label="urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1"];
    Resource0 -> Resource1 [color = "#AA6639"];
    Resource0 -> Resource2 [color = "#246C60"];
    Resource2 [label="urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c2"];
    Resource2 -> Resource1 [color = "#AA6639"];
    Resource1 [label="urn:pulumi:dev::proj::my:mod:Comp::comp"];
    Resource1 -> Resource3 [color = "#AA6639"];
    Resource4 [label="urn:pulumi:dev::proj::pulumi:providers:random::default"];
    Resource3 [label="urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev"];
    Resource5 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::a"];
    Resource5 -> Resource3 [color = "#AA6639"];
    Resource5 -> Resource6 [color = "#246C60", label = "length"];
    Resource6 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::b"];
    Resource6 -> Resource3 [color = "#AA6639"];
    Resource7 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::dw"];
    Resource7 -> Resource3 [color = "#AA6639"];
    Resource8 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::ext"];
    Resource8 -> Resource3 [color = "#AA6639"];
    Resource9 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::old"];
    Resource9 -> Resource3 [color = "#AA6639"];
}
$ pulumi stack graph --short-node-name --ignore-parent-edges --dependency-edge-color red g.dot && cat g.dot
Wrote stack dependency graph to `g.dot`
strict digraph {
    Resource0 [label="c1"];
    Resource0 -> Resource1 [color = "red"];
    Resource1 [label="c2"];
    Resource2 [label="comp"];
    Resource3 [label="default"];
    Resource4 [label="proj-dev"];
    Resource5 [label="a"];
    Resource5 -> Resource6 [color = "red", label = "length"];
    Resource6 [label="b"];
    Resource7 [label="dw"];
    Resource8 [label="ext"];
    Resource9 [label="old"];
}
# Names may have what ends a text of Graphviz, or means something else in it.
$ pulumi stack init quoted --no-select 2>/dev/null; pulumi stack export | sed 's/urn:pulumi:dev::/urn:pulumi:quoted::/g; s/RandomString::a"/RandomString::a \\"q\\" \\\\N"/' | pulumi stack import -s quoted; pulumi stack graph -s quoted --short-node-name g.dot; grep q g.dot; pulumi stack rm -fy quoted >/dev/null
Import complete.
Wrote stack dependency graph to `g.dot`
    Resource5 [label="a \"q\" \\N"];
$ pulumi stack graph --ignore-dependency-edges --dot-fragment 'x=y' g.dot && cat g.dot
Wrote stack dependency graph to `g.dot`
strict digraph {
x=y
    Resource0 [label="urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1"];
    Resource0 -> Resource1 [color = "#AA6639"];
    Resource2 [label="urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c2"];
    Resource2 -> Resource1 [color = "#AA6639"];
    Resource1 [label="urn:pulumi:dev::proj::my:mod:Comp::comp"];
    Resource1 -> Resource3 [color = "#AA6639"];
    Resource4 [label="urn:pulumi:dev::proj::pulumi:providers:random::default"];
    Resource3 [label="urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev"];
    Resource5 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::a"];
    Resource5 -> Resource3 [color = "#AA6639"];
    Resource6 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::b"];
    Resource6 -> Resource3 [color = "#AA6639"];
    Resource7 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::dw"];
    Resource7 -> Resource3 [color = "#AA6639"];
    Resource8 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::ext"];
    Resource8 -> Resource3 [color = "#AA6639"];
    Resource9 [label="urn:pulumi:dev::proj::random:index/randomString:RandomString::old"];
    Resource9 -> Resource3 [color = "#AA6639"];
}
$ pulumi stack export --file exported.json
$ pulumi stack export --version 1
error: the current backend (<host>) does not provide the ability to export previous deployments
[1]
$ pulumi stack export >/dev/full
error: write standard output: No space left on device; the output could not be written in full
[1]
$ pulumi stack import </
error: could not open file: standard input: read: Is a directory
[1]
$ pulumi stack import --file nope.json
error: could not open file: open nope.json: no such file or directory
[1]
$ echo '{}' | pulumi stack import
error: 'standard input': the stack 'dev' is too old to be used by this version of the Pulumi CLI
[1]
$ echo 'x' | pulumi stack import
error: 'standard input': could not deserialize deployment: line 1 column 1: invalid character 'x' where a value should begin
[1]
$ echo '{"version":99,"deployment":{}}' | pulumi stack import
error: 'standard input': the stack 'dev' is newer than what this version of the Pulumi CLI understands. Please update your version of the Pulumi CLI
[1]
$ sed 's/dev::/other::/g' exported.json | pulumi stack import
error: 11 errors occurred:
    1) resource 'urn:pulumi:other::proj::pulumi:pulumi:Stack::proj-dev' is from a different stack (other != dev)
    2) resource 'urn:pulumi:other::proj::pulumi:providers:random::default' is from a different stack (other != dev)
    3) resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::a' is from a different stack (other != dev)
    4) resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::b' is from a different stack (other != dev)
    5) resource 'urn:pulumi:other::proj::my:mod:Comp::comp' is from a different stack (other != dev)
    6) resource 'urn:pulumi:other::proj::my:mod:Comp$random:index/randomString:RandomString::c1' is from a different stack (other != dev)
    7) resource 'urn:pulumi:other::proj::my:mod:Comp$random:index/randomString:RandomString::c2' is from a different stack (other != dev)
    8) resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::dw' is from a different stack (other != dev)
    9) resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::ext' is from a different stack (other != dev)
    10) resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::old' is from a different stack (other != dev)
    11) importing this file could be dangerous; rerun with --force to proceed anyway
[1]
$ sed 's/dev::/other::/g' exported.json | pulumi stack import --force
warning: resource 'urn:pulumi:other::proj::pulumi:pulumi:Stack::proj-dev' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::pulumi:providers:random::default' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::a' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::b' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::my:mod:Comp::comp' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::my:mod:Comp$random:index/randomString:RandomString::c1' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::my:mod:Comp$random:index/randomString:RandomString::c2' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::dw' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::ext' is from a different stack (other != dev)
warning: resource 'urn:pulumi:other::proj::random:index/randomString:RandomString::old' is from a different stack (other != dev)
Import complete.
$ sed 's/"parent": ".*comp"/"parent": "urn:pulumi:dev::proj::x:y:Z::nope"/' exported.json | pulumi stack import
error: 2 errors occurred:
    1) state file contains errors: child resource urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1 refers to missing parent urn:pulumi:dev::proj::x:y:Z::nope
    2) importing this file could be dangerous; rerun with --force to proceed anyway
[1]
$ pulumi stack import --file exported.json
Import complete.
$ pulumi stack tag ls
NAME  VALUE
$ pulumi stack tag set k v
$ pulumi stack tag get k
v
$ pulumi stack tag get nope
error: stack tag 'nope' not found for stack 'dev'
[1]
$ pulumi stack tag ls --json
{
  "k": "v"
}
$ pulumi stack tag rm k
# Commands that change tags at the same time lose nothing of each other.
$ for key in a b c d e f g h i j k l; do pulumi stack tag set $key x & done; wait; pulumi stack tag ls | grep -c ' x$'
12
$ for key in a b c d e f g h i j k l; do pulumi stack tag rm $key & pulumi stack tag set $key$key y & done; wait; pulumi stack tag ls | grep -c ' y$'; pulumi stack tag ls | grep ' x$' | wc -l
12
0
$ for key in a b c d e f g h i j k l; do pulumi stack tag rm $key$key & done; wait; pulumi stack tag ls
NAME  VALUE
$ pulumi stack rename newname
Renamed dev to newname
$ pulumi stack --show-urns | grep -m 2 urn
    │  URN: urn:pulumi:newname::proj::pulumi:pulumi:Stack::proj-newname
    │     URN: urn:pulumi:newname::proj::random:index/randomString:RandomString::a
$ ls
Pulumi.newname.yaml
Pulumi.three.yaml
Pulumi.two.yaml
Pulumi.yaml
empty.dot
exported.json
g.dot
$ pulumi stack rename dev
Renamed newname to dev
$ pulumi stack rename two
error: a stack named 'two' already exists
[1]
# A stack whose file cannot be written is not made.
$ sed 's/^name: proj/&\nstackConfigDir: taken/' Pulumi.yaml >P && mv Pulumi.yaml kept && mv P Pulumi.yaml && : >taken; pulumi stack init none; pulumi stack ls --json | grep -c '"none"'
> mv kept Pulumi.yaml; rm taken
error: cannot save the configuration to '<dir>/project/taken/Pulumi.none.yaml': create the directory '<dir>/project/taken': File exists
0
# A configuration that waits for a stack of that name is not lost.
$ printf 'config: {proj:kept: here}\n' >Pulumi.taken.yaml; pulumi stack rename taken; cat Pulumi.taken.yaml.bak.1; rm Pulumi.taken.yaml.bak.1; pulumi stack rename dev
warning: the configuration file '<dir>/project/Pulumi.taken.yaml' was there already; it is kept as '<dir>/project/Pulumi.taken.yaml.bak.1'
Renamed dev to taken
config: {proj:kept: here}
Renamed taken to dev
$ pulumi stack change-secrets-provider nope
error: unknown secrets provider type 'nope' (supported values: default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)
[1]
$ pulumi stack rm dev
error: non-interactive mode requires --yes flag
[1]
$ pulumi stack rm dev --yes
error: 'dev' still has resources; removal rejected. Possible actions:
- Make sure that 'dev' is the stack that you want to destroy
- Run `pulumi destroy` to delete the resources, then run `pulumi stack rm`
- Run `pulumi stack rm --force` to override this error
[1]
$ pulumi stack rm dev --yes --force
Stack 'dev' has been removed!
$ pulumi stack init unasked --no-select; PULUMI_SKIP_CONFIRMATIONS=true pulumi stack rm unasked
Created stack 'unasked'
Stack 'unasked' has been removed!
$ pulumi stack rm --yes
error: no stack selected; please use `pulumi stack select` to choose one
[1]
