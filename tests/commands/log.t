# With -v a run leaves a log, and says where.
$ printf 'name: proj\nruntime: yaml\nconfig:\n  word:\n    type: string\nresources:\n  made:\n    type: random:RandomPassword\n    properties: {length: 30}\n  said:\n    type: command:local:Command\n    properties: {create: "echo ${word}"}\noutputs:\n  o:\n    fn::secret: hush-hush\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi config set --secret word open-sesame
$ TMPDIR=$HOME pulumi -v 9 up --skip-preview 2>err >out; grep -c '^The log file for this run is at '"$HOME"'/pulumi\.' err
1
# It shows calls in and out, plugins, steps, the lock and the journal.
$ log=$(sed 's/^The log file for this run is at //' err); cp "$log" log; stat -c %a "$log"; for what in 'command: up' 'lock: took' 'plugin: start yaml' 'plugin: started yaml in ' 'begin: /pulumirpc.LanguageRuntime/Run plugin=yaml' 'begin: create urn=.*proj-dev' 'called: /pulumirpc.ResourceMonitor/RegisterResource' 'journal: synced [0-9]* records, [0-9]* bytes in ' 'end: create urn=.*proj-dev in ' 'answered: /pulumirpc.ResourceMonitor/RegisterResource in .* ms: OK, [0-9]* bytes received, [0-9]* bytes sent' 'end: /pulumirpc.LanguageRuntime/Run plugin=yaml in .* ms: OK, ' 'plan: create urn.*::made: the state does not have it' 'plugin: ended yaml' 'journal: folded' 'lock: released' 'command: done'; do grep -q "$what" log || echo "missing: $what"; done
600
# Nothing secret is in it: no output, configuration, input, made value or passphrase.
$ made=$(pulumi stack export --show-secrets | sed -n 's/.*"result": *{.*//p; s/.*"plaintext": *"\(.*\)".*/\1/p' | tr -d '\\"'); printf '%s\n' "$made" hush-hush open-sesame "$PULUMI_CONFIG_PASSPHRASE" | grep -v '^$' >secrets; test $(wc -l <secrets) -ge 4 && ! grep -Ff secrets log
# A failed step is named, not what its provider said.
$ sed -i 's/echo/false/' Pulumi.yaml; TMPDIR=$HOME pulumi -v 9 up --skip-preview --logtostderr 2>log >out; grep -q 'update urn=.*Command::said in .*, failed' log && ! grep -Ff secrets log
# --logflow passes the options on to plugins: the host logs to the same place, or to a file of its own.
$ sed -i 's/false/echo/' Pulumi.yaml; mkdir logs; for flags in '' --logflow '--logflow --logtostderr'; do TMPDIR=$PWD/logs pulumi -v 9 $flags up --skip-preview 2>&1 | grep -q ' called: /pulumirpc.LanguageRuntime/Run$' && echo on stderr; LC_ALL=C ls logs | sed 's/\..*//' | sort; rm -f logs/*; done
pulumi
pulumi
pulumi-language-yaml
on stderr
# Each decision of planning is there, with the rule behind it.
$ sed -i 's/length: 30/length: 31/; s/^  said:/  told:/' Pulumi.yaml; pulumi -v 1 --logtostderr up --skip-preview 2>&1 >out | sed -n 's/.* plan: \(.*\) urn:.*::\(.*\)/\1 \2/p' | LC_ALL=C sort
create told: the state does not have it
delete made: another has replaced it
delete said: the program did not register it
replace made: the new one is created first
same default: nothing differs
same default: nothing differs
same proj-dev: nothing differs
# Where no file can be made, it says so.
$ TMPDIR=/nowhere/at-all pulumi -v 3 stack --show-name; TMPDIR=/nowhere/at-all pulumi stack --show-name
warning: -v has no effect: its log file cannot be created; TMPDIR names the folder, --logtostderr needs none
dev
dev
# Nothing is written without -v.
$ ! pulumi --logtostderr --logflow up --skip-preview 2>&1 | grep 'called:'
