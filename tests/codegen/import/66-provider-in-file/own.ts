import * as pulumi from "@pulumi/pulumi";
import * as acme from "@acmecorp/acme";

const prov = new acme.Provider("prov", {
    apiToken: pulumi.secret("tok"),
    region: "south",
    retries: 2,
}, {
    version: "1.2.3",
});
const b = new acme.store.Bucket("b", {policy: "p"}, {
    protect: true,
    provider: prov,
});
