# schema check: silent where all is well; else every complaint with its place, and an exit code.
$ printf '{"name":"p","version":"1.0.0","resources":{"p:index:R":{"inputProperties":{"a":{"$ref":"#/types/p:index:X"}},"requiredInputs":["b"]}}}' >p.json
$ pulumi schema check p.json
Error: #/resources/p:index:R/inputProperties/a/$ref: type p:index:X not found in package p

Error: #/resources/p:index:R/requiredInputs/0: unknown required property "b"

error: schema validation failed
[1]
$ pulumi schema check p.json --allow-dangling-references
Error: #/resources/p:index:R/requiredInputs/0: unknown required property "b"

error: schema validation failed
[1]
$ printf 'name: p\nversion: 1.0.0\n' >p.yaml
$ pulumi schema check p.yaml
$ pulumi schema check random
$ pulumi schema check - <p.json
Error: #/resources/p:index:R/inputProperties/a/$ref: type p:index:X not found in package p

Error: #/resources/p:index:R/requiredInputs/0: unknown required property "b"

error: schema validation failed
[1]
$ pulumi schema check ./none
error: there is no plugin at './none'
[1]
$ pulumi schema check none.json
error: open none.json: no such file or directory
[1]
