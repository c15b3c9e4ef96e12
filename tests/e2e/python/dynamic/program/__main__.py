"""Custom resources whose provider is in the program, with configuration, secrets, a component and a reference to the own stack."""
import sys

import pulumi
from pulumi.dynamic import CheckFailure, CheckResult, CreateResult, DiffResult, ReadResult, Resource, ResourceProvider, UpdateResult

config = pulumi.Config()
size = config.require_int("size")


class DiskProvider(ResourceProvider):
    def configure(self, request):
        print("the provider knows the size " + request.config.require("size"))

    def check(self, olds, news):
        failures = [CheckFailure("size", "is negative")] if news["size"] < 0 else []
        return CheckResult(news, failures)

    def create(self, props):
        return CreateResult("disk-" + props["label"], {**props, "bytes": props["size"] * 1024})

    def diff(self, id, olds, news):
        is_replaced = olds["label"] != news["label"]
        return DiffResult(changes=is_replaced or olds["size"] != news["size"], replaces=["label"] if is_replaced else [])

    def update(self, id, olds, news):
        return UpdateResult({**news, "bytes": news["size"] * 1024})

    def read(self, id, props):
        return ReadResult(id, props)


class Disk(Resource):
    bytes: pulumi.Output[int]
    note: pulumi.Output[str]

    def __init__(self, name, label, note=None, opts=None):
        super().__init__(DiskProvider(), name, {"label": label, "size": size, "note": note, "bytes": None}, opts)


class Rack(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("e2e:index:Rack", name, {}, opts)
        self.disk = Disk(name + "-disk", "inner", opts=pulumi.ResourceOptions(parent=self))
        self.register_outputs({"bytes": self.disk.bytes})


print(f"the size is {size}")
print("this goes to stderr", file=sys.stderr)
pulumi.log.warn("a warning for the user")

rack = Rack("rack")
disk = Disk("disk", config.get("label") or "outer", config.require_secret("note"), pulumi.ResourceOptions(depends_on=[rack]))
own = pulumi.StackReference(f"organization/dynamic/{pulumi.get_stack()}")

pulumi.export("bytes", pulumi.Output.all(rack.disk.bytes, disk.bytes).apply(sum))
pulumi.export("note", disk.note)
pulumi.export("id", disk.id)
pulumi.export("before", own.get_output("bytes"))
