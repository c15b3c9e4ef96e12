// model.js — the spans of a trace as a tree, and times by name. Times are milliseconds since the first span.

function readSpan([parent, start, length, failed, label, pairs], index) {
  const attributes = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) attributes.push([pairs[i], pairs[i + 1]]);
  return { index, parent, start: start / 1000, end: (start + length) / 1000, failed: failed > 0, label, attributes, parts: [], isOpen: true, own: length / 1000 };
}

// The time without that of parts, which may overlap; parts are in the order of their starts.
function ownTime(span) {
  let covered = span.start, own = span.end - span.start;
  for (const part of span.parts) {
    const from = Math.max(part.start, covered), to = Math.min(part.end, span.end);
    if (to <= from) continue;
    own -= to - from;
    covered = to;
  }
  return Math.max(0, own);
}

function byLabel(spans) {
  const groups = new Map();
  for (const span of spans) {
    const group = groups.get(span.label) || { label: span.label, count: 0, failed: 0, total: 0, own: 0, most: 0 };
    groups.set(span.label, group);
    group.count++;
    group.failed += span.failed ? 1 : 0;
    group.total += span.end - span.start;
    group.own += span.own;
    group.most = Math.max(group.most, span.end - span.start);
  }
  return [...groups.values()].sort((a, b) => b.own - a.own || b.total - a.total);
}

export function buildTrace(data) {
  const spans = data.spans.map(readSpan);
  for (const span of spans) {
    const whole = spans[span.parent - 1]; // of number 0: none
    span.depth = whole ? whole.depth + 1 : 0;
    span.whole = whole || null;
    if (whole) whole.parts.push(span);
  }
  for (const span of spans) span.own = ownTime(span);
  return { data, spans, end: spans.reduce((end, span) => Math.max(end, span.end), 0), groups: byLabel(spans) };
}

function saysAll(span, words) {
  const text = [span.label, ...span.attributes.flat()].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

// What is shown: with words, spans that say all of them; else those that are not inside a closed one.
export function visibleSpans(trace, words) {
  if (words.length) return trace.spans.filter((span) => saysAll(span, words));
  const hidden = new Set();
  return trace.spans.filter((span) => {
    const isHidden = span.whole && (hidden.has(span.whole) || !span.whole.isOpen);
    if (isHidden) hidden.add(span);
    return !isHidden;
  });
}
