# SDKs of packages: what is made, what the project file remembers, and that a failure changes nothing.
$ mkdir -p $PULUMI_HOME/plugins/resource-acme-v1.0.0; ln -s $SCRIPTED $PULUMI_HOME/plugins/resource-acme-v1.0.0/pulumi-resource-acme
$ sed 's/1\.2\.3/1.0.0/' $TRANSCRIPTS/../codegen/import/schema.json >acme.json
$ sub='{"name":"sub","version":"0.1.0","parameterization":{"baseProvider":{"name":"acme","version":"1.0.0"},"parameter":"c3Vi"},"resources":{"sub:index:Thing":{"inputProperties":{"a":{"type":"string"}}}}}'
> more='{"name":"more","version":"0.2.0","extensionParameterization":{"baseProvider":{"name":"acme","version":"1.0.0"},"parameter":"bW9yZQ=="}}'
> printf '{"acme":%s,"sub":%s,"more":%s}' "$(cat acme.json)" "$sub" "$more" >../run/schemas.json
$ printf '# the project\nname: proj\nruntime: yaml # a short one\nresources:\n  item: {type: "acme:Item", properties: {kind: k, bucket: b}}\n' >Pulumi.yaml
$ pulumi package add acme
Successfully generated an SDK for the acme package at <dir>/project/sdks
Added package acmecorp/Acme
$ cat Pulumi.yaml sdks/acmecorp-acme/acme-1.0.0.yaml | sed 's/^# /a comment: /'
a comment: the project
name: proj
runtime: yaml # a short one
resources:
  item: {type: "acme:Item", properties: {kind: k, bucket: b}}
packages:
  acme: acme@1.0.0
packageDeclarationVersion: 1
name: acme
version: 1.0.0
# the project
$ pulumi stack init dev && pulumi up --yes --skip-preview | grep created$
Created stack 'dev'
    + 2 created
# Again: nothing is said twice.
$ pulumi package add acme 2>/dev/null && grep -c acme@ Pulumi.yaml
Successfully generated an SDK for the acme package at <dir>/project/sdks
1
# A folder of SDKs that is lost is made again.
$ rm -r sdks && pulumi install 2>/dev/null; ls sdks/acmecorp-acme
acme-1.0.0.yaml
# With parameters the package has a name of its own.
$ pulumi package add acme sub --flag
error: unknown flag: --flag
[1]
$ pulumi package add acme -- sub --flag
Successfully generated an SDK for the sub package at <dir>/project/sdks
Added package sub
$ pulumi package add acme --extension "more one"
Successfully generated an SDK for the more package at <dir>/project/sdks
Extended package more
$ sed -n '/^packages/,$p' Pulumi.yaml; cat sdks/sub/sub-0.1.0.yaml; ls sdks
packages:
  acme: acme@1.0.0
  sub:
    source: acme
    version: 1.0.0
    parameters:
      - sub
      - --flag
  more:
    source: acme
    version: 1.0.0
    extensions:
      - more
      - one
packageDeclarationVersion: 1
name: acme
version: 1.0.0
parameterization:
  name: sub
  version: 0.1.0
  value: c3Vi
acmecorp-acme
more
sub
$ rm -r sdks && pulumi install && ls sdks
acmecorp-acme
more
sub
$ printf 'resources:\n  thing: {type: "sub:Thing", properties: {a: b}}\n' >>Pulumi.yaml; sed -i '/^resources:$/{N;/item/d}' Pulumi.yaml; pulumi up --yes --skip-preview | grep created$; pulumi stack export | grep -e '"type": "sub' -e '"pluginName\|"parameterization"\|"value": "c3' 
    + 1 created
                        "parameterization": "c3Vi",
                "type": "sub:index:Thing",
# From a file nothing is remembered, because there is no plugin.
$ sed 's/"name": "acme"/"name": "other"/; s/acme:/other:/g' acme.json >other.json; pulumi package add ./other.json; grep -c other Pulumi.yaml; ls sdks
Successfully generated an SDK for the other package at <dir>/project/sdks
Added package acmecorp/Acme
0
acmecorp-acme
acmecorp-other
more
sub
# An executable is remembered by its name, a folder by its place.
$ mkdir -p tools/acme; ln -s $SCRIPTED tools/acme/pulumi-resource-acme; pulumi package add ./tools/acme/pulumi-resource-acme; grep acme@ Pulumi.yaml
Successfully generated an SDK for the acme package at <dir>/project/sdks
Added package acmecorp/Acme
  acme: acme@1.0.0
