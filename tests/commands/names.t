# Names of stacks, and stores from before there were projects.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init a/b/c/d
error: 'a/b/c/d' is not the name of a stack: it is written as stack, organization/stack or organization/project/stack
[1]
# Odd names are allowed; then they are listed, with their history.
$ pulumi stack init -- --help
Created stack '--help'
$ pulumi stack init -- -rf
Created stack '-rf'
$ pulumi stack init .hidden
Created stack '.hidden'
$ pulumi stack ls --json | grep '"name"'
    "name": "--help",
    "name": "-rf",
    "name": ".hidden",
$ pulumi up --skip-preview >up.log || cat up.log
$ pulumi stack history --json | grep '"kind"'
    "kind": "update",
$ pulumi stack rename .other
Renamed .hidden to .other
$ pulumi stack history --json | grep '"kind"'
    "kind": "update",
$ touch ../state/.pulumi/stacks/.DS_Store ../state/.pulumi/stacks/proj/.DS_Store
$ pulumi stack ls --all --json | grep '"name"'
    "name": "--help",
    "name": "-rf",
    "name": ".other",
# A store of the old layout needs no project to find a stack.
$ mkdir ../old ../elsewhere
$ cat >../old.sh <<'END'
> export PULUMI_BACKEND_URL=file://$HOME/old PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 PULUMI_DIY_BACKEND_LEGACY_LAYOUT=true
> END
$ . ../old.sh; pulumi stack init dev && pulumi up --skip-preview >up.log || cat up.log
Created stack 'dev'
$ . ../old.sh; cd ../elsewhere; pulumi stack -s dev --show-name; pulumi stack -s dev --show-urns | grep urn
dev
       URN: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
$ . ../old.sh; cd ../elsewhere; pulumi destroy -s dev --skip-preview >destroy.log || cat destroy.log
$ . ../old.sh; cd ../elsewhere; pulumi stack export -s dev | grep -c '"urn"'
0
[1]
$ . ../old.sh; cd ../elsewhere; pulumi stack rm --yes -s dev
Stack 'dev' has been removed!
$ . ../old.sh; unset PULUMI_DIY_BACKEND_LEGACY_LAYOUT; export PULUMI_SELF_MANAGED_STATE_LEGACY_LAYOUT=1; pulumi stack init two; cd ../elsewhere; pulumi stack rm --yes -s two
Created stack 'two'
Stack 'two' has been removed!
$ find ../old/.pulumi/stacks -name '*.json'
