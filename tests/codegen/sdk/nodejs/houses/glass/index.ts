// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "../../utilities";

export { HouseArgs } from "./house";
export type House = import("./house").House;
export const House: typeof import("./house").House = null as any;
utilities.lazyLoad(exports, ["House"], () => require("./house"));

const _module = {
    version: utilities.getVersion(),
    construct: (name: string, type: string, urn: string): pulumi.Resource => {
        switch (type) {
            case "garden:glasshouse/house:House":
                return new House(name, undefined as any, { urn });
            default:
                throw new Error(`unknown resource type ${type}`);
        }
    },
};
pulumi.runtime.registerResourceModule("garden", "glasshouse/house", _module);
