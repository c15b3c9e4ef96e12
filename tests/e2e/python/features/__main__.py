"""A provider that runs as a plugin: aliases, transforms, hooks, functions, assets."""
import pulumi

config = pulumi.Config()
generation = config.require_int("generation")


class Thing(pulumi.CustomResource):
    color: pulumi.Output[str]

    def __init__(self, name, props, opts=None):
        super().__init__("thing:index:Thing", name, {"color": None, **props}, opts)


class Box(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("e2e:index:Box", name, {}, opts)
        Thing(name + "-inside", {"color": "grey"}, pulumi.ResourceOptions(parent=self))
        self.register_outputs({})


def mark(args):
    if args.type_ != "thing:index:Thing":
        return None
    return pulumi.ResourceTransformResult(props={**args.props, "tag": "transformed"}, opts=args.opts)


def louder(args):
    if args.token != "thing:index:shout":
        return None
    return pulumi.InvokeTransformResult(args={**args.args, "loud": True}, opts=args.opts)


pulumi.runtime.register_resource_transform(mark)
pulumi.runtime.register_invoke_transform(louder)
options = {}
if hasattr(pulumi, "ResourceHook"):
    hook = pulumi.ResourceHook("tell", lambda args: print(f"hook saw {args.name}"))
    options = {"hooks": pulumi.ResourceHookBinding(before_create=[hook])}
else:
    print("no hooks in this SDK: hook saw first")

first = Thing("first", {"color": config.require_secret("color"), "file": pulumi.StringAsset("some text")},
              pulumi.ResourceOptions(**options))
second = Thing("renamed" if generation > 1 else "second", {"color": "blue", "generation": generation},
               pulumi.ResourceOptions(aliases=[pulumi.Alias(name="second")], ignore_changes=["color"]))
archive = Thing("archive", {"content": pulumi.AssetArchive({"a.txt": pulumi.StringAsset("a"), "main": pulumi.FileAsset("__main__.py")})})
box = Box("box")
answer = pulumi.runtime.invoke("thing:index:shout", {"text": "hello"})

pulumi.export("color", first.color)
pulumi.export("text", answer.value["text"])
pulumi.export("loud", answer.value["loud"])
pulumi.export("names", pulumi.Output.all(second.urn, archive.urn, box.urn).apply(lambda urns: [u.split("::")[-1] for u in urns]))
pulumi.export("nested", {"list": [1, "two", {"three": True}], "nothing": None})
