// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as inputs from "../types/input";
import * as outputs from "../types/output";
import * as enums from "../types/enums";
import * as utilities from "../utilities";
import { House } from "../houses/glass/house";

/**
 * A bed.
 *
 * ## Example
 *
 * ### Small
 *
 * ```typescript
 * new garden.beds.Bed("b", {});
 * ```
 *
 * ## Import
 *
 * ```sh
 * $ pulumi import garden:beds/bed:Bed b 1
 * ```
 */
export class Bed extends pulumi.CustomResource {
    /**
     * Reads the Bed that has this ID. It is not changed.
     *
     * @param name what it is called in the program; no other Bed has it
     * @param id what the provider calls it
     * @param state what else is needed to find it
     * @param opts how it is read
     */
    public static get(name: string, id: pulumi.Input<pulumi.ID>, state?: BedState, opts?: pulumi.CustomResourceOptions): Bed {
        return new Bed(name, state as any, { ...opts, id });
    }

    /** @internal */
    public static readonly __pulumiType = "garden:beds/bed:Bed";

    /**
     * Whether something is a Bed, made by this copy of the package or by
     * another.
     */
    public static isInstance(obj: any): obj is Bed {
        return obj?.__pulumiType === Bed.__pulumiType;
    }

    /**
     * Made of length and width.
     */
    declare public readonly area: pulumi.Output<number>;
    declare public readonly helper: pulumi.Output<outputs.Hand | outputs.Robot | undefined>;
    declare public readonly house: pulumi.Output<House | undefined>;
    declare public readonly length: pulumi.Output<number>;
    declare public readonly secretSpot: pulumi.Output<string | undefined>;
    declare public readonly soil: pulumi.Output<outputs.beds.Soil | undefined>;

    /**
     * Declares a Bed.
     *
     * @param name what it is called in the program; no other Bed has it
     * @param args what it is made from
     * @param opts how the engine treats it
     */
    constructor(name: string, args: BedArgs, opts?: pulumi.CustomResourceOptions);
    constructor(name: string, argsOrState?: BedArgs | BedState, opts?: pulumi.CustomResourceOptions) {
        const props: pulumi.Inputs = {};
        opts = opts ?? {};
        if (opts.id) {
            const state = argsOrState as BedState | undefined;
            props["area"] = state?.area;
            props["length"] = state?.length;
        } else {
            const args = argsOrState as BedArgs | undefined;
            if (args?.class === undefined && !opts.urn) {
                throw new Error("Missing required property 'class'");
            }
            if (args?.length === undefined && !opts.urn) {
                throw new Error("Missing required property 'length'");
            }
            props["class"] = "bed";
            props["depth"] = args?.depth;
            props["extra"] = args?.extra;
            props["helper"] = args?.helper;
            props["labels"] = args?.labels;
            props["length"] = args?.length;
            props["old"] = args?.old;
            props["season"] = args?.season;
            props["secretSpot"] = args?.secretSpot === undefined ? undefined : pulumi.secret(args?.secretSpot);
            props["soil"] = pulumi.output(args?.soil).apply(v => v === undefined ? undefined : inputs.beds.soilArgsProvideDefaults(v));
            props["version-2"] = args?.["version-2"];
            props["area"] = undefined;
            props["house"] = undefined;
        }
        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);
        opts = pulumi.mergeOptions(opts, {
            aliases: [{ type: "garden:old/bed:Bed" }],
            additionalSecretOutputs: ["secretSpot"],
        });
        super(Bed.__pulumiType, name, props, opts);
    }
}

/**
 * What helps to find a Bed that exists.
 */
export interface BedState {
    area?: pulumi.Input<number | undefined>;
    length?: pulumi.Input<number | undefined>;
}

/**
 * What a Bed is made from.
 */
export interface BedArgs {
    class: pulumi.Input<"bed">;
    depth?: pulumi.Input<enums.beds.Depth | undefined>;
    extra?: any | undefined;
    helper?: pulumi.Input<inputs.HandArgs | inputs.RobotArgs | undefined>;
    labels?: pulumi.Input<{ [key: string]: pulumi.Input<string | pulumi.Input<string>[]> } | undefined>;
    /**
     * In metres.
     */
    length: pulumi.Input<number>;
    /**
     * @deprecated use length
     */
    old?: pulumi.Input<string | undefined>;
    season?: pulumi.Input<string | enums.Season | undefined>;
    secretSpot?: pulumi.Input<string | undefined>;
    soil?: pulumi.Input<inputs.beds.SoilArgs | undefined>;
    "version-2"?: pulumi.Input<boolean | undefined>;
}
