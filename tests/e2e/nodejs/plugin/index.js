// Uses a component that another process makes: construct, a method, a function.
const pulumi = require("@pulumi/pulumi");

class Crate extends pulumi.ComponentResource {
    constructor(name, inputs, options) {
        super("crate:index:Crate", name, { color: undefined, ...inputs }, options, true);
    }
    greet(greeting) {
        return pulumi.runtime.call("crate:index:Crate/greet", { __self__: this, greeting }, this).apply((answer) => answer.text);
    }
}

const crate = new Crate("crate", { color: new pulumi.Config().require("color") });
exports.color = crate.color;
exports.greeting = crate.greet("hello");
exports.said = pulumi.output(pulumi.runtime.invoke("crate:index:say", { text: "yes" })).apply((answer) => answer.text);
