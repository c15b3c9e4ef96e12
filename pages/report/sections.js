// sections.js — the parts of the page below each other, each from one phase.
import { count, el, fill, formatTime } from "../common/dom.js";
import { shortType, urnName, urnType } from "../common/urn.js";
import { kindOf, valueText, valueTree } from "../common/values.js";
import { diffLines, diffValues } from "./diff.js";
import { formatMs } from "../common/time.js";
import { OPS } from "./model.js";
import { callsByMethod } from "./path.js";
import { Timeline } from "./timeline.js";

export function card(id, title, note, ...content) {
  return el("section", { class: "card", id, "data-title": title },
    el("header", {}, el("h2", {}, title), note && el("p", {}, note)), ...content);
}

function opSign(op, failed) {
  const sign = el("span", { class: "sign", "aria-hidden": "true" }, failed ? "✕" : OPS[op].sign);
  sign.style.background = failed ? "var(--bad)" : `var(--${OPS[op].color})`;
  return sign;
}

function swatch(kind) {
  const mark = el("span", { class: "swatch" });
  mark.style.background = `var(--${kind})`;
  return mark;
}

function figure(value, label, mood) {
  return el("div", { class: "figure" + (mood ? " " + mood : "") }, el("div", { class: "value" }, value), el("div", { class: "label" }, label));
}

// --- the head ---

export function showOverview(phase) {
  const total = [...phase.counts.values()].reduce((sum, number) => sum + number, 0);
  const changed = total - (phase.counts.get("same") || 0);
  const mood = { succeeded: "good", failed: "bad" }[phase.result];
  const errors = phase.messages.filter((message) => message.severity === "error").length;
  const seconds = phase.summary && phase.summary.durationSeconds;
  const shares = el("div", { class: "shares", "aria-hidden": "true" });
  const ops = el("ul", { class: "ops" });
  for (const [op, style] of Object.entries(OPS)) {
    const number = phase.counts.get(op);
    if (!number) continue;
    const share = el("span", {});
    share.style.flexGrow = number;
    share.style.background = `var(--${style.color})`;
    shares.append(share);
    ops.append(el("li", {}, opSign(op), `${number.toLocaleString("en")} ${phase.isPreview ? style.plan : style.word}`));
  }
  return el("section", { class: "card", id: "overview", "data-title": "Overview" },
    el("div", { class: "figures" },
      figure(phase.result, phase.isPreview ? "the preview" : "the operation", mood),
      figure(formatMs(phase.hasSpans || !seconds ? phase.end : seconds * 1000) || "0 ms", `from ${formatTime(phase.start)}`),
      figure(changed.toLocaleString("en"), `${changed === 1 ? "resource" : "resources"} of ${total.toLocaleString("en")} ${phase.isPreview ? "would change" : "changed"}`),
      figure(phase.parallelism.most ? phase.parallelism.average.toFixed(1) : "–", "at work at a time, on average"),
      errors > 0 && figure(errors, errors === 1 ? "error" : "errors", "bad")),
    shares, ops);
}

// --- the timeline ---

function detailOf(resource, dependsOn) {
  const times = el("dl", {});
  for (const kind of ["waiting", "planning", "provider", "journal"]) {
    times.append(el("dt", {}, swatch(kind), kind), el("dd", {}, formatMs(resource.times[kind])));
  }
  const calls = [...resource.calls].sort((a, b) => a.start - b.start);
  return [
    el("div", {},
      el("h3", {}, resource.type),
      el("strong", {}, resource.name),
      el("div", { class: "mono soft" }, resource.urn),
      dependsOn.length > 0 && el("p", { class: "soft" }, `depends on ${dependsOn.join(", ")}`),
      times),
    el("div", {},
      el("h3", {}, count(calls.length, "call")),
      calls.length ? el("table", {}, el("tbody", {}, ...calls.slice(0, 60).map((call) => el("tr", {},
        el("td", {}, call.method, call.failed && el("span", { class: "chip bad" }, "failed")),
        el("td", { class: "number soft" }, `at ${formatMs(call.start)}`),
        el("td", { class: "number" }, formatMs(call.end - call.start))))))
        : el("p", { class: "soft" }, "None was recorded: its provider is built in, or there was nothing to ask.")),
  ];
}

