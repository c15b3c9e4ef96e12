// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "./utilities";

export function bed(opts?: pulumi.InvokeOptions): Promise<BedResult> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invoke("garden:index:bed", {
    }, opts);
}

export function bedOutput(opts?: pulumi.InvokeOutputOptions): pulumi.Output<BedResult> {
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeOutput("garden:index:bed", {
    }, opts);
}

export interface BedResult {
    readonly x?: string;
}
