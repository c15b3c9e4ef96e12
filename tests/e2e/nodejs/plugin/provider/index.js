// A component provider that is source code: the engine has the language host run it.
const pulumi = require("@pulumi/pulumi");

class Crate extends pulumi.ComponentResource {
    constructor(name, inputs, options) {
        super("crate:index:Crate", name, {}, options);
        const inside = new pulumi.CustomResource("thing:index:Thing", name + "-inside", { color: inputs.color }, { parent: this });
        this.color = pulumi.output(inputs.color).apply((color) => "light " + color);
        this.registerOutputs({ color: this.color });
        console.error("a crate was made by " + inside.__pulumiType);
    }
}

const provider = {
    version: "1.2.3",
    async construct(name, type, inputs, options) {
        if (type !== "crate:index:Crate") {
            throw new Error("unknown type " + type);
        }
        const crate = new Crate(name, inputs, options);
        return { urn: crate.urn, state: { color: crate.color } };
    },
    async call(token, inputs) {
        return { outputs: { text: pulumi.interpolate`${inputs.greeting}, I am ${token}` } };
    },
    async invoke(token, inputs) {
        return { outputs: { text: token + " says " + inputs.text } };
    },
};

pulumi.provider.main(provider, process.argv.slice(2));
