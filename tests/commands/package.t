# Packages: their schemas, and what they have.
$ cp $TRANSCRIPTS/../codegen/import/schema.json acme.json
$ pulumi package get-schema acme.json | sed -n 1,12p
{
  "name": "acme",
  "displayName": "Acme",
  "version": "1.2.3",
  "description": "A small package for trying code generation.",
  "keywords": [
    "acme",
    "category/utility"
  ],
  "homepage": "https://example.com/acme",
  "license": "Apache-2.0",
  "repository": "https://example.com/acme/pulumi-acme",
$ pulumi package get-schema random | grep -c RandomString
1
$ pulumi package info acme.json
Name: acme
Version: 1.2.3
Description: A small package for trying code generation.
Total resources 4
Total functions 5
Total modules: 2

Modules: index, store

Use 'pulumi package info acme.json --module <module>' to list the resources of a module
Use 'pulumi package info acme.json --module <module> --resource <resource>' to see one of them
$ pulumi package info acme.json --module store
Name: acme
Module: store
Version: 1.2.3
Description: A small package for trying code generation.
Resources: 1

 - Bucket: A bucket.

Functions: 1

 - getBucket: Looks a bucket up.
$ pulumi package info acme.json --resource Item
Resource: acme:index:Item
Description: An item.

Inputs:
 - arnRef (string)
 - bucket (string*)
 - kind (string*)
 - list (Array<Input<string>>)
 - name (string)
Inputs marked with '*' are required

Outputs:
 - arn (string)
 - bucket (string*)
 - kind (string*)
 - name (string)
Outputs marked with '*' are always present
$ pulumi package info acme.json --module store/getBucket --function getBucket
Function: acme:store/getBucket:getBucket
Description: Looks a bucket up.

Inputs:
 - filters (Array<Input<acme:store/rule:Filter•Input>>)
 - name (string*)
 - size (acme:index:Size)
Inputs marked with '*' are required

Outputs:
 - id (string*)
 - name (string*)
 - result (string*)
 - rules (Array<acme:store/rule:Rule>)
 - token (string)
Outputs marked with '*' are always present
$ pulumi package info acme.json --function concat
Function: acme:index:concat
Description: Two positional arguments, one plain result.

Inputs:
 - a (string*)
 - b (string)
Inputs marked with '*' are required

Output: string
$ pulumi package info acme.json --resource None
error: resource "None" not found
[1]
$ pulumi package info acme.json --module none
error: module "none" not found
[1]
$ printf 'name: p\nversion: 1.0.0\nresources:\n  "p:index:R": {}\n' >p.yaml
$ pulumi package info p.yaml
Resource: p:index:R
Description: 

Inputs:
Inputs marked with '*' are required

Outputs:
Outputs marked with '*' are always present
# An only function stands for its package, then an only resource.
$ printf 'functions:\n  "p:index:f": {}\n' >>p.yaml; pulumi package info p.yaml | sed -n 1p
Function: p:index:f
$ printf '  "p:index:g": {}\n' >>p.yaml; pulumi package info p.yaml | sed -n 1p
Resource: p:index:R
$ pulumi package info p.yaml word
error: a schema file takes no parameters
[1]
$ printf '{"name":' >broken.json
$ pulumi package get-schema broken.json
error: the schema of 'broken.json': line 1 column 9: unexpected end of JSON input
[1]
$ PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true pulumi package get-schema absent@1.0.0
error: no resource plugin 'pulumi-resource-absent' found in the workspace at version v1.0.0 or on your $PATH
[1]
$ pulumi package get-mapping terraform p.yaml
error: a schema has no mappings: name a plugin
[1]
# A repository is a source, too; without a version its newest tag.
$ pulumi package new component-yaml --dir greeter --yes --offline --generate-only >/dev/null
$ cd greeter && git init -q && git add -A && git -c user.name=x -c user.email=x@example.com commit -qm one && git tag v1.0.0 && git clone -q --bare . ../repos/org/greeter.git
$ cat >with-git <<'END'
> export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://$PWD/repos/.insteadOf GIT_CONFIG_VALUE_0=https://git.test/
> exec "$@"
> END
$ sh with-git pulumi package get-schema git.test/org/greeter@1.0.0 | sed -n 2p
Downloading provider: git.test_org_greeter.git
  "name": "greeter",
$ sh with-git pulumi package info git.test/org/greeter 2>&1 | sed -n 1p
Resource: greeter:index:Greeting
$ sh with-git pulumi schema check git.test/org/greeter
$ sh with-git pulumi package get-mapping terraform git.test/org/greeter
error: no mapping found for key "terraform"
[1]
$ pulumi package get-schema acme.json --extension ''
error: --extension needs at least one parameter
[1]
$ pulumi package info acme.json word --extension more
error: parameters are given either behind the source or in --extension, not in both
[1]
