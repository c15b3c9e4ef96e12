# A project from a template of the program itself: files only.
$ mkdir a && cd a && pulumi new yaml --generate-only --yes; ls -a; cat Pulumi.yaml
Created project 'a'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. pulumi install
   2. pulumi stack init

Then, run `pulumi up`

.
..
Pulumi.yaml
name: a
description: A minimal YAML program
runtime: yaml
resources: {}
outputs: {}
config:
  pulumi:tags:
    value:
      pulumi:template: yaml
# What is in the way is named, and stays; --force overwrites it.
$ cd a && pulumi new yaml --generate-only --yes
error: <dir>/project/a is not empty; use --force to continue and overwrite existing files, or use --dir to specify an empty directory.
It has Pulumi.yaml
[1]
$ cd a && touch b c d e f && pulumi new random-yaml -gy; rm b c d e f
error: <dir>/project/a is not empty; use --force to continue and overwrite existing files, or use --dir to specify an empty directory.
It has Pulumi.yaml, b, c, d, e and 1 more
$ cd a && pulumi new random-yaml -gyf && cat Pulumi.yaml
Created project 'a'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. pulumi install
   2. pulumi stack init

Then, run `pulumi up`

name: a
description: A YAML program with a random name; needs no account
runtime: yaml
resources:
  name:
    type: random:RandomPet
outputs:
  name: ${name.id}
config:
  pulumi:tags:
    value:
      pulumi:template: random-yaml
$ mkdir -p v/.git && cd v && pulumi new yaml -gy | sed -n 1p
Created project 'v'
# With a stack, configuration and dependencies.
$ pulumi new random-yaml --yes --dir b --stack prod --config size=3 -c 'aws:region=eu-west-1' --name bee --description 'my: "d"'
Created project 'bee'

Created stack 'prod'

Saved config

Your new project is ready to go! 

To perform an initial deployment, run 'cd b', then, run `pulumi up`
$ cat b/Pulumi.yaml b/Pulumi.prod.yaml; cd b && pulumi stack --show-name && pulumi up --yes --skip-preview >/dev/null && pulumi stack ls | tr -s ' '
name: bee
description: 'my: "d"'
runtime: yaml
resources:
  name:
    type: random:RandomPet
outputs:
  name: ${name.id}
config:
  pulumi:tags:
    value:
      pulumi:template: random-yaml
encryptionsalt: <salt>
config:
  aws:region: eu-west-1
  bee:size: "3"
prod
NAME LAST UPDATE RESOURCE COUNT
prod* <ago> 3
$ pulumi new yaml --yes --dir c --config-path -c 'a.b[0]=1' --secrets-provider passphrase && cat c/Pulumi.dev.yaml
Created project 'c'

Created stack 'dev'

Saved config

Your new project is ready to go! 

To perform an initial deployment, run 'cd c', then, run `pulumi up`
encryptionsalt: <salt>
config:
  c:a:
    b:
      - 1
# Without a template: an empty program.
$ pulumi new --yes --dir e && cat e/Pulumi.yaml
Created project 'e'

Created stack 'dev'

Your new project is ready to go! 

To perform an initial deployment, run 'cd e', then, run `pulumi up`
name: e
runtime: yaml
# Names.
$ pulumi new yaml --yes --dir n --name 'bad name'
error: 'bad name' is not a valid project name: project names may only contain alphanumerics, hyphens, underscores, and periods
[1]
$ pulumi new yaml --yes --dir n --name ''
error: '' is not a valid project name: project names may not be empty
[1]
$ pulumi new yaml --yes --dir n --name 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789x
error: '0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789x' is not a valid project name: project names are limited to 100 characters
[1]
$ pulumi new yaml --yes --dir n --name bee
error: a project with this name already exists: bee
[1]
$ pulumi new yaml --yes --dir n --name a --stack organization/b/dev
error: project name (--name a) and stack reference project name (--stack b) must be the same
[1]
$ pulumi new yaml --yes --dir n --stack 'organization/bee/prod' --force && cat n/Pulumi.yaml; rm -r n
Created project 'bee'


Your new project is ready to go! 

To perform an initial deployment, run 'cd n', then, run `pulumi up`
name: bee
description: A minimal YAML program
runtime: yaml
resources: {}
outputs: {}
config:
  pulumi:tags:
    value:
      pulumi:template: yaml
