# Creations that were interrupted and are said to have succeeded.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ cat >interrupted <<'END'
> import glob, json
> path = glob.glob("../state/.pulumi/stacks/proj/dev.json")[0]
> state = json.load(open(path))
> provider = "urn:pulumi:dev::proj::pulumi:providers:random::default"
> kind = "random:index/randomString:RandomString"
> state["checkpoint"]["latest"]["resources"] = [{"urn": provider, "custom": True, "id": "p1", "type": "pulumi:providers:random", "inputs": {}, "outputs": {}}]
> state["checkpoint"]["latest"]["pending_operations"] = [{"type": "creating", "resource": {"urn": f"urn:pulumi:dev::proj::{kind}::{name}",
>     "custom": True, "type": kind, "inputs": {"length": 6}, "provider": provider + "::p1"}} for name in "ab"]
> json.dump(state, open(path, "w"))
> END
$ python3 interrupted; at=urn:pulumi:dev::proj::random:index/randomString:RandomString:; pulumi refresh -f --import-pending-creates $at:a --import-pending-creates abcdef; pulumi stack export | grep -E '"(id|result|type)": "(abcdef|creating)"|RandomString::'
Refreshing (dev):

    pulumi:pulumi:Stack proj-dev
Resources:
    1 unchanged

Duration: <took>

                "urn": "urn:pulumi:dev::proj::random:index/randomString:RandomString::a",
                "id": "abcdef",
                    "id": "abcdef",
                    "result": "abcdef",
                    "urn": "urn:pulumi:dev::proj::random:index/randomString:RandomString::b",
                "type": "creating"
# Of a name that is none of them nothing is known, and nothing happens; a preview changes nothing.
$ python3 interrupted; pulumi refresh -f --import-pending-creates urn:pulumi:dev::proj::a:b:C::a --import-pending-creates abcdef | grep -c unchanged; pulumi stack export | grep -c '"creating"'
warning: "urn:pulumi:dev::proj::a:b:C::a" did not correspond to a pending create
0
2
$ at=urn:pulumi:dev::proj::random:index/randomString:RandomString:; pulumi refresh --preview-only --import-pending-creates $at:a --import-pending-creates abcdef >/dev/null; pulumi stack export | grep -c '"creating"'
2
$ pulumi refresh -f --import-pending-creates a --import-pending-creates ''
error: the ID of 'a' is empty
[1]
$ pulumi refresh -f --import-pending-creates a
error: each URN must be followed by an ID: found an odd number of entries
[1]
