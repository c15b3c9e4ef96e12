// Every way in which a program can fail; the configuration says which.
const pulumi = require("@pulumi/pulumi");

const failures = {
    none() {},
    throw() { throw new Error("this went wrong"); },
    async reject() { await new Promise((resolve) => setTimeout(resolve, 10)); throw new Error("this went wrong later"); },
    told() { throw new pulumi.RunError("the user can mend this"); },
    config() { new pulumi.Config().require("missing"); },
    exit() { process.exit(3); },
    killed() { process.kill(process.pid, "SIGKILL"); },
    hang() { console.log("hanging now"); setInterval(() => {}, 1000); return new Promise(() => {}); },
    resource() {
        const sound = new pulumi.CustomResource("thing:index:Thing", "sound", {});
        const broken = new pulumi.CustomResource("thing:index:Thing", "broken", {}, { dependsOn: sound });
        new pulumi.CustomResource("thing:index:Thing", "later", { of: broken.id });
    },
    async function() { await pulumi.runtime.invoke("thing:index:ask", {}); },
    module() { require("no-such-module"); },
};
module.exports = async () => {
    console.log("the first line");
    await failures[new pulumi.Config().require("how")]();
    return { done: true };
};