$ pulumi new yaml --yes --dir 'My App' -g && head -1 'My App/Pulumi.yaml'; rm -r 'My App'
Created project 'My-App'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. cd "My App"
   2. pulumi install
   3. pulumi stack init

Then, run `pulumi up`

name: My-App
$ pulumi new yaml --yes --dir 123 -g && head -1 123/Pulumi.yaml; rm -r 123
Created project '123'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. cd 123
   2. pulumi install
   3. pulumi stack init

Then, run `pulumi up`

name: "123"
# Nothing is left of a project that could not be made.
$ pulumi new yaml --yes --dir no/way --stack 'bad stack'; ls -d no
error: a stack name may only contain alphanumeric, hyphens, underscores, or periods: invalid character ' ' at position 3
ls: cannot access 'no': No such file or directory
[2]
$ pulumi new yaml --yes --dir no/way --secrets-provider rot13; ls -d no
error: unknown secrets provider type 'rot13' (supported values: default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)
ls: cannot access 'no': No such file or directory
[2]
$ pulumi new yaml --yes --dir no/way -c broken; ls -d no
error: config value must be in the form [key]=[value], not 'broken'
ls: cannot access 'no': No such file or directory
[2]
$ pulumi new yaml --yes --dir no/way --runtime-options broken; ls -d no
error: invalid runtime option: broken (expected KEY=VALUE)
ls: cannot access 'no': No such file or directory
[2]
$ mkdir -p no/way && env -u PULUMI_CONFIG_PASSPHRASE pulumi new yaml --yes --dir no/way; ls -a no/way && rm -r no; pulumi stack ls -a | grep -c way
Created project 'way'

Nothing of the project was kept
error: could not create secrets manager for new stack: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
.
..
0
[1]
$ mkdir f && cd f && echo mine >Pulumi.yaml && echo 'config: {f:a: b}' >Pulumi.dev.yaml && env -u PULUMI_CONFIG_PASSPHRASE pulumi new yaml --yes --force; tail *
Created project 'f'

Nothing of the project was kept
error: could not create secrets manager for new stack: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
==> Pulumi.dev.yaml <==
config: {f:a: b}

==> Pulumi.yaml <==
mine
# A stack that was there keeps what others set while the language host finishes the files, and fails.
$ mkdir tpl && printf 'name: ${PROJECT}\nruntime: script\n' >tpl/Pulumi.yaml && ln -s $SCRIPTED $HOME/bin/pulumi-language-script && mkdir live && cd live && printf 'name: live\nruntime: yaml\n' >Pulumi.yaml && pulumi stack init dev 2>/dev/null && pulumi config set kept 1 && pulumi config
KEY   VALUE
kept  1
$ cd live && SCRIPTED_TEMPLATE=false pulumi new ../tpl --force --yes --stack organization/live/dev -c mine=2; cat Pulumi.yaml; pulumi config -s dev
warning: using pulumi-language-script from $PATH at <dir>/bin/pulumi-language-script
Created project 'live'


Saved config

Nothing of the project was kept
error: the template cannot be finished
name: live
runtime: yaml
KEY   VALUE
kept  1
$ cd live && SCRIPTED_TEMPLATE='pulumi config set theirs 3 -s dev' pulumi new ../tpl --force --yes --stack organization/live/dev -c mine=2 >/dev/null && pulumi config -s dev
warning: using pulumi-language-script from $PATH at <dir>/bin/pulumi-language-script
warning: using pulumi-language-script from $PATH at <dir>/bin/pulumi-language-script
KEY          VALUE
kept         1
mine         2
theirs       3
pulumi:tags  {"pulumi:template":"../tpl"}
$ cd live && SCRIPTED_TEMPLATE='pulumi config set late 4 -s dev; false' pulumi new ../tpl --force --yes --stack organization/live/dev -c mine=5; pulumi config -s dev; ls
warning: using pulumi-language-script from $PATH at <dir>/bin/pulumi-language-script
Created project 'live'


Saved config