const SORTS = {
  "by start": (a, b) => a.first - b.first || a.last - b.last,
  "by time": (a, b) => b.busy - a.busy,
  "by name": (a, b) => (a.name < b.name ? -1 : 1),
};

export function showTimeline(phase, path) {
  if (!phase.resources.length) return null;
  const detail = el("div", { class: "detail", "aria-live": "polite", hidden: true });
  const onPath = new Map();
  for (const step of path.steps) onPath.set(step.resource, [...(onPath.get(step.resource) || []), step]);
  const timeline = new Timeline(phase, onPath, (resource) => {
    detail.hidden = !resource;
    if (resource) fill(detail, ...detailOf(resource, [...resource.dependsOn].map(urnName)));
  });
  const search = el("input", { type: "search", placeholder: "Filter resources   /", "aria-label": "Filter the timeline", id: "timeline-filter" });
  const sort = el("select", { "aria-label": "Order" }, ...Object.keys(SORTS).map((name) => el("option", {}, name)));
  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = phase.resources.filter((resource) => words.every((word) => resource.urn.toLowerCase().includes(word)));
    timeline.show(rows.sort(SORTS[sort.value]));
    timeline.element.dataset.rows = rows.length;
  };
  search.addEventListener("input", update);
  sort.addEventListener("change", update);
  const note = phase.hasSpans ? null : "The event log has whole seconds and no calls: a bar reaches from the begin of a step to its end.";
  const element = card("timeline", "Timeline", note,
    el("div", { class: "legend" },
      ...(phase.hasSpans ? [el("span", {}, swatch("waiting"), "waiting"), el("span", {}, swatch("planning"), "planning")] : []),
      el("span", {}, swatch("provider"), phase.hasSpans ? "provider" : "step"),
      phase.hasSpans && el("span", {}, swatch("journal"), "journal"),
      onPath.size > 0 && el("span", {}, "underlined: on the critical path")),
    timeline.element, detail);
  element.querySelector("header").append(el("div", { class: "controls" }, search, sort,
    el("div", { class: "switch" }, el("button", { onclick: () => timeline.zoom(1 / 1.5), "aria-label": "Zoom out in time" }, "−"),
      el("button", { onclick: () => timeline.fit() }, "Fit"), el("button", { onclick: () => timeline.zoom(1.5), "aria-label": "Zoom in in time" }, "+"))));
  update();
  return { element, timeline };
}

// --- where the time went ---

export function showPath(phase, path) {
  if (!path.steps.length || phase.end <= 0) return null;
  const last = path.steps[path.steps.length - 1];
  const note = (path.isGuess ? "Guessed from times, since the event log does not say what depends on what. " : "")
    + `The end came at ${formatMs(last.end)}; only a shorter step of these could have made it come earlier.`;
  return card("path", "Critical path", note, el("ol", { class: "path" }, ...path.steps.map((step) => {
    const wait = el("span", {}), work = el("span", {});
    const percent = (time) => `${Math.max(0, time) / phase.end * 100}%`;
    wait.style.left = percent(step.start - step.wait);
    wait.style.width = percent(step.wait);
    wait.style.background = "var(--waiting)";
    work.style.left = percent(step.start);
    work.style.width = percent(step.end - step.start);
    work.style.background = "var(--provider)";
    return el("li", {}, el("div", {}, step.resource.name, el("div", { class: "type" }, `${step.op} · ${step.resource.shortType}`)),
      el("div", { class: "track", "aria-hidden": "true" }, wait, work),
      el("div", { class: "time" }, formatMs(step.end - step.start) || "0 ms", el("div", { class: "type" }, step.wait > 1 ? `after ${formatMs(step.wait)}` : "at once")));
  })));
}

function strip(resource, longest) {
  const parts = ["waiting", "planning", "provider", "journal"].map((kind) => {
    const part = el("span", { title: `${kind} ${formatMs(resource.times[kind])}` });
    part.style.width = `${resource.times[kind] / longest * 100}%`;
    part.style.background = `var(--${kind})`;
    return resource.times[kind] > 0 && part;
  });
  return el("div", { class: "strip" }, ...parts.filter(Boolean));
}

