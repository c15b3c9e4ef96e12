// What a program sees of the world around it: another stack, files, its configuration; and what it tells the user.
const path = require("path");
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config();
const other = new pulumi.StackReference("organization/other/dev");

const site = new pulumi.CustomResource("thing:index:Thing", "site", {
    files: new pulumi.asset.FileArchive("./site"),
    page: new pulumi.asset.FileAsset("site/index.html"),
    remote: new pulumi.asset.RemoteAsset("file://" + path.resolve("site/index.html")),
    both: new pulumi.asset.AssetArchive({ "a.html": new pulumi.asset.FileAsset("site/index.html"), sub: new pulumi.asset.FileArchive("site") }),
});

pulumi.log.debug("told only to who asks", site);
pulumi.log.info("something to know", site);
pulumi.log.warn("something to mind", site);
if (config.getBoolean("wrong")) {
    pulumi.log.error("something to mend", site);
}

exports.name = other.requireOutput("name");
exports.key = other.getOutput("key");
exports.nothing = other.getOutput("nothing").apply((value) => value === undefined);
exports.detail = other.getOutputDetails("name").then((detail) => detail.value);
exports.place = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
exports.tree = config.requireObject("tree");
exports.leaf = config.requireSecretObject("tree").apply((tree) => tree.list[1]);
exports.looked = pulumi.runtime.invokeOutput("thing:index:look", { at: pulumi.secret("hush-hush") }).apply((answer) => answer.at);
