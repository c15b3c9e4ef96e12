import * as pulumi from "@pulumi/pulumi";
import { componentProviderHost } from "@pulumi/pulumi/provider/experimental";
import * as random from "@pulumi/random";

export interface GreetingArgs {
    /** How many words the name has */
    words?: pulumi.Input<number>;
}

/** A greeting for a name that is made once */
export class Greeting extends pulumi.ComponentResource {
    public readonly text: pulumi.Output<string>;

    constructor(name: string, args: GreetingArgs, opts?: pulumi.ComponentResourceOptions) {
        super("${PROJECT}:index:Greeting", name, args, opts);
        const pet = new random.RandomPet(`${name}-name`, { length: args.words }, { parent: this });
        this.text = pulumi.interpolate`Hello, ${pet.id}!`;
        this.registerOutputs({ text: this.text });
    }
}

componentProviderHost({ name: "${PROJECT}", components: [Greeting] });