export function showSlowest(phase) {
  const total = (resource) => resource.busy + resource.times.waiting;
  const slowest = phase.resources.filter((resource) => total(resource) > 0).sort((a, b) => total(b) - total(a)).slice(0, 15);
  if (!slowest.length) return null;
  const longest = total(slowest[0]);
  const kinds = phase.hasSpans ? { waiting: "Waiting", planning: "Planning", provider: "Provider", journal: "Journal" } : { provider: "Step" };
  return card("slowest", "Slowest resources", null, el("table", {},
    el("thead", {}, el("tr", {}, ...["Resource", "", ...Object.values(kinds)].map((text, i) => el("th", { class: i > 1 ? "number" : undefined }, text)))),
    el("tbody", {}, ...slowest.map((resource) => el("tr", {},
      el("td", {}, resource.name, el("div", { class: "type" }, resource.shortType)),
      el("td", { class: "bar" }, strip(resource, longest)),
      ...Object.keys(kinds).map((kind) => el("td", { class: "number" }, formatMs(resource.times[kind]))))))));
}

export function showCalls(phase) {
  const groups = callsByMethod(phase.calls);
  if (!groups.length) return null;
  return card("calls", "Calls", `${count(phase.calls.length, "call")} to plugins`, el("table", {},
    el("thead", {}, el("tr", {}, ...["Method", "Plugin", "Calls", "Total", "Median", "95 %", "Longest"].map((text, i) => el("th", { class: i > 1 ? "number" : undefined }, text)))),
    el("tbody", {}, ...groups.slice(0, 40).map((group) => el("tr", {},
      el("td", {}, group.method, " ", group.failed > 0 && el("span", { class: "chip bad" }, `${group.failed} failed`)), el("td", { class: "soft" }, group.plugin),
      el("td", { class: "number" }, group.count.toLocaleString("en")),
      ...[group.total, group.median, group.slow, group.most].map((time) => el("td", { class: "number" }, formatMs(time))))))));
}

// --- changes ---

function shownValue(value, className) {
  const kind = kindOf(value);
  const text = kind === "string" ? JSON.stringify(value) : kind === "object" || kind === "array" ? JSON.stringify(value, null, 2) : valueText(value);
  return el("span", { class: `${className} ${kind}` }, text.length > 2000 ? text.slice(0, 2000) + "…" : text);
}

function shownChange(change) {
  if (change.isUnseen) return el("span", { class: "unknown" }, "changed; both sides are secret or not told");
  if (change.kind === "add") return shownValue(change.after, "new");
  if (change.kind === "delete") return shownValue(change.before, "old");
  const isText = typeof change.before === "string" && typeof change.after === "string" && (change.before + change.after).includes("\n");
  if (isText) {
    return el("span", { class: "lines" }, ...diffLines(change.before, change.after)
      .map(([kind, text]) => el(kind === "+" ? "ins" : kind === "-" ? "del" : "span", {}, text || "\u00a0")));
  }
  return el("span", {}, shownValue(change.before, "old"), el("span", { class: "arrow" }, "→"), shownValue(change.after, "new"));
}

const KIND_SIGNS = { add: "+", delete: "−", update: "~" };
const KIND_COLORS = { add: "hue-2", delete: "hue-1", update: "hue-4" };

function forcedPaths(event) {
  const forced = new Set(event.keys || []);
  for (const [path, detail] of Object.entries(event.detailedDiff || {})) if ((detail.diffKind || "").endsWith("-replace")) forced.add(path);
  return [...forced];
}

const covers = (path, other) => path === other || path.startsWith(other + ".") || path.startsWith(other + "[");

// The step that says most, and what it changes. Where both sides are secret, only the provider knows that they differ.
export function changesOf(resource) {
  const step = resource.steps.find((candidate) => candidate.before && ["update", "replace", "create-replacement", "import-replacement"].includes(candidate.op))
    || resource.steps.find((candidate) => candidate.op !== "same") || resource.steps[0];
  const event = step.op === "refresh" && step.after ? step.after : step.before || step.after;
  const side = (state) => (step.op === "refresh" ? (state || {}).outputs : (state || {}).inputs);
  const isReplaced = resource.op === "replace" && step.before;
  const changes = diffValues(resource.op === "create" ? undefined : side(event.old), resource.op === "delete" ? undefined : side(event.new));
  const forced = forcedPaths(event);
  const named = [...new Set([...Object.keys(event.detailedDiff || {}), ...(event.diffs || [])])];
  for (const path of named) {
    if (changes.some((change) => covers(change.path, path) || covers(path, change.path))) continue;
    const kind = ((event.detailedDiff || {})[path] || {}).diffKind || "update";
    changes.push({ path, kind: kind.split("-")[0], isUnseen: true });
  }
  for (const change of changes) change.isForced = !!isReplaced && forced.some((path) => covers(change.path, path) || covers(path, change.path));
  return changes;
}

