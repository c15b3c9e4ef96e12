"use strict";
const command = require("@pulumi/command");

const run = new command.local.Command("greeting", {
    create: 'echo "Hello from $(uname -s)"',
});

exports.greeting = run.stdout;
