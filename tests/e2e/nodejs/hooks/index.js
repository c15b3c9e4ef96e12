// A hook at every point of a resource's life; the configuration says which of them fails.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config();
const failing = config.get("failing");

function hook(point) {
    return new pulumi.ResourceHook(point, async (args) => {
        const of = (properties) => (properties === undefined ? "none" : String(properties.color));
        console.log(`${point} of ${args.name}: ${of(args.oldInputs)} to ${of(args.newInputs)}, ${of(args.oldOutputs)} to ${of(args.newOutputs)}`);
        if (failing === point) {
            throw new Error("the hook does not like it");
        }
    });
}

const points = ["beforeCreate", "afterCreate", "beforeUpdate", "afterUpdate", "beforeDelete", "afterDelete"];
const hooks = Object.fromEntries(points.map((point) => [point, [hook(point)]]));
new pulumi.CustomResource("thing:index:Thing", "thing", { color: config.require("color") }, { hooks });
if (config.getBoolean("more")) {
    new pulumi.CustomResource("thing:index:Thing", "more", { color: "white" }, { hooks });
}