function showDiff(resource) {
  const changes = changesOf(resource);
  if (!changes.length) return el("p", { class: "soft" }, ["create", "delete"].includes(resource.op) ? "It has no inputs." : "No input differs.");
  const grid = el("div", { class: "diff" });
  for (const change of changes.slice(0, 400)) {
    const kind = el("span", { class: "kind" }, KIND_SIGNS[change.kind] || "~");
    kind.style.color = `var(--${KIND_COLORS[change.kind] || "hue-4"})`;
    grid.append(kind, el("span", { class: "path" }, change.path, change.isForced && el("span", { class: "forced" }, "forces the replacement")), el("span", { class: "value" }, shownChange(change)));
  }
  return grid;
}

const MANY = 100;

function changeRow(resource, open) {
  const inside = el("div", { class: "inside" });
  const row = el("details", { class: "change", "data-urn": resource.urn, "data-op": resource.op },
    el("summary", {}, opSign(resource.op, resource.failed),
      el("span", { class: "what" }, resource.name, el("span", { class: "type" }, resource.type)),
      resource.failed && el("span", { class: "chip bad" }, "failed"),
      el("span", { class: "faint" }, resource.busy ? formatMs(resource.busy) : "")), inside);
  const show = () => { if (row.open && !inside.firstChild) fill(inside, showDiff(resource)); };
  row.addEventListener("toggle", show);
  if (open) {
    row.open = true;
    show();
  }
  return row;
}

export function showChanges(phase) {
  const changed = phase.resources.filter((resource) => (resource.op !== "same" && !resource.isDefault && !(resource.isStack && resource.op === "update")) || resource.failed);
  if (!changed.length) return null;
  const list = el("div", {});
  const search = el("input", { type: "search", placeholder: "Filter changes", "aria-label": "Filter the changes", id: "changes-filter" });
  const wanted = new Set();
  const found = el("output", { class: "soft", id: "changes-found" });
  let shown = MANY;
  const update = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = changed.filter((resource) => (!wanted.size || wanted.has(resource.op)) && words.every((word) => resource.urn.toLowerCase().includes(word)));
    found.textContent = rows.length === changed.length ? "" : `${rows.length} of ${changed.length}`;
    const more = rows.length > shown && el("button", { class: "quiet", onclick: () => { shown += 400; update(); } }, `and ${count(rows.length - shown, "other")}`);
    fill(list, ...rows.slice(0, shown).map((resource) => changeRow(resource, rows.length <= 6)), more);
  };
  const ops = Object.keys(OPS).filter((op) => op !== "same" && phase.counts.has(op));
  const buttons = ops.length > 1 && el("span", { class: "chosen-op" }, ...ops.map((op) => {
    const button = el("button", { "aria-pressed": "false", "data-op": op }, `${OPS[op].sign} ${op}`);
    button.addEventListener("click", () => {
      if (!wanted.delete(op)) wanted.add(op);
      button.setAttribute("aria-pressed", String(wanted.has(op)));
      update();
    });
    return button;
  }));
  search.addEventListener("input", update);
  const element = card("changes", "Changes", null, list);
  element.dataset.count = changed.length;
  element.querySelector("header").append(el("div", { class: "controls" }, found, buttons, search));
  update();
  return element;
}

// --- what was said ---

function named(urn) {
  return urn ? el("h3", {}, urnName(urn), " ", el("span", { class: "type" }, shortType(urnType(urn)))) : null;
}

export function showMessages(phase) {
  const groups = new Map();
  for (const message of phase.messages) {
    if (!message.text.trim()) continue;
    if (!groups.has(message.urn)) groups.set(message.urn, []);
    groups.get(message.urn).push(message);
  }
  if (!groups.size) return null;
  const worst = (messages) => (messages.some((message) => message.severity === "error") ? 0 : messages.some((message) => message.severity === "warning") ? 1 : 2);
  const sorted = [...groups].sort((a, b) => worst(a[1]) - worst(b[1]));
  const element = card("messages", "Messages", null, ...sorted.map(([urn, messages]) => el("div", { class: "messages" }, named(urn),
    ...messages.map((message) => el("pre", { class: `text ${message.severity.replace("#", "-")}` },
      ["error", "warning", "debug"].includes(message.severity) && el("span", { class: "severity" }, message.severity + ": "), message.text.replace(/\n+$/, ""))))));
  element.dataset.count = phase.messages.length;
  if (phase.messages.some((message) => message.severity === "error")) element.dataset.bad = "";
  return element;
}

