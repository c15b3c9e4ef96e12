# What goes to a log: one line for each resource, when it is finished; what the program and the resources said comes at the end.
$ cat >Pulumi.yaml <<'EOF'
> name: proj
> runtime: yaml
> resources:
>   pet: {type: "random:RandomPet", properties: {length: 2, keepers: {a: "1"}}}
>   note: {type: "command:local:Command", properties: {create: "echo made", update: "echo changed", environment: {WORD: one}}}
>   gone: {type: "random:RandomId", properties: {byteLength: 2}}
> outputs: {list: [a, b, c]}
> EOF
$ pulumi stack init dev
Created stack 'dev'
$ pulumi preview --parallel 1
Previewing update (dev):

 +  random:index:RandomPet pet create
 +  command:local:Command note create
 +  random:index:RandomId gone create
 +  pulumi:pulumi:Stack proj-dev create
Outputs:
    list: [
        [0]: "a"
        [1]: "b"
        [2]: "c"
    ]

Resources:
    + 4 to create

$ pulumi up --yes --skip-preview --parallel 1
Updating (dev):

 +  random:index:RandomPet pet created <took>
 +  command:local:Command note created <took> made
 +  random:index:RandomId gone created <took>
 +  pulumi:pulumi:Stack proj-dev created <took>
Outputs:
    list: [
        [0]: "a"
        [1]: "b"
        [2]: "c"
    ]

Resources:
    + 4 created

Duration: <took>

# Nothing to do: nothing to say about any resource.
$ pulumi up --yes --skip-preview
Updating (dev):

    pulumi:pulumi:Stack proj-dev
Outputs:
    list: [
        [0]: "a"
        [1]: "b"
        [2]: "c"
    ]

Resources:
    4 unchanged

Duration: <took>

$ pulumi up --yes --skip-preview --show-sames --parallel 1 | grep pet
    random:index:RandomPet pet
# An update, a replacement, a deletion, a creation; the property that forces the replacement is named.
$ sed -i 's/length: 2/length: 3/; s/WORD: one/WORD: two/; s/  gone: .*/  more: {type: "random:RandomId", properties: {byteLength: 3}}/; s/\[a, b, c\]/[z, a, b, c]/' Pulumi.yaml; pulumi preview --parallel 1
Previewing update (dev):

 +- random:index:RandomPet pet replace [diff: ~length]; length forces replacement
 ~  command:local:Command note update [diff: ~environment]
 +  random:index:RandomId more create
 -  random:index:RandomId gone delete
    pulumi:pulumi:Stack proj-dev
Outputs:
  ~ list: [
      + [0]: "z"
        [1]: "a"
        [2]: "b"
        [3]: "c"
    ]

Resources:
    + 1 to create
    ~ 1 to update
    - 1 to delete
    +-1 to replace
    4 changes. 1 unchanged

$ pulumi preview --parallel 1 --show-replacement-steps | grep pet
 ++ random:index:RandomPet pet create replacement [diff: ~length]; length forces replacement
 +- random:index:RandomPet pet replace [diff: ~length]; length forces replacement
 -- random:index:RandomPet pet delete original [diff: ~length]; length forces replacement
$ pulumi up --yes --skip-preview --parallel 1
Updating (dev):

 ++ random:index:RandomPet pet created replacement <took> [diff: ~length]; length forces replacement
 ~  command:local:Command note updated <took> [diff: ~environment]; changed
 +  random:index:RandomId more created <took>
 -- random:index:RandomPet pet deleted original <took> [diff: ~length]; length forces replacement
 -  random:index:RandomId gone deleted <took>
    pulumi:pulumi:Stack proj-dev
Outputs:
  ~ list: [
      + [0]: "z"
        [1]: "a"
        [2]: "b"
        [3]: "c"
    ]

Resources:
    + 1 created
    ~ 1 updated
    - 1 deleted
    +-1 replaced
    4 changes. 1 unchanged

Duration: <took>

# One that fails.
$ sed -i 's|^outputs|  bad: {type: "command:local:Command", properties: {create: "echo no room >\&2; exit 3"}}\noutputs|' Pulumi.yaml; pulumi up --yes --skip-preview --parallel 1
Updating (dev):

 +  command:local:Command bad **creating failed** <took> error: exit status 3: running "echo no room >&2; exit 3": no room
    pulumi:pulumi:Stack proj-dev **failed** 1 error
Diagnostics:
  pulumi:pulumi:Stack (proj-dev):
    error: update failed

  command:local:Command (bad):
    error: exit status 3: running "echo no room >&2; exit 3":
    no room

Outputs:
    list: [
        [0]: "z"
        [1]: "a"
        [2]: "b"
        [3]: "c"
    ]

Resources:
    4 unchanged
    2 errored

Duration: <took>

[1]
$ sed -i '/  bad:/d' Pulumi.yaml; pulumi refresh --yes --skip-preview --parallel 1
Refreshing (dev):

 ~  pulumi:pulumi:Stack proj-dev refreshing <took>
    pulumi:pulumi:Stack proj-dev
