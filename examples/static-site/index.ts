import * as pulumi from "@pulumi/pulumi";

import { StaticSite } from "./site";

const config = new pulumi.Config();

const site = new StaticSite("handbook", {
    source: "www",
    target: `${process.cwd()}/public`,
    words: { title: config.get("title") ?? "Handbook", stack: pulumi.getStack() },
});

export const url = site.url;
export const files = site.files;
