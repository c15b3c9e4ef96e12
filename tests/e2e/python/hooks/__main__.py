"""A hook at every point of a resource's life; the configuration says which of them fails."""
import pulumi

config = pulumi.Config()
failing = config.get("failing")


def hook(point):
    def run(args):
        def of(properties):
            return "none" if properties is None else str(properties.get("color"))

        print(f"{point} of {args.name}: {of(args.old_inputs)} to {of(args.new_inputs)}, {of(args.old_outputs)} to {of(args.new_outputs)}")
        if failing == point:
            raise ValueError("the hook does not like it")

    return [pulumi.ResourceHook(point, run)]


hooks = pulumi.ResourceHookBinding(
    before_create=hook("beforeCreate"), after_create=hook("afterCreate"), before_update=hook("beforeUpdate"),
    after_update=hook("afterUpdate"), before_delete=hook("beforeDelete"), after_delete=hook("afterDelete"))
pulumi.CustomResource("thing:index:Thing", "thing", {"color": config.require("color")}, pulumi.ResourceOptions(hooks=hooks))
if config.get_bool("more"):
    pulumi.CustomResource("thing:index:Thing", "more", {"color": "white"}, pulumi.ResourceOptions(hooks=hooks))
