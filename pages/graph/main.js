// main.js — puts the page together and answers keys, pointer and buttons.
import { byId, count, el, fill, formatTime, readData, startTheme } from "../common/dom.js";
import { Drawing, signCanvas } from "./draw.js";
import { ResultList, showFacets } from "./list.js";
import { buildModel, facets, select } from "./model.js";
import { showPanel } from "./panel.js";

const model = buildModel(readData());
const chosen = Object.fromEntries(facets.map((facet) => [facet.id, new Set()]));
const canvas = byId("canvas"), search = byId("search"), hint = byId("hint"), panel = byId("panel");
const drawing = new Drawing(canvas, model, () => {});
const list = new ResultList(byId("results"), byId("results-space"), (node) => choose(node, true));

// --- the head ---

function showHead() {
  const { data, nodes } = model;
  const edges = nodes.reduce((sum, node) => sum + node.dependencies.length, 0);
  byId("project").textContent = data.project || "";
  byId("stack").textContent = data.stack || "Resources";
  document.title = `${data.stack || "stack"} – resources`;
  byId("facts").textContent = [count(nodes.length, "resource"), count(edges, "dependency", "dependencies"),
    data.time && !data.time.startsWith("0001") ? `as of ${formatTime(data.time)}` : ""].filter(Boolean).join(" · ");
  byId("message").hidden = nodes.length > 0;
  byId("message").textContent = "This stack has no resources.";
}

function showLegend() {
  const present = ["protected", "external", "pending", "to be deleted", "to be created again", "tainted", "not initialised"]
    .filter((mark) => model.nodes.some((node) => node.marks.includes(mark)));
  const stroke = (hue, dashed, text) => {
    const line = el("span", { class: "stroke" + (dashed ? " dashed" : "") });
    line.style.borderColor = `var(--hue-${hue})`;
    return el("span", {}, line, text);
  };
  const marks = present.map((mark) => el("span", {}, signCanvas(mark), mark));
  const strokes = drawing.selected ? [stroke(0, false, "it depends on"), stroke(1, true, "depends on it")] : [];
  byId("legend").hidden = marks.length + strokes.length === 0;
  fill(byId("legend"), ...marks, ...strokes);
}

// --- what is chosen ---

function choose(node, centers) {
  drawing.selected = node;
  list.select(node);
  showLegend();
  const wasHidden = panel.hidden;
  if (node) showPanel(panel, node, (other) => choose(other, true), () => choose(null));
  else panel.hidden = true;
  if (wasHidden !== panel.hidden) drawing.resize();
  if (node && centers) drawing.center(node);
  drawing.draw();
  history.replaceState(null, "", node ? "#" + encodeURIComponent(node.resource.urn) : location.pathname + location.search);
}

function filter() {
  const found = select(model, search.value, chosen);
  const isAll = found.length === model.nodes.length;
  byId("matches").textContent = isAll ? count(found.length, "resource") : `${found.length.toLocaleString("en")} of ${count(model.nodes.length, "resource")}`;
  byId("clear").hidden = isAll && !search.value;
  list.show(found);
  if (drawing.selected) list.select(drawing.selected);
  drawing.draw();
}

function clearFilters() {
  search.value = "";
  for (const values of Object.values(chosen)) values.clear();
  showFacets(byId("facets"), model, chosen, filter);
  filter();
}

function setMode(mode) {
  byId("view-parents").setAttribute("aria-pressed", String(mode === "parents"));
  byId("view-dependencies").setAttribute("aria-pressed", String(mode === "dependencies"));
  drawing.setMode(mode);
}

// --- the pointer ---

const pointers = new Map();
let dragged = 0, pinch = 0;

function place(event) {
  const rect = canvas.getBoundingClientRect();
  return { x: event.clientX - rect.left, y: event.clientY - rect.top };
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, place(event));
  dragged = pointers.size > 1 ? 99 : 0;
  pinch = 0;
});

canvas.addEventListener("pointermove", (event) => {
  const now = place(event), before = pointers.get(event.pointerId);
  if (!before) return hover(now);
  dragged += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
  pointers.set(event.pointerId, now);
  hint.hidden = true;
  if (dragged < 4) return;
  canvas.classList.add("dragging");
  if (pointers.size === 1) return drawing.pan(now.x - before.x, now.y - before.y);
  const [a, b] = [...pointers.values()];
  const distance = Math.hypot(a.x - b.x, a.y - b.y);
  if (pinch) drawing.zoom(distance / pinch, (a.x + b.x) / 2, (a.y + b.y) / 2);
  pinch = distance;
});

