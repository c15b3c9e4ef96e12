// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "./utilities";

export function shout(args?: ShoutArgs, opts?: pulumi.InvokeOptions): Promise<void> {
    args = args ?? {};
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invoke("garden:index:shout", {
        "text": args.text,
    }, opts);
}

export interface ShoutArgs {
    text?: string;
}
