import * as pulumi from "@pulumi/pulumi";

export interface ServiceArgs {
    title: pulumi.Input<string>;
    folder: pulumi.Input<string>;
    port?: pulumi.Input<number>;
}

/** The component in the words of TypeScript. */
export class Service extends pulumi.ComponentResource {
    declare readonly url: pulumi.Output<string>;
    declare readonly password: pulumi.Output<string>;

    constructor(name: string, args: ServiceArgs, options?: pulumi.ComponentResourceOptions) {
        super("house:index:Service", name, { ...args, url: undefined, password: undefined }, options, true);
    }
}
