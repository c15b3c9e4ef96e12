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
# Types that refer to each other in a ring take a moment of the processor, in whichever order they come.
$ { echo '{"name":"ring","version":"1.0.0","types":{"ring:index:T0":{"type":"object","properties":{"leaf":{"type":"string","replaceOnChanges":true},"next":{"$ref":"#/types/ring:index:T30000"}}}'; seq 30000 | awk '{ print ",\"ring:index:T" $1 "\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/types/ring:index:T" ($1 - 1) "\"}}}" }'; echo '},"resources":{"ring:index:R":{"properties":{"p0":{"$ref":"#/types/ring:index:T0"}'; seq -w 30000 | awk '{ print ",\"p" $1 "\":{\"$ref\":\"#/types/ring:index:T" ($1 + 0) "\"}" }'; echo '}}}}'; } >ring.json
$ (ulimit -t 10; pulumi package gen-sdk ring.json --language nodejs --out ring); grep -c replaceOnChanges ring/nodejs/r.ts
SDK has been written to ring/nodejs
1
