import * as fs from "fs";
import * as path from "path";

import * as pulumi from "@pulumi/pulumi";

interface Values {
    folder: string;
    file: string;
    content: string;
}

function write(values: Values) {
    const target = path.join(values.folder, values.file);
    fs.mkdirSync(values.folder, { recursive: true });
    fs.writeFileSync(target, values.content);
    return target;
}

/** The provider is a part of the program. To publish to a server instead, only its five functions change. */
const provider: pulumi.dynamic.ResourceProvider = {
    async diff(id: string, olds: Values, news: Values) {
        const replaces = (["folder", "file"] as const).filter((key) => olds[key] !== news[key]);
        return { changes: replaces.length > 0 || olds.content !== news.content, replaces };
    },
    async create(inputs: Values) {
        return { id: write(inputs), outs: inputs };
    },
    async update(id: string, olds: Values, news: Values) {
        write(news);
        return { outs: news };
    },
    async read(id: string, props: Values) {
        if (!fs.existsSync(id)) {
            return { id: "" }; // it is gone
        }
        return { id, props: { ...props, content: fs.readFileSync(id, "utf8") } };
    },
    async delete(id: string) {
        fs.rmSync(id, { force: true });
    },
};

export interface PublishedFileArgs {
    folder: pulumi.Input<string>;
    file: pulumi.Input<string>;
    content: pulumi.Input<string>;
}

/** One file of the site. */
export class PublishedFile extends pulumi.dynamic.Resource {
    declare readonly file: pulumi.Output<string>;

    constructor(name: string, args: PublishedFileArgs, options?: pulumi.CustomResourceOptions) {
        super(provider, name, args, options, "web", "PublishedFile");
    }
}
