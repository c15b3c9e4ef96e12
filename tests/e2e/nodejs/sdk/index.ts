// A program on an SDK that was made for its provider.
import * as thing from "./made/nodejs/bin";

const first = new thing.Thing("first", { color: "red", label: { text: "new" }, word: "hush-hush" });
const second = new thing.Thing("second", { color: first.color, size: thing.Size.Large });

export const color = second.color;
export const sizes = [first.size, second.size];
export const label = first.label;
export const isThing = thing.Thing.isInstance(first);
