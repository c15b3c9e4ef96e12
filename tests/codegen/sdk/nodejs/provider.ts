// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "./utilities";

/**
 * Who gardens.
 */
export class Provider extends pulumi.ProviderResource {
    /** @internal */
    public static readonly __pulumiType = "garden";

    /**
     * Whether something is a Provider, made by this copy of the package or by
     * another.
     */
    public static isInstance(obj: any): obj is Provider {
        return obj?.__pulumiType === "pulumi:providers:" + Provider.__pulumiType;
    }

    declare public readonly climate: pulumi.Output<string | undefined>;
    declare public readonly key: pulumi.Output<string | undefined>;

    /**
     * Declares a Provider.
     *
     * @param name what it is called in the program; no other Provider has it
     * @param args what it is made from
     * @param opts how the engine treats it
     */
    constructor(name: string, args?: ProviderArgs, opts?: pulumi.ResourceOptions) {
        const props: pulumi.Inputs = {};
        opts = opts ?? {};
        props["climate"] = args?.climate ?? utilities.getEnv("GARDEN_CLIMATE") ?? "mild";
        props["hands"] = pulumi.output(args?.hands ?? utilities.getEnvNumber("GARDEN_HANDS", "HANDS")).apply(JSON.stringify);
        props["key"] = args?.key === undefined ? undefined : pulumi.secret(args?.key);
        props["tools"] = pulumi.output(args?.tools).apply(JSON.stringify);
        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);
        opts = pulumi.mergeOptions(opts, {
            additionalSecretOutputs: ["key"],
        });
        super(Provider.__pulumiType, name, props, opts);
    }
}

/**
 * What a Provider is made from.
 */
export interface ProviderArgs {
    climate?: pulumi.Input<string | undefined>;
    hands?: pulumi.Input<number | undefined>;
    key?: pulumi.Input<string | undefined>;
    tools?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}
