// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "../utilities";

export { BedArgs, BedState } from "./bed";
export type Bed = import("./bed").Bed;
export const Bed: typeof import("./bed").Bed = null as any;
utilities.lazyLoad(exports, ["Bed"], () => require("./bed"));

export { GetBedArgs, GetBedResult, GetBedOutputArgs } from "./getBed";
export const getBed: typeof import("./getBed").getBed = null as any;
export const getBedOutput: typeof import("./getBed").getBedOutput = null as any;
utilities.lazyLoad(exports, ["getBed", "getBedOutput"], () => require("./getBed"));

export * from "../types/enums/beds";

const _module = {
    version: utilities.getVersion(),
    construct: (name: string, type: string, urn: string): pulumi.Resource => {
        switch (type) {
            case "garden:beds/bed:Bed":
                return new Bed(name, undefined as any, { urn });
            default:
                throw new Error(`unknown resource type ${type}`);
        }
    },
};
pulumi.runtime.registerResourceModule("garden", "beds/bed", _module);
