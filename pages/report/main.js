// main.js — puts the page of an operation together.
import { byId, el, fill, formatTime, readData, startTheme } from "../common/dom.js";
import { buildReport } from "./model.js";
import { criticalPath } from "./path.js";
import { showCalls, showChanges, showConfig, showMessages, showOutputs, showOverview, showPath, showPolicies, showSlowest, showTimeline } from "./sections.js";

const report = buildReport(readData());
let timeline = null;

function showNav() {
  const sections = [...byId("content").children];
  fill(byId("nav"), el("ul", {}, ...sections.map((section) => el("li", {},
    el("a", { href: "#" + section.id, class: "bad" in section.dataset ? "bad" : undefined }, section.dataset.title,
      section.dataset.count && el("span", { class: "count" }, Number(section.dataset.count).toLocaleString("en")))))));
}

function showPhase(phase) {
  const path = criticalPath(phase);
  const lanes = showTimeline(phase, path);
  timeline = lanes && lanes.timeline;
  const hasTrouble = phase.result === "failed";
  const said = [showMessages(phase), showPolicies(phase)];
  const parts = [showOverview(phase), ...(hasTrouble ? said : []), lanes && lanes.element, showPath(phase, path), showSlowest(phase), showCalls(phase),
    showChanges(phase), ...(hasTrouble ? [] : said), showOutputs(phase), showConfig(phase)];
  fill(byId("content"), ...parts);
  showNav();
  for (const button of byId("phases").children) button.setAttribute("aria-pressed", String(button.phase === phase));
  if (timeline) timeline.draw();
}

function showHead() {
  const { data, phases } = report;
  const last = phases[phases.length - 1];
  const title = data.stack ? `${last ? last.name : "Report"} of ${data.stack}` : `${last ? last.name : "Report"} from an event log`;
  byId("over").textContent = data.project || data.source || "";
  byId("title").textContent = title;
  document.title = title;
  byId("foot").textContent = `Made by ${data.tool}. Nothing is loaded from anywhere, and secrets are not in this file.`;
  byId("phases").hidden = phases.length < 2;
  fill(byId("phases"), ...phases.map((phase) => {
    const button = el("button", { title: formatTime(phase.start), onclick: () => showPhase(phase) }, phase.name);
    button.phase = phase;
    return button;
  }));
}

addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
  const field = byId("timeline-filter");
  if (!field) return;
  event.preventDefault();
  field.focus();
});

// On paper everything is open, and the timeline has all its rows as far as a page can take them.
const MOST_ON_PAPER = 400;
let openedForPaper = [];
addEventListener("beforeprint", () => {
  openedForPaper = [...document.querySelectorAll("details:not([open])")];
  for (const details of openedForPaper) {
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
  }
});
addEventListener("afterprint", () => {
  for (const details of openedForPaper) details.open = false;
  if (timeline) timeline.draw();
});
byId("print").addEventListener("click", () => print());

showHead();
if (report.phases.length) {
  showPhase(report.phases[report.phases.length - 1]);
} else {
  byId("message").hidden = false;
  byId("message").textContent = "Nothing was run.";
}
startTheme(byId("theme"), (isNow) => {
  if (timeline && isNow) timeline.paint(timeline.rows.length <= MOST_ON_PAPER);
  else if (timeline) timeline.draw();
});
