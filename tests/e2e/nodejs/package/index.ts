import * as thing from "@pulumi/thing";

const box = new thing.Box("box", { size: 3, kind: thing.Kind.Wood, word: "hush", parts: [{ name: "nail", count: 2 }] });

export const size = box.size;
export const label = box.label;
export const kind = box.kind;
export const lid = thing.getLidOutput({ size: box.size }).lid;
