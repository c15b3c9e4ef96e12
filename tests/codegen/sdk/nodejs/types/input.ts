// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as inputs from "./input";
import * as utilities from "../utilities";

export interface HandArgs {
    kind: pulumi.Input<"hand">;
    name: pulumi.Input<string>;
}

export interface RobotArgs {
    kind: pulumi.Input<"robot">;
    program?: pulumi.Input<pulumi.asset.Asset | pulumi.asset.Archive | undefined>;
}

export namespace beds {
    export interface Drainage {
        layers?: inputs.beds.Drainage[];
        width?: number;
    }

    export interface DrainageArgs {
        layers?: pulumi.Input<pulumi.Input<inputs.beds.DrainageArgs>[] | undefined>;
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
        drainage?: inputs.beds.Drainage;
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

    /**
     * What a bed is filled with. See Bed.
     */
    export interface SoilArgs {
        /**
         * pH; use *&#47;5 for half.
         */
        acidity?: pulumi.Input<number | undefined>;
        drainage?: pulumi.Input<inputs.beds.DrainageArgs | undefined>;
        parts: pulumi.Input<{ [key: string]: pulumi.Input<number> }>;
        "with-stones"?: pulumi.Input<boolean | undefined>;
    }

    /**
     * Sets what is not set in SoilArgs.
     */
    export function soilArgsProvideDefaults(val: SoilArgs): SoilArgs {
        return {
            ...val,
            acidity: val.acidity ?? 6.5,
            "with-stones": val["with-stones"] ?? utilities.getEnvBoolean("GARDEN_STONES") ?? false,
        };
    }
}
