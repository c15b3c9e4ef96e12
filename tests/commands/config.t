# Configuration: plain values, secrets, paths into objects, several at once, other files and stacks.
$ cat >Pulumi.yaml <<END
> name: proj
> runtime: yaml
> config:
>   preset:
>     type: string
>     default: hi
> END
$ pulumi config
error: no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one
[1]
$ pulumi stack init dev
Created stack 'dev'
$ pulumi stack init two --no-select
Created stack 'two'
$ pulumi config
KEY     VALUE
preset  hi
$ pulumi config --json
{
  "proj:preset": {
    "value": "hi",
    "secret": false
  }
}
# A list is as it is; one value is escaped for HTML, as the reference does it.
$ pulumi config set wild '<&>'; pulumi config --json | grep -A1 wild; pulumi config get wild --json; pulumi config rm wild
  "proj:wild": {
    "value": "<&>",
{
  "value": "\u003c\u0026\u003e",
  "secret": false
}
$ pulumi config get nope
error: configuration key 'nope' not found for stack 'dev'
[1]
$ pulumi config set a 1
$ pulumi config set b two
$ pulumi config set other:c three
$ pulumi config set --secret s hush
$ pulumi config set looks-secret AKIAIOSFODNN7EXAMPLEabcdefgh
$ pulumi config set --path o.k[0] v
$ pulumi config set --path o.k[1] 2
$ pulumi config set --path o.t true
$ pulumi config set --path o.t2 true --type string
$ pulumi config set --path o.n 12 --type int
$ pulumi config set --path o.n xx --type int
error: could not set config: 'xx' is not an integer
[1]
$ pulumi config set --path --secret o.p hid
$ pulumi config set --path 'o["dot.ted"]' x
$ pulumi config set --path 'o.k[9]' x
error: could not set config: o.k[9]: array index out of range
[1]
$ pulumi config set --path a.b x
$ pulumi config set --path '' x
error: could not set config: empty config key path
[1]
$ pulumi config set --path 'o[' x
error: could not set config: invalid config key path: missing closing bracket in array index
[1]
$ pulumi config set a:b:c:d x
error: invalid configuration key: could not parse a:b:c:d as a configuration key (configuration keys should be of the form `<namespace>:<name>`)
[1]
$ pulumi config set onlykey
$ printf 'from stdin\n' | pulumi config set fromstdin
$ pulumi config set --plaintext plain text
$ pulumi config
KEY           VALUE
other:c       three
a             {"b":"x"}
b             two
fromstdin     from stdin
looks-secret  AKIAIOSFODNN7EXAMPLEabcdefgh
o             {"dot.ted":"x","k":["v",2],"n":12,"p":"[secret]","t":true,"t2":"true"}
onlykey       
plain         text
preset        hi
s             [secret]
$ pulumi config --show-secrets
KEY           VALUE
other:c       three
a             {"b":"x"}
b             two
fromstdin     from stdin
looks-secret  AKIAIOSFODNN7EXAMPLEabcdefgh
o             {"dot.ted":"x","k":["v",2],"n":12,"p":"hid","t":true,"t2":"true"}
onlykey       
plain         text
preset        hi
s             hush
$ pulumi config --json
{
  "other:c": {
    "value": "three",
    "secret": false
  },
  "proj:a": {
    "value": "{\"b\":\"x\"}",
    "objectValue": {
      "b": "x"
    },
    "secret": false
  },
  "proj:b": {
    "value": "two",
    "secret": false
  },
  "proj:fromstdin": {
    "value": "from stdin",
    "secret": false
  },
  "proj:looks-secret": {
    "value": "AKIAIOSFODNN7EXAMPLEabcdefgh",
    "secret": false
  },
  "proj:o": {
    "secret": true
  },
  "proj:onlykey": {
    "value": "",
    "secret": false
  },
  "proj:plain": {
    "value": "text",
    "secret": false
  },
  "proj:preset": {
    "value": "hi",
    "secret": false
  },
  "proj:s": {
    "secret": true
  }
}
$ pulumi config get a
{"b":"x"}
$ pulumi config get a --json
{
  "value": "{\"b\":\"x\"}",
  "objectValue": {
    "b": "x"
  },
  "secret": false
}
$ pulumi config get s
hush
$ pulumi config get s --json
{
  "value": "hush",
  "secret": true
}
$ pulumi config get o
{"dot.ted":"x","k":["v",2],"n":12,"p":"hid","t":true,"t2":"true"}
$ pulumi config get o --json
{
  "value": "{\"dot.ted\":\"x\",\"k\":[\"v\",2],\"n\":12,\"p\":\"hid\",\"t\":true,\"t2\":\"true\"}",
  "objectValue": {
    "dot.ted": "x",
    "k": [
      "v",
      2
    ],
    "n": 12,
    "p": "hid",
    "t": true,
    "t2": "true"
  },
  "secret": true
}
$ pulumi config get --path o.k[0]
v
$ pulumi config get --path o.p
hid
$ pulumi config get --path o.k
["v",2]
$ pulumi config get --path o.zz
error: configuration key 'o.zz' not found for stack 'dev'
[1]
$ pulumi config get other:c
three
$ pulumi config get proj:a
{"b":"x"}
$ cat Pulumi.dev.yaml
encryptionsalt: <salt>
config:
  proj:a:
    b: x
  proj:b: two
  other:c: three
  proj:s:
    secure: <ciphertext>
  proj:looks-secret: AKIAIOSFODNN7EXAMPLEabcdefgh
  proj:o:
    k:
      - v
      - 2
    t: true
    t2: "true"
    "n": 12
    p:
      secure: <ciphertext>
    dot.ted: x
  proj:onlykey: ""
  proj:fromstdin: from stdin
  proj:plain: text
$ pulumi config rm a
$ pulumi config rm a
$ pulumi config rm --path o.k[0]
$ pulumi config rm --path o.zz
$ pulumi config rm-all b other:c
$ pulumi config rm-all --path o.p o.t
$ pulumi config set-all --plaintext a=1 --plaintext b=2 --secret c=3
$ pulumi config set-all --path --plaintext x.y=1 --plaintext x.z[0]=2
$ pulumi config set-all --plaintext novalue
error: config value must be in the form [key]=[value], not 'novalue'
[1]
$ pulumi config set-all --json '{"proj:j":{"value":"v","secret":false},"proj:k":{"value":"w","secret":true}}'
$ pulumi config set-all --json '{bad'
error: could not parse --json argument: line 1 column 2: invalid character 'b' where the name of a member should begin
[1]
$ pulumi config
KEY           VALUE
a             1
b             2
c             [secret]
fromstdin     from stdin
j             v
k             [secret]
looks-secret  AKIAIOSFODNN7EXAMPLEabcdefgh
o             {"dot.ted":"x","k":[2],"n":12,"t2":"true"}
onlykey       
plain         text
preset        hi
s             [secret]
x             {"y":1,"z":[2]}
$ pulumi config cp a --dest two
$ pulumi config cp nope --dest two
error: configuration key 'nope' not found for stack 'dev'
[1]
# A map, a list or a secret inside of a value comes to the same place in the other stack.
$ pulumi config set --path --secret 'q[0].in.s' hush; pulumi config set --path 'q[0].in.list[0]' 1; pulumi config set -s two --path 'q[0].own' 2
> for path in 'q[0].in.list' 'q[0].in.s'; do pulumi config cp --path "$path" --dest two; done; pulumi config -s two --show-secrets; pulumi config rm q; pulumi config rm -s two q
KEY     VALUE
a       1
preset  hi
q       [{"in":{"list":[1],"s":"hush"},"own":2}]
$ pulumi config cp --dest nope
error: no stack named 'nope' found
[6]
$ pulumi config cp --dest two
$ pulumi config -s two --show-secrets
KEY           VALUE
a             1
b             2
c             3
fromstdin     from stdin
j             v
k             w
looks-secret  AKIAIOSFODNN7EXAMPLEabcdefgh
o             {"dot.ted":"x","k":[2],"n":12,"t2":"true"}
onlykey       
plain         text
preset        hi
s             hush
x             {"y":1,"z":[2]}
$ pulumi config set --config-file other.yaml k v
$ pulumi config get k --config-file other.yaml
v
$ cat other.yaml
config:
  proj:k: v
$ pulumi config refresh
error: getting latest configuration: no previous deployment
[1]
# Keys in quotes may hold equals signs; a key has a name.
$ pulumi config set-all --plaintext '"foo="=v' --plaintext "'bar='=w" --plaintext c=d=e
$ pulumi config get foo=
v
$ pulumi config get bar=
w
$ pulumi config get c
d=e
$ pulumi config set-all --plaintext '"foo'
error: config value must be in the form [key]=[value], not '"foo'
[1]
$ pulumi config set-all --plaintext novalue
error: config value must be in the form [key]=[value], not 'novalue'
[1]
$ pulumi config set '' x
error: invalid configuration key: '' has no name
[1]
$ pulumi config set proj: x
error: invalid configuration key: 'proj:' has no name
[1]
$ pulumi config set-all --plaintext =x
error: invalid configuration key: '' has no name
[1]
$ pulumi config set-all --json '{"":{"value":"x"}}'
error: invalid configuration key: '' has no name
[1]
$ pulumi preview -c =x
error: getting stack configuration: invalid configuration key: '' has no name
[1]
# One newline at the end of standard input belongs to the shell, the rest to the value.
$ printf 'a\n\n' | pulumi config set lines; pulumi config get lines | od -An -c
   a  \n  \n
$ printf 'a\r\n' | pulumi config set lines; pulumi config get lines | od -An -c
   a  \r  \n
$ printf 'a\n' | pulumi config set --raw lines; pulumi config get lines | od -An -c
   a  \n  \n
# What never ends is not read until memory is gone.
$ yes | pulumi config set lines; pulumi config get lines | od -An -c
error: standard input: it is larger than 16777216 bytes
   a  \n  \n
# Empty lines at the ends of the file go, and the last line ends; what belongs to a value stays.
$ printf '\n\n# first\nconfig:\n  proj:a: x' >Pulumi.dev.yaml; pulumi config set b y; cat -A Pulumi.dev.yaml | sed 's/^/|/'
|# first$
|config:$
|  proj:a: x$
|  proj:b: "y"$
$ printf 'config:\n  proj:a: x\n  proj:b: y\nencryptionsalt: z\n\n\n' >Pulumi.dev.yaml; pulumi config rm-all a b; cat -A Pulumi.dev.yaml | sed 's/^/|/'
|encryptionsalt: z$
$ printf 'config:\n  proj:b: x\n  proj:a: |+\n    line\n\n\n' >Pulumi.dev.yaml; pulumi config rm b; cat -A Pulumi.dev.yaml | sed 's/^/|/'
|config:$
|  proj:a: |+$
|    line$
|$
|$
# All or nothing, also where the file gets its key first.
$ rm Pulumi.dev.yaml; pulumi config set-all --plaintext a=1 --secret b=2 --secret bad; pulumi config --json
error: config value must be in the form [key]=[value], not 'bad'
{
  "proj:preset": {
    "value": "hi",
    "secret": false
  }
}
$ rm -f Pulumi.dev.yaml; pulumi config set-all --json '{"a":{"value":"1"},"b":{"value":"2","secret":true},"c":{}}'; pulumi config --json
error: value for --json object key "c" is nil
{
  "proj:preset": {
    "value": "hi",
    "secret": false
  }
}
# Commands that change the file at the same time lose nothing of each other.
$ rm -f Pulumi.dev.yaml; { for key in a b c d e f g h i j k l; do pulumi config set $key x & done; wait; } 2>&1 | grep -v '^Waiting for another command'; pulumi config | grep -c ' x$'
12
$ { for key in a b c d e f; do pulumi config rm $key & done; for key in m n o p q r; do pulumi config set --secret $key s & done; wait; } 2>&1 | grep -v '^Waiting for another command'; pulumi config | grep -cE 'x$|secret'
12
# Nor does who only reads, and writes down which key the stack has.
$ for key in a b c d e f; do rm Pulumi.dev.yaml; pulumi preview >/dev/null 2>&1 & pulumi config set $key x 2>../waiting & wait; pulumi config get $key; done | grep -c x
6
# Who has waited for the file of a stack that is gone by then does not make it, neither to set a value nor to note a key.
$ for line in "config set key x" "preview"; do pulumi stack init gone --no-select 2>/dev/null; rm -f Pulumi.gone.yaml ../waiting; flock --no-fork . sh -c 'touch ../held; exec sleep 600' & holder=$!; until [ -e ../held ]; do :; done
> pulumi $line -s gone 2>../waiting & setter=$!; until grep -qs '^Waiting' ../waiting; do sleep 0.02; done; (cd ..; pulumi stack rm organization/proj/gone --yes); kill $holder; wait $setter; echo $?; sed 1d ../waiting; ls | grep gone; rm ../held; wait 2>/dev/null; done
Stack 'organization/proj/gone' has been removed!
6
error: no stack named 'gone' found
Stack 'organization/proj/gone' has been removed!
6
error: getting stack configuration: get stack secrets manager: no stack named 'gone' found
# Many keys at once take a moment of the processor, not a minute.
$ seq 20000 | sed 's/.*/--plaintext\nmany&=v&/' | (ulimit -t 10; xargs -s 1900000 pulumi config set-all -s dev); grep -c many Pulumi.dev.yaml; pulumi config get many777 -s dev; sed -i /many/d Pulumi.dev.yaml
20000
v777
# Nor do many paths into one value, on the line or in the project.
$ seq 20000 | sed 's/.*/--plaintext\nmany.k&[0]=v&/' | (ulimit -t 10; xargs -s 1900000 pulumi config set-all --path -s dev); pulumi config get --path 'many.k777[0]' -s dev; pulumi config rm many -s dev
v777
$ cp Pulumi.yaml ../kept; { grep -q ^config: Pulumi.yaml || echo config:; seq 20000 | sed 's/.*/  many.k&: {default: v&}/'; } >>Pulumi.yaml; (ulimit -t 10; pulumi config get --path many.k777 -s dev); cp ../kept Pulumi.yaml
v777
$ (echo 'config:'; echo '  proj:many:'; seq 14000 | sed 's/.*/    k&: {a: [1, 2]}/') >many.yaml; (ulimit -t 5; pulumi config rm-all -s dev --config-file many.yaml --path $(seq 14000 | sed 's/.*/many.k&.a[0]/')); pulumi config get --path many.k777 -s dev --config-file many.yaml; rm many.yaml
{"a":[2]}
# What no file can hold is not written: a file that cannot be read would take all values along.
$ cp Pulumi.dev.yaml ../kept; for n in 300 20000; do pulumi config set -s dev --path "$(printf 'z%.0s.' $(seq $n))z" v 2>&1 | sed 's/\(z\.\)*z/PATH/'; done; cmp Pulumi.dev.yaml ../kept
error: could not set config: PATH: nested too deeply
error: could not set config: PATH: nested too deeply
$ pulumi config set -s dev --path "$(printf 'z%.0s.' $(seq 199))z" v 2>&1 | sed 's/.*: line .*:/…/'; cmp Pulumi.dev.yaml ../kept
… nested too deeply
# Nor does a copy of many keys take more than a moment of the processor.
$ pulumi stack init many --no-select; (echo config:; seq 20000 | sed 's/.*/  proj:many&: v/') >Pulumi.many.yaml; (ulimit -t 10; pulumi config cp -s many --dest dev); grep -c many Pulumi.dev.yaml
Created stack 'many'
20000
# Bytes that are no text are kept, as base64, and read from files that the reference wrote.
$ printf 'a\377\376' | pulumi config set bytes; printf '\377' | pulumi config set --path inner.bytes; grep -h 'bytes' Pulumi.*.yaml; pulumi config get bytes | od -An -tx1; pulumi config get --path inner.bytes | od -An -tx1
  proj:bytes: !!binary Yf/+
    bytes: !!binary /w==
 61 ff fe 0a
 ff 0a
$ printf 'config:\n  proj:word: !!binary aGVsbG8=\n  proj:inner:\n    bytes: !!binary |-\n      aGVs\n      bG8=\n' >bytes.yaml; pulumi config --config-file bytes.yaml | grep -v preset; pulumi config set --config-file bytes.yaml other 1; cat bytes.yaml
KEY     VALUE
inner   {"bytes":"hello"}
word    hello
config:
  proj:word: !!binary aGVsbG8=
  proj:inner:
    bytes: !!binary |-
      aGVs
      bG8=
  proj:other: "1"
# A file whose lines end as another system ends them keeps that.
$ printf 'config:\r\n  proj:a: "1" # one\r\n' >returns.yaml; pulumi config set --config-file returns.yaml b 2; od -An -c returns.yaml; printf 'config:\r\n  proj:a: "1"' >returns.yaml; pulumi config set --config-file returns.yaml b 2; od -An -c returns.yaml; rm returns.yaml
   c   o   n   f   i   g   :  \r  \n           p   r   o   j   :
   a   :       "   1   "       #       o   n   e  \r  \n        
   p   r   o   j   :   b   :       "   2   "  \r  \n
   c   o   n   f   i   g   :  \r  \n           p   r   o   j   :
   a   :       "   1   "  \r  \n           p   r   o   j   :   b
   :       "   2   "  \r  \n
