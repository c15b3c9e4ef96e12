import * as command from "@pulumi/command";

const run = new command.local.Command("greeting", {
    create: 'echo "Hello from $(uname -s)"',
});

export const greeting = run.stdout;
