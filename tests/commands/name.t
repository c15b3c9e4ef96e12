# Hints name the program as it was called: beside the reference, `pulumi` is another program.
$ culumi up --non-interactive --yes | cat
error: no Pulumi.yaml project file found (searching upwards from <dir>/project). If you have not created a project yet, use `culumi new` to do so: no project file found
$ culumi --help | grep -e 'Usage' -A1
Usage:
  culumi <command> [options]
$ pulumi --help | grep -e 'Usage' -A1
Usage:
  pulumi <command> [options]
$ culumi stack rm --help | grep -e 'Usage' -A1
Usage:
  culumi stack remove [NAME] [options]
$ culumi stack nope
error: unknown command "nope" for "culumi stack"
Run 'culumi stack --help' for usage.
[1]
$ culumi stac
error: unknown command "stac" for "culumi"

Did you mean this?
	culumi stack

Run 'culumi --help' for usage.
[1]
$ culumi nope
error: unknown command "nope" for "culumi"
Run 'culumi --help' for usage.
[1]
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ culumi stack
error: no stack selected; please use `culumi stack select` or `culumi stack init` to choose one
[1]
$ culumi cancel --yes
error: no stack selected; please use `culumi stack select` to choose one
[1]
$ culumi stack init dev
Created stack 'dev'
$ culumi stack | tail -n 1
Use `culumi stack select` to change stack; `culumi stack ls` lists known ones
$ culumi stack import --file "$TRANSCRIPTS/rich.json" 2>&1 | sed -n 1p
warning: removing pending operation 'creating' on 'urn:pulumi:dev::proj::random:index/randomString:RandomString::pend' from snapshot
$ culumi stack rm --yes 2>&1 | grep Run
- Run `culumi destroy` to delete the resources, then run `culumi stack rm`
- Run `culumi stack rm --force` to override this error
$ pulumi stack rm --yes 2>&1 | grep Run
- Run `pulumi destroy` to delete the resources, then run `pulumi stack rm`
- Run `pulumi stack rm --force` to override this error
$ culumi state delete --yes urn:pulumi:dev::proj::a:b:C::none 2>&1 | grep run
To list the resource URNs in the stack, run `culumi stack --show-urns`; to inspect the full state, run `culumi stack export`.
$ mkdir -p ../state/.pulumi/locks/organization/proj/dev
$ echo '{"pid":1,"username":"u","hostname":"h","timestamp":"2026-01-02T03:04:05Z"}' >../state/.pulumi/locks/organization/proj/dev/x.json
$ culumi refresh --yes --non-interactive 2>&1 | grep -o 'with `.* cancel`'
with `culumi cancel`