export function showPolicies(phase) {
  const packs = new Map();
  for (const summary of phase.policySummaries) {
    const pack = packs.get(summary.policyPackName) || { passed: new Set(), failed: new Set(), version: summary.policyPackVersion };
    for (const policy of summary.passed || []) pack.passed.add(policy);
    for (const policy of summary.failed || []) pack.failed.add(policy);
    packs.set(summary.policyPackName, pack);
  }
  if (!packs.size && !phase.policies.length && !phase.remediations.length) return null;
  const violation = (policy) => {
    const isHard = policy.enforcementLevel === "mandatory";
    return el("tr", {}, el("td", {}, el("span", { class: "chip " + (isHard ? "bad" : "warn") }, policy.enforcementLevel || "")),
      el("td", {}, policy.policyName, el("div", { class: "type" }, `${policy.policyPackName} ${policy.policyPackVersion || ""}`)),
      el("td", {}, policy.resourceUrn ? urnName(policy.resourceUrn) : "the stack", policy.resourceUrn && el("div", { class: "type" }, shortType(urnType(policy.resourceUrn)))),
      el("td", {}, (policy.message || "").trim()));
  };
  const remedy = (event) => el("div", { class: "messages" },
    el("h3", {}, event.policyName, " ", el("span", { class: "type" }, `changed ${urnName(event.resourceUrn || "")}`)),
    el("div", { class: "diff" }, ...diffValues(event.before, event.after).flatMap((change) => [el("span", { class: "kind" }, KIND_SIGNS[change.kind]), el("span", { class: "path" }, change.path), el("span", { class: "value" }, shownChange(change))])));
  const element = card("policies", "Policies", null,
    packs.size > 0 && el("p", { class: "soft" }, [...packs].map(([name, pack]) => `${name} ${pack.version || ""}: ${[...pack.passed].filter((policy) => !pack.failed.has(policy)).length} passed, ${pack.failed.size} failed`).join(" · ")),
    phase.policies.length > 0 && el("table", {}, el("thead", {}, el("tr", {}, ...["Level", "Policy", "Resource", "Message"].map((text) => el("th", {}, text)))), el("tbody", {}, ...phase.policies.map(violation))),
    ...phase.remediations.map(remedy));
  element.dataset.count = phase.policies.length;
  if (phase.policies.some((policy) => policy.enforcementLevel === "mandatory")) element.dataset.bad = "";
  return element;
}

export function showOutputs(phase) {
  if (!phase.outputs || !Object.keys({ ...phase.outputs.before, ...phase.outputs.after }).length) return null;
  const { before, after } = phase.outputs;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const state = (name) => {
    if (!Object.hasOwn(after, name)) return "removed";
    if (!Object.hasOwn(before, name)) return "new";
    return JSON.stringify(before[name]) === JSON.stringify(after[name]) ? "" : "changed";
  };
  const element = card("outputs", "Outputs", null, el("table", {}, el("tbody", {}, ...names.map((name) => {
    const value = Object.hasOwn(after, name) ? after[name] : before[name];
    const isNested = ["object", "array"].includes(kindOf(value));
    return el("tr", {}, el("td", { class: "mono" }, name), el("td", {}, isNested ? valueTree(value) : el("div", { class: "values" }, el("span", { class: kindOf(value) }, valueText(value)))),
      el("td", { class: "number" }, state(name) && el("span", { class: "chip" }, state(name))));
  }))));
  element.dataset.count = names.length;
  return element;
}

export function showConfig(phase) {
  const entries = Object.entries(phase.config);
  if (!entries.length) return null;
  return card("config", "Configuration", null, el("table", {}, el("tbody", {}, ...entries.map(([key, value]) => el("tr", {},
    el("td", { class: "mono" }, key), el("td", { class: "mono" }, value === "[secret]" ? el("span", { class: "values" }, el("span", { class: "secret" }, "secret")) : value))))));
}
