# Commands of the hosted service answer in one line where the backend is a store of files.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ pulumi org
Current Backend: file://<dir>/state
No Default Org Specified
$ pulumi org get-default 2>&1 | sed "s/$(hostname)/<host>/"
error: backends of this type "<host>" do not support organizations
$ pulumi org set-default acme 2>&1 | sed "s/$(hostname)/<host>/"
error: unable to set a default organization for backend type: <host>
$ pulumi org member list --org acme --output json
error: listing organization members requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi org usage get --lookback-days 3
error: not logged in to Pulumi Cloud; run `pulumi login` first
[1]
$ pulumi deployment get 1 --stack dev
error: getting a deployment requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi deployment run up https://git.example/x
error: invalid pulumi operation; "up"
[1]
$ pulumi deployment run update https://git.example/x
error: running deployments requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi stack drift status
error: drift commands require the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi stack webhook ls
error: this command requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi stack schedule new --cron '0 0 * * *'
error: this command requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi insights resource search -q type:aws
error: not logged in to Pulumi Cloud; run `pulumi login` first
[1]
$ pulumi neo 'make a bucket'
error: `pulumi neo` requires the Pulumi Cloud backend
[1]
$ pulumi console
This command is not available for your backend. To migrate to the Pulumi Cloud backend, please see https://www.pulumi.com/docs/intro/concepts/state/#pulumi-cloud-backend
$ pulumi console --stack dev
This command is not available for your backend. To migrate to the Pulumi Cloud backend, please see https://www.pulumi.com/docs/intro/concepts/state/#pulumi-cloud-backend
$ pulumi env ls
error: could not determine current cloud: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions
[3]
$ pulumi esc open acme/dev
error: could not determine current cloud: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions
[3]
$ pulumi config env ls 2>&1 | sed "s/$(hostname)/<host>/"
error: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ pulumi config env add one
error: --yes must be passed in to proceed when running in non-interactive mode
[1]
$ pulumi config env add one --yes 2>&1 | sed "s/$(hostname)/<host>/"
error: backend <host> does not support environments; Pulumi ESC environments require the Pulumi Cloud backend, use `pulumi login` without arguments to log into the Pulumi Cloud backend
$ pulumi api /api/user
{"error":{"code":"internal_error","severity":"error","message":"`pulumi api` requires the Pulumi Cloud backend; run `pulumi login`","suggestions":["run `pulumi login`"],"schemaVersion":1}}
[1]
$ pulumi template ls
error: templates are listed by the registry of the hosted service; run `pulumi login`
[1]
$ pulumi logs share --latest
error: not logged in to Pulumi Cloud; run `pulumi login` first
[1]
# Menus show what they have; some count as a mistake when nothing follows.
$ pulumi deployment >out; echo $?; grep -c '^  [a-z]' out
0
8
$ pulumi env >out; echo $?
1
$ pulumi deployment settings get --help | sed -n 1p
Works with the hosted service only
# They are not offered where they would not help.
$ pulumi --help | grep -E '^  (org|env|deployment|insights|neo|api) '
  org                         Show and choose organizations of the hosted service
