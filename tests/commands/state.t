# The state edited by hand.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi stack import --file "$TRANSCRIPTS/rich.json"
warning: removing pending operation 'creating' on 'urn:pulumi:dev::proj::random:index/randomString:RandomString::pend' from snapshot
Import complete.
$ pulumi state delete
error: missing the URN of a resource
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state delete urn:nope
error: "urn:nope" is not a valid resource URN
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state delete urn:pulumi:dev::proj::random:index/randomString:RandomString::zz --yes
error: No such resource "urn:pulumi:dev::proj::random:index/randomString:RandomString::zz" exists in the current state
Did you mean:
  urn:pulumi:dev::proj::random:index/randomString:RandomString::a
  urn:pulumi:dev::proj::random:index/randomString:RandomString::b
  urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state delete urn:pulumi:dev::proj::random:index/randomString:RandomString::a --yes
error: urn:pulumi:dev::proj::random:index/randomString:RandomString::a can't be safely deleted because the following resources depend on it:
 * "b"             (urn:pulumi:dev::proj::random:index/randomString:RandomString::b)
 * "dw"            (urn:pulumi:dev::proj::random:index/randomString:RandomString::dw)

Delete those resources first or pass --target-dependents.
[1]
$ pulumi state delete 'urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1' --yes
error: urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1 can't be safely deleted because it is protected. Re-run this command with --force to force deletion
[1]
$ pulumi state delete 'urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1' --yes --force
warning: deleting protected resource urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1 due to presence of --force
error: urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1 can't be safely deleted because the following resources depend on it:
 * "c2"            (urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c2)

Delete those resources first or pass --target-dependents.
[1]
$ pulumi state delete 'urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1' --yes --force --target-dependents
warning: deleting protected resource urn:pulumi:dev::proj::my:mod:Comp$random:index/randomString:RandomString::c1 due to presence of --force
Resource deleted
$ pulumi state protect urn:pulumi:dev::proj::random:index/randomString:RandomString::a
1 resources protected
$ pulumi state protect urn:pulumi:dev::proj::random:index/randomString:RandomString::a --yes
1 resources protected
$ pulumi state protect urn:pulumi:dev::proj::random:index/randomString:RandomString::y urn:pulumi:dev::proj::random:index/randomString:RandomString::zz --yes
error: No such resource "urn:pulumi:dev::proj::random:index/randomString:RandomString::y" exists in the current state
Did you mean:
  urn:pulumi:dev::proj::random:index/randomString:RandomString::a
  urn:pulumi:dev::proj::random:index/randomString:RandomString::b
  urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
No such resource "urn:pulumi:dev::proj::random:index/randomString:RandomString::zz" exists in the current state
Did you mean:
  urn:pulumi:dev::proj::random:index/randomString:RandomString::a
  urn:pulumi:dev::proj::random:index/randomString:RandomString::b
  urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state delete urn:pulumi:dev::proj::random:index/randomString:RandomString::a --yes --target-dependents
error: urn:pulumi:dev::proj::random:index/randomString:RandomString::a can't be safely deleted because it is protected. Re-run this command with --force to force deletion
[1]
$ pulumi state unprotect urn:pulumi:dev::proj::random:index/randomString:RandomString::a --yes
1 resources unprotected
$ pulumi state protect --all --yes
All resources protected
$ pulumi state unprotect --all --yes
All resources unprotected
$ pulumi state taint urn:pulumi:dev::proj::random:index/randomString:RandomString::a --yes
1 resources tainted
$ pulumi stack export | grep -c '"taint": true'
1
$ pulumi state untaint --all --yes
All resources untainted
$ pulumi stack export | grep -c '"taint": true'
0
[1]
$ pulumi state rename urn:pulumi:dev::proj::random:index/randomString:RandomString::a b --yes
error: The chosen new urn for the state corresponds to an already existing resource
[1]
$ pulumi state rename urn:pulumi:dev::proj::random:index/randomString:RandomString::a q --yes
Resource renamed
$ pulumi state rename urn:pulumi:dev::proj::random:index/randomString:RandomString::zz b --yes
error: No such resource "urn:pulumi:dev::proj::random:index/randomString:RandomString::zz" exists in the current state
Did you mean:
  urn:pulumi:dev::proj::random:index/randomString:RandomString::q
  urn:pulumi:dev::proj::random:index/randomString:RandomString::b
  urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
To list the resource URNs in the stack, run `pulumi stack --show-urns`; to inspect the full state, run `pulumi stack export`.
[1]
$ pulumi state rename urn:pulumi:dev::proj::pulumi:providers:random::default p2 --yes
Resource renamed
$ pulumi stack --show-urns | grep URN:
    │  URN: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::q
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::b
    │     URN: urn:pulumi:dev::proj::my:mod:Comp::comp
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::ext
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::old
          URN: urn:pulumi:dev::proj::pulumi:providers:random::p2
$ pulumi state delete urn:pulumi:dev::proj::pulumi:providers:random::p2 --yes
error: urn:pulumi:dev::proj::pulumi:providers:random::p2 can't be safely deleted because the following resources depend on it:
 * "q"             (urn:pulumi:dev::proj::random:index/randomString:RandomString::q)
 * "b"             (urn:pulumi:dev::proj::random:index/randomString:RandomString::b)
 * "dw"            (urn:pulumi:dev::proj::random:index/randomString:RandomString::dw)
 * "ext"           (urn:pulumi:dev::proj::random:index/randomString:RandomString::ext)
 * "old"           (urn:pulumi:dev::proj::random:index/randomString:RandomString::old)

