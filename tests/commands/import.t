# Import prints the code that declares what it imported, in the language of the project.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi import random:index/randomString:RandomString imported abcdef --yes --skip-preview --suppress-progress --suppress-outputs 2>&1 | sed '1,/Duration/d'


Please copy the following code into your Pulumi application. Not doing so
will cause Pulumi to report that an update will happen on the next update command.

Please note that the imported resources are marked as protected. To destroy them
you will need to remove the `protect` option and run `pulumi update` *before*
the destroy will take effect.

resources:
  imported:
    type: random:RandomString
    properties:
      length: 6
      lower: true
      number: true
      numeric: true
      special: true
      upper: true
    options:
      protect: true
# With --out the file gets it, and only it: put below the project, it changes nothing.
$ pulumi import random:index/randomString:RandomString second.one ghijkl --yes --skip-preview --protect=false --out code.yaml >/dev/null
$ cat code.yaml
resources:
  second_one:
    type: random:RandomString
    name: second.one
    properties:
      length: 6
      lower: true
      number: true
      numeric: true
      special: true
      upper: true
$ pulumi state delete --yes 'urn:pulumi:dev::proj::random:index/randomString:RandomString::imported' --force >/dev/null 2>&1
$ cat code.yaml >>Pulumi.yaml && pulumi preview --expect-no-changes >/dev/null
# Nothing is printed where nobody wants it.
$ pulumi import random:index/randomString:RandomString third abcdef --yes --skip-preview --generate-code=false --out none.txt 2>&1 >/dev/null
Output file will not be used as --generate-code is false.
$ pulumi import random:index/randomString:RandomString fourth abcdef --preview-only 2>&1 | grep -c copy
0
[1]
$ ls none.txt
ls: cannot access 'none.txt': No such file or directory
[2]
# A preview imports nothing: who asks for a file gets an empty one.
$ pulumi import random:index/randomString:RandomString fourth abcdef --preview-only --out preview.yaml >/dev/null && wc -c <preview.yaml
0
# Other languages: their hosts print.
$ for runtime in nodejs python go; do printf 'name: proj\nruntime: %s\n' $runtime >Pulumi.yaml; pulumi import random:index/randomString:RandomString class$runtime abcdef --yes --skip-preview --out code.$runtime >/dev/null; cat code.$runtime; done
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const classnodejs = new random.RandomString("classnodejs", {
    length: 6,
    lower: true,
    number: true,
    numeric: true,
    special: true,
    upper: true,
}, {
    protect: true,
});
import pulumi
import pulumi_random as random

classpython = random.RandomString("classpython",
    length=6,
    lower=True,
    number=True,
    numeric=True,
    special=True,
    upper=True,
    opts = pulumi.ResourceOptions(protect=True))
package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := random.NewRandomString(ctx, "classgo", &random.RandomStringArgs{
			Length:  pulumi.Int(6),
			Lower:   pulumi.Bool(true),
			Number:  pulumi.Bool(true),
			Numeric: pulumi.Bool(true),
			Special: pulumi.Bool(true),
			Upper:   pulumi.Bool(true),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ printf '{"resources":[{"type":"random:index/randomString:RandomString","name":"p","id":"a-b"},{"type":"random:index/randomId:RandomId","name":"i","id":"AQI","parent":"p"}]}' >list.json
$ pulumi import --file list.json --yes --skip-preview --out code.yaml >/dev/null
$ cat code.yaml
resources:
  p:
    type: random:RandomString
    properties:
      length: 3
      lower: true
      number: true
      numeric: true
      special: true
      upper: true
    options:
      protect: true
  i:
    type: random:RandomId
    properties:
      byteLength: 2
    options:
      parent: ${p}
      protect: true
$ pulumi import random:index/randomPet:RandomPet q x --yes --provider 'urn:pulumi:dev::proj::pulumi:providers:random::p::id'
error: 'urn:pulumi:dev::proj::pulumi:providers:random::p::id' is a provider reference: give the URN, 'urn:pulumi:dev::proj::pulumi:providers:random::p'
[1]
# An SDK asks for a version: another default provider of a built-in package takes over what was imported.
$ mkdir sdk && printf 'name: sdk\nruntime: yaml\n' >sdk/Pulumi.yaml && pulumi -C sdk stack init sdk && pulumi -C sdk import random:index/randomString:RandomString code abcdef --yes --skip-preview --generate-code=false >/dev/null
Created stack 'sdk'
$ printf 'resources:\n  code: {type: random:RandomString, properties: {length: 6}, options: {protect: true, version: 4.16.0}}\n' >>sdk/Pulumi.yaml && pulumi -C sdk preview --expect-no-changes | grep -e unchanged -e replace
    2 unchanged
# Below a stack a type does not grow, so that a resource can name itself.
$ mkdir self && printf 'name: self\nruntime: yaml\n' >self/Pulumi.yaml && pulumi -C self stack init self
Created stack 'self'
$ pulumi -C self import pulumi:pulumi:Stack a x --yes --skip-preview --generate-code=false --parent p=urn:pulumi:self::self::pulumi:pulumi:Stack::a | grep ancestor
    error: imported resource 'urn:pulumi:self::self::pulumi:pulumi:Stack::a' is its own ancestor
# A list of nothing changes nothing: not even the resource of the stack is made.
$ mkdir none && printf 'name: none\nruntime: yaml\n' >none/Pulumi.yaml && pulumi -C none stack init none && echo '{"resources":[]}' >none/list.json && pulumi -C none import --file list.json --yes --skip-preview; pulumi -C none stack export | grep -c urn
Created stack 'none'
Importing (none):

Resources:

Duration: <took>

0
[1]
$ printf 'resources:\n  s: {type: random:RandomString, properties: {length: 3}}\n' >>none/Pulumi.yaml; pulumi -C none up -yf >/dev/null; pulumi -C none import --file list.json --yes --skip-preview >/dev/null; pulumi -C none stack export | grep -c '"urn"'
3
# An operand that is empty is a variable that was not set: nothing is imported under no name or without an ID.
$ for line in "'' x y" "random:index/randomString:RandomString '' y" "random:index/randomString:RandomString x ''"; do eval "pulumi import --yes --skip-preview $line"; echo $?; done
error: resource 'x' has no type
1
error: resource 'y' of type 'random:index/randomString:RandomString' has no name
1
error: resource 'x' of type 'random:index/randomString:RandomString' has no ID
1
