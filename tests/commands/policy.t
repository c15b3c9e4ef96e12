# policy analyze says what is missing; other commands of policy belong to the hosted service.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ pulumi policy analyze
error: at least one --policy-pack path must be specified
[1]
$ pulumi policy analyze --policy-pack a --policy-pack-config b --policy-pack-config c
error: the number of --policy-pack-config paths must match the number of --policy-pack paths
[1]
$ pulumi policy analyze --policy-pack a --file x --stack dev
error: if any flags in the group [file stack] are set none of the others can be; [file stack] were all set
[1]
$ pulumi policy analyze --policy-pack a --json --diff
error: if any flags in the group [json diff] are set none of the others can be; [diff json] were all set
[1]
$ pulumi policy analyze --policy-pack a
Stack dev has no resources; nothing to analyze.
$ pulumi policy analyze --policy-pack a --file nope.json
error: could not open file: open nope.json: no such file or directory
[1]
$ echo '{"version":3,"deployment":{"manifest":{"time":"2026-01-02T03:04:05Z"},"resources":[{"urn":"nope","type":"a:b:C"}]}}' >bad.json; pulumi policy analyze --policy-pack a --file bad.json
error: state file bad.json contains a resource with an invalid URN "nope"
[1]
$ pulumi stack import --force --file $TRANSCRIPTS/rich.json >/dev/null 2>&1; PULUMI_CONFIG_PASSPHRASE=wrong pulumi policy analyze --policy-pack ./nope 2>&1 | cut -c1-60
error: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev: 
$ pulumi policy ls
error: DIY backend does not support resource policy
[1]
$ pulumi policy enable acme/pack latest --policy-group default
error: DIY backend does not support resource policy
[1]
$ pulumi policy issue ls
error: listing policy issues requires the Pulumi Cloud backend; run `pulumi login`
[1]
$ pulumi policy group get one
error: getting a Policy Group requires the Pulumi Cloud backend; run `pulumi login`
[1]
