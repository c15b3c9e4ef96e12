// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as outputs from "./types/output";
import * as utilities from "./utilities";
import { Bed } from "./beds/bed";

/**
 * Somebody who works here.
 */
export class Gardener extends pulumi.ComponentResource {
    /** @internal */
    public static readonly __pulumiType = "garden:index:Gardener";

    /**
     * Whether something is a Gardener, made by this copy of the package or by
     * another.
     */
    public static isInstance(obj: any): obj is Gardener {
        return obj?.__pulumiType === Gardener.__pulumiType;
    }

    declare public readonly wage: pulumi.Output<number>;

    /**
     * Declares a Gardener.
     *
     * @param name what it is called in the program; no other Gardener has it
     * @param args what it is made from
     * @param opts how the engine treats it
     */
    constructor(name: string, args: GardenerArgs, opts?: pulumi.ComponentResourceOptions) {
        const props: pulumi.Inputs = {};
        opts = opts ?? {};
        if (opts.id) {
            props["wage"] = undefined;
        } else {
            if (args?.name === undefined && !opts.urn) {
                throw new Error("Missing required property 'name'");
            }
            props["beds"] = args?.beds;
            props["hours"] = args?.hours;
            props["name"] = args?.name;
            props["wage"] = undefined;
        }
        opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);
        super(Gardener.__pulumiType, name, props, opts, true /* remote */);
    }

    mood(): Promise<string> {
        return utilities.callAsync("garden:index:Gardener/mood", {
            "__self__": this,
        }, this, { property: "res" });
    }

    rest(): void {
        pulumi.runtime.call("garden:index:Gardener/rest", {
            "__self__": this,
        }, this);
    }

    /**
     * Works.
     */
    work(args?: Gardener.WorkArgs): pulumi.Output<Gardener.WorkResult> {
        args = args ?? {};
        return pulumi.runtime.call("garden:index:Gardener/work", {
            "__self__": this,
            "hours": args.hours,
        }, this);
    }
}

/**
 * What a Gardener is made from.
 */
export interface GardenerArgs {
    beds?: pulumi.Input<pulumi.Input<Bed>[] | undefined>;
    hours?: pulumi.Input<number>[];
    name: string;
}

export namespace Gardener {
    /**
     * What Gardener.work is given.
     */
    export interface WorkArgs {
        hours?: pulumi.Input<number | undefined>;
    }

    /**
     * What Gardener.work gives.
     */
    export interface WorkResult {
        readonly done: boolean;
        readonly soil?: outputs.beds.Soil;
    }
}