warning: Pulumi.dev.yaml stays: another command has changed it
Nothing of the project was kept
error: the template cannot be finished
KEY          VALUE
kept         1
late         4
mine         5
theirs       3
pulumi:tags  {"pulumi:template":"../tpl"}
Pulumi.dev.yaml
Pulumi.yaml
# Nothing that another has written is taken away with a stack that was made here.
$ mkdir made && cd made && SCRIPTED_TEMPLATE='pulumi config set late 4 -s dev; false' pulumi new ../tpl --yes --stack organization/made/dev -c mine=5; ls; cd .. && rm -r made live tpl $HOME/bin/pulumi-language-script; pulumi stack ls -a | grep -c made
warning: using pulumi-language-script from $PATH at <dir>/bin/pulumi-language-script
Created project 'made'

Created stack 'dev'

Saved config

warning: Pulumi.dev.yaml stays: another command has changed it
Nothing of the project was kept
error: the template cannot be finished
Pulumi.dev.yaml
0
[1]
$ touch file && pulumi new yaml --yes --dir file/x; rm file
error: create the directory '<dir>/project/file': File exists
# Somebody has to answer.
$ pulumi new yaml
error: non-interactive mode requires --yes flag
[1]
$ PULUMI_SKIP_CONFIRMATIONS=true pulumi new yaml -g --dir s | sed -n 1p; rm -r s
Created project 's'
# Options of the runtime.
$ pulumi new python -gy --dir r --runtime-options toolchain=pip,virtualenv=env && cat r/Pulumi.yaml; rm -r r
Created project 'r'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. cd r
   2. pulumi install
   3. pulumi stack init

Then, run `pulumi up`

name: r
description: A minimal Python program
runtime:
  name: python
  options:
    toolchain: pip
    virtualenv: env
config:
  pulumi:tags:
    value:
      pulumi:template: python
$ pulumi new javascript -gy --dir r && sed -n 3,6p r/Pulumi.yaml; rm -r r
Created project 'r'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. cd r
   2. pulumi install
   3. pulumi stack init

Then, run `pulumi up`

runtime:
  name: nodejs
  options:
    packagemanager: npm
# What the hosted service had.
$ pulumi new --ai 'a bucket'
Flag --ai has been deprecated, Pulumi AI has been retired
error: Pulumi AI project generation has been retired. Choose a template instead: `--list-templates` shows them
[1]
$ pulumi new --language go
Flag --language has been deprecated, Pulumi AI has been retired
error: Pulumi AI project generation has been retired. Choose a template instead: `--list-templates` shows them
[1]
$ pulumi new yaml --yes --remote-stack-config
error: --remote-stack-config is a feature of the hosted service
[1]
$ pulumi new yaml -gy -t --dir t | sed -n 1p; rm -r t
warning: --template-mode has no effect here: templates are always chosen in the same way
Created project 't'
# The other name of the command, and words for it.
$ pulumi project new yaml -gy --dir p | sed -n 1p; rm -r p
Created project 'p'
$ pulumi create yaml -gy --dir p | sed -n 1p; rm -r p
Created project 'p'
$ pulumi init
error: unknown command "init" for "pulumi"

Did you mean this?
	pulumi new
	pulumi stack new
	pulumi policy new

Run 'pulumi --help' for usage.
[1]
$ pulumi project
Make and list projects

Usage:
  pulumi project <command> [options]

Examples:
  pulumi project list

Commands:
  new                         Create a project from a template
  list                        List the projects that have stacks

Global options:
  -h, --help                                Show this text
  -C, --cwd text                            Run as if started in this directory
      --color text                          Colour of the output: always, never, raw or auto (default auto)
      --non-interactive                     Never prompt; write lines instead of a live display
  -Q, --fully-qualify-stack-names           Show stack names with organization and project
  -e, --emoji                               Use emojis in the output
      --disable-integrity-checking          Do not verify the state when it is read or written
  -v, --verbose number                      Detail of the log, from 0 to 11
      --logtostderr                         Write the log to standard error
      --logflow                             Pass the log options on to plugins
      --tracing text                        Write a trace of steps and calls to file:PATH, for view-trace and convert-trace
      --otel-traces text                    Write a trace of steps and calls, as OTLP JSON, to file://PATH
      --profiling text                      No effect here
      --memprofilerate number               No effect here
