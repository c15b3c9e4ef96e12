// model.js — from events and spans to what the page shows: resources with their steps and times, changes, messages, policies, outputs.
import { isProviderType, packageOf, shortType, urnName, urnType } from "../common/urn.js";

const STACK = "pulumi:pulumi:Stack";

// How each op is called, its sign, and the colour of theme.css. The order is that of summaries.
export const OPS = {
  create: { word: "created", plan: "to create", sign: "+", color: "hue-2" },
  update: { word: "updated", plan: "to update", sign: "~", color: "hue-4" },
  replace: { word: "replaced", plan: "to replace", sign: "±", color: "hue-3" },
  delete: { word: "deleted", plan: "to delete", sign: "−", color: "hue-1" },
  import: { word: "imported", plan: "to import", sign: "↓", color: "hue-0" },
  refresh: { word: "refreshed", plan: "to refresh", sign: "↻", color: "hue-5" },
  read: { word: "read", plan: "to read", sign: "→", color: "hue-6" },
  same: { word: "unchanged", plan: "unchanged", sign: "=", color: "hue-7" },
};

const PLAIN = {
  "create-replacement": "replace", "delete-replaced": "replace", "import-replacement": "replace", "read-replacement": "read",
  discard: "delete", "discard-replaced": "delete", "remove-pending-replace": "delete",
};

export function plainOp(op) {
  return PLAIN[op] || (OPS[op] ? op : "update");
}

const WEIGHT = ["same", "read", "refresh", "import", "update", "create", "delete", "replace"];

function weightier(a, b) {
  return WEIGHT.indexOf(b) > WEIGHT.indexOf(a) ? b : a;
}

function resourceOf(phase, urn, type) {
  let resource = phase.byUrn.get(urn);
  if (!resource) {
    const ownType = type || urnType(urn);
    resource = {
      urn, name: urnName(urn), type: ownType, shortType: shortType(ownType), package: packageOf(ownType),
      op: "same", steps: [], segments: [], calls: [], dependsOn: new Set(), parent: null, provider: null, failed: false, isStack: ownType === STACK,
      isDefault: isProviderType(ownType) && /^default(_|$)/.test(urnName(urn)), // made by the engine, of no interest to the program
    };
    phase.byUrn.set(urn, resource);
  }
  return resource;
}

// A reference is URN::ID.
function providerUrn(reference) {
  const at = (reference || "").lastIndexOf("::");
  return at > 0 ? reference.slice(0, at) : null;
}

function beginStep(phase, event) {
  const resource = resourceOf(phase, event.urn, event.type);
  const state = event.new || event.old || {};
  resource.steps.push({ op: event.op, start: event.t, end: null, before: event, after: null, failed: false });
  resource.op = weightier(resource.op, plainOp(event.op));
  resource.provider ||= providerUrn(event.provider);
  resource.parent ||= state.parent || null;
  for (const urn of event.dependsOn || []) resource.dependsOn.add(urn);
}

// The first step of that op that has not ended. A refresh may end as another op than it began.
function endStep(phase, event, failed) {
  const resource = resourceOf(phase, event.urn, event.type);
  const open = resource.steps.filter((step) => step.end === null);
  let step = open.find((candidate) => candidate.op === event.op) || open[0];
  if (!step) {
    step = { op: event.op, start: event.t, end: null, before: null, after: null, failed: false };
    resource.steps.push(step);
  }
  step.end = event.t;
  step.after = event;
  step.failed = failed;
  if (event.op !== step.op || !step.before) resource.op = step.op === "refresh" ? plainOp(event.op) : weightier(resource.op, plainOp(event.op));
  resource.failed ||= failed;
}

function addMessage(phase, event) {
  if (event.ephemeral || !(event.message || "").trim()) return;
  const urn = event.urn || "";
  const last = phase.messages[phase.messages.length - 1];
  if (last && last.urn === urn && last.severity === event.severity && event.severity !== "error") last.text += event.message;
  else phase.messages.push({ urn, severity: event.severity || "info", text: event.message, t: event.t });
}

const takers = {
  prelude: (phase, event) => { phase.config = event.config || {}; },
  pre: (phase, event) => {
    phase.isPreview ||= !!event.planning;
    beginStep(phase, event);
  },
  outputs: (phase, event) => {
    phase.isPreview ||= !!event.planning;
    endStep(phase, event, false);
    if (event.type === STACK && event.new) phase.outputs = { before: (event.old || {}).outputs || {}, after: event.new.outputs || {} };
  },
  failed: (phase, event) => endStep(phase, event, true),
  diagnostic: addMessage,
  stdout: (phase, event) => phase.messages.push({ urn: "", severity: "info", text: event.message || "", t: event.t }),
  policy: (phase, event) => phase.policies.push(event),
  remediation: (phase, event) => phase.remediations.push(event),
  policySummary: (phase, event) => phase.policySummaries.push(event),
  summary: (phase, event) => {
    phase.summary = event;
    phase.isPreview = !!event.isPreview;
  },
};

// [name, plugin, urn, start, end, failed]
const SEGMENTS = { queue: "waiting", plan: "planning", apply: "provider", journal: "journal" };

