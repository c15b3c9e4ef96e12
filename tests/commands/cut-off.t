# Commands that change more than one file, killed in between: the next attempt ends what was begun, and nothing is left over.
$ printf 'name: proj\nruntime: yaml\nresources:\n  a: {type: "random:RandomString", properties: {length: 4}}\n  b: {type: "random:RandomPassword", properties: {length: 4}}\n' >Pulumi.yaml
$ pulumi stack init dev; pulumi config set --secret s hush; pulumi up -yf >log || cat log; pulumi stack tag set colour blue
Created stack 'dev'
# A name that was never made can be unlocked, and made.
$ (CULUMI_FAULT=checkpoint.before-create:1 pulumi stack init new); pulumi stack init new 2>&1 | head -1; pulumi cancel new --yes 2>&1 | tail -1; pulumi cancel nope; pulumi stack init new --no-select; ls ../state/.pulumi/stacks/proj | grep tmp
Killed
error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.
The currently running update for 'new' has been canceled!
error: no stack named 'nope' found
Created stack 'new'
[1]
# Its configuration is there before the stack is, also what was copied.
$ (CULUMI_FAULT=checkpoint.before-create:1 pulumi stack init copy --copy-config-from dev --no-select); pulumi cancel copy --yes >log 2>&1; pulumi stack init copy --no-select; pulumi config get s -s copy; pulumi stack rm copy --yes; pulumi stack select dev
Killed
Created stack 'copy'
hush
Stack 'copy' has been removed!
$ (CULUMI_FAULT=lock.before-release:1 pulumi stack init copy --copy-config-from dev --no-select); pulumi cancel copy --yes >log 2>&1; pulumi config get s -s copy; pulumi stack rm copy --yes; pulumi stack select dev
Killed
hush
Stack 'copy' has been removed!
$ echo 'config: {proj:a: b}' >Pulumi.copy.yaml; CULUMI_FAIL=fs.create:2 pulumi stack init copy --copy-config-from dev 2>&1 | sed 's/[.][0-9a-f]*[.]tmp/.TMP/'; cat Pulumi.copy.yaml; rm Pulumi.copy.yaml; CULUMI_FAIL=fs.create:2 pulumi stack init copy 2>log; ls Pulumi.*
error: cannot save the state to '<dir>/state/.pulumi/stacks/proj/copy.json' (the former state is untouched; run the command again): create '<dir>/state/.pulumi/stacks/proj/copy.json.TMP': Input/output error
config: {proj:a: b}
Pulumi.dev.yaml
Pulumi.new.yaml
Pulumi.yaml
# Rename: when the new state is there, when the old one is gone, and with a name that another stack has.
$ (CULUMI_FAULT=stack.move-begun:1 pulumi stack rename two); pulumi stack ls -Q | cut -d' ' -f1; pulumi config get s -s two; pulumi config get s -s dev
Killed
NAME
organization/proj/dev*
organization/proj/new
organization/proj/two
hush
hush
$ pulumi cancel dev --yes 2>&1 | tail -1; pulumi cancel two --yes 2>&1 | tail -1; pulumi stack rename -s dev two; pulumi stack ls -Q | cut -d' ' -f1; ls Pulumi.*; pulumi stack tag get colour; pulumi stack history | grep -c Status; pulumi config get s
The currently running update for 'dev' has been canceled!
The currently running update for 'two' has been canceled!
Renamed dev to two
NAME
organization/proj/new
organization/proj/two*
Pulumi.new.yaml
Pulumi.two.yaml
Pulumi.yaml
blue
1
hush
$ (CULUMI_FAULT=rename.before-config:1 pulumi stack rename dev); pulumi cancel dev --yes >log 2>&1; pulumi cancel two --yes >>log 2>&1; pulumi stack ls -Q | cut -d' ' -f1; pulumi config get s -s dev; rm Pulumi.two.yaml; pulumi stack select dev
Killed
NAME
organization/proj/dev
organization/proj/new
hush
$ pulumi config set x new -s new; pulumi stack rename new; pulumi stack rename dev; pulumi config get x -s new; pulumi config get s; ls Pulumi.*
error: a stack named 'new' already exists
error: a stack named 'dev' already exists
new
hush
Pulumi.dev.yaml
Pulumi.new.yaml
Pulumi.yaml
# A name that fails leaves no file behind.
$ CULUMI_FAIL=fs.create:1 pulumi stack rename three 2>&1 | sed 's/[.][0-9a-f]*[.]tmp/.TMP/'; ls Pulumi.*; pulumi stack ls -Q | cut -d' ' -f1
error: cannot save the state to '<dir>/state/.pulumi/stacks/proj/three.json' (the former state is untouched; run the command again): create '<dir>/state/.pulumi/stacks/proj/three.json.TMP': Input/output error
Pulumi.dev.yaml
Pulumi.new.yaml
Pulumi.yaml
NAME
organization/proj/dev*
organization/proj/new
# Another key: the state has it, the configuration not yet. The same passphrases again put that right.
$ (echo pw2 | CULUMI_FAULT=secrets.between:1 pulumi stack change-secrets-provider passphrase); pulumi config get s; pulumi stack export --show-secrets
Migrating old configuration and state to new secrets provider
Killed
hush
error: urn:pulumi:dev::proj::random:index/randomPassword:RandomPassword::b: decrypting secret value: failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to the correct passphrase or set PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase
[1]
$ echo pw2 | pulumi stack change-secrets-provider passphrase; export PULUMI_CONFIG_PASSPHRASE=pw2; pulumi config get s; pulumi stack export --show-secrets | grep -c plaintext; echo pw | pulumi stack change-secrets-provider passphrase
Migrating old configuration and state to new secrets provider
hush
2
Migrating old configuration and state to new secrets provider
# Resources that two stacks know: moved again, they leave the first. Another one of the same name is refused.
$ ab=$(pulumi stack --show-urns | sed -n 's/.*URN: \(.*::[ab]\)$/\1/p'); echo "$ab" | sed 's/.*:://'; (CULUMI_FAULT=move.between:1 pulumi state move --yes --source dev --dest new $ab >log); pulumi cancel dev --yes >>log 2>&1; pulumi cancel new --yes >>log 2>&1; pulumi stack -s new --show-name; pulumi state move --yes --source dev --dest new $ab | tail -1; pulumi stack export -s dev | grep -c '"id"'; pulumi stack export -s new --show-secrets | grep -c '"plaintext"'
a
b
Killed
new
Successfully moved resources from organization/proj/dev to organization/proj/new
1
2
# Temporary files of a killed command go with the next one.
$ urn=$(pulumi stack --show-urns -s new | sed -n 's/.*URN: \(.*::a\)$/\1/p'); (CULUMI_FAULT=checkpoint.backed-up:1 pulumi state protect --yes -s new $urn); ls ../state/.pulumi/stacks/proj | grep -c tmp; pulumi cancel new --yes >log 2>&1; pulumi state protect --yes -s new $urn; ls ../state/.pulumi/stacks/proj | grep -c tmp
Killed
1
1 resources protected
0
[1]
# A removal that fails half-way can be repeated.
$ CULUMI_FAIL=fs.remove:3 pulumi stack rm dev --yes --force 2>&1 | sed 's/: remove .*: In/: In/'; pulumi stack rm dev --yes --force; ls ../state/.pulumi/stacks/proj ../state/.pulumi/history/proj
error: Input/output error
Stack 'dev' has been removed!
../state/.pulumi/history/proj:

