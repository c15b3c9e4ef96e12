// What can be said about a resource beside its properties; the second generation changes most of it.
const pulumi = require("@pulumi/pulumi");

const generation = new pulumi.Config().requireNumber("generation");

class Thing extends pulumi.CustomResource {
    static get(name, id, opts) {
        return new Thing(name, {}, { ...opts, id });
    }
    constructor(name, args, opts, type = "thing:index:Thing") {
        super(type, name, { color: undefined, out: undefined, ...args }, opts);
    }
}

class Shelf extends pulumi.ComponentResource {
    constructor(name, opts) {
        super("e2e:index:Shelf", name, {}, opts);
        this.inside = new Thing(name + "-inside", { color: "grey" }, { parent: this });
        this.registerOutputs();
    }
}

const own = new pulumi.ProviderResource("thing", "own", { region: "here" });
const shelf = new Shelf("shelf", {
    providers: { thing: own },
    transformations: [({ props, opts }) => ({ props: { ...props, old: "style" }, opts })],
});

const kept = new Thing("kept", { color: "gold" }, { retainOnDelete: true });
const swap = new Thing("swap", { force: generation }, { deleteBeforeReplace: true });
new Thing("after", { color: "blue", of: swap.out }, { dependsOn: [swap], deletedWith: shelf });
new Thing("moved", { color: "red" }, generation > 1 ? { parent: shelf, aliases: [{ parent: pulumi.rootStackResource }] } : {});
new Thing("retyped", { color: "green" }, { aliases: [{ type: "thing:index:Old" }] }, generation > 1 ? "thing:index:Thing" : "thing:index:Old");
new Thing("touchy", { color: generation > 1 ? "cyan" : "teal" }, { replaceOnChanges: ["color"] });
new Thing("steady", { color: generation > 1 ? "cyan" : "teal", list: [generation] }, { ignoreChanges: ["color", "list[0]"] });
new Thing("adopted", { color: "black" }, { import: "known" });
new Thing("slow", { color: "brown" }, { customTimeouts: { create: "1m", update: "2h" } });
new Thing("secretive", { color: "pink" }, { additionalSecretOutputs: ["out"] });
const got = Thing.get("got", "there");
const guarded = new Thing("guarded", { color: "white" }, { protect: generation === 1 });

exports.out = swap.out;
exports.color = got.color;
exports.both = pulumi.all([kept.id, guarded.id]).apply(([a, b]) => a + " " + b);
exports.provider = pulumi.output(shelf.inside.out).apply((out) => out);
exports.twice = pulumi.interpolate`${swap.out} and ${pulumi.jsonStringify({ out: swap.out })}`;
