// Made from the schema of the package 'garden'. What is changed here is lost when it is made again.

import * as enums from "./enums";
import * as input from "./input";
import * as output from "./output";

export {
    enums,
    input,
    output,
};
