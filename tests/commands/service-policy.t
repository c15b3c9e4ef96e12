# Policy packs that the organization requires: downloaded once, kept, configured, obeyed; against the service of tests/service. The pack is in
# Python; the python that runs it is a stand-in that makes virtual environments of itself and starts a scripted pack.
$ $TRANSCRIPTS/../service/serve; mkdir -p ../tools ../pack/package; ln -s $SCRIPTED ../tools/pulumi-analyzer-rules
$ cat >../tools/python3 <<'END'
> #!/bin/sh
> case "$*" in
> "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
> *" pip "*) echo "pip says something"; echo "$(basename "$(dirname "$(dirname "$0")")") $*" >>"$HOME/pip"; [ ! -e "$HOME/pip-fails" ] ;;
> *pulumi.policy*) echo "$FROM_ESC, $(cat "$ESC_FILE" 2>&1)" >"$HOME/pack-variables"; exec "$HOME/tools/pulumi-analyzer-rules" ;;
> esac
> END
$ printf '#!/bin/sh\nPATH=$HOME/tools:$PATH exec cloud "$@" --yes --skip-preview --suppress-progress\n' >../bin/run; chmod +x ../bin/run ../tools/python3
$ printf 'name: proj\nruntime: yaml\nresources:\n  a:\n    type: random:RandomPet\n' >Pulumi.yaml
$ printf 'name: rules\nruntime: python # as published\nversion: 1.0.0\n' >../pack/package/PulumiPolicy.yaml; echo x >../pack/package/requirements.txt
$ tar -C ../pack -czf ../pack.tgz package
$ PULUMI_ACCESS_TOKEN=good cloud login >/dev/null 2>&1; cloud stack init dev
Created stack 'dev'
$ cat >../rules.py <<'END'
> import json, os, sys
> policies = [{"name": "no-pets", "enforcement_level": "ADVISORY", "config_schema": {"properties": {"most": {"type": "number", "default": 3}}}}]
> said = {"policy_name": "no-pets", "policy_pack_name": "rules", "policy_pack_version": "1.0.0", "message": "pets are loud", "enforcement_level": sys.argv[1]}
> rules = [{"on": "GetAnalyzerInfo", "respond": {"supports_config": True, "policies": policies}}, {"on": "Analyze", "name": "a", "respond": {"diagnostics": [said]}}]
> json.dump(rules, open(os.environ["HOME"] + "/run/rules.json", "w"))
> END
$ cat >../require.py <<'END'
> import json, os, sys
> home = os.environ["HOME"]
> url = open(home + "/url").read().strip()
> policy = {"name": "rules", "version": 1, "versionTag": "1.0.0", "displayName": "Rules", "packLocation": url + "/packs/rules.tgz?signature=permission"}
> print(json.dumps({"packs": {"rules": home + "/pack.tgz"}, "policies": [{**policy, **json.loads(sys.argv[1])}]}))
> END
$ printf '#!/bin/sh\ncontrol set "$(python3 $HOME/require.py "$1")"\n' >../bin/require; chmod +x ../bin/require
# --- what cannot be had ---
$ require '{"packLocation": ""}'; run up
Updating (dev):
error: policy pack rules@v1.0.0: failed to download policy pack: the service does not say where it can be downloaded
[1]
$ require '{"name": "other", "packLocation": "'$(cat ../url)'/packs/other.tgz?signature=permission"}'; run up
Updating (dev):
error: policy pack other@v1.0.0: failed to download policy pack: 404 HTTP error fetching policy pack from http://127.0.0.1:<port>/packs/other.tgz
[1]
# A slash in a name is no way out of the folder.
$ require '{"name": "../../other"}'; run up >/dev/null 2>&1; ls ../home/policies/acme | grep -v lock; run destroy >/dev/null 2>&1
pulumi-analyzer-.._.._other-v1.0.0
$ require '{"versionTag": "1/../2"}'; run up
Updating (dev):
error: the policy pack 'rules' in version '1/../2' has a name that no folder can have
[1]
$ echo '{}' >../run/program.json; python3 ../rules.py ADVISORY; touch ../pip-fails; require '{}'; run up; rm ../pip-fails; find ../home/policies -name '*rules*' ! -name '*.lock'
Updating (dev):
Downloading policy pack rules@v1.0.0: starting
Downloading policy pack rules@v1.0.0: done
Installing policy pack rules@v1.0.0: starting
Installing policy pack rules@v1.0.0: done
Installing policy pack rules@v1.0.0 dependencies...: starting
Installing policy pack rules@v1.0.0 dependencies...: done
error: policy pack rules@v1.0.0: failed to install policy pack: installing dependencies: updating pip, setuptools, and wheel: '<dir>/home/policies/acme/pulumi-analyzer-rules-v1.0.0/venv/bin/python -m pip install --upgrade pip setuptools wheel' failed with exit code 1

