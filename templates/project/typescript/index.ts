import * as pulumi from "@pulumi/pulumi";

// Resources and outputs go here.
export const project = pulumi.getProject();
