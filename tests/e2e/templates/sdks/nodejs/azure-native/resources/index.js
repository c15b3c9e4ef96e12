module.exports = require("../../sdk.js")(([type]) => `azure-native:resources:${type}`);