Installing dependencies...

Creating virtual environment...
Finished creating virtual environment
Updating pip, setuptools, and wheel in virtual environment...
pip says something
$ cp ../pack.tgz ../good.tgz; mv ../pack/package ../pack/other; tar -C ../pack -czf ../pack.tgz other; run up; mv ../pack/other ../pack/package; cp ../good.tgz ../pack.tgz
Updating (dev):
Downloading policy pack rules@v1.0.0: starting
Downloading policy pack rules@v1.0.0: done
Installing policy pack rules@v1.0.0: starting
Installing policy pack rules@v1.0.0: done
error: policy pack rules@v1.0.0: failed to install policy pack: its archive has no folder 'package'
$ cloud stack export | grep -c RandomPet
0
[1]
# --- an advice ---
$ control clear; require '{"config": {"no-pets": {"enforcementLevel": "advisory", "most": 5}, "all": null}}'; run up 2>&1 | still
Updating (dev):
Downloading policy pack rules@v1.0.0: starting
Downloading policy pack rules@v1.0.0: done
Installing policy pack rules@v1.0.0: starting
Installing policy pack rules@v1.0.0: done
Installing policy pack rules@v1.0.0 dependencies...: starting
Installing policy pack rules@v1.0.0 dependencies...: done
Loading policy packs...: starting
Loading policy packs...: done

 +  random:index:RandomPet a created
 +  pulumi:pulumi:Stack proj-dev created
Policies:
    ⚠️ rules@v1.0.0
        - [advisory]  no-pets  (random:index/randomPet:RandomPet: a)
          pets are loud

Resources:
    + 2 created

Duration

$ cat ../pip; cat ../home/policies/acme/pulumi-analyzer-rules-v1.0.0/PulumiPolicy.yaml
venv -m pip install --upgrade pip setuptools wheel
venv -m pip install -r requirements.txt
venv -m pip install --upgrade pip setuptools wheel
venv -m pip install --upgrade pip setuptools wheel
venv -m pip install -r requirements.txt
name: rules
runtime: # as published
  name: python
  options:
    virtualenv: venv
version: 1.0.0
$ control log | grep packs; control complaints
GET /packs/rules.tgz 200
# It is kept: another operation does not fetch it.
$ control clear; run destroy >/dev/null 2>&1; run up >/dev/null 2>&1; control log | grep -c packs
0
[1]
# --- a prohibition ---
$ run destroy >/dev/null 2>&1; python3 ../rules.py MANDATORY; require '{"version": 2, "versionTag": ""}'; run up 2>&1 | still; cloud stack export | grep -c RandomPet
Updating (dev):
Downloading policy pack rules@v2: starting
Downloading policy pack rules@v2: done
Installing policy pack rules@v2: starting
Installing policy pack rules@v2: done
Installing policy pack rules@v2 dependencies...: starting
Installing policy pack rules@v2 dependencies...: done
Loading policy packs...: starting
Loading policy packs...: done

 +  pulumi:pulumi:Stack proj-dev created
Policies:
    ❌ rules@v2
        - [mandatory]  no-pets  (random:index/randomPet:RandomPet: a)
          pets are loud

0
[1]
$ ls ../home/policies/acme | grep -v lock
pulumi-analyzer-.._.._other-v1.0.0
pulumi-analyzer-rules-v1.0.0
pulumi-analyzer-rules-v2
# A preview tells, and so does the summary in the events of the service.
$ PATH=$HOME/tools:$PATH cloud preview --suppress-progress 2>&1 | still
Previewing update (dev):
Loading policy packs...: starting
Loading policy packs...: done

 +  random:index:RandomPet a create
    pulumi:pulumi:Stack proj-dev 1 error
Policies:
    ❌ rules@v2
        - [mandatory]  no-pets  (random:index/randomPet:RandomPet: a)
          pets are loud

Diagnostics:
  pulumi:pulumi:Stack (proj-dev):
    error: preview failed

# --- environments of a pack ---
$ python3 ../rules.py ADVISORY; require '{"environments": ["shared/pack"], "config": {"no-pets": {"most": 7}}}'; run up >/dev/null 2>&1; cat ../pack-variables; grep -o "policy_config.*" ../run/trace.jsonl | tail -n 1
variable, in a file
policy_config":{"no-pets":{"properties":{"most":7,"unit":"kg"}}}},"rpc":"Configure"}
# Their secrets are neither shown nor in a report, when a pack tells them.
$ sed -i 's/pets are loud/pets are loud, said the hidden one/' ../rules.py; python3 ../rules.py ADVISORY; run up --report ../page.html 2>&1 | grep loud; grep -o "pets are loud, said [^<\"\\]*" ../page.html | sort -u
          pets are loud, said the [secret] one
pets are loud, said the [secret] one
$ control complaints; control stop
