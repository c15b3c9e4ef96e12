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