[1]
# A template of the user: names, texts, a binary file, a link, what is not copied.
$ mkdir -p 'tpl/src/${PROJECT}' tpl/.git && cd tpl && printf 'name: ${PROJECT}\nruntime: yaml # stays\ndescription: ${DESCRIPTION}\ntemplate:\n  description: Mine\n  quickstart: |\n    Now read the README.\n  config:\n    size:\n      description: How large\n      default: 3\n    token:\n      secret: true\n      default: hush\n    none:\n      description: Not stored\nresources: {}\n' >Pulumi.yaml && printf '$${PROJECT}: ${DESCRIPTION}\n' >README && printf 'a: ${DESCRIPTION}\nb: "${DESCRIPTION}"\nc: x-${PROJECT}\nd: [${PROJECT}, '"'"'${DESCRIPTION}'"'"']\n' >conf.yaml && printf '\0${PROJECT}' >binary && printf x >'src/${PROJECT}/${PROJECT}.txt' && ln -s README link && touch .git/x .pulumi.template.yaml Pulumi.yaml.append && printf '#!/bin/sh\n' >run && chmod 755 run
$ pulumi new ./tpl --yes --dir m -d "it's: \"q\""
Created project 'm'

Created stack 'dev'

Saved config

Your new project is ready to go! 

To perform an initial deployment, run 'cd m', then, run `pulumi up`

Now read the README.
$ cd m && find . -type f | sort && cat README link conf.yaml Pulumi.yaml Pulumi.dev.yaml && tail -c 10 binary && test -x run
./Pulumi.dev.yaml
./Pulumi.yaml
./README
./binary
./conf.yaml
./link
./run
./src/m/m.txt
$m: it's: "q"
$m: it's: "q"
a: 'it''s: "q"'
b: "it's: \"q\""
c: x-m
d: [m, 'it''s: "q"']
name: m
runtime: yaml # stays
description: 'it''s: "q"'
resources: {}
config:
  pulumi:tags:
    value:
      pulumi:template: ./tpl
encryptionsalt: <salt>
config:
  m:size: "3"
  m:token:
    secure: <ciphertext>
${PROJECT}
$ cd m && pulumi config get token && pulumi config get size
hush
3
$ cd tpl && pulumi new ../tpl/Pulumi.yaml -gy --dir ../m2 -n m2 >/dev/null && tail -1 ../m2/Pulumi.yaml
      pulumi:template: ../tpl/Pulumi.yaml
# A template may name the backend of its projects.
$ mkdir -p own ../elsewhere && printf 'name: own\nruntime: yaml\nbackend: {url: "file://%s"}\n' "$(cd ../elsewhere && pwd)" >own/Pulumi.yaml && env -u PULUMI_BACKEND_URL pulumi new ./own --yes --dir o >/dev/null && cd o && env -u PULUMI_BACKEND_URL pulumi stack ls | tr -s ' ' && ls ../../elsewhere/.pulumi/stacks
Created stack 'dev'
NAME LAST UPDATE RESOURCE COUNT
dev* <ago> 0
own
# A collection, and a template that is broken.
$ mkdir -p many/good many/bad many/none && cp tpl/Pulumi.yaml many/good && echo 'name: [' >many/bad/Pulumi.yaml
$ pulumi new ./many/bad -gy --dir q; ls -d q
error: template 'bad' is currently broken: could not unmarshal '<dir>/project/many/bad/Pulumi.yaml': invalid YAML file: line 2 column 1: did not find expected node content (while parsing a flow node)
ls: cannot access 'q': No such file or directory
[2]
$ pulumi new ./many -gy --dir q && cat q/Pulumi.yaml; rm -r q
Created project 'q'

Your new project is ready to go! 

To perform an initial deployment, run the following commands:

   1. cd q
   2. pulumi install
   3. pulumi stack init

Then, run `pulumi up`

name: q
runtime: yaml
$ PULUMI_TEMPLATE_PATH=$PWD/many pulumi new --list-templates | sed -n '1,3p;$p'

Available Templates:
  aws-go                   A Go program with an S3 bucket on AWS
  bad                      (This template is currently broken)
$ PULUMI_TEMPLATE_PATH=many pulumi new good -gy --dir q | sed -n 1p; grep template q/Pulumi.yaml; rm -r q
Created project 'q'
      pulumi:template: good
