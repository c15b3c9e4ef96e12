// A component in TypeScript, offered to programs of every language: its schema is read from its types.
import * as pulumi from "@pulumi/pulumi";
import { componentProviderHost } from "@pulumi/pulumi/provider/experimental";

class Thing extends pulumi.CustomResource {}

export interface ShelfArgs {
    /** What it is painted with */
    color: pulumi.Input<string>;
    sizes?: pulumi.Input<pulumi.Input<number>[]>;
    note?: pulumi.Input<string>;
}

export class Shelf extends pulumi.ComponentResource {
    public readonly color: pulumi.Output<string>;
    public readonly total: pulumi.Output<number>;
    public readonly note: pulumi.Output<string | undefined>;

    constructor(name: string, args: ShelfArgs, opts?: pulumi.ComponentResourceOptions) {
        super("shelves:index:Shelf", name, args, opts);
        new Thing("thing:index:Thing", `${name}-inside`, { color: args.color, note: args.note }, { parent: this });
        this.color = pulumi.interpolate`light ${args.color}`;
        this.total = pulumi.output(args.sizes).apply((sizes) => (sizes ?? []).reduce((sum, size) => sum + size, 0));
        this.note = pulumi.output(args.note);
        this.registerOutputs({ color: this.color, total: this.total, note: this.note });
    }
}

componentProviderHost({ name: "shelves", components: [Shelf] });