$ pulumi package add ./tools/acme; grep tools Pulumi.yaml; cd tools && pulumi package add ../tools/acme; grep tools ../Pulumi.yaml
Successfully generated an SDK for the acme package at <dir>/project/sdks
Added package acmecorp/Acme
  acme: ./tools/acme
Successfully generated an SDK for the acme package at <dir>/project/sdks
Added package acmecorp/Acme
  acme: ./tools/acme
$ pulumi preview | tail -n 4
    pulumi:pulumi:Stack proj-dev
Resources:
    2 unchanged

# Where a project has mappings it stays with them.
$ mkdir ../maps; cd ../maps; printf 'name: maps\nruntime: yaml\npackages:\n  sub: {source: acme, version: 1.0.0, parameters: [sub]}\n' >Pulumi.yaml; pulumi package add acme >/dev/null 2>&1; cat Pulumi.yaml
name: maps
runtime: yaml
packages:
  sub: {source: acme, version: 1.0.0, parameters: [sub]}
  acme:
    source: acme
    version: 1.0.0
# What a plugin tells the user is shown, and what is meant for programs stays clean.
$ printf '%s' '[{"on":"Parameterize","tells":"Usage:\n  REMOTE [VERSION]\n","error":"help was asked for"}]' >../run/rules.json; pulumi package add acme -- --help; pulumi package get-schema acme -- --help 2>/dev/null; rm ../run/rules.json
Usage:
  REMOTE [VERSION]
error: failed to get schema: parameterize: rpc error: code = Unknown desc = help was asked for
# What fails leaves everything as it was.
$ cp Pulumi.yaml before; cp -r sdks before.sdks
$ printf '{"name":"bad","version":"1.0.0","resources":{"bad:index:R":{"properties":{"a":{"type":"odd"},"pulumi":{"type":"string"}},"required":["none"]}}}' >bad.json; pulumi package add bad.json
Error: #/resources/bad:index:R/properties/a/type: unknown type kind odd

Error: #/resources/bad:index:R/properties/pulumi: pulumi is a reserved property name

Error: #/resources/bad:index:R/required/0: unknown required property "none"

error: the schema of package 'bad' has errors: no SDK can be made from it. Nothing was changed
[1]
$ printf '{"name":"bad","version":"1.0.0","resources":{"bad:index:R":{"properties":{"a":{"$ref":"#/resources/bad:index:S"}}}}}' >bad.json; pulumi package add bad.json
Error: #/resources/bad:index:R/properties/a/$ref: resource type bad:index:S not found in package bad

error: the schema of package 'bad' has errors: no SDK can be made from it. Nothing was changed
[1]
$ printf '{"name":"bad"' >bad.json; pulumi package add bad.json
error: 'bad.json': its schema: line 1 column 14: unexpected end of JSON input
[1]
$ printf '{"name":"../bad","version":"1.0.0"}' >bad.json; pulumi package add bad.json
error: 'bad.json': its schema has no usable name
[1]
$ printf '{"version":"1.0.0"}' >bad.json; pulumi package add bad.json
error: 'bad.json': its schema has no usable name
[1]
$ printf '#!/bin/sh\necho no such luck >&2; exit 1\n' >../bin/pulumi-resource-dead; chmod +x ../bin/pulumi-resource-dead; pulumi package add dead 2>&1 | grep -v warning:
error: Detected that <dir>/bin/pulumi-resource-dead exited prematurely. 
       This is *always* a bug in the provider. Please report the issue to the provider author as appropriate.
       To assist with debugging we have dumped the STDOUT and STDERR streams of the plugin:no such luck
