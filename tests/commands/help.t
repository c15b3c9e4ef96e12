# help shows the help of a command, of the nearest one that is known, or a topic.
$ pulumi help | sed -n 1,4p
Infrastructure as code: programs in, resources out

Usage:
  pulumi <command> [options]
$ pulumi help | sed -n '/^Topics/,$p'
Topics:
  help backends               Where stacks are kept
  help secrets                How secrets are kept
  help environment            Environment variables
  help paths                  Paths into configuration values
  help imports                Files for `import --file`
  help exit-codes             What exit codes mean
$ pulumi help up >a; pulumi up --help >b; cmp a b
$ pulumi help stack export | sed -n 1p
Write the state of a stack as JSON
$ pulumi help stack nope | sed -n 1p
Show a stack and its resources
$ pulumi help nope | sed -n 1p
Infrastructure as code: programs in, resources out
$ pulumi nope --help | sed -n 1p
Infrastructure as code: programs in, resources out
$ pulumi help backends | sed -n 1p
Where the stacks of a project are kept
$ pulumi help exit-codes
Exit codes

  0    success
  1    an error; an update that failed; an answer of no
  2    --yes or --skip-preview is missing where nobody can be asked
  3    the hosted service wants a login
  6    there is no stack of that name
  7    --expect-no-changes, and something would change
  8    ended by a second ^C
$ pulumi help --color never config set | sed -n 1p
Set a configuration value
# Only the program itself has it.
$ pulumi stack help
error: unknown command "help" for "pulumi stack"

Did you mean this?
	pulumi help

Run 'pulumi stack --help' for usage.
[1]
# Hints are in the name of the program that was called.
$ culumi help plugin run | sed -n '/^Examples/,/^$/p'
Examples:
  culumi plugin run my-tool -- --verbose
  culumi plugin run --kind resource random@4.16.0 -- --help

# The variables that matter, without the values of secret ones.
$ PULUMI_ACCESS_TOKEN=tok PULUMI_OPTION_STACK=dev pulumi about env | grep -E '^(PULUMI_(ACCESS_TOKEN|BACKEND_URL|STACK|CONFIG_PASSPHRASE|OPTION_STACK|DISABLE_CI_DETECTION) |Variable)' | sed 's/  */ /g'
Variable Description Value
PULUMI_ACCESS_TOKEN The token for the hosted service [secret]
PULUMI_BACKEND_URL Where stacks are kept "file://<dir>/state"
PULUMI_CONFIG_PASSPHRASE The passphrase that protects secrets [secret]
PULUMI_DISABLE_CI_DETECTION Ask questions on machines of CI too true
PULUMI_OPTION_STACK The option --stack "dev"
PULUMI_STACK The stack to work on unset
$ PULUMI_ACCESS_TOKEN=tok pulumi about env --output json | grep -A2 '"PULUMI_ACCESS_TOKEN"'
    "name": "PULUMI_ACCESS_TOKEN",
    "description": "The token for the hosted service",
    "value": "[secret]"
$ PULUMI_ACCESS_TOKEN=tok-en PULUMI_CONFIG_PASSPHRASE=tok-en pulumi about env | grep -c tok-en
0
[1]
