// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as inputs from "../types/input";
import * as enums from "../types/enums";
import * as utilities from "../utilities";

/**
 * Finds a bed.
 */
export function getBed(args: GetBedArgs, opts?: pulumi.InvokeOptions): Promise<GetBedResult> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invoke("garden:beds/getBed:getBed", {
        "name": args.name,
        "soil": args.soil ? inputs.beds.soilProvideDefaults(args.soil) : undefined,
    }, opts);
}

/**
 * Finds a bed.
 */
export function getBedOutput(args: GetBedOutputArgs, opts?: pulumi.InvokeOutputOptions): pulumi.Output<GetBedResult> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeOutput("garden:beds/getBed:getBed", {
        "name": args.name,
        "soil": pulumi.output(args.soil).apply(v => v === undefined ? undefined : inputs.beds.soilArgsProvideDefaults(v)),
    }, opts);
}

export interface GetBedArgs {
    /**
     * What it is called.
     */
    name: string;
    soil?: inputs.beds.Soil;
}

export interface GetBedResult {
    readonly area: number;
    readonly season?: enums.Season;
}

export interface GetBedOutputArgs {
    /**
     * What it is called.
     */
    name: pulumi.Input<string>;
    soil?: pulumi.Input<inputs.beds.SoilArgs | undefined>;
}
