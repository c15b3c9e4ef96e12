# What is better here on purpose: docs/differences.md lists it.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev; pulumi stack init other --no-select
Created stack 'dev'
Created stack 'other'
$ pulumi stack rm other --yes; pulumi stack --show-name
Stack 'other' has been removed!
dev
$ pulumi stack rename
error: accepts 1 arg(s), received 0
[1]
$ pulumi config cp
error: missing the stack to copy to: --dest
[1]
$ pulumi up -f -c bad
error: getting stack configuration: config value must be in the form [key]=[value], not 'bad'
[1]
$ pulumi stack new .
error: a stack cannot be named '.'
[1]
$ pulumi stack new third --copy-config-from nope
error: no stack named 'nope' found
[6]
$ pulumi stack ls --json | grep '"name"'
    "name": "dev",
$ PULUMI_OPTION_PARALLEL=abc pulumi up -f
error: PULUMI_OPTION_PARALLEL: invalid argument "abc" for "-p, --parallel" flag: strconv.ParseInt: parsing "abc": invalid syntax
[1]
$ PULUMI_STACK=nope pulumi stack
error: no stack named 'nope' found
[6]
$ pulumi stack rm '' --force --yes; pulumi cancel '' --yes; pulumi stack ls | grep -c dev
error: the name of the stack is empty
error: the name of the stack is empty
1
$ echo new | pulumi stack change-secrets-provider ''; pulumi stack graph ''
error: the secrets provider is empty
error: the name of the file is empty
[1]
$ pulumi stack change-secrets-provider passphrase </dev/null
error: the new passphrase is expected on standard input
[1]
# A line without an end is not read until memory is gone.
$ yes | tr -d '\n' | pulumi stack change-secrets-provider passphrase
error: the answer is longer than 1048576 bytes
[1]
$ pulumi up -f --event-log events.json >/dev/null; tail -1 events.json | grep -c cancelEvent
1
$ pulumi destroy --exclude-dependents --yes --skip-preview | tail -3

The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. 
If you want to remove the stack completely, run `pulumi stack rm dev`.
# An option that is nearly right is named.
$ pulumi up --yess
error: unknown flag: --yess

Did you mean --yes?
[1]
$ pulumi up --something-else
error: unknown flag: --something-else
[1]
# --color always counts for errors, too; the history names the runtime.
$ pulumi --color always stack select nope 2>&1 | od -c | head -1
0000000 033   [   3   8   ;   5   ;   1   m   e   r   r   o   r   :    
# Of variables and options only the switches tell how they stand.
$ PULUMI_MINE=true PULUMI_SKIP_CONFIRMATIONS=1 pulumi up --non-interactive -f=false -m true >/dev/null
> pulumi stack history --json --page-size 1 --page 1 | grep -oE '"pulumi.(env.PULUMI_(MINE|SKIP)|flag)[^,]*'
"pulumi.env.PULUMI_MINE": "set"
"pulumi.env.PULUMI_SKIP_CONFIRMATIONS": "true"
"pulumi.flag.message": "set"
"pulumi.flag.non-interactive": "true"
"pulumi.flag.skip-preview": "false"
$ pulumi up -f -y >/dev/null; for size in 0 1; do pulumi stack history --json --page-size $size | grep -c '"kind"'; done
4
1
$ pulumi stack history --json | grep -o '"runtime[^,]*' | sort -u
"runtime.name": "yaml"
# A compiler of YAML may complain at length before it prints the program.
$ mkdir compiled && printf 'name: proj\nruntime: {name: yaml, options: {compiler: sh make.sh}}\n' >compiled/Pulumi.yaml && printf 'i=0; while [ $i -lt 2000 ]; do echo "a warning of the compiler, one of many, with some more words"; i=$((i+1)); done >&2\necho "outputs: {o: 1}"\n' >compiled/make.sh
$ cd compiled && pulumi stack init talks && pulumi up --yes --skip-preview --stack talks >log 2>&1 || cat log; pulumi stack output o --stack talks
Created stack 'talks'
1
