# stack migrate copies a stack from another backend, its secrets encrypted anew.
$ printf 'name: proj\nruntime: yaml\nconfig:\n  word: {type: string}\nresources:\n  made:\n    type: random:RandomPet\noutputs:\n  o: {"fn::secret": hush}\n' >Pulumi.yaml; mkdir ../old
$ PULUMI_BACKEND_URL=file://$HOME/old pulumi stack init dev; PULUMI_BACKEND_URL=file://$HOME/old pulumi config set --secret word open-sesame
Created stack 'dev'
$ PULUMI_BACKEND_URL=file://$HOME/old pulumi up --skip-preview >/dev/null; PULUMI_BACKEND_URL=file://$HOME/old pulumi stack output --show-secrets
Current stack outputs (1):
    OUTPUT  VALUE
    o       hush
$ pulumi stack migrate file://$HOME/state dev
error: source and target backends are the same (file://<dir>/state); nothing to migrate
[1]
$ pulumi stack migrate file://$HOME/old nope 2>&1 | sed "s/$(hostname)/<host>/"
error: source stack "nope" not found in backend <host>
$ pulumi stack migrate file://$HOME/old
error: no stack selected; please use `pulumi stack select` to choose one
[1]
$ pulumi stack migrate file://$HOME/old dev
error: non-interactive mode requires --yes flag
[1]
$ pulumi stack migrate file://$HOME/old dev --yes 2>&1 | sed "s/$(hostname)/<host>/g"
Backed up <dir>/project/Pulumi.dev.yaml to <dir>/project/Pulumi.dev.yaml.bak.1
Created stack 'dev'
Migrated stack dev from <host> to <host>.
Source stack state on <host> is untouched.
$ pulumi stack output --show-secrets -s dev
Current stack outputs (1):
    OUTPUT  VALUE
    o       hush
$ pulumi config get word -s dev; ls
open-sesame
Pulumi.dev.yaml
Pulumi.dev.yaml.bak.1
Pulumi.yaml
$ pulumi stack migrate file://$HOME/old dev --yes 2>&1 | sed "s/$(hostname)/<host>/g"
error: target stack "dev" already exists in <host>; remove it first or pick another name with --target
# Another name: URNs follow, and the configuration of the source stays.
$ pulumi stack migrate file://$HOME/old dev --target prod --yes 2>&1 | sed "s/$(hostname)/<host>/g"
Created stack 'prod'
Migrated stack dev from <host> to <host>.
Source stack state on <host> is untouched.
$ pulumi stack export -s prod | grep -o '"urn": ".*::made"'; pulumi config get word -s prod; pulumi stack output o --show-secrets -s prod
"urn": "urn:pulumi:prod::proj::random:index/randomPet:RandomPet::made"
open-sesame
hush
$ pulumi preview -s prod --expect-no-changes >/dev/null
# Nothing is made where the passphrase is wrong, or the configuration cannot be written.
$ PULUMI_CONFIG_PASSPHRASE=wrong pulumi stack migrate file://$HOME/old dev --target third --yes
error: reading the secrets of the source stack: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev: decrypting secret value: failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to the correct passphrase or set PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase
[1]
$ mkdir Pulumi.third.yaml; pulumi stack migrate file://$HOME/old dev --target third --yes 2>&1 | sed 's/: .*//'
error
$ pulumi stack ls --json | grep '"name"'; PULUMI_BACKEND_URL=file://$HOME/old pulumi stack ls --json | grep '"name"'
    "name": "dev",
    "name": "prod",
    "name": "dev",
# Killed between the two, the configuration is there, and the next attempt goes on with it. It is as before where the stack cannot be made.
$ rmdir Pulumi.third.yaml; (CULUMI_FAULT=checkpoint.before-create:1 pulumi stack migrate file://$HOME/old dev --target third --yes); pulumi cancel third --yes >log 2>&1; pulumi stack migrate file://$HOME/old dev --target third --yes 2>&1 | head -1; pulumi config get word -s third; pulumi stack output o --show-secrets -s third
Killed
Created stack 'third'
open-sesame
hush
$ (CULUMI_FAULT=lock.before-release:1 pulumi stack migrate file://$HOME/old dev --target fourth --yes); pulumi cancel fourth --yes >log 2>&1; pulumi config get word -s fourth; pulumi stack output o --show-secrets -s fourth
Killed
open-sesame
hush
$ echo 'config: {proj:a: b}' >Pulumi.fifth.yaml; CULUMI_FAIL=fs.create:2 pulumi stack migrate file://$HOME/old dev --target fifth --yes 2>&1 | sed 's/[.][0-9a-f]*[.]tmp/.TMP/'; cat Pulumi.fifth.yaml; CULUMI_FAIL=fs.create:2 pulumi stack migrate file://$HOME/old dev --target sixth --yes 2>log; ls Pulumi.*
error: creating target stack: cannot save the state to '<dir>/state/.pulumi/stacks/proj/fifth.json' (the former state is untouched; run the command again): create '<dir>/state/.pulumi/stacks/proj/fifth.json.TMP': Input/output error
config: {proj:a: b}
Pulumi.dev.yaml
Pulumi.dev.yaml.bak.1
Pulumi.fifth.yaml
Pulumi.fourth.yaml
Pulumi.prod.yaml
Pulumi.third.yaml
Pulumi.yaml
# With the file that both stacks have, too.
$ pulumi stack rm dev --yes --force --preserve-config; (CULUMI_FAULT=checkpoint.before-create:1 pulumi stack migrate file://$HOME/old dev --yes >log); pulumi cancel dev --yes >log 2>&1; PULUMI_BACKEND_URL=file://$HOME/old pulumi config get word -s dev; pulumi stack migrate file://$HOME/old dev --yes >log; pulumi config get word -s dev; pulumi stack output o --show-secrets -s dev
Stack 'dev' has been removed!
Killed
open-sesame
open-sesame
hush