error: failed to get schema: could not read plugin [<dir>/bin/pulumi-resource-dead]: exit status 1
$ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true pulumi package add absent@1.0.0
error: failed to get schema: no resource plugin 'pulumi-resource-absent' found in the workspace at version v1.0.0 or on your $PATH
[1]
$ pulumi package add ./nowhere
error: there is no plugin at './nowhere'
[1]
$ pulumi package add other.json parameter
error: failed to get schema: a schema file takes no parameters
[1]
$ pulumi package add acme sub --extension "sub one"
error: parameters are given either behind the source or in --extension, not in both
[1]
$ pulumi package add acme --extension "'sub"
error: a quote is not closed in ''sub'
[1]
$ pulumi package add acme --extension "sub one" 2>&1 | grep -v warning:
error: failed to get schema: acme did not return an extension-parameterized schema; the source may not support extension parameterization
$ pulumi package add acme --language nodejs
error: --language is for use outside a Pulumi project or plugin, but <dir>/project/Pulumi.yaml was found; remove the flag, or run from a directory outside the project
[1]
$ mkdir -p sdks/mine; echo notes >sdks/mine/notes.txt; sed 's/"name": "acme"/"name": "mine"/; s/acme:/mine:/g; /namespace/d' acme.json >mine.json; pulumi package add mine.json; cat sdks/mine/notes.txt; rm -r sdks/mine
error: failed to generate SDK: '<dir>/project/sdks/mine' is not an SDK that was generated: move it away first, or choose another place. Nothing was changed
notes
$ diff Pulumi.yaml before && diff -r sdks before.sdks && ls -A sdks
acmecorp-acme
acmecorp-other
more
sub
# A plugin that is source code gets packages too; outside of both the language has to be named.
$ mkdir plugin; printf 'runtime: yaml\n' >plugin/PulumiPlugin.yaml; cd plugin; pulumi package add acme 2>&1 | grep -v warning:; cat PulumiPlugin.yaml
Successfully generated an SDK for the acme package at <dir>/project/plugin/sdks
Added package acmecorp/Acme
runtime: yaml
packages:
  acme: acme@1.0.0
$ cd plugin; rm -r sdks; sed -i 's|acme@1.0.0|../tools/acme|' PulumiPlugin.yaml; pulumi install; ls sdks/acmecorp-acme
acme-1.0.0.yaml
$ mkdir ../empty; cd ../empty; pulumi package add acme
error: no project file found and no plugin file found; pass --language LANG to run outside a Pulumi project or plugin
[1]
$ cd ../empty; pulumi package add acme --language yaml 2>&1 | grep -v warning:; find . -type f
Successfully generated an SDK for the acme package at <dir>/empty/sdks
Added package acmecorp/Acme
./sdks/acmecorp-acme/acme-1.0.0.yaml
# SDKs for others.
$ pulumi package gen-sdk acme.json --language yaml --out made; find made -type f
SDK has been written to made/yaml
made/yaml/acme-1.0.0.yaml
$ pulumi package gen-sdk acme.json --language yaml --version 2.0.0 -o made; find made -type f
overriding package version 1.0.0 with 2.0.0
SDK has been written to made/yaml
made/yaml/acme-2.0.0.yaml
$ pulumi package gen-sdk acme.json --language yaml --version two
error: invalid version "two"
[1]
$ pulumi package gen-sdk acme.json --language cobol
error: load language plugin cobol: no language plugin 'pulumi-language-cobol' found in the workspace or on your $PATH; go, nodejs, python and yaml are here, `pulumi plugin install language cobol` gets another if it is published
[1]
$ mkdir -p overlays/yaml; echo x >overlays/yaml/x; pulumi package gen-sdk acme.json --language yaml --overlays overlays -o made; find made -type f
error: failed to generate SDK: overlays are not supported for YAML
made/yaml/acme-2.0.0.yaml
$ pulumi package gen-sdk acme.json --language yaml --overlays nowhere -o made
error: there is no folder 'nowhere' with overlays
[1]
$ pulumi package pack-sdk yaml made/yaml && echo && cat acme-2.0.0.yaml
<dir>/project/acme-2.0.0.yaml
packageDeclarationVersion: 1
name: acme
version: 2.0.0
$ pulumi package pack-sdk yaml overlays
error: '<dir>/project/overlays' has no declaration of a package
[1]
$ pulumi package pack-sdk yaml nowhere
error: there is no folder 'nowhere' with an SDK
[1]
# What no SDK can be made of is told before a host is asked.
$ printf '{"name":"odd","description":"\377"}' >odd.json; pulumi package gen-sdk odd.json --language yaml -o odd
error: 'odd.json': its schema is no text in UTF-8
[1]
$ printf '{"name":"odd","version":"1.0.0","parameterization":{"baseProvider":{"name":"b","version":"1.0.0"},"parameter":"!"}}' >odd.json; pulumi package gen-sdk odd.json --language yaml -o odd
error: 'odd.json': the parameter in its schema is no base64: '!'
[1]
# An SDK in Go may have a second form of its types, with generics.
$ printf '{"name":"both","version":"1.0.0","language":{"go":{"generics":"side-by-side"}}}' >both.json; pulumi package gen-sdk both.json --language go -o both; ls both/go both/go/both/x
SDK has been written to both/go
both/go:
both

