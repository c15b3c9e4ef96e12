// TypeScript against a provider that runs as a plugin: aliases, transforms, hooks, functions, reading, assets.
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const generation = config.requireNumber("generation");

class Thing extends pulumi.CustomResource {
    public readonly color!: pulumi.Output<string>;
    public readonly file!: pulumi.Output<pulumi.asset.Asset>;
    constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
        super("thing:index:Thing", name, { color: undefined, file: undefined, ...args }, opts);
    }
}

class Box extends pulumi.ComponentResource {
    constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
        super("e2e:index:Box", name, {}, opts);
        new Thing(name + "-inside", { color: "grey" }, { parent: this });
        this.registerOutputs({});
    }
}

const hook = new pulumi.ResourceHook("tell", async (args) => {
    console.log(`hook saw ${args.name} ${args.newInputs?.tag}`);
});

pulumi.runtime.registerResourceTransform((args) => {
    if (args.type !== "thing:index:Thing") {
        return undefined;
    }
    return { props: { ...args.props, tag: "transformed" }, opts: args.opts };
});

pulumi.runtime.registerInvokeTransform((args) =>
    args.token === "thing:index:shout" ? { args: { ...args.args, loud: true }, opts: args.opts } : undefined);

const first = new Thing("first", { color: config.requireSecret("color"), file: new pulumi.asset.StringAsset("some text") },
    { hooks: { beforeCreate: [hook], afterUpdate: [hook] } });
// The same resource under a new name keeps its place.
const second = new Thing(generation > 1 ? "renamed" : "second", { color: "blue", generation },
    { aliases: [{ name: "second" }], ignoreChanges: ["color"], additionalSecretOutputs: ["generation"] });
const archive = new Thing("archive", {
    content: new pulumi.asset.AssetArchive({ "a.txt": new pulumi.asset.StringAsset("a"), "index.ts": new pulumi.asset.FileAsset("index.ts") }),
});
const box = new Box("box", { transforms: [({ props, opts }) => ({ props: { ...props, boxed: true }, opts })] });

const answer = pulumi.runtime.invoke("thing:index:shout", { text: "hello" });
const later = pulumi.output(pulumi.runtime.invoke("thing:index:shout", { text: second.urn.apply(() => "later") }));

// A line without an end is a line nevertheless, and the next run begins a new one.
process.stderr.write("left hanging");

export const color = first.color;
export const text = pulumi.output(answer).apply((a: any) => a.text);
export const loud = pulumi.output(answer).apply((a: any) => a.loud);
export const lateText = later.apply((a: any) => a.text);
export const names = pulumi.all([second.urn, archive.urn, box.urn]).apply((urns) => urns.map((urn) => urn.split("::").pop()));
export const nested = { list: [1, "two", { three: true }], nothing: null };
