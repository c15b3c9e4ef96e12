// path.js — the critical path: the chain of resources that the end had to wait for; and the calls by method.

const CLOSE_MS = 1;

function latest(steps, before) {
  let best = null;
  for (const step of steps) {
    if (step.end > before.start + CLOSE_MS || step === before || step.end < step.start) continue;
    if (!best || step.end > best.end) best = step;
  }
  return best;
}

// What a step waited for: the steps of what it depends on, of its parent and its provider, and its own before it.
function awaited(phase, step) {
  const { resource } = step;
  const others = [...resource.dependsOn, resource.parent, resource.provider].map((urn) => phase.byUrn.get(urn)).filter((other) => other && other.work);
  return [resource, ...others].flatMap((other) => other.work);
}

// From the step that ended last back to the first. Deletes wait for whatever came before; where dependencies are not known, the step that
// ended last before another began is taken, which may be chance.
export function criticalPath(phase) {
  const all = phase.resources.filter((resource) => resource.provider).flatMap((resource) => resource.work);
  let current = all.reduce((last, step) => (!last || step.end > last.end ? step : last), null);
  const path = [];
  const seen = new Set();
  while (current && !seen.has(current)) {
    seen.add(current);
    const isKnown = phase.hasDependencies && !current.op.startsWith("delete");
    const before = latest((isKnown ? awaited(phase, current) : all).filter((step) => !seen.has(step)), current);
    path.unshift({ ...current, wait: before ? Math.max(0, current.start - before.end) : current.start });
    current = before;
  }
  return { steps: path, isGuess: !phase.hasDependencies };
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

// By method and plugin, the costliest first.
export function callsByMethod(calls) {
  const groups = new Map();
  for (const call of calls) {
    const key = call.method + "\n" + call.plugin;
    if (!groups.has(key)) groups.set(key, { method: call.method, plugin: call.plugin, times: [], failed: 0 });
    const group = groups.get(key);
    group.times.push(call.end - call.start);
    group.failed += call.failed ? 1 : 0;
  }
  for (const group of groups.values()) {
    group.times.sort((a, b) => a - b);
    group.count = group.times.length;
    group.total = group.times.reduce((sum, time) => sum + time, 0);
    group.median = quantile(group.times, 0.5);
    group.slow = quantile(group.times, 0.95);
    group.most = group.times[group.count - 1];
  }
  return [...groups.values()].sort((a, b) => b.total - a.total);
}
