// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "./utilities";

export { BedResult } from "./bed";
export const bed: typeof import("./bed").bed = null as any;
export const bedOutput: typeof import("./bed").bedOutput = null as any;
utilities.lazyLoad(exports, ["bed", "bedOutput"], () => require("./bed"));

export * from "./gardener";
import { Gardener } from "./gardener";

export { GetWeatherArgs, GetWeatherOutputArgs } from "./getWeather";
export const getWeather: typeof import("./getWeather").getWeather = null as any;
export const getWeatherOutput: typeof import("./getWeather").getWeatherOutput = null as any;
utilities.lazyLoad(exports, ["getWeather", "getWeatherOutput"], () => require("./getWeather"));

export const mix: typeof import("./mix").mix = null as any;
export const mixOutput: typeof import("./mix").mixOutput = null as any;
utilities.lazyLoad(exports, ["mix", "mixOutput"], () => require("./mix"));

export { ProviderArgs } from "./provider";
export type Provider = import("./provider").Provider;
export const Provider: typeof import("./provider").Provider = null as any;
utilities.lazyLoad(exports, ["Provider"], () => require("./provider"));

export { ShoutArgs } from "./shout";
export const shout: typeof import("./shout").shout = null as any;
utilities.lazyLoad(exports, ["shout"], () => require("./shout"));

export * from "./types/enums";

import * as beds from "./beds";
import * as config from "./config";
import * as houses from "./houses";
import * as types from "./types";

export {
    beds,
    config,
    houses,
    types,
};

const _module = {
    version: utilities.getVersion(),
    construct: (name: string, type: string, urn: string): pulumi.Resource => {
        switch (type) {
            case "garden:index:Gardener":
                return new Gardener(name, undefined as any, { urn });
            default:
                throw new Error(`unknown resource type ${type}`);
        }
    },
};
pulumi.runtime.registerResourceModule("garden", "index", _module);

pulumi.runtime.registerResourcePackage("garden", {
    version: utilities.getVersion(),
    constructProvider: (name: string, type: string, urn: string): pulumi.ProviderResource => {
        if (type !== "pulumi:providers:garden") {
            throw new Error(`unknown provider type ${type}`);
        }
        return new Provider(name, undefined as any, { urn });
    },
});