$ mkdir -p ../home/templates && cp -r many/good ../home/templates/yaml && pulumi new yaml -gyo --dir q >/dev/null && sed -n 2p q/Pulumi.yaml; rm -r q ../home/templates
runtime: yaml # stays
$ mkdir -p nothing && pulumi new ./nothing -gy --dir q
error: no templates in './nothing'
[1]
$ mkdir -p two && cd two && printf 'name: x\nruntime: yaml\n' >Pulumi.yaml && touch '${PROJECT}' x && pulumi new . -gy --dir ../q -n x; ls -d ../q
error: two files of the template become 'x'
ls: cannot access '../q': No such file or directory
[2]
$ cd two && mkfifo pipe && rm x && pulumi new . -gy --dir ../q -n x; ls -d ../q
error: '<dir>/project/two/pipe' is neither a file nor a folder: a template cannot have it
ls: cannot access '../q': No such file or directory
[2]
$ pulumi new no-such-template --offline --yes --dir q
error: template 'no-such-template' not found
[1]
$ pulumi new ymal --offline --yes --dir q
error: template 'ymal' not found

Did you mean this?
	yaml
[1]
$ pulumi new ./nowhere --offline --yes --dir q
error: template './nowhere' not found
[1]
$ pulumi new https://example.test/owner/repo --offline --yes --dir q
error: cannot use https://example.test/owner/repo offline
[1]
$ pulumi new https://example.test --yes --dir q
error: 'https://example.test/' is not the address of a template: expected https://HOST/OWNER/REPOSITORY[/tree/BRANCH][/FOLDER], git@HOST:OWNER/REPOSITORY, or https://…/NAME.zip
[1]
$ pulumi new yaml extra --yes
error: accepts at most 1 arg(s), received 2
[1]
# The list.
$ pulumi new -l --offline nothing

Available Templates:
  aws-go                   A Go program with an S3 bucket on AWS
  aws-python               A Python program with an S3 bucket on AWS
  aws-typescript           A TypeScript program with an S3 bucket on AWS
  aws-yaml                 A YAML program with an S3 bucket on AWS
  azure-go                 A Go program with a storage account on Azure
  azure-python             A Python program with a storage account on Azure
  azure-typescript         A TypeScript program with a storage account on Azure
  azure-yaml               A YAML program with a storage account on Azure
  command-go               A Go program that runs a command on this machine; needs no account
  command-javascript       A JavaScript program that runs a command on this machine; needs no account
  command-python           A Python program that runs a command on this machine; needs no account
  command-typescript       A TypeScript program that runs a command on this machine; needs no account
  command-yaml             A YAML program that runs a command on this machine; needs no account
  gcp-go                   A Go program with a bucket on Google Cloud
  gcp-python               A Python program with a bucket on Google Cloud
  gcp-typescript           A TypeScript program with a bucket on Google Cloud
  gcp-yaml                 A YAML program with a bucket on Google Cloud
  go                       A minimal Go program
  javascript               A minimal JavaScript program
  kubernetes-go            A Go program with a deployment on Kubernetes
  kubernetes-python        A Python program with a deployment on Kubernetes
  kubernetes-typescript    A TypeScript program with a deployment on Kubernetes
  kubernetes-yaml          A YAML program with a deployment on Kubernetes
  python                   A minimal Python program
  random-go                A Go program with a random name; needs no account
  random-javascript        A JavaScript program with a random name; needs no account
  random-python            A Python program with a random name; needs no account
  random-typescript        A TypeScript program with a random name; needs no account
  random-yaml              A YAML program with a random name; needs no account
  typescript               A minimal TypeScript program
  yaml                     A minimal YAML program
# Policy packs.
$ pulumi policy new policy-typescript --generate-only --dir pol && ls -a pol && cat pol/PulumiPolicy.yaml
Created Policy Pack!
Your new Policy Pack is ready to go! 

To install dependencies for the Policy Pack, run `pulumi install`

Once you're done editing your Policy Pack:
   * To run the Policy Pack against a Pulumi program, in the directory of the Pulumi program, run `pulumi up --policy-pack pol`
   * To publish the Policy Pack, run `pulumi policy publish [org-name]`
.
..
.gitignore
PulumiPolicy.yaml
index.ts
package.json
tsconfig.json
description: A policy pack in TypeScript with a rule and a piece of advice
runtime:
  name: nodejs
  options:
    packagemanager: npm
