import * as pulumi from "@pulumi/pulumi";
import * as acme from "@acmecorp/acme";

const res = new acme.store.Bucket("res", {
    level: 3 as any,
    policy: "p",
    size: "tiny" as any,
}, {
    protect: true,
});
