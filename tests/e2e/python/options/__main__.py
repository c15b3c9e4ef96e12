"""What can be said about a resource beside its properties; the second generation changes most of it."""
import pulumi
from pulumi import Alias, ResourceOptions

generation = pulumi.Config().require_int("generation")


class Thing(pulumi.CustomResource):
    color: pulumi.Output[str]
    out: pulumi.Output[str]

    @staticmethod
    def get(name, id):
        return Thing(name, {}, ResourceOptions(id=id))

    def __init__(self, name, props, opts=None, kind="thing:index:Thing"):
        super().__init__(kind, name, {"color": None, "out": None, **props}, opts)


class Shelf(pulumi.ComponentResource):
    def __init__(self, name, opts=None):
        super().__init__("e2e:index:Shelf", name, {}, opts)
        self.inside = Thing(name + "-inside", {"color": "grey"}, ResourceOptions(parent=self))
        self.register_outputs({})


def old_style(args):
    return pulumi.ResourceTransformationResult({**args.props, "old": "style"}, args.opts)


own = pulumi.ProviderResource("thing", "own", {"region": "here"})
shelf = Shelf("shelf", ResourceOptions(providers={"thing": own}, transformations=[old_style]))

kept = Thing("kept", {"color": "gold"}, ResourceOptions(retain_on_delete=True))
swap = Thing("swap", {"force": generation}, ResourceOptions(delete_before_replace=True))
Thing("after", {"color": "blue", "of": swap.out}, ResourceOptions(depends_on=[swap], deleted_with=shelf))
Thing("moved", {"color": "red"},
      ResourceOptions(parent=shelf, aliases=[Alias(parent=pulumi.ROOT_STACK_RESOURCE)]) if generation > 1 else None)
Thing("retyped", {"color": "green"}, ResourceOptions(aliases=[Alias(type_="thing:index:Old")]),
      "thing:index:Thing" if generation > 1 else "thing:index:Old")
color = "cyan" if generation > 1 else "teal"
Thing("touchy", {"color": color}, ResourceOptions(replace_on_changes=["color"]))
Thing("steady", {"color": color, "list": [generation]}, ResourceOptions(ignore_changes=["color", "list[0]"]))
Thing("adopted", {"color": "black"}, ResourceOptions(import_="known"))
Thing("slow", {"color": "brown"}, ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="1m", update="2h")))
Thing("secretive", {"color": "pink"}, ResourceOptions(additional_secret_outputs=["out"]))
got = Thing.get("got", "there")
guarded = Thing("guarded", {"color": "white"}, ResourceOptions(protect=generation == 1))

pulumi.export("out", swap.out)
pulumi.export("color", got.color)
pulumi.export("both", pulumi.Output.all(kept.id, guarded.id).apply(" ".join))
pulumi.export("provider", shelf.inside.out)
pulumi.export("twice", pulumi.Output.concat(swap.out, " and ", pulumi.Output.json_dumps({"out": swap.out}, separators=(",", ":"))))
