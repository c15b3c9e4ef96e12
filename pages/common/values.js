// values.js — property values as text and as elements.
import { el } from "./dom.js";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SPECIAL = {
  "1b47061264138c4ac30d75fd1eb44270": "secret",
  "5cf8f73096256a8f31e491e813e4eb8e": "reference",
  "c44067f5952c0a294b673a41bacd8c17": "asset",
  "0def7320c3a5731c473e5ecbe6d01bc7": "archive",
  "803fd3297a5875dc03ca845dda5d2a98": "bytes",
};
const UNKNOWN = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

// secret, unknown, reference, asset, archive, bytes, null, boolean, number, string, array or object
export function kindOf(value) {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return (Object.hasOwn(value, SIGNATURE) && SPECIAL[value[SIGNATURE]]) || "object";
  if (typeof value === "string" && UNKNOWN.has(value)) return "unknown";
  return typeof value;
}

// Without quotes, on one line where it can be.
export function valueText(value) {
  switch (kindOf(value)) {
    case "secret": return "secret";
    case "unknown": return "known after the update";
    case "reference": return `→ ${value.urn}`;
    case "asset":
    case "archive": return `${kindOf(value)} ${value.path || value.uri || (value.hash || "").slice(0, 12)}`;
    case "bytes": return `bytes ${value.value}`;
    case "null": return "null";
    case "array":
    case "object": return JSON.stringify(value);
    default: return String(value);
  }
}

function isEmpty(value) {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

const LONG = 4000;

function leaf(value) {
  const kind = kindOf(value);
  const text = valueText(value);
  if (text.length <= LONG) return el("span", { class: kind }, text);
  const shown = el("span", { class: kind }, text.slice(0, LONG) + "…");
  const more = el("button", { class: "link", onclick: () => { shown.textContent = text; more.remove(); } }, " show all");
  return el("span", {}, shown, more);
}

function branch(value) {
  const kind = kindOf(value);
  const entries = kind === "array" ? value.map((item, index) => [String(index), item]) : Object.entries(value);
  return el("ul", {}, ...entries.map(([key, item]) => {
    const name = el("span", { class: "key" }, key);
    const inner = kindOf(item);
    const nested = (inner === "array" || inner === "object") && !isEmpty(item);
    return el("li", {}, name, nested ? branch(item) : isEmpty(item) && item !== null ? leafEmpty(inner) : leaf(item));
  }));
}

function leafEmpty(kind) {
  return el("span", { class: "null" }, kind === "array" ? "[]" : kind === "object" ? "{}" : "null");
}

export function valueTree(properties) {
  return el("div", { class: "values" }, isEmpty(properties) ? leafEmpty("object") : branch(properties));
}
