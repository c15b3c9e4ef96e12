import { PolicyPack } from "@pulumi/policy";

new PolicyPack("policy-pack", {
    policies: [
        {
            name: "short-names",
            description: "Names of resources have at most 60 characters.",
            enforcementLevel: "mandatory",
            validateResource: (args, reportViolation) => {
                if (args.name.length > 60) {
                    reportViolation(`the name of ${args.name} is too long`);
                }
            },
        },
        {
            name: "small-stacks",
            description: "A stack has at most 100 resources.",
            enforcementLevel: "advisory",
            validateStack: (args, reportViolation) => {
                if (args.resources.length > 100) {
                    reportViolation(`the stack has ${args.resources.length} resources`);
                }
            },
        },
    ],
});
