# The hosted service as a backend: accounts, stacks, configuration, operations; against the service of tests/service.
$ $TRANSCRIPTS/../service/serve
$ printf 'name: proj\nruntime: yaml\ndescription: a test\nresources:\n  a:\n    type: random:RandomPet\noutputs:\n  pw: ${proj:pw}\n' >Pulumi.yaml
# --- accounts ---
$ cloud stack ls | tr -s ' '
error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions
$ PULUMI_ACCESS_TOKEN=wrong cloud login
Logging in using access token from PULUMI_ACCESS_TOKEN
error: could not log in to the state backend "http://127.0.0.1:<port>": Unauthorized: No credentials provided or are invalid.
[1]
$ PULUMI_ACCESS_TOKEN=good cloud login
Logging in using access token from PULUMI_ACCESS_TOKEN
Logged in to http://127.0.0.1:<port> as alice ()
$ stat -c %a ../home/credentials.json
600
$ sed 's/"lastValidatedAt.*/<validated>/' ../home/credentials.json
{
    "current": "http://127.0.0.1:<port>",
    "accessTokens": {
        "http://127.0.0.1:<port>": "good"
    },
    "accounts": {
        "http://127.0.0.1:<port>": {
            "accessToken": "good",
            "username": "alice",
            "organizations": [
                "acme",
                "initech"
            ],
            "tokenInformation": {
                "name": "tok1"
            },
            <validated>
        }
    }
}
$ cloud about 2>&1 | sed -n '/^Backend/,/^Token/p'; cloud about --json 2>log | grep -A7 '"backend"'
Backend        
Name           http://127.0.0.1:<port>
URL            http://127.0.0.1:<port>
User           alice
Organizations  acme, initech
Token type     personal
  "backend": {
    "name": "http://127.0.0.1:<port>",
    "url": "http://127.0.0.1:<port>",
    "user": "alice",
    "organizations": [
      "acme",
      "initech"
    ]
$ cloud whoami
alice
$ cloud whoami --verbose
User: alice
Organizations: acme, initech
Backend URL: http://127.0.0.1:<port>
Token type: personal
Token name: tok1
$ cloud whoami --json
{
  "user": "alice",
  "organizations": [
    "acme",
    "initech"
  ],
  "url": "http://127.0.0.1:<port>",
  "tokenInformation": {
    "name": "tok1"
  }
}
$ PULUMI_ACCESS_TOKEN=other cloud whoami
Logging in using access token from PULUMI_ACCESS_TOKEN
bob
$ PULUMI_ACCESS_TOKEN=good cloud whoami
Logging in using access token from PULUMI_ACCESS_TOKEN
alice
# Nobody has chosen a backend: a variable or the account points there.
$ rm ../home/credentials.json; env -u PULUMI_BACKEND_URL PULUMI_API=$(cat ../url) PULUMI_ACCESS_TOKEN=good pulumi whoami
Logging in using access token from PULUMI_ACCESS_TOKEN
alice
$ env -u PULUMI_BACKEND_URL pulumi whoami --verbose | grep URL
Backend URL: http://127.0.0.1:<port>
# --- stacks ---
$ cloud stack init dev
Created stack 'dev'
$ cloud stack init dev
error: stack 'acme/proj/dev' already exists
[1]
$ cloud stack init initech/dev --no-select
Created stack 'initech/dev'
$ cloud stack init nobody/dev
error: [403] Forbidden: you may not create stacks in 'nobody'
[3]
$ cloud stack init a/dev
error: invalid stack owner 'a'
[1]
$ cloud stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT URL
dev* n/a n/a n/a
initech/dev n/a n/a n/a
$ PULUMI_CONSOLE_DOMAIN=site.example.com cloud stack ls --organization initech --json
[
  {
    "name": "initech/dev",
    "current": false,
    "url": "http://site.example.com/initech/proj/dev"
  }
]
$ cloud stack select nothing
error: no stack named 'nothing' found
[6]
$ cloud stack tag set color blue
$ cloud stack tag ls
NAME                VALUE
color               blue
pulumi:description  a test
pulumi:project      proj
pulumi:runtime      yaml
$ cloud stack tag rm color
$ cloud stack rename prod
Renamed dev to prod
$ cloud stack rename dev
Renamed prod to dev
$ cloud stack export
{
    "version": 3,
    "deployment": null
}
# --- configuration ---
$ cloud config set plain text
$ cloud config set --secret pw hush-hush
$ cat Pulumi.dev.yaml
config:
  proj:plain: text
  proj:pw:
    secure: <ciphertext>
$ cloud config get pw
hush-hush
$ cloud config
KEY    VALUE
plain  text
pw     [secret]
$ cloud config --show-secrets
KEY    VALUE
plain  text
pw     hush-hush
# A new stack gets them sealed for itself, which the service does only for stacks that are there.
$ cloud stack init copy --copy-config-from dev --no-select; cat Pulumi.copy.yaml; cloud config get pw -s copy; cloud stack rm copy --yes
Created stack 'copy'
config:
  proj:plain: text
  proj:pw:
    secure: <ciphertext>
hush-hush
Stack 'copy' has been removed!
$ cloud stack init copy --copy-config-from nothing; cloud stack ls | grep -c copy
error: no stack named 'nothing' found
0
[1]
# Several secrets are opened by one request.
$ cloud config set --secret pw2 hush-2; control clear; cloud config --show-secrets >/dev/null; control log | still | grep crypt
POST /api/stacks/acme/proj/dev/batch-decrypt 200
$ cloud config rm pw2
# --- operations ---
$ control clear; cloud up --yes --suppress-progress 2>&1 | still
Previewing update (dev):

 +  random:index:RandomPet a create
 +  pulumi:pulumi:Stack proj-dev create
Outputs:
    pw: [secret]

Resources:
    + 2 to create

Updating (dev):

 +  random:index:RandomPet a created
 +  pulumi:pulumi:Stack proj-dev created
Outputs:
    pw: [secret]

Resources:
    + 2 created

Duration

# One request for each group of records; the secret is sealed by the service.
$ control log | still | uniq
GET /api/user/organizations/default 200
GET /api/stacks/acme/proj/dev 200
POST /api/stacks/acme/proj/dev/decrypt 200
POST /api/stacks/acme/proj/dev/update 200
POST /api/stacks/acme/proj/dev/update/ID 200
GET /api/stacks/acme/proj/dev/export 200
POST /api/stacks/acme/proj/dev/update/ID/events/batch 200
POST /api/stacks/acme/proj/dev/update/ID/complete 200
GET /api/stacks/acme/proj/dev 200
POST /api/stacks/acme/proj/dev/update 200
POST /api/stacks/acme/proj/dev/update/ID 200
GET /api/stacks/acme/proj/dev/export 200
PATCH /api/stacks/acme/proj/dev/update/ID/journalentries 200
POST /api/stacks/acme/proj/dev/encrypt 200
PATCH /api/stacks/acme/proj/dev/update/ID/journalentries 200
POST /api/stacks/acme/proj/dev/update/ID/events/batch 200
POST /api/stacks/acme/proj/dev/update/ID/complete 200
$ control complaints
$ cloud stack output --show-secrets
Current stack outputs (1):
    OUTPUT  VALUE
    pw      hush-hush
$ cloud preview --suppress-progress 2>&1 | still
Previewing update (dev):

    pulumi:pulumi:Stack proj-dev
Resources:
    2 unchanged

$ cloud stack history --json | grep -E 'version":|kind|result|"create"|"pw|secret'
    "version": 1,
    "kind": "update",
      "exec.kind": "cli",
      "pulumi.version": "<version>",
        "secret": false
        "secret": true
    "result": "succeeded",
      "create": 2
$ cloud stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT URL
dev* <ago> 3 n/a
initech/dev n/a n/a n/a
$ cloud stack export | grep -A8 secrets_providers
        "secrets_providers": {
            "type": "service",
            "state": {
                "url": "http://127.0.0.1:<port>",
                "owner": "acme",
                "project": "proj",
                "stack": "dev"
            }
        },
$ cloud stack export --version 1 | grep -c urn:pulumi:dev::proj::random
1
$ cloud stack export --version 7
error: version 7: [404] Not Found: version 7 of the stack does not exist
[1]
$ cloud stack export --file ../out.json
$ cloud stack import --file ../out.json
Import complete.
$ cloud stack export --show-secrets | grep hush
                        "plaintext": "\"hush-hush\""
$ cloud state delete 'urn:pulumi:dev::proj::random:index/randomPet:RandomPet::a' --yes
Resource deleted
$ cloud refresh --yes --suppress-progress 2>&1 | still
Previewing refresh (dev):

    pulumi:pulumi:Stack proj-dev
Resources:
    1 unchanged

Refreshing (dev):

    pulumi:pulumi:Stack proj-dev
Outputs:
    pw: [secret]

Resources:
    1 unchanged

Duration

$ cloud up --yes --skip-preview --suppress-progress 2>&1 | still
Updating (dev):

 +  random:index:RandomPet a created
    pulumi:pulumi:Stack proj-dev
Outputs:
    pw: [secret]

Resources:
    + 1 created
    1 unchanged

Duration

$ cloud stack rm --yes
error: 'dev' still has resources; removal rejected. Possible actions:
- Make sure that 'dev' is the stack that you want to destroy
- Run `pulumi destroy` to delete the resources, then run `pulumi stack rm`
- Run `pulumi stack rm --force` to override this error
[1]
$ cloud stack rename other
Renamed dev to other
$ cloud stack output --show-secrets pw
hush-hush
$ cloud config get pw
hush-hush
$ cloud destroy --yes --skip-preview --suppress-progress 2>&1 | still
Destroying (other):

 -  random:index:RandomPet a deleted
 -  pulumi:pulumi:Stack proj-other deleted
Resources:
    - 2 deleted

Duration

The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. 
If you want to remove the stack completely, run `pulumi stack rm other`.
$ cloud cancel --yes
No update of 'other' is running: there was nothing to cancel
$ cloud stack rm --yes
Stack 'other' has been removed!
$ cloud stack ls --all
NAME         LAST UPDATE  RESOURCE COUNT  URL
initech/dev  n/a          n/a             n/a
# --- environments of the service ---
$ cloud stack init acme/env; printf 'environment:\n  - shared/base\nconfig:\n  proj:fromEnv: mine\n  proj:own: "1"\n' >Pulumi.env.yaml
Created stack 'env'
$ cloud config
KEY         VALUE
aws:region  eu-1
deep        {"a":[1]}
fromEnv     mine
own         1
pw          [secret]
$ cloud config --json
{
  "aws:region": {
    "value": "eu-1",
    "secret": false
  },
  "proj:deep": {
    "value": "{\"a\":[1]}",
    "objectValue": {
      "a": [
        1
      ]
    },
    "secret": false
  },
  "proj:fromEnv": {
    "value": "mine",
    "secret": false
  },
  "proj:own": {
    "value": "1",
    "secret": false
  },
  "proj:pw": {
    "secret": true
  }
}
$ cloud config --show-secrets
KEY         VALUE
aws:region  eu-1
deep        {"a":[1]}
fromEnv     mine
own         1
pw          hidden
$ cloud config env ls; cloud config env ls --json
ENVIRONMENTS
shared/base
[
  "shared/base"
]
$ cp Pulumi.env.yaml ../env.yaml; printf '# mine\nenvironment: # theirs\n  - shared/base # first\n  - other/one: {merge: false}\nconfig:\n  proj:own: "1"\n' >Pulumi.env.yaml
$ cloud config env add team/a team/b
error: --yes must be passed in to proceed when running in non-interactive mode
[1]
$ cloud config env add team/a team/b --yes; sed 's/^#/ #/' Pulumi.env.yaml
KEY         VALUE
aws:region  eu-1
deep        {"a":[1]}
fromEnv     hello
own         1
pw          [secret]
 # mine
environment: # theirs
  - shared/base # first
  - other/one: {merge: false}
  - team/a
  - team/b
config:
  proj:own: "1"
$ cloud config env rm other/one --yes >/dev/null; cloud config env rm team/b --yes >/dev/null; sed 's/^#/ #/' Pulumi.env.yaml
 # mine
environment: # theirs
  - shared/base # first
  - team/a
config:
  proj:own: "1"
$ cloud config env rm other/one --yes
error: the configuration of the stack does not import an environment 'other/one'
[1]
$ cloud config env add team/missing --yes; grep -c missing Pulumi.env.yaml
error: [400] Bad Request: the environment 'missing' does not exist
0
[1]
$ cloud config env rm team/a --yes >/dev/null; cloud config env rm shared/base --yes; cat Pulumi.env.yaml; cloud config env ls
KEY  VALUE
own  1
config:
  proj:own: "1"
This stack configuration has no environments listed. Try adding one with `pulumi config env add <projectName>/<envName>`.
$ for name in team/a team/b other/one shared/base; do cloud config env add $name --yes >/dev/null 2>../waiting & done; wait; grep -c -- '- ' Pulumi.env.yaml
4
$ printf 'environment: {values: {pulumiConfig: {x: 1}}}\n' >Pulumi.env.yaml; cloud config env add team/a --yes >/dev/null; cat Pulumi.env.yaml; cp ../env.yaml Pulumi.env.yaml
environment: {values: {pulumiConfig: {x: 1}}, imports: [team/a]}
$ cloud config get aws:region; cloud config get pw; cloud config get deep
eu-1
hidden
{"a":[1]}
$ printf 'name: proj\nruntime: yaml\nresources:\n  c:\n    type: command:local:Command\n    properties:\n      create: echo "<$FROM_ESC> $(cat $ESC_FILE) $(wc -c <$ESC_KEY) $(stat -c %%a $ESC_KEY $(dirname $ESC_KEY) | paste -sd,)"; echo $ESC_FILE >../where\noutputs:\n  variable: ${c.stdout}\n  pw: ${proj:pw}\n  region: ${aws:region}\n  own: ${proj:fromEnv}\n' >Pulumi.yaml
$ cloud up --yes --skip-preview --suppress-progress 2>&1 | still
Updating (env):

 +  command:local:Command c created <variable> in a file 6 600,700
 +  pulumi:pulumi:Stack proj-env created
Outputs:
    own     : "mine"
    pw      : [secret]
    region  : "eu-1"
    variable: "<variable> in a file 6 600,700"

Resources:
    + 2 created

Duration

$ grep -c culumi-files ../where; ls $(cat ../where) 2>&1 | grep -c 'No such file'
1
1
$ mkdir ../files; for number in 1 2 15; do (TMPDIR=$(realpath ../files) CULUMI_FAULT=environment.written:1 CULUMI_FAULT_SIGNAL=$number cloud up --yes --skip-preview >log 2>&1); echo $?; ls ../files; done; rm log
Hangup
129
130
Terminated
143
$ cloud stack output --show-secrets pw; cloud stack history --json | grep stack.env
hidden
      "stack.environments": "[{\"id\":\"shared/base\"}]",
$ cat Pulumi.env.yaml
environment:
  - shared/base
config:
  proj:fromEnv: mine
  proj:own: "1"
$ printf 'environment:\n  imports:\n    - missing\n' >Pulumi.env.yaml; cloud up --yes --skip-preview
error: getting stack configuration: opening environment: [400] Bad Request: the environment 'missing' does not exist
[1]
# Configuration that the service keeps: the file beside the project does not count.
$ control config '{"acme/proj/env":{"environment":"proj/env"}}'
$ cloud config
KEY         VALUE
aws:region  eu-1
deep        {"a":[1]}
fromEnv     hello
pw          [secret]
$ cloud config set more values
error: the configuration of this stack is kept by the hosted service in the environment proj/env; change it there
[1]
$ cloud stack rm --yes --force; rm -f Pulumi.env.yaml
Stack 'env' has been removed!
# --- operations that run there ---
$ control clear; cd ..; cloud up --remote https://git.example.com/x.git --stack initech/proj/dev --remote-git-branch main --remote-env A=b --remote-env-secret S=hidden --remote-pre-run-command 'make it' --remote-skip-install-dependencies
View Live: https://app.example.com/deployments/1
Get source
cloning
done
$ control log
GET /api/user/organizations/default 200
GET /api/stacks/initech/proj/dev 200
deployment {"inheritSettings": false, "operation": "update", "operationContext": {"environmentVariables": {"A": "b", "S": {"secret": "hidden"}}, "operation": "update", "options": {"skipInstallDependencies": true}, "preRunCommands": ["make it"]}, "sourceContext": {"git": {"branch": "main", "repoUrl": "https://git.example.com/x.git"}}}
POST /api/stacks/initech/proj/dev/deployments 200
GET /api/stacks/initech/proj/dev/deployments/deployment-1/logs 200
GET /api/stacks/initech/proj/dev/deployments/deployment-1/logs?continuationToken=more 200
GET /api/stacks/initech/proj/dev/deployments/deployment-1 200
$ control set '{"deployment":"failed"}'; cloud destroy --remote https://git.example.com/x.git --stack initech/dev --remote-git-commit abc --remote-git-auth-username me --remote-git-auth-password pw
View Live: https://app.example.com/deployments/1
Get source
cloning
done
error: the deployment has ended with status 'failed'
[1]
$ cloud preview --remote --remote-inherit-settings --suppress-stream-logs --stack initech/dev
View Live: https://app.example.com/deployments/1
$ cloud refresh --remote --stack initech/dev
error: --remote needs the URL of a git repository, or --remote-inherit-settings
[1]
$ cloud up --remote https://x --remote-env broken --stack initech/dev
error: a variable of --remote-env is not NAME=VALUE
[1]
$ cloud up --remote-git-branch main --stack initech/dev
error: --remote-git-branch needs --remote
[1]
$ pulumi stack init file; pulumi up --remote https://x --stack file 2>&1 | sed 's/file:.*state/STATE/'
Created stack 'file'
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
# Before a stack is looked for, and also where there is no project.
$ mkdir ../nowhere && cd ../nowhere && for name in up preview refresh destroy; do pulumi $name --remote https://x --stack organization/p/none 2>&1 | sed 's/file:.*state/STATE/'; done; pulumi up --remote https://x 2>&1 | sed 's/file:.*state/STATE/'; pulumi up --remote=false --yes 2>&1 | sed 's/ (search.*//'; rmdir ../nowhere
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
error: --remote is a feature of the hosted service; the backend 'STATE' runs nothing
error: no Pulumi.yaml project file found
# --- organizations, and the site ---
$ cloud org
Current Backend: http://127.0.0.1:<port>
Default Organization: acme
$ cloud org ls
acme
initech
$ cloud org ls --json | tr -d '\n'
[  "acme",  "initech"]
$ cloud org set-default initech
$ cloud org get-default
initech
$ cloud stack ls --all | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT URL
dev n/a n/a n/a
$ PULUMI_DEFAULT_ORG=acme cloud org get-default
acme
$ PULUMI_CONSOLE_DOMAIN=site.example.com cloud console --stack dev
We couldn't launch your web browser for some reason. Please visit:

http://site.example.com/initech/proj/dev

to see your stack.
$ cloud console
error: the site that belongs to 'http://127.0.0.1:<port>' is not known; set PULUMI_CONSOLE_DOMAIN to its host
[1]
$ PULUMI_CONSOLE_DOMAIN=site.example.com cloud up --yes --skip-preview --stack dev 2>&1 | grep Live | still
View Live: http://site.example.com/initech/proj/dev/updates/ID
$ cloud login --default-org acme; cat ../home/config.json
Logged in to http://127.0.0.1:<port> as alice ()
{
    "backends": {
        "http://127.0.0.1:<port>": {
            "defaultOrg": "acme"
        }
    }
}
$ cloud logout
Logged out of http://127.0.0.1:<port>
$ cloud stack ls | tr -s ' '
error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions
$ control complaints
$ control stop
