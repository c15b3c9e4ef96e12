module.exports = require("../sdk.js")(([group, version, type]) => `kubernetes:${group}/${version}:${type}`);
