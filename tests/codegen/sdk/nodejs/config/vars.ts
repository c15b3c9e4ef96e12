// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as enums from "../types/enums";
import * as utilities from "../utilities";

declare var exports: any;
const __config = new pulumi.Config("garden");

/**
 * What the weather is like.
 */
export declare const climate: string;
Object.defineProperty(exports, "climate", {
    get() {
        return __config.get("climate") ?? utilities.getEnv("GARDEN_CLIMATE") ?? "mild";
    },
    enumerable: true,
});

export declare const key: string | undefined;
Object.defineProperty(exports, "key", {
    get() {
        return __config.get("key");
    },
    enumerable: true,
});

export declare const season: enums.Season | undefined;
Object.defineProperty(exports, "season", {
    get() {
        return (__config.get("season") as enums.Season | undefined);
    },
    enumerable: true,
});

export declare const zones: number[] | undefined;
Object.defineProperty(exports, "zones", {
    get() {
        return __config.getObject<number[]>("zones");
    },
    enumerable: true,
});