both/go/both/x:
doc.go
init.go
provider.go
# Poetry wants a project file, and finds out itself what the SDK is called.
$ printf '#!/bin/sh\necho "poetry $*" >>said\n' >../bin/poetry; chmod +x ../bin/poetry; mkdir ../poets; cd ../poets; printf 'name: poets\nruntime: {name: python, options: {toolchain: poetry}}\n' >Pulumi.yaml; echo 'pulumi>=3' >requirements.txt; pulumi package add acme >/dev/null 2>&1; cat said; tail -n 3 pyproject.toml; ls
poetry add --lock sdks/acmecorp-acme
poetry install --no-ansi
[tool.poetry.dependencies]
python = "^3.10"
"pulumi" = ">=3"
Pulumi.yaml
pyproject.toml
said
sdks
# Why it failed is in the error, whatever the host itself printed.
$ printf '#!/bin/sh\necho "The current project must be told apart." >&2\nexit 1\n' >../bin/poetry; mkdir ../prose; cd ../prose; printf 'name: prose\nruntime: {name: python, options: {toolchain: poetry}}\n' >Pulumi.yaml; echo 'pulumi>=3' >requirements.txt; pulumi package add acme 2>&1 | grep -v warning:; ls
Successfully generated an SDK for the acme package at <dir>/prose/sdks
The SDK was taken away again; the project is as it was.
error: linking the SDK: linking packages: 'poetry' failed with exit code 1: The current project must be told apart.
Pulumi.yaml
requirements.txt
# What a package manager made before it failed goes again, and what the user has stays.
$ printf '#!/bin/sh\n[ "$1" = --version ] && echo 12.0.0 && exit; cat pnpm-workspace.yaml; echo >pnpm-lock.yaml; echo no luck >&2; exit 1\n' >../bin/pnpm; chmod +x ../bin/pnpm; mkdir ../tree; cd ../tree; printf 'name: tree\nruntime: {name: nodejs, options: {packagemanager: pnpm}}\n' >Pulumi.yaml; echo '{}' >package.json; echo x >notes; pulumi package add acme 2>&1 | grep -v warning:; cat package.json; ls
Successfully generated an SDK for the acme package at <dir>/tree/sdks
Installing dependencies...

allowBuilds:
  '@acmecorp/acme@file:sdks/acmecorp-acme': true
  protobufjs: false
no luck
The SDK was taken away again; the project is as it was.
error: installing dependencies: pnpm install failed with exit code 1
{}
Pulumi.yaml
notes
package.json
$ cd ../tree; printf 'allowBuilds:\n  protobufjs: true # mine\n' >pnpm-workspace.yaml; pulumi package add acme 2>&1 | grep -A 3 allowBuilds; cat pnpm-workspace.yaml; ls
allowBuilds:
  protobufjs: true # mine
  '@acmecorp/acme@file:sdks/acmecorp-acme': true
no luck
allowBuilds:
  protobufjs: true # mine
Pulumi.yaml
notes
package.json
pnpm-workspace.yaml
# yarn copies an SDK once, unless it is made to look again.
$ printf '#!/bin/sh\n' >../bin/yarn; chmod +x ../bin/yarn; mkdir -p ../leaf/node_modules; cd ../leaf; printf 'name: leaf\nruntime: {name: nodejs, options: {packagemanager: yarn}}\n' >Pulumi.yaml; echo '{}' >package.json; touch node_modules/.yarn-integrity; pulumi package add acme 2>&1 | tail -n 1; ls -A node_modules
Added package acmecorp/Acme
# A module can be moved to the root of an SDK, by each language for itself.
$ roots='"nodejs":{"moduleToPackage":{"mod":""}},"go":{"moduleToPackage":{"mod":""}},"python":{"moduleNameOverrides":{"mod":""}}'
> printf '{"name":"flat","version":"1.0.0","language":{%s},"resources":{"flat:mod:Thing":{}}}' "$roots" >flat.json
> for language in nodejs go python; do pulumi package gen-sdk flat.json --language $language --out flat >/dev/null 2>&1; done; find flat -iname 'thing.*' | sort
flat/go/flat/thing.go
flat/nodejs/thing.ts
flat/python/pulumi_flat/thing.py
# Who adds a package waits for others that do, and for those that change the configuration.
$ mkdir ../turns; cd ../turns; printf 'name: turns\nruntime: yaml\n' >Pulumi.yaml; (flock . sh -c 'touch held; sleep 1; grep -c acme Pulumi.yaml'; pulumi package add acme >/dev/null 2>&1) & while ! [ -e held ]; do :; done; pulumi package add acme >/dev/null 2>&1 -- sub & pulumi package add acme >/dev/null 2>&1 --extension more; wait; ls sdks; sed -n '/^packages/,$s/^  \([a-z]*\):.*/\1/p' Pulumi.yaml | sort
0
acmecorp-acme
more
sub
acme
more
sub
