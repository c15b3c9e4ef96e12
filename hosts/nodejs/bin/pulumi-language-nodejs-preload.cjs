// pulumi-language-nodejs-preload.cjs — loaded before a program, to keep its errors printable.
//
// Some versions of node (20.20 is one) loop for ever when they colour a stack frame in "node_modules/@scope/file" without a
// further slash, and the source maps of the SDK make such frames: then a program that fails would never end. Those
// frames are given to node with an additional "./", which it can cope with.
"use strict";

const util = require("util");
const inspect = util.inspect;
const frame = /([/\\]node_modules[/\\]@[^/\\\n]*)([/\\])(?=[^/\\\n]*$)/gm;

function mended(value, options, ...rest) {
    if (!(value instanceof Error) || typeof value.stack !== "string" || !options || !options.colors) {
        return inspect.call(this, value, options, ...rest);
    }
    const own = Object.getOwnPropertyDescriptor(value, "stack");
    const stack = value.stack.replace(frame, "$1$2.$2");
    try {
        Object.defineProperty(value, "stack", { value: stack, configurable: true, enumerable: false, writable: true });
        return inspect.call(this, value, options, ...rest);
    } catch {
        return inspect.call(this, value, { ...options, colors: false }, ...rest);
    } finally {
        if (own && own.configurable) {
            Object.defineProperty(value, "stack", own);
        }
    }
}

Object.defineProperties(mended, Object.getOwnPropertyDescriptors(inspect));
util.inspect = mended;
