import * as fs from "fs";
import * as path from "path";

import * as pulumi from "@pulumi/pulumi";

import { PublishedFile } from "./file";

export interface StaticSiteArgs {
    /** The folder with the pages. */
    source: string;
    /** Where they are published. */
    target: pulumi.Input<string>;
    /** What {{name}} in a page becomes. */
    words?: Record<string, pulumi.Input<string>>;
}

/** A site of one folder. Every file is a resource of its own: a change of one page touches that page. */
export class StaticSite extends pulumi.ComponentResource {
    readonly url: pulumi.Output<string>;
    readonly files: pulumi.Output<string[]>;

    constructor(name: string, args: StaticSiteArgs, options?: pulumi.ComponentResourceOptions) {
        super("example:web:StaticSite", name, {}, options);
        const published = fs.readdirSync(args.source).sort().map((file) => new PublishedFile(`${name}/${file}`, {
            folder: args.target,
            file,
            content: fill(fs.readFileSync(path.join(args.source, file), "utf8"), args.words ?? {}),
        }, { parent: this }));
        this.url = pulumi.interpolate`file://${args.target}/index.html`;
        this.files = pulumi.all(published.map((one) => one.file));
        this.registerOutputs({ url: this.url, files: this.files });
    }
}

function fill(text: string, words: Record<string, pulumi.Input<string>>): pulumi.Output<string> {
    return pulumi.all(words).apply((known) => text.replace(/{{(\w+)}}/g, (all, name) => known[name] ?? all));
}
