// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as beds from "./beds";

export {
    beds,
};

export const Season = {
    /**
     * Everything begins.
     */
    Spring: "spring",
    High_Summer: "summer",
    Asterisk: "*",
    /**
     * @deprecated there is only one
     */
    Season_2nd_autumn: "2nd-autumn",
} as const;

/**
 * When it is.
 */
export type Season = (typeof Season)[keyof typeof Season];
