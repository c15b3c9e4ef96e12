// Three things, of which a policy pack thinks what it thinks; the configuration gives their color.
const pulumi = require("@pulumi/pulumi");

const config = new pulumi.Config();
const color = config.require("color");
const thing = new pulumi.CustomResource("thing:index:Thing", "thing", { color, size: 1, hidden: config.requireSecret("hidden") });
new pulumi.CustomResource("thing:index:Thing", "other", { color: "white", tags: { owner: "me" } }, { dependsOn: thing });
