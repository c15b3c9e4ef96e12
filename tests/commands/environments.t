# `config env init`: the configuration of a stack becomes an environment of the hosted service; against the service of tests/service.
$ $TRANSCRIPTS/../service/serve
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; export PULUMI_ACCESS_TOKEN=good; cloud login >/dev/null; cloud stack init acme/dev
Logging in using access token from PULUMI_ACCESS_TOKEN
Created stack 'dev'
$ cloud config set count 3; cloud config set on true; cloud config set name 'cost $${a} $5'; cloud config set aws:region eu-1; cloud config set id 0123; cloud config set big 123456789012345678901; cloud config set long 9007199254740993; cloud config set --secret pw hunter2
$ cloud config set --path 'deep.list[0]' 1; cloud config set --path 'deep.list[1]' two; cloud config set --path --secret deep.token t0ken; cp Pulumi.dev.yaml ../before.yaml
$ cloud config env init
error: --yes must be passed in to proceed when running in non-interactive mode
[1]
$ control clear; cloud config env init --yes | sed 's/^#/ #/'
Creating environment proj/dev for stack dev...
 # Value
```json
{
  "pulumiConfig": {
    "aws:region": "eu-1",
    "proj:big": "123456789012345678901",
    "proj:count": 3,
    "proj:deep": {
      "list": [
        1,
        "two"
      ],
      "token": "[secret]"
    },
    "proj:id": "0123",
    "proj:long": 9007199254740993,
    "proj:name": "cost $${a} $5",
    "proj:on": true,
    "proj:pw": "[secret]"
  }
}
```
 # Definition
```yaml
values:
  pulumiConfig:
    aws:region: eu-1
    proj:big: "123456789012345678901"
    proj:count: 3
    proj:deep:
      list:
        - 1
        - two
      token:
        fn::secret:
          ciphertext: <ciphertext>
    proj:id: "0123"
    proj:long: 9007199254740993
    proj:name: cost $$$${a} $5
    proj:on: true
    proj:pw:
      fn::secret:
        ciphertext: <ciphertext>

```
$ control log; control complaints
GET /api/user/organizations/default 200
GET /api/stacks/acme/proj/dev 200
POST /api/stacks/acme/proj/dev/batch-decrypt 200
POST /api/esc/environments/acme/yaml/check?showSecrets=false 200
POST /api/esc/environments/acme 200
PATCH /api/esc/environments/acme/proj/dev 200
$ cat Pulumi.dev.yaml; cloud config env ls
environment:
  - proj/dev
ENVIRONMENTS
proj/dev
$ cloud config --show-secrets
KEY         VALUE
aws:region  eu-1
big         123456789012345678901
count       3
deep        {"list":[1,"two"],"token":"t0ken"}
id          0123
long        9007199254740993
name        cost $${a} $5
on          true
pw          hunter2
$ cloud config get pw; cloud config get --path deep.token
hunter2
t0ken
# There is one of that name now: nothing changes.
$ cp ../before.yaml Pulumi.dev.yaml; cloud config env init --yes >/dev/null; cmp Pulumi.dev.yaml ../before.yaml
error: creating environment: [409] Conflict: environment already exists
# Another name; the file keeps its values; what is secret is shown.
$ cloud config env init --yes --env shared/base --keep-config --show-secrets | sed 's/^#/ #/'; grep -A2 environment Pulumi.dev.yaml; grep -c count Pulumi.dev.yaml
Creating environment shared/base for stack dev...
 # Value
```json
{
  "pulumiConfig": {
    "aws:region": "eu-1",
    "proj:big": "123456789012345678901",
    "proj:count": 3,
    "proj:deep": {
      "list": [
        1,
        "two"
      ],
      "token": "[unknown]"
    },
    "proj:id": "0123",
    "proj:long": 9007199254740993,
    "proj:name": "cost $${a} $5",
    "proj:on": true,
    "proj:pw": "[unknown]"
  }
}
```
 # Definition
```yaml
values:
  pulumiConfig:
    aws:region: eu-1
    proj:big: "123456789012345678901"
    proj:count: 3
    proj:deep:
      list:
        - 1
        - two
      token:
        fn::secret: t0ken
    proj:id: "0123"
    proj:long: 9007199254740993
    proj:name: cost $$$${a} $5
    proj:on: true
    proj:pw:
      fn::secret: hunter2

```
environment:
  - shared/base
1
$ cloud config env init --yes --env other >/dev/null; cloud config env ls; cat Pulumi.dev.yaml
ENVIRONMENTS
shared/base
proj/other
environment:
  - shared/base
  - proj/other
# What goes wrong
$ cp ../before.yaml Pulumi.dev.yaml; cloud config env init --yes --env a/b/c
error: 'a/b/c' is no name of an environment: it is NAME or PROJECT/NAME
[1]
$ cloud config env init --yes --env /b
error: '/b' is no name of an environment: it is NAME or PROJECT/NAME
[1]
$ control fault '{"method":"POST","path":"yaml/check","status":400,"body":"{\"code\":400,\"message\":\"Bad Request: no such thing\"}"}'; cloud config env init --yes --env x/y
Creating environment x/y for stack dev...
error: [400] Bad Request: no such thing
[1]
$ control fault '{"method":"PATCH","path":"esc","status":403,"body":"{\"code\":403,\"message\":\"Forbidden: ask Ann\"}"}'; cloud config env init --yes --env x/y >/dev/null; cmp Pulumi.dev.yaml ../before.yaml
error: creating environment: the environment 'x/y' was made, but not what it brings (remove it before you try again): [403] Forbidden: ask Ann
$ control fault '{"method":"PATCH","path":"esc","status":200,"body":"{\"diagnostics\":[{\"summary\":\"unknown provider\"}]}"}'; cloud config env init --yes --env x/z >/dev/null; cmp Pulumi.dev.yaml ../before.yaml
error: creating environment: the environment 'x/z' was made, but not what it brings (remove it before you try again): unknown provider
$ control config '{"acme/proj/dev":{"environment":"proj/env"}}'; cloud config env init --yes --env x/w
error: the configuration of this stack is kept by the hosted service in the environment proj/env; change it there
[1]
$ unset PULUMI_ACCESS_TOKEN; pulumi stack init files; pulumi config env init --yes --stack files 2>&1 | sed "s/$(hostname)/<host>/"
Created stack 'files'
error: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ control stop
