import * as pulumi from "@pulumi/pulumi";
import * as acme from "@acmecorp/acme";

const res = new acme.Strict("res", {
    a: null,
    b: false,
    e: acme.Size.Small,
    i: 0,
    j: {},
    l: [],
    m: {},
    n: 0,
    o: {
        name: "",
    },
    s: "",
    u: 0,
    x: {},
}, {
    protect: true,
});