../state/.pulumi/stacks/proj:
copy.json.bak
dev.json.bak
new.json
new.json.bak
two.json.bak
# So can the move to the present layout, which says that it has not come to its end.
$ cd ../state/.pulumi; mv stacks/proj/new.json stacks; rm meta.yaml; CULUMI_FAIL=fs.rename:2 pulumi state upgrade --yes; ls stacks stacks/proj | grep new.json$; pulumi state upgrade --yes; mv stacks/proj/new.json stacks; (CULUMI_FAULT=stack.move-begun:1 pulumi state upgrade --yes); pulumi state upgrade --yes; find locks -type f; pulumi stack ls --all -Q | cut -d' ' -f1; ls stacks
warning: Skipping stack "new": rename '<dir>/state/.pulumi/stacks/new.json' to '<dir>/state/.pulumi/stacks/new.json.bak': Input/output error
Upgraded 0 stack(s) to project mode
error: 1 stack(s) could not be upgraded; run `pulumi state upgrade` again when the cause is gone
new.json
new.json
Upgraded 1 stack(s) to project mode
Killed
Upgraded 1 stack(s) to project mode
NAME
organization/proj/new
new.json.bak
proj
# A lock of the old layout whose owner nobody knows, as after a power cut.
$ cd ../state/.pulumi; mv stacks/proj/new.json stacks; mkdir -p locks/new; >locks/new/x.json; pulumi state upgrade --yes 2>&1 | sed '/^ /d'; cd ../../project; pulumi cancel new --yes; pulumi state upgrade --yes; pulumi stack ls -Q | cut -d' ' -f1
warning: Skipping stack "new": the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.
Upgraded 0 stack(s) to project mode
error: 1 stack(s) could not be upgraded; run `pulumi state upgrade` again when the cause is gone
info: removed the lock of somebody unknown
The currently running update for 'new' has been canceled!
Upgraded 1 stack(s) to project mode
NAME
organization/proj/new
