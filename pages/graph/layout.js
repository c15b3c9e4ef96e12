// layout.js — where each node stands, in both arrangements. Computed once each; a few milliseconds for thousands.

export const CARD = { width: 176, height: 44, gap: 10 };
const PAD = 14;
const HEAD = 30;
const ASPECT = 1.7;

function compareNodes(a, b) {
  return a.package < b.package ? -1 : a.package > b.package ? 1 : a.type < b.type ? -1 : a.type > b.type ? 1 : a.name < b.name ? -1 : 1;
}

// Parents before children, without recursion: a state may nest as deep as it likes. What is on a circle has no root.
export function parentsFirst(nodes) {
  const order = [];
  const seen = new Set();
  const walk = (root) => {
    const stack = [root];
    while (stack.length) {
      const node = stack.pop();
      if (seen.has(node)) continue;
      seen.add(node);
      order.push(node);
      for (const child of node.children) stack.push(child);
    }
  };
  for (const node of nodes) if (!node.parent) walk(node);
  for (const node of nodes) walk(node);
  return order;
}

// Rows of boxes, none wider than `width`; gives the size of all.
function shelve(boxes, width, gap, top) {
  let x = 0, y = top, rowHeight = 0, widest = 0;
  for (const box of boxes) {
    if (x > 0 && x + box.width > width) {
      x = 0;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    box.x = x;
    box.y = y;
    x += box.width + gap;
    widest = Math.max(widest, x - gap);
    rowHeight = Math.max(rowHeight, box.height);
  }
  return { width: widest, height: y + rowHeight };
}

// What is inside one box: cards of those without children, then the boxes of the others, tall ones first.
function packChildren(children) {
  const leaves = children.filter((box) => !box.inside).sort((a, b) => compareNodes(a.node, b.node));
  const nested = children.filter((box) => box.inside).sort((a, b) => b.height - a.height || compareNodes(a.node, b.node));
  let area = 0, widest = CARD.width;
  for (const box of children) {
    area += (box.width + CARD.gap) * (box.height + CARD.gap);
    widest = Math.max(widest, box.width);
  }
  const width = Math.max(widest, Math.ceil(Math.sqrt(area * ASPECT)));
  const cards = shelve(leaves, width, CARD.gap, 0);
  const rest = nested.length ? shelve(nested, width, PAD, leaves.length ? cards.height + PAD : 0) : cards;
  return { width: Math.max(cards.width, rest.width), height: rest.height };
}

// Each resource is a box inside that of its parent.
export function boxLayout(nodes) {
  const order = parentsFirst(nodes);
  const seen = new Set();
  const boxes = new Map();
  const inside = new Map();
  const roots = [];

  for (const node of order) {
    boxes.set(node, { node, x: 0, y: 0, width: CARD.width, height: CARD.height, inside: false });
    if (node.parent && seen.has(node.parent)) {
      if (!inside.has(node.parent)) inside.set(node.parent, []);
      inside.get(node.parent).push(boxes.get(node));
    } else {
      roots.push(node);
    }
    seen.add(node);
  }
  const isRoot = new Set(roots);
  for (let i = order.length - 1; i >= 0; i--) {
    const content = inside.get(order[i]);
    if (!content) continue;
    const box = boxes.get(order[i]);
    const size = packChildren(content);
    for (const child of content) {
      child.x += PAD;
      child.y += HEAD;
    }
    box.inside = true;
    box.width = Math.max(CARD.width, size.width + 2 * PAD);
    box.height = HEAD + size.height + PAD;
  }
  packChildren(roots.map((node) => boxes.get(node)));
  for (const node of order) {
    const box = boxes.get(node);
    if (isRoot.has(node)) continue;
    const outer = boxes.get(node.parent);
    box.x += outer.x;
    box.y += outer.y;
  }
  return finishLayout(order, boxes, []);
}

function finishLayout(order, boxes, labels) {
  let width = 1, height = 1;
  const list = order.map((node) => boxes.get(node));
  for (const box of list) {
    width = Math.max(width, box.x + box.width);
    height = Math.max(height, box.y + box.height);
  }
  return { boxes: list, byNode: boxes, width, height, labels };
}

// The longest way from something that depends on nothing. What is on a circle keeps the level that it had reached.
function levelsOf(linked) {
  const level = new Map(linked.map((node) => [node, 0]));
  const open = new Map(linked.map((node) => [node, node.dependencies.length]));
  const ready = linked.filter((node) => open.get(node) === 0);
  for (let i = 0; i < ready.length; i++) {
    for (const next of ready[i].dependents) {
      level.set(next, Math.max(level.get(next), level.get(ready[i]) + 1));
      open.set(next, open.get(next) - 1);
      if (open.get(next) === 0) ready.push(next);
    }
  }
  return level;
}

// Each column in the order of the middle of what its nodes are linked to, back and forth a few times.
function untangle(columns) {
  const place = new Map();
  const number = () => columns.forEach((column) => column.forEach((node, i) => place.set(node, i / Math.max(1, column.length))));
  const middle = (others, own) => {
    if (!others.length) return own;
    let sum = 0;
    for (const other of others) sum += place.get(other);
    return sum / others.length;
  };
  number();
  for (let sweep = 0; sweep < 4; sweep++) {
    for (const column of columns) {
      const keys = new Map(column.map((node) => [node, middle(sweep % 2 ? node.dependents : node.dependencies, place.get(node))]));
      column.sort((a, b) => keys.get(a) - keys.get(b));
    }
    number();
  }
}

// From left to right: what depends on nothing, what depends on that, and so on. Long columns are folded.
export function flowLayout(nodes) {
  const linked = nodes.filter((node) => node.dependencies.length || node.dependents.length);
  const alone = nodes.filter((node) => !node.dependencies.length && !node.dependents.length).sort(compareNodes);
  const level = levelsOf(linked);
  const columns = [];
  const boxes = new Map();
  const labels = [];

  for (const node of linked) (columns[level.get(node)] ||= []).push(node);
  for (const column of columns) column.sort(compareNodes);
  untangle(columns);
  const rows = Math.max(10, Math.ceil(Math.sqrt(linked.length * 2.2)));
  let x = 0, bottom = 0;
  for (const column of columns) {
    const parts = Math.ceil(column.length / rows);
    const each = Math.ceil(column.length / parts);
    const tall = Math.min(rows, column.length) * (CARD.height + CARD.gap);
    column.forEach((node, i) => {
      const own = Math.min(each, column.length - Math.floor(i / each) * each) * (CARD.height + CARD.gap);
      const y = 40 + (i % each) * (CARD.height + CARD.gap) + (parts === 1 ? 0 : (Math.min(tall, each * (CARD.height + CARD.gap)) - own) / 2);
      boxes.set(node, { node, x: x + Math.floor(i / each) * (CARD.width + CARD.gap), y, width: CARD.width, height: CARD.height, inside: false });
      bottom = Math.max(bottom, y + CARD.height);
    });
    x += parts * (CARD.width + CARD.gap) - CARD.gap + 96;
  }
  if (columns.length) labels.push({ x: 0, y: 18, text: "depends on nothing" });
  if (columns.length > 1) labels.push({ x: x - 96, y: 18, text: "the longest chains end here", right: true });
  if (alone.length) {
    const top = columns.length ? bottom + 84 : 40;
    const cards = alone.map((node) => ({ node, width: CARD.width, height: CARD.height, inside: false }));
    const wide = Math.ceil(Math.sqrt(alone.length * (CARD.width + CARD.gap) * (CARD.height + CARD.gap) * ASPECT));
    shelve(cards, Math.max(x - 96, wide), CARD.gap, top);
    for (const card of cards) boxes.set(card.node, card);
    labels.push({ x: 0, y: top - 20, text: "linked to nothing" });
  }
  return finishLayout([...linked, ...alone], boxes, labels);
}
