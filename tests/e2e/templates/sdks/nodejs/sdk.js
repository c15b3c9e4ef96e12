// What an SDK of a cloud is for the programs of templates: any class below a module, made with any arguments.
const pulumi = require("@pulumi/pulumi");

// Properties that only the provider knows.
const outputs = { name: undefined, url: undefined, metadata: undefined };

// `token` makes the type of a resource from the names it was found by.
module.exports = (token, enums = {}) => {
    const below = (path) =>
        new Proxy(class {}, {
            get: (target, name) => (name === "prototype" ? target.prototype : enums[name] ?? below([...path, name])),
            construct: (_, [name, args, opts]) => new pulumi.CustomResource(token(path), name, { ...outputs, ...args }, opts),
        });
    return below([]);
};