Delete those resources first or pass --target-dependents.
[1]
$ pulumi state delete urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev --yes
error: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev can't be safely deleted because the following resources depend on it:
 * "q"             (urn:pulumi:dev::proj::random:index/randomString:RandomString::q)
 * "b"             (urn:pulumi:dev::proj::random:index/randomString:RandomString::b)
 * "comp"          (urn:pulumi:dev::proj::my:mod:Comp::comp)
 * "dw"            (urn:pulumi:dev::proj::random:index/randomString:RandomString::dw)
 * "ext"           (urn:pulumi:dev::proj::random:index/randomString:RandomString::ext)
 * "old"           (urn:pulumi:dev::proj::random:index/randomString:RandomString::old)

Delete those resources first or pass --target-dependents.
[1]
$ pulumi state delete urn:pulumi:dev::proj::my:mod:Comp::comp --yes
Resource deleted
$ pulumi state repair --yes
The snapshot is already valid; skipping repair
$ pulumi stack init dest --no-select
Created stack 'dest'
$ pulumi state move x
error: at least one of --source or --dest must be provided
[1]
$ pulumi state move --dest dest urn:pulumi:dev::proj::random:index/randomString:RandomString::q
Planning to move the following resources from organization/proj/dev to organization/proj/dest:

  - urn:pulumi:dev::proj::random:index/randomString:RandomString::q

The following resources remaining in organization/proj/dev have dependencies on resources moved to organization/proj/dest:

  - urn:pulumi:dev::proj::random:index/randomString:RandomString::b has a dependency on urn:pulumi:dev::proj::random:index/randomString:RandomString::q
  - urn:pulumi:dev::proj::random:index/randomString:RandomString::b (length) has a property dependency on urn:pulumi:dev::proj::random:index/randomString:RandomString::q
  - urn:pulumi:dev::proj::random:index/randomString:RandomString::dw is marked as deleted with urn:pulumi:dev::proj::random:index/randomString:RandomString::q

If you go ahead with moving these dependencies, it will be necessary to create the appropriate inputs and outputs in the program for the stack the resources are moved to.

Successfully moved resources from organization/proj/dev to organization/proj/dest
$ pulumi state move --dest nope urn:pulumi:dev::proj::random:index/randomString:RandomString::ext --yes
error: no stack named 'nope' found
[6]
$ pulumi state move --dest dest urn:pulumi:dev::proj::random:index/randomString:RandomString::nope --yes
warning: Resource urn:pulumi:dev::proj::random:index/randomString:RandomString::nope not found in source stack
error: no resources found to move
To list the resource URNs in the stack, run `pulumi stack --show-urns --stack organization/proj/dev`
[1]
$ pulumi stack -s dest --show-urns | grep URN:
    │  URN: urn:pulumi:dest::proj::pulumi:pulumi:Stack::proj-dest
    │     URN: urn:pulumi:dest::proj::pulumi:providers:random::p2
          URN: urn:pulumi:dest::proj::random:index/randomString:RandomString::q
$ pulumi stack --show-urns | grep URN:
    │  URN: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::b
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::ext
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::old
          URN: urn:pulumi:dev::proj::pulumi:providers:random::p2
# On a terminal a resource that is not named is chosen from a menu, by arrows or by typing.
$ printf '::dw\r' | script -qec "pulumi state protect --yes" /dev/null | tail -n 1
1 resources protected
$ pulumi stack export | grep -B 14 '"protect": true' | grep '"urn"'
                "urn": "urn:pulumi:dev::proj::random:index/randomString:RandomString::dw",
$ printf 'provid\rp3\r' | script -qec "pulumi state rename --yes" /dev/null | tail -n 1
The new name: Resource renamed
$ printf '\033[A\033[A\r\033[A\r' | script -qec "pulumi state unprotect" /dev/null | tail -n 1
1 resources unprotected
$ pulumi stack --show-urns | grep URN:
    │  URN: urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::b
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::dw
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::ext
    │     URN: urn:pulumi:dev::proj::random:index/randomString:RandomString::old
          URN: urn:pulumi:dev::proj::pulumi:providers:random::p3
# A store from before there were projects: refused, upgraded, used.
$ pulumi state upgrade --yes
Upgraded 0 stack(s) to project mode
$ pulumi stack export >dev.json
# There is no way back, so without a terminal, too, somebody has to say so.
$ pulumi state upgrade </dev/null; echo no | pulumi state upgrade; echo yes | pulumi state upgrade
This will move the stacks of this backend to the present layout, which older versions cannot read.
Please confirm that this is what you'd like to do by typing `yes`: Upgrade cancelled
This will move the stacks of this backend to the present layout, which older versions cannot read.
Please confirm that this is what you'd like to do by typing `yes`: Upgrade cancelled
This will move the stacks of this backend to the present layout, which older versions cannot read.
Please confirm that this is what you'd like to do by typing `yes`: Upgraded 0 stack(s) to project mode
$ mkdir -p ../old/.pulumi/stacks && export PULUMI_BACKEND_URL=file://$HOME/old
> python3 - dev.json >../old/.pulumi/stacks/dev.json <<END
> import json, sys
> state = json.load(open(sys.argv[1]))
> print(json.dumps({"version": 3, "checkpoint": {"stack": "dev", "latest": state["deployment"]}}))
> END
> pulumi stack ls; pulumi state upgrade --yes; pulumi stack ls --all | tr -s ' '; ls ../old/.pulumi/stacks
error: the state in '<dir>/old' has the old layout without projects: run `pulumi state upgrade`, or set PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 to use it as it is
Upgraded 1 stack(s) to project mode
NAME LAST UPDATE RESOURCE COUNT
dev <ago> 6
dev.json.bak
proj
