# stack migrate to the hosted service and back: the service seals only for stacks that are there.
$ $TRANSCRIPTS/../service/serve; PULUMI_ACCESS_TOKEN=good cloud login >log
Logging in using access token from PULUMI_ACCESS_TOKEN
$ printf 'name: proj\nruntime: yaml\nconfig: {word: {type: string}}\noutputs:\n  w: ${word}\n  o: {"fn::secret": hush}\n' >Pulumi.yaml
$ pulumi stack init dev; pulumi config set --secret word hidden; pulumi up --skip-preview >log
Created stack 'dev'
# What fails on the way leaves nothing there, and the file as it was.
$ cp Pulumi.dev.yaml ../kept; control fault '{"path":"/import","status":400}'; cloud stack migrate file://$HOME/state dev --yes; cmp Pulumi.dev.yaml ../kept; ls Pulumi.*; cloud stack ls
Backed up <dir>/project/Pulumi.dev.yaml to <dir>/project/Pulumi.dev.yaml.bak.1
error: writing the state of the target stack: cannot save the state (the former state is untouched): [400] a fault of the test
Pulumi.dev.yaml
Pulumi.yaml
NAME  LAST UPDATE  RESOURCE COUNT  URL
$ cloud stack migrate file://$HOME/state dev --yes 2>&1 | sed "s/$(hostname)/<host>/"
Backed up <dir>/project/Pulumi.dev.yaml to <dir>/project/Pulumi.dev.yaml.bak.1
Created stack 'dev'
Migrated stack dev from <host> to http://127.0.0.1:<port>.
Source stack state on <host> is untouched.
$ grep -c salt Pulumi.dev.yaml; cloud config get word -s dev; cloud stack output --show-secrets -s dev; cloud stack export -s dev | grep -A2 secrets_prov
0
hidden
Current stack outputs (2):
    OUTPUT  VALUE
    o       hush
    w       hidden
        "secrets_providers": {
            "type": "service",
            "state": {
$ cloud preview -s dev | grep unchanged
    1 unchanged
# Back, as another stack with a key of its own.
$ pulumi stack migrate $(cat $HOME/url) dev --target back --yes 2>&1 | sed "s/$(hostname)/<host>/"
Created stack 'back'
Migrated stack dev from http://127.0.0.1:<port> to <host>.
Source stack state on http://127.0.0.1:<port> is untouched.
$ grep -c salt Pulumi.back.yaml; pulumi config get word -s back; pulumi stack output --show-secrets -s back; pulumi stack export -s back | grep -A2 secrets_prov
1
hidden
Current stack outputs (2):
    OUTPUT  VALUE
    o       hush
    w       hidden
        "secrets_providers": {
            "type": "passphrase",
            "state": {
$ control stop