function release(event) {
  const at = pointers.get(event.pointerId);
  pointers.delete(event.pointerId);
  canvas.classList.remove("dragging");
  if (at && dragged < 4 && event.type === "pointerup") choose(drawing.nodeAt(at.x, at.y));
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => hover(null));
canvas.addEventListener("dblclick", (event) => {
  const node = drawing.nodeAt(place(event).x, place(event).y);
  if (node) drawing.fitNodes([node]);
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1;
  if (event.shiftKey) return drawing.pan(-(event.deltaX || event.deltaY) * unit, 0);
  const { x, y } = place(event);
  drawing.zoom(Math.exp(-Math.max(-160, Math.min(160, event.deltaY * unit)) / 320), x, y);
}, { passive: false });

function hover(at) {
  const node = at && drawing.nodeAt(at.x, at.y);
  canvas.classList.toggle("over", !!node);
  if (node !== drawing.hovered) {
    drawing.hovered = node;
    drawing.draw();
  }
  hint.hidden = !node;
  if (!node) return;
  fill(hint, el("strong", {}, node.name), el("div", { class: "type" }, [node.type, ...node.marks].join(" · ")));
  const { clientWidth, clientHeight } = byId("stage");
  hint.style.left = Math.max(4, Math.min(at.x + 14, clientWidth - hint.offsetWidth - 8)) + "px";
  hint.style.top = (at.y + 24 + hint.offsetHeight > clientHeight ? at.y - hint.offsetHeight - 10 : at.y + 18) + "px";
}

// --- keys ---

const STEP = 70;
const moves = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
const actions = {
  "/": () => { search.focus(); search.select(); },
  p: () => setMode("parents"),
  d: () => setMode("dependencies"),
  f: () => drawing.fitNodes(model.matching),
  "0": () => drawing.fit(),
  "+": () => drawing.zoom(1.4),
  "=": () => drawing.zoom(1.4),
  "-": () => drawing.zoom(1 / 1.4),
  "?": () => toggleKeys(),
};

function toggleKeys() {
  const keys = byId("keys");
  keys.hidden = !keys.hidden;
  byId("help").setAttribute("aria-expanded", String(!keys.hidden));
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (!byId("keys").hidden) toggleKeys();
    else if (drawing.selected) choose(null);
    else clearFilters();
    return;
  }
  if (event.target.tagName === "INPUT" && event.target.type === "search") {
    if (event.key === "Enter") panel.focus();
    else list.key(event);
    return;
  }
  if (event.target === canvas && moves[event.key]) {
    event.preventDefault();
    drawing.pan(...moves[event.key]);
  } else if (event.target === canvas && event.key === "Enter" && drawing.selected) {
    panel.focus();
  } else if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
});

// --- paper: the drawing, the panel, and a table of what was found ---

addEventListener("beforeprint", () => {
  const head = el("tr", {}, ...["Name", "Type", "ID", "State"].map((text) => el("th", {}, text)));
  const rows = model.matching.map((node) => el("tr", {}, el("td", {}, node.name), el("td", {}, node.type), el("td", {}, node.resource.id || ""), el("td", {}, node.marks.join(", "))));
  fill(byId("printed"), el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
});
addEventListener("afterprint", () => fill(byId("printed")));

// --- beginning ---

search.addEventListener("input", filter);
byId("clear").addEventListener("click", clearFilters);
byId("view-parents").addEventListener("click", () => setMode("parents"));
byId("view-dependencies").addEventListener("click", () => setMode("dependencies"));
byId("zoom-in").addEventListener("click", () => drawing.zoom(1.4));
byId("zoom-out").addEventListener("click", () => drawing.zoom(1 / 1.4));
byId("zoom-fit").addEventListener("click", () => drawing.fit());
byId("print").addEventListener("click", () => print());
byId("help").addEventListener("click", toggleKeys);

showHead();
showFacets(byId("facets"), model, chosen, filter);
drawing.resize();
filter();
drawing.fit();
startTheme(byId("theme"), (isNow) => {
  drawing.setTheme(isNow);
  showLegend();
});
new ResizeObserver(() => drawing.resize()).observe(byId("stage"));

// A link may name a resource.
function follow() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const linked = wanted && model.nodes.find((node) => node.resource.urn === wanted);
  if (linked && linked !== drawing.selected) choose(linked, true);
}
addEventListener("hashchange", follow);
follow();

// For tests: where a resource is drawn, and how long a frame takes.
globalThis.culumiGraph = {
  rectOf: (urn) => drawing.rectOf(model.nodes.find((node) => node.resource.urn === urn)),
  frame: () => {
    const began = performance.now();
    drawing.paint();
    return performance.now() - began;
  },
};
