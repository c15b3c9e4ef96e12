// What a policy pack can be: advice, a rule that forbids, a repair, a rule for the whole stack, with configuration.
const { PolicyPack } = require("@pulumi/policy");

const isThing = (args) => args.type === "thing:index:Thing";

new PolicyPack("colors", {
    policies: [
        {
            name: "no-grey",
            description: "Grey is dull",
            enforcementLevel: "advisory",
            validateResource: (args, report) => {
                if (isThing(args) && args.props.color === "grey") {
                    report(`${args.name} is grey`);
                }
            },
        },
        {
            name: "no-black",
            description: "Black absorbs light",
            enforcementLevel: "mandatory",
            validateResource: (args, report) => {
                if (isThing(args) && args.props.color === "black") {
                    report(`${args.name} is black; options ${args.opts.protect}; hidden ${typeof args.props.hidden}`);
                }
            },
        },
        {
            name: "tagged",
            description: "Everything has tags",
            enforcementLevel: "remediate",
            remediateResource: (args) => {
                if (isThing(args) && !args.props.tags) {
                    args.props.tags = { owner: "pack" };
                    return args.props; // a copy of it would not know what is secret
                }
                return undefined;
            },
        },
        {
            name: "few",
            description: "A stack is small",
            enforcementLevel: "mandatory",
            configSchema: { properties: { most: { type: "integer", default: 5 } } },
            validateStack: (args, report) => {
                const things = args.resources.filter(isThing);
                if (things.length > args.getConfig().most) {
                    report(`${things.length} are too many: ${things.map((one) => one.name).sort().join(", ")}`);
                }
            },
        },
        {
            name: "off",
            description: "This is never asked",
            enforcementLevel: "disabled",
            validateResource: () => {
                throw new Error("it was asked");
            },
        },
    ],
});
