import * as pulumi from "@pulumi/pulumi";
import * as acme from "@acmecorp/acme";

const res = new acme.store.Bucket("res", {
    mainRule: pulumi.secret({
        count: 1,
        name: "n",
    }),
    policy: "p",
}, {
    protect: true,
});
