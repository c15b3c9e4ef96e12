exports.done = true;