Outputs:
    list: [
        [0]: "z"
        [1]: "a"
        [2]: "b"
        [3]: "c"
    ]

Resources:
    4 unchanged

Duration: <took>

$ pulumi destroy --yes --skip-preview --parallel 1
Destroying (dev):

 -  random:index:RandomPet pet deleted <took>
 -  command:local:Command note deleted <took>
 -  random:index:RandomId more deleted <took>
 -  pulumi:pulumi:Stack proj-dev deleted <took>
Resources:
    - 4 deleted

Duration: <took>

The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. 
If you want to remove the stack completely, run `pulumi stack rm dev`.
# --diff without a terminal: elements of lists are compared with those they were, JSON inside a string by what it holds; both sides of a
# secret are hidden; the property that forces a replacement is named.
$ cat >Pulumi.yaml <<'EOF'
> name: proj
> runtime: yaml
> resources:
>   note:
>     type: command:local:Command
>     properties:
>       create: cat
>       update: cat
>       stdin: '{"rules": [{"name": "web", "port": 80}, {"name": "mail", "port": 25}], "open": true}'
>       environment: {PASSWORD: {"fn::secret": hunter1}, WORD: one}
>       assetPaths: [a, b, c]
>       triggers: [x, y]
> EOF
$ pulumi up --yes --skip-preview >/dev/null
$ sed -i 's/{"name": "web", "port": 80}, //; s/25/26/; s/hunter1/hunter2/; s/\[a, b, c\]/[z, a, c]/' Pulumi.yaml; pulumi preview --diff | grep -v 'id='
Previewing update (dev):
  pulumi:pulumi:Stack: (same)
    [urn=urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev]
    ~ command:local:Command: (update)
        [urn=urn:pulumi:dev::proj::command:local:Command::note]
      ~ assetPaths : [
          + [0]: "z"
            [1]: "a"
          - [1]: "b"
            [2]: "c"
        ]
      ~ environment: {
          ~ PASSWORD: [secret] => [secret]
            WORD    : "one"
        }
      ~ stdin      : (json) {
            open : true
          ~ rules: [
              - [0]: {
                      - name: "web"
                      - port: 80
                    }
              ~ [0]: {
                        name: "mail"
                      ~ port: 25 => 26
                    }
            ]
        }
Resources:
    ~ 1 to update
    1 unchanged
$ sed -i 's/\[x, y\]/[y]/' Pulumi.yaml; pulumi preview --diff >shown; grep -v 'id=' shown; grep -c hunter shown
Previewing update (dev):
  pulumi:pulumi:Stack: (same)
    [urn=urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev]
    +-command:local:Command: (replace)
        [urn=urn:pulumi:dev::proj::command:local:Command::note]
        [triggers forces replacement]
      ~ assetPaths : [
          + [0]: "z"
            [1]: "a"
          - [1]: "b"
            [2]: "c"
        ]
      ~ assets     : [secret] => [secret]
        create     : "cat"
      ~ environment: {
          ~ PASSWORD: [secret] => [secret]
            WORD    : "one"
        }
      ~ stderr     : [secret] => [secret]
      ~ stdin      : (json) {
            open : true
          ~ rules: [
              - [0]: {
                      - name: "web"
                      - port: 80
                    }
              ~ [0]: {
                        name: "mail"
                      ~ port: 25 => 26
                    }
            ]
        }
      ~ stdout     : [secret] => [secret]
      ~ triggers   : [
          - [0]: "x"
            [0]: "y"
        ]
        update     : "cat"
Resources:
    +-1 to replace
    1 unchanged
0
[1]
$ pulumi up --yes --skip-preview --diff 2>/dev/null | grep -v 'id='
Updating (dev):
  pulumi:pulumi:Stack: (same)
    [urn=urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev]
    +-command:local:Command: (replace)
        [urn=urn:pulumi:dev::proj::command:local:Command::note]
        [triggers forces replacement]
      ~ assetPaths : [
          + [0]: "z"
            [1]: "a"
          - [1]: "b"
            [2]: "c"
        ]
        assets     : [secret]
        create     : "cat"
      ~ environment: {
          ~ PASSWORD: [secret] => [secret]
            WORD    : "one"
        }
        stderr     : [secret]
      ~ stdin      : (json) {
            open : true
          ~ rules: [
              - [0]: {
                      - name: "web"
                      - port: 80
                    }
              ~ [0]: {
                        name: "mail"
                      ~ port: 25 => 26
                    }
            ]
        }
      ~ stdout     : [secret] => [secret]
      ~ triggers   : [
          - [0]: "x"
            [0]: "y"
        ]
        update     : "cat"
        --outputs:--
      ~ stdout     : [secret] => [secret]
Resources:
    +-1 replaced
    1 unchanged

Duration: <took>
$ pulumi destroy --yes --skip-preview >/dev/null; pulumi stack rm --yes
Stack 'dev' has been removed!
