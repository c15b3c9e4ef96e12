// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as outputs from "./types/output";
import * as utilities from "./utilities";

export function mix(first: string, second?: number, opts?: pulumi.InvokeOptions): Promise<outputs.beds.Soil[]> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeSingle("garden:index:mix", {
        "first": first,
        "second": second,
    }, opts);
}

export function mixOutput(first: pulumi.Input<string>, second?: pulumi.Input<number | undefined>, opts?: pulumi.InvokeOutputOptions): pulumi.Output<outputs.beds.Soil[]> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeSingleOutput("garden:index:mix", {
        "first": first,
        "second": second,
    }, opts);
}
