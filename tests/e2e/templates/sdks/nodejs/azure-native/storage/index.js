const enums = { Kind: { StorageV2: "StorageV2" }, SkuName: { Standard_LRS: "Standard_LRS" } };
module.exports = require("../../sdk.js")(([type]) => `azure-native:storage:${type}`, enums);
