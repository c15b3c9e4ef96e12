// The program of a workspace that is a folder; the configuration says how it ends.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config();
console.log("the local program runs");
if (config.get("how") === "throw") {
    throw new Error("this went wrong");
}
const thing = new pulumi.CustomResource("thing:index:Thing", "thing", { color: config.require("color"), hidden: config.getSecret("hidden") });
exports.color = config.require("color");
exports.hidden = config.getSecret("hidden");
exports.urn = thing.urn;
