// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as outputs from "./output";
import * as utilities from "../utilities";

export interface Hand {
    kind: "hand";
    name: string;
}

export interface Robot {
    kind: "robot";
    program?: pulumi.asset.Asset | pulumi.asset.Archive;
}

export namespace beds {
    export interface Drainage {
        layers?: outputs.beds.Drainage[];
        width?: number;
    }

    /**
     * What a bed is filled with. See Bed.
     */
    export interface Soil {
        /**
         * pH; use *&#47;5 for half.
         */
        acidity?: number;
        drainage?: outputs.beds.Drainage;
        parts: { [key: string]: number };
        "with-stones"?: boolean;
    }

    /**
     * Sets what is not set in Soil.
     */
    export function soilProvideDefaults(val: Soil): Soil {
        return {
            ...val,
            acidity: val.acidity ?? 6.5,
            "with-stones": val["with-stones"] ?? utilities.getEnvBoolean("GARDEN_STONES") ?? false,
        };
    }
}