function addSpan(phase, span) {
  const [name, plugin, urn, start, end, failed] = span;
  phase.end = Math.max(phase.end, end);
  if (plugin) {
    const call = { method: name, plugin, urn, start, end, failed: !!failed };
    phase.calls.push(call);
    if (urn && phase.byUrn.has(urn)) phase.byUrn.get(urn).calls.push(call);
    return;
  }
  if (!urn) return;
  const resource = resourceOf(phase, urn);
  if (SEGMENTS[name]) resource.segments.push({ kind: SEGMENTS[name], start, end });
  else resource.segments.push({ kind: "step", op: name, start, end, failed: !!failed });
}

// With spans a step has exact ends, and what lies between the end of its planning and its begin was waiting for a turn.
function measureResource(resource, hasSpans) {
  const spans = resource.segments.filter((segment) => segment.kind === "step");
  const plans = resource.segments.filter((segment) => segment.kind === "planning");
  for (const span of spans) {
    const before = plans.filter((plan) => plan.end <= span.start + 0.01);
    const planned = before.length ? before[before.length - 1].end : null;
    const isNext = !spans.some((other) => other !== span && other.start >= planned && other.start < span.start);
    if (planned !== null && isNext && span.start - planned > 0.02) resource.segments.push({ kind: "waiting", start: planned, end: span.start });
  }
  resource.segments = resource.segments.filter((segment) => segment.kind !== "step");
  resource.work = (spans.length ? spans : resource.steps).map((step) => ({ resource, op: step.op, start: step.start, end: step.end ?? step.start }));
  if (!spans.length) {
    for (const step of resource.steps) {
      const end = step.end ?? step.start;
      if (hasSpans || resource.type === STACK || !resource.provider) continue;
      resource.segments.push({ kind: "provider", start: step.start, end });
    }
  }
  const starts = resource.steps.map((step) => step.start), ends = resource.steps.map((step) => step.end ?? step.start);
  resource.first = Math.min(...starts, ...resource.segments.map((segment) => segment.start));
  resource.last = Math.max(...ends, ...resource.segments.map((segment) => segment.end));
  resource.stepStart = Math.min(...(spans.length ? spans.map((span) => span.start) : starts));
  resource.stepEnd = Math.max(...(spans.length ? spans.map((span) => span.end) : ends));
  resource.times = { waiting: 0, planning: 0, provider: 0, journal: 0 };
  for (const segment of resource.segments) resource.times[segment.kind] += segment.end - segment.start;
  resource.busy = resource.times.planning + resource.times.provider + resource.times.journal;
  resource.isOpen = !resource.provider; // components and the stack last as long as their children
  resource.segments.sort((a, b) => a.start - b.start);
}

// How many were with a provider at a time: [time, number] at each change.
function parallelism(resources) {
  const changes = [];
  for (const resource of resources) {
    for (const segment of resource.segments) {
      if (segment.kind !== "provider" || !resource.provider || segment.end <= segment.start) continue;
      changes.push([segment.start, 1], [segment.end, -1]);
    }
  }
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const points = [];
  let now = 0, most = 0, area = 0, busy = 0, before = 0;
  for (const [time, change] of changes) {
    if (now > 0) {
      area += now * (time - before);
      busy += time - before;
    }
    now += change;
    most = Math.max(most, now);
    before = time;
    if (points.length && points[points.length - 1][0] === time) points[points.length - 1][1] = now;
    else points.push([time, now]);
  }
  return { points, most, average: busy ? area / busy : 0 };
}

function nameOf(phase, operation) {
  if (phase.isPreview) return "Preview";
  return { up: "Update", update: "Update", refresh: "Refresh", destroy: "Destroy", preview: "Preview" }[operation] || "Operation";
}

function resultOf(phase) {
  if (phase.summary && phase.summary.result) return phase.summary.result;
  if (phase.resources.some((resource) => resource.failed) || phase.messages.some((message) => message.severity === "error")) return "failed";
  return phase.summary ? "succeeded" : "unfinished";
}

// As the summary counts them, if there is one: without what is there for the engine alone.
function countOps(phase) {
  const counts = new Map();
  const add = (op, number) => counts.set(op, (counts.get(op) || 0) + number);
  const told = Object.entries((phase.summary || {}).resourceChanges || {});
  if (told.length) for (const [op, number] of told) add(plainOp(op), number);
  else for (const resource of phase.resources) if (!resource.isDefault) add(resource.op, 1);
  return counts;
}

function buildPhase(data, operation) {
  const phase = {
    start: data.start, end: 0, byUrn: new Map(), calls: [], messages: [], policies: [], remediations: [], policySummaries: [],
    config: {}, outputs: null, summary: null, isPreview: false,
  };
  for (const event of data.events) {
    phase.end = Math.max(phase.end, event.t);
    const take = takers[event.e];
    if (take) take(phase, event);
  }
  for (const span of data.spans) addSpan(phase, span);
  phase.hasSpans = data.spans.length > 0;
  phase.resources = [...phase.byUrn.values()].filter((resource) => resource.steps.length);
  phase.hasDependencies = phase.resources.some((resource) => resource.dependsOn.size);
  for (const resource of phase.resources) measureResource(resource, phase.hasSpans);
  phase.resources.sort((a, b) => a.first - b.first || a.last - b.last);
  phase.parallelism = parallelism(phase.resources);
  phase.name = nameOf(phase, operation);
  phase.result = resultOf(phase);
  phase.counts = countOps(phase);
  return phase;
}

export function buildReport(data) {
  return { data, phases: data.phases.map((phase) => buildPhase(phase, data.operation)) };
}
