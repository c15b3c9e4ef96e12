// main.js — puts the page of a trace together.
import { byId, count, el, fill, formatTime, readData, startTheme } from "../common/dom.js";
import { formatMs } from "../common/time.js";
import { buildTrace, visibleSpans } from "./model.js";
import { Waterfall } from "./waterfall.js";

const MOST_NAMES = 200, MOST_ON_PAPER = 400;
const trace = buildTrace(readData());
const waterfall = new Waterfall(trace, showDetail, showRows);

function showDetail(span) {
  byId("detail").hidden = false;
  fill(byId("detail"), el("h3", {}, span.label),
    el("p", { class: "soft" }, `${formatMs(span.end - span.start) || "0 ms"}, of that ${formatMs(span.own) || "0 ms"} its own; from ${formatMs(span.start) || "0 ms"} on${span.failed ? "; failed" : ""}`),
    el("table", {}, el("tbody", {}, ...span.attributes.map(([key, value]) => el("tr", {}, el("td", {}, key), el("td", {}, value))))));
}

function showRows() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = visibleSpans(trace, words);
  waterfall.show(rows);
  waterfall.element.dataset.rows = rows.length;
}

function showNames() {
  const heads = ["Span", "Count", "Own", "Total", "Longest"];
  fill(byId("table"), el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((text, i) => el("th", { class: i > 0 ? "number" : undefined }, text)))),
    el("tbody", {}, ...trace.groups.slice(0, MOST_NAMES).map((group) => el("tr", {},
      el("td", {}, group.label, " ", group.failed > 0 && el("span", { class: "chip bad" }, `${group.failed} failed`)),
      el("td", { class: "number" }, group.count.toLocaleString("en")),
      ...[group.own, group.total, group.most].map((time) => el("td", { class: "number" }, formatMs(time))))))));
}

function showHead() {
  const root = trace.spans[0];
  const failed = trace.spans.filter((span) => span.failed).length;
  byId("over").textContent = trace.data.source;
  byId("title").textContent = root ? root.label : "Trace";
  document.title = root ? root.label : "Trace";
  byId("figures").textContent = `${count(trace.spans.length, "span")} in ${formatMs(trace.end) || "0 ms"}, from ${formatTime(trace.data.time)} on${failed ? `; ${failed} failed` : ""}`;
  byId("foot").textContent = `Made by ${trace.data.tool}. Nothing is loaded from anywhere.`;
}

addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.tagName === "INPUT") return;
  event.preventDefault();
  byId("filter").focus();
});
byId("filter").addEventListener("input", showRows);
byId("in").addEventListener("click", () => waterfall.zoom(1.5));
byId("out").addEventListener("click", () => waterfall.zoom(1 / 1.5));
byId("fit").addEventListener("click", () => waterfall.fit());
byId("print").addEventListener("click", () => print());

showHead();
byId("waterfall").append(waterfall.element);
showRows();
showNames();
startTheme(byId("theme"), (isNow) => {
  if (isNow) waterfall.paint(waterfall.rows.length <= MOST_ON_PAPER);
  else waterfall.draw();
});