$ pulumi policy new policy-python -g --dir pol
error: <dir>/project/pol is not empty; use --force to continue and overwrite existing files, or use --dir to specify an empty directory.
It has .gitignore, PulumiPolicy.yaml, index.ts, package.json, tsconfig.json
[1]
$ pulumi policy new policy-python -gf --dir pol --runtime-options toolchain=pip,virtualenv=env >/dev/null && cat pol/PulumiPolicy.yaml
description: A policy pack in Python with a rule and a piece of advice
runtime:
  name: python
  options:
    toolchain: pip
    virtualenv: env
version: 0.0.1
$ pulumi policy new --offline --dir pol2
error: no template selected; please use `pulumi policy new TEMPLATE`; there are policy-python and others
[1]
$ pulumi policy new ./tpl --offline --dir pol2; ls -d pol2
error: no templates
ls: cannot access 'pol2': No such file or directory
[2]
$ pulumi policy new yaml -o --dir pol2
error: template 'yaml' not found
[1]
# Packages.
$ pulumi package new component-yaml --yes --dir 'My.Pack' && cat My.Pack/PulumiPlugin.yaml
Created package 'my-pack'

Your new package is ready to go! 

To get started, run:
   1. cd My.Pack
name: my-pack
description: A package in YAML with one component
runtime: yaml
version: 0.0.1
components:
  Greeting:
    description: A greeting for a name that is made once
    inputs:
      words:
        description: How many words the name has
        type: integer
        default: 2
    resources:
      name:
        type: random:RandomPet
        properties:
          length: ${words}
    outputs:
      text: Hello, ${name.id}!
$ pulumi package new component-go -gy --dir pack --name greet -d 'Says "hello"' && ls -a pack && cat pack/PulumiPlugin.yaml && head -1 pack/go.mod
Created package 'greet'

Your new package is ready to go! 

To get started, run:
   1. cd pack
   2. pulumi install
.
..
.gitignore
PulumiPlugin.yaml
go.mod
main.go
schema.json
name: greet
description: Says "hello"
runtime: go
module greet
$ pulumi package new component-go -gy --dir pack2 --name Greet; ls -d pack2
error: 'Greet' is not a valid package name: package names begin with a lower case letter and contain only lower case letters, digits, hyphens and underscores
ls: cannot access 'pack2': No such file or directory
[2]
$ pulumi package new component-go -g --dir pack2
error: non-interactive mode requires --yes flag
[1]
$ pulumi package new -gy --dir pack2
error: no template selected; please use `pulumi package new TEMPLATE`; there are component-go and others
[1]
# Deploying a template without a project.
$ mkdir u && cd u && pulumi up random-yaml --yes --skip-preview --stack try | grep -o '+ 2 created'; ls
Created stack 'try'
+ 2 created
$ cd u && pulumi stack ls --all | sed -n '1p;/try/p' | cut -d' ' -f1; pulumi up random-yaml --yes --skip-preview --stack try | grep unchanged
NAME
organization/random-yaml/try
    2 unchanged
$ cd u && pulumi up ../many --yes; PULUMI_TEMPLATE_GIT_REPOSITORY=$PWD/none pulumi up nowhere --yes --stack x 2>&1 | cut -d: -f1-3; ls
error: there are 2 templates: name one of them
error: the repository of templates could not be read: git clone
$ cd u && pulumi up random-yaml
error: --yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode
[2]
# A clone of templates that was cut short is no clone: the next command makes it.
$ cp -r many repo && git -C repo init -q && git -C repo add -A && git -C repo -c user.name=x -c user.email=x@example.com commit -qm one; mkdir bad && printf '#!/bin/sh\nfor last; do :; done\nmkdir -p "$last/.git"\nkill -9 $$\n' >bad/git && chmod +x bad/git
$ PULUMI_TEMPLATE_GIT_REPOSITORY=$PWD/repo PATH=$PWD/bad:$PATH pulumi new good -gy --dir cut 2>&1 | cut -d: -f1-3; ls ../home/templates* -d
error: the repository of templates could not be read: git clone
../home/templates.lock
$ PULUMI_TEMPLATE_GIT_REPOSITORY=$PWD/repo pulumi new good -gy --dir whole >/dev/null && ls whole; ls -d ../home/templates*
Pulumi.yaml
../home/templates
../home/templates.lock
