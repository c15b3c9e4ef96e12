// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as pulumi from "@pulumi/pulumi";
import * as runtime from "@pulumi/pulumi/runtime";

/** The value of the first of these environment variables that is set to something. */
export function getEnv(...names: string[]): string | undefined {
    return names.map(name => process.env[name]).find(value => !!value);
}

/** The same of one that says yes or no; undefined if it says something else. */
export function getEnvBoolean(...names: string[]): boolean | undefined {
    const word = getEnv(...names);
    if (word !== undefined && /^(1|t|T|true|True|TRUE)$/.test(word)) {
        return true;
    }
    if (word !== undefined && /^(0|f|F|false|False|FALSE)$/.test(word)) {
        return false;
    }
    return undefined;
}

/** The same of one that begins with a number. */
export function getEnvNumber(...names: string[]): number | undefined {
    const value = parseFloat(getEnv(...names) ?? "");
    return Number.isNaN(value) ? undefined : value;
}

/** The version of this package, without a "v" before it. */
export function getVersion(): string {
    const version: string = require("./package.json").version;
    return version.replace(/^v/, "");
}

/**
 * Options that every resource and call of this package has unless the program says otherwise.
 *
 * @internal
 */
export function resourceOptsDefaults(): any {
    return { version: getVersion(), pluginDownloadURL: "https://example.com/plugins" };
}

/**
 * Declares properties of a module whose values come from another one, which is loaded when the first of
 * them is read.
 *
 * @internal
 */
export function lazyLoad(exports: any, properties: string[], load: () => any) {
    for (const property of properties) {
        Object.defineProperty(exports, property, { enumerable: true, get: () => load()[property] });
    }
}

/**
 * Calls a method that gives its result at once. Such a result must be known and no secret.
 *
 * @internal
 */
export async function callAsync<T>(
    token: string,
    props: pulumi.Inputs,
    resource?: pulumi.Resource,
    options?: { property?: string },
    packageRef?: Promise<string | undefined>,
): Promise<T> {
    const output: any = runtime.call<T>(token, props, resource, packageRef);
    const value = await output.promise(/* withUnknowns: */ true);
    if (!(await output.isKnown)) {
        throw new Error(`the provider does not know yet what the method ${token} gives, but it has to`);
    }
    if (await output.isSecret) {
        throw new Error(`the provider gave a secret for the method ${token}, whose result cannot be one`);
    }
    return options?.property ? value[options.property] : value;
}
