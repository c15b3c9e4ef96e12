module.exports = require("../sdk.js")(([module_, type]) => `aws:${module_}/${type.toLowerCase()}:${type}`);
