"""logs.py — event logs for the tests of pages: one with everything that can be in a log and hostile texts, and large ones."""
import json

from states import HOSTILE, SIGNATURE, STACK, provider, urn

SECRET = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "a-secret-of-the-log"}
BEGAN = 1794000000


class Log:
    def __init__(self):
        self.lines = []

    def add(self, seconds, kind, **body):
        self.lines.append(json.dumps({"sequence": len(self.lines), "timestamp": BEGAN + seconds, kind: body}))

    def step(self, begin, end, op, type_, name, failed=False, **more):
        state = {"type": type_, "urn": urn(type_, name), "custom": True, "id": name, "parent": STACK, "inputs": {}, "outputs": {}}
        old = None if op == "create" else {**state, **more.pop("old", {})}
        new = None if op.startswith("delete") else {**state, **more.pop("new", {})}
        metadata = {"op": op, "urn": urn(type_, name), "type": type_, "old": old, "new": new, "detailedDiff": None, "logical": True,
                    "provider": provider(type_.split(":")[0]) + "::0000", **more}
        self.add(begin, "resourcePreEvent", metadata=metadata)
        if failed:
            self.add(end, "resOpFailedEvent", metadata=metadata, status=1, steps=1)
        else:
            self.add(end, "resOutputsEvent", metadata=metadata)

    def stack(self, seconds, op="update", **outputs):
        state = {"type": "pulumi:pulumi:Stack", "urn": STACK, "id": "", "parent": "", "inputs": {}, "outputs": {"url": "old"}}
        self.add(seconds, "resOutputsEvent", metadata={"op": op, "urn": STACK, "type": "pulumi:pulumi:Stack", "old": state,
                                                       "new": {**state, "outputs": outputs}, "detailedDiff": None, "provider": ""})

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def small():
    log = Log()
    log.add(0, "preludeEvent", config={"web:size": "2", "web:token": "[secret]", HOSTILE: HOSTILE})
    log.step(1, 4, "create", "aws:s3/bucket:Bucket", "bucket", new={"inputs": {"name": "b", "password": SECRET}})
    log.step(4, 9, "update", "aws:ec2/instance:Instance", "server",
             old={"inputs": {"size": 1, "tags": ["a", "b"], "policy": "{\"v\": 1}", "script": "one\ntwo\nthree", "key": SECRET}},
             new={"inputs": {"size": 2, "tags": ["b", "c"], "policy": "{\"v\": 2}", "script": "one\n2\nthree", "key": SECRET}},
             diffs=["size", "key"])
    log.step(4, 6, "replace", "aws:rds/instance:Instance", "database", old={"inputs": {"engine": "a"}}, new={"inputs": {"engine": "b"}},
             keys=["engine"], detailedDiff={"engine": {"diffKind": "update-replace", "inputDiff": True}})
    log.step(5, 7, "delete", "aws:s3/bucket:Bucket", HOSTILE, old={"inputs": {HOSTILE: HOSTILE}})
    log.step(6, 8, "create", "aws:lambda/function:Function", "broken", failed=True)
    log.step(0, 1, "same", "aws:sqs/queue:Queue", "queue")
    log.add(8, "diagnosticEvent", urn=urn("aws:lambda/function:Function", "broken"), prefix="error: ", severity="error", color="never",
            message="the function is too large " + HOSTILE + "\n")
    log.add(8, "diagnosticEvent", severity="info", color="never", message="passing by", ephemeral=True)
    log.add(8, "diagnosticEvent", prefix="warning: ", severity="warning", color="never", message="old syntax\n")
    log.add(8, "policyEvent", resourceUrn=urn("aws:s3/bucket:Bucket", "bucket"), message="buckets must be private " + HOSTILE, color="never",
            policyName="private", policyPackName="house", policyPackVersion="1.0", enforcementLevel="mandatory")
    log.add(8, "policyRemediationEvent", resourceUrn=urn("aws:s3/bucket:Bucket", "bucket"), color="raw", policyName="tagged",
            policyPackName="house", policyPackVersion="1.0", before={"tags": {}}, after={"tags": {"team": "web"}})
    log.add(8, "policyAnalyzeSummaryEvent", resourceUrn=urn("aws:s3/bucket:Bucket", "bucket"), policyPackName="house", policyPackVersion="1.0",
            passed=["named", "tagged"], failed=["private"])
    log.stack(9, url="https://example.test", password=SECRET, **{HOSTILE: {"nested": [1, None, HOSTILE]}})
    log.add(9, "somethingNewEvent", text="of a later version")
    log.add(10, "summaryEvent", maybeCorrupt=False, durationSeconds=10, resourceChanges={"create": 1, "update": 1, "replace": 1, "delete": 1, "same": 1},
            PolicyPacks={}, isPreview=False, result="failed")
    log.add(10, "cancelEvent")
    return log.text()


def large(number):
    log = Log()
    kinds = ["aws:s3/bucket:Bucket", "aws:ec2/instance:Instance", "kubernetes:apps/v1:Deployment"]
    for i in range(number - 1):
        begin = i // 10
        op = ("create", "update", "same")[i % 3]
        log.step(begin, begin + 1 + i % 7, op, kinds[i % len(kinds)], f"thing-{i}", old={"inputs": {"n": i, "t": "x" * 40}}, new={"inputs": {"n": i + 1, "t": "x" * 40}})
    log.stack(number // 10, url="https://example.test")
    log.add(number // 10 + 8, "summaryEvent", maybeCorrupt=False, durationSeconds=number // 10, resourceChanges={"create": number // 3}, PolicyPacks={}, isPreview=False)
    return log.text()
