exports.padded = require("left-pad")("x", 3);
exports.from = require.resolve("left-pad").startsWith(__dirname);
