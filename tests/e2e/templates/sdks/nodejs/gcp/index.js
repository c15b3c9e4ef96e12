module.exports = require("../sdk.js")(([module_, type]) => `gcp:${module_}/${type.toLowerCase()}:${type}`);
