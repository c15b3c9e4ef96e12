# An event log can be shown again as the operation was, and filtered.
$ printf 'name: proj\nruntime: yaml\nresources:\n  pet: {type: random:RandomPet, properties: {length: 2}}\n  cmd: {type: command:local:Command, properties: {create: echo hi, update: echo bye}}\noutputs: {o: one}\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ pulumi up -f --event-log events.json --parallel 1 >first; sed -E 's/\([0-9.]+m?s\)/(t)/; s/Duration: .*/Duration: t/' first >shown; pulumi replay-events update events.json | sed -E 's/\([0-9.]+m?s\)/(t)/; s/Duration: .*/Duration: t/' >again; grep -v '^@' shown | sed 1d | diff - again
$ sed -i 's/length: 2/length: 3/; s/o: one/o: two/' Pulumi.yaml; pulumi preview --diff --event-log plan.json >first 2>&1; pulumi replay-events update plan.json -p --diff >again; sed 1d first | diff - again
$ pulumi replay-events update plan.json --preview --json | python3 -c 'import json, sys; doc = json.load(sys.stdin); print(doc["changeSummary"], [step["op"] for step in doc["steps"]])'
{'same': 2, 'replace': 1} ['same', 'replace']
$ pulumi replay-events update plan.json --json | sed -n '1s/\(.\{13\}\).*/\1/p'
{"sequence":0
$ pulumi replay-events nope plan.json
error: unknown kind of operation 'nope': it is update, refresh, destroy or import
[1]
$ pulumi replay-events update nope.json
error: reading events: open nope.json: no such file or directory
[1]
$ echo '{"resourcePreEvent":{}}' >bad.json; pulumi replay-events update bad.json
error: event 1: resourcePreEvent: there is no operation ''
[1]
$ echo '{"newKindOfEvent":{}}' >new.json; pulumi replay-events update new.json
$ pulumi replay-events update plan.json --period soon 2>&1 >/dev/null
error: --period 'soon' is no duration, such as 200ms or 1m
[1]
$ pulumi events filter <plan.json | cmp - plan.json
$ pulumi events filter --changes-only <plan.json | python3 -c '
> import json, sys
> for line in sys.stdin:
>     event = json.loads(line); kind = [k for k in event if k.endswith("Event")][0]; meta = event[kind].get("metadata")
>     if meta: print(kind, meta["op"], meta["urn"].split("::")[-1], meta["old"] and sorted(meta["old"]["inputs"]), sorted(meta["new"]["inputs"]) if meta["new"] else None)'
resourcePreEvent create-replacement pet ['length'] ['length']
resOutputsEvent create-replacement pet ['length'] ['length']
resourcePreEvent replace pet ['length'] ['length']
resOutputsEvent replace pet ['length'] ['length']
resourcePreEvent delete-replaced pet ['length'] None
resOutputsEvent delete-replaced pet ['length'] None
$ echo nonsense | pulumi events filter --changes-only
error: event 1: line 1 column 2: invalid character 'o' in a literal (expected null, true or false)
[1]
