// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as utilities from "./utilities";

/**
 * @deprecated look out of the window
 */
export function getWeather(args?: GetWeatherArgs, opts?: pulumi.InvokeOptions): Promise<string> {
    pulumi.log.warn("getWeather is deprecated: look out of the window");
    args = args ?? {};
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeSingle("garden:index:getWeather", {
        "day": args.day,
    }, opts);
}

/**
 * @deprecated look out of the window
 */
export function getWeatherOutput(args?: GetWeatherOutputArgs, opts?: pulumi.InvokeOutputOptions): pulumi.Output<string> {
    pulumi.log.warn("getWeather is deprecated: look out of the window");
    args = args ?? {};
    opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts ?? {});
    return pulumi.runtime.invokeSingleOutput("garden:index:getWeather", {
        "day": args.day,
    }, opts);
}

export interface GetWeatherArgs {
    day?: string;
}

export interface GetWeatherOutputArgs {
    day?: pulumi.Input<string | undefined>;
}
