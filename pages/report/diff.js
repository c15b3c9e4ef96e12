// diff.js — what changed between two values: a list of paths with their old and new values.
import { kindOf } from "../common/values.js";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function childPath(path, key) {
  if (typeof key === "number") return `${path}[${key}]`;
  if (/^[A-Za-z_$][\w$-]*$/.test(key)) return path ? `${path}.${key}` : key;
  return `${path}[${JSON.stringify(key)}]`;
}

// A string that holds a JSON object or array is compared as such.
function opened(value) {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || value.length > 200000) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

// Which items of two lists belong together: equal ones in order, the rest by place.
export function matchLists(a, b) {
  if (a.length * b.length > 250000) return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [i < a.length ? i : -1, i < b.length ? i : -1]);
  const left = a.map((item) => JSON.stringify(item)), right = b.map((item) => JSON.stringify(item));
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) table[i][j] = left[i] === right[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  const pairs = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && left[i] === right[j]) pairs.push([i++, j++]);
    else {
      // A run of items that are only on one side or the other.
      const olds = [], news = [];
      while ((i < a.length || j < b.length) && !(i < a.length && j < b.length && left[i] === right[j])) {
        if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) olds.push(i++);
        else news.push(j++);
      }
      for (let k = 0; k < Math.max(olds.length, news.length); k++) pairs.push([olds[k] ?? -1, news[k] ?? -1]);
    }
  }
  return pairs;
}

function compare(path, before, after, out) {
  if (same(before, after)) return;
  if (before === undefined) return void out.push({ path, kind: "add", after });
  if (after === undefined) return void out.push({ path, kind: "delete", before });
  const a = opened(before), b = opened(after);
  const kind = kindOf(a);
  if (kind === kindOf(b) && kind === "object") {
    for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      compare(childPath(path, key), Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined, out);
    }
  } else if (kind === kindOf(b) && kind === "array") {
    for (const [i, j] of matchLists(a, b)) compare(childPath(path, j >= 0 ? j : i), i >= 0 ? a[i] : undefined, j >= 0 ? b[j] : undefined, out);
  } else {
    out.push({ path, kind: "update", before, after });
  }
}

export function diffValues(before, after) {
  const changes = [];
  compare("", before || {}, after || {}, changes);
  return changes;
}

// Lines of two texts: [" ", text], ["-", text], ["+", text]. What is far from any change is left out.
export function diffLines(before, after) {
  const a = before.split("\n"), b = after.split("\n");
  const all = [];
  for (const [i, j] of matchLists(a, b)) {
    if (i >= 0 && j >= 0 && a[i] === b[j]) all.push([" ", a[i]]);
    else {
      if (i >= 0) all.push(["-", a[i]]);
      if (j >= 0) all.push(["+", b[j]]);
    }
  }
  const near = (at) => all.slice(Math.max(0, at - 2), at + 3).some(([kind]) => kind !== " ");
  const shown = [];
  all.forEach((line, at) => {
    if (near(at)) shown.push(line);
    else if (!shown.length || shown[shown.length - 1][1] !== "⋯") shown.push([" ", "⋯"]);
  });
  return shown;
}
