// Custom resources whose provider is in the program, with configuration, secrets, assets and a reference to the own stack.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config();
const size = config.requireNumber("size");

const provider = {
    async configure(request) {
        console.log("the provider knows the size " + request.config.require("size"));
    },
    async check(olds, news) {
        return news.size < 0 ? { failures: [{ property: "size", reason: "is negative" }] } : { inputs: news };
    },
    async create(inputs) {
        return { id: "disk-" + inputs.label, outs: { ...inputs, bytes: inputs.size * 1024 } };
    },
    async diff(id, olds, news) {
        return { changes: olds.size !== news.size || olds.label !== news.label, replaces: olds.label !== news.label ? ["label"] : [] };
    },
    async update(id, olds, news) {
        return { outs: { ...news, bytes: news.size * 1024 } };
    },
    async read(id, props) {
        return { id, props };
    },
    async delete() {},
};

class Disk extends pulumi.dynamic.Resource {
    constructor(name, args, opts) {
        super(provider, name, { ...args, bytes: undefined }, opts);
    }
}

class Rack extends pulumi.ComponentResource {
    constructor(name, opts) {
        super("e2e:index:Rack", name, {}, opts);
        this.disk = new Disk(name + "-disk", { label: "inner", size }, { parent: this });
        this.registerOutputs({ bytes: this.disk.bytes });
    }
}

console.log("the size is " + size);
console.error("this goes to stderr");
pulumi.log.warn("a warning for the user");

const rack = new Rack("rack");
const disk = new Disk("disk", { label: config.get("label") || "outer", size, note: config.requireSecret("note") },
    { dependsOn: rack, protect: false });
const self = new pulumi.StackReference(`organization/dynamic/${pulumi.getStack()}`);

exports.bytes = pulumi.all([rack.disk.bytes, disk.bytes]).apply(([a, b]) => a + b);
exports.note = disk.note;
exports.id = disk.id;
exports.before = self.getOutput("bytes");
exports.urn = disk.urn;
