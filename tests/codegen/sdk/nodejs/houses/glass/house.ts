// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "../../utilities";
import { Bed } from "../../beds/bed";

/**
 * @deprecated glass breaks: "be careful"
 */
export class House extends pulumi.CustomResource {
    /**
     * Reads the House that has this ID. It is not changed.
     *
     * @param name what it is called in the program; no other House has it
     * @param id what the provider calls it
     * @param opts how it is read
     */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): House {
        pulumi.log.warn("House is deprecated: glass breaks: \"be careful\"");
        return new House(name, undefined as any, { ...opts, id });
    }

    /** @internal */
    public static readonly __pulumiType = "garden:glasshouse/house:House";

    /**
     * Whether something is a House, made by this copy of the package or by
     * another.
     */
    public static isInstance(obj: any): obj is House {
        return obj?.__pulumiType === House.__pulumiType;
    }

    /**
     * Declares a House.
     *
     * @param name what it is called in the program; no other House has it
     * @param args what it is made from
     * @param opts how the engine treats it
     *
     * @deprecated glass breaks: "be careful"
     */
    constructor(name: string, args?: HouseArgs, opts?: pulumi.CustomResourceOptions) {
        pulumi.log.warn("House is deprecated: glass breaks: \"be careful\"");
        const props: pulumi.Inputs = {};
        opts = opts ?? {};
        if (opts.id) {
        } else {
            props["bed"] = args?.bed;
        }
        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);
        super(House.__pulumiType, name, props, opts);
    }
}

/**
 * What a House is made from.
 */
export interface HouseArgs {
    bed?: pulumi.Input<Bed | undefined>;
}
