import * as pulumi from "@pulumi/pulumi";
import * as acme from "@acmecorp/acme";

const res = new acme.store.Bucket("res", {
    level: 3,
    policy: "p",
    size: "tiny",
}, {
    protect: true,
});
