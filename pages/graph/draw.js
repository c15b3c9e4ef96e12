// draw.js — the graph on its canvas: what is in sight, in as much detail as its size allows.
import { onceAFrame, themeColor } from "../common/dom.js";
import { boxLayout, CARD, flowLayout } from "./layout.js";

const NAMES_FROM = 0.34; // scale from which cards have text
const TYPES_FROM = 0.62;
const SLOW_MS = 14; // edges that take longer are left out while things move
const MOST = 4, LEAST = 0.01;

function mix(color, other, share) {
  const parse = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const a = parse(color), b = parse(other);
  return `rgb(${a.map((part, i) => Math.round(part * share + b[i] * (1 - share))).join(" ")})`;
}

function readColors() {
  const surface = themeColor("surface"), paper = themeColor("paper");
  const hues = Array.from({ length: 8 }, (_, i) => themeColor("hue-" + i));
  return {
    paper, surface, hues,
    tints: hues.map((hue) => mix(hue, surface, 0.1)),
    blocks: hues.map((hue) => mix(hue, surface, 0.62)),
    frames: hues.map((hue) => mix(hue, paper, 0.35)),
    ground: hues.map((hue) => mix(hue, paper, 0.045)),
    pale: mix(themeColor("line"), paper, 0.6),
    ink: themeColor("ink"), soft: themeColor("ink-soft"), faint: themeColor("ink-faint"),
    line: themeColor("line"), edge: themeColor("line-strong"), accent: themeColor("accent"),
    up: themeColor("hue-0"), down: themeColor("hue-1"), bad: themeColor("bad"), warn: themeColor("warn"),
    text: getComputedStyle(document.body).fontFamily,
  };
}

// The signs of marks, ten units wide, drawn around (0, 0).
const SIGNS = {
  protected(c) { c.strokeRect(-4, -1, 8, 6); c.beginPath(); c.arc(0, -1, 2.8, Math.PI, 0); c.stroke(); },
  external(c) { c.beginPath(); c.moveTo(-4, 4); c.lineTo(4, -4); c.moveTo(-1, -4); c.lineTo(4, -4); c.lineTo(4, 1); c.stroke(); },
  pending(c) { c.beginPath(); c.arc(0, 0, 4.5, 0, 7); c.moveTo(0, -2.5); c.lineTo(0, 0); c.lineTo(2, 1.4); c.stroke(); },
  "to be deleted"(c) { c.beginPath(); c.moveTo(-3.5, -3.5); c.lineTo(3.5, 3.5); c.moveTo(3.5, -3.5); c.lineTo(-3.5, 3.5); c.stroke(); },
  "to be created again"(c) { c.beginPath(); c.arc(0, 0, 4, 0.8, 6.2); c.moveTo(4.4, -4); c.lineTo(4, 0); c.lineTo(0.6, -0.8); c.stroke(); },
  tainted(c) { c.beginPath(); c.moveTo(0, -5); c.bezierCurveTo(6, 2, 3, 5, 0, 5); c.bezierCurveTo(-3, 5, -6, 2, 0, -5); c.stroke(); },
  "not initialised"(c) { c.beginPath(); c.moveTo(0, -5); c.lineTo(5, 4.5); c.lineTo(-5, 4.5); c.closePath(); c.moveTo(0, -1.5); c.lineTo(0, 1.5); c.moveTo(0, 3); c.lineTo(0, 3.4); c.stroke(); },
};
const ALARMING = new Set(["pending", "to be deleted", "to be created again", "tainted", "not initialised"]);

export function isAlarming(mark) {
  return ALARMING.has(mark);
}

// A sign as a small picture, for legends and chips.
export function signCanvas(mark) {
  if (!SIGNS[mark]) return null;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 28;
  canvas.style.width = canvas.style.height = "14px";
  const c = canvas.getContext("2d");
  c.translate(14, 14);
  c.scale(2, 2);
  c.lineWidth = 1.3;
  c.strokeStyle = isAlarming(mark) ? themeColor("warn") : themeColor("ink-soft");
  SIGNS[mark](c);
  return canvas;
}

export class Drawing {
  constructor(canvas, model, changed) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.model = model;
    this.changed = changed; // after each frame
    this.layouts = {};
    this.mode = "parents";
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = this.hovered = null;
    this.labels = new Map();
    this.edgeMs = 0;
    this.movingUntil = 0;
    this.draw = onceAFrame(() => this.paint());
    this.colors = readColors();
  }

  layout() {
    this.layouts[this.mode] ||= this.mode === "parents" ? boxLayout(this.model.nodes) : flowLayout(this.model.nodes);
    return this.layouts[this.mode];
  }

  setTheme(isNow) {
    this.colors = readColors();
    if (isNow) this.paint();
    else this.draw();
  }

  resize() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.canvas;
    this.ratio = ratio;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.max(1, Math.round(clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(clientHeight * ratio));
    this.draw();
  }

  move() {
    this.movingUntil = performance.now() + 160;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.draw(), 180);
    this.draw();
  }

  // --- the view ---

  showRect(x, y, width, height, most) {
    const margin = 40;
    const scale = Math.min((this.width - 2 * margin) / Math.max(1, width), (this.height - 2 * margin) / Math.max(1, height), most);
    const used = Math.max(LEAST, scale);
    this.view = { scale: used, x: x + width / 2 - this.width / 2 / used, y: y + height / 2 - this.height / 2 / used };
    this.move();
  }

  fit() {
    const layout = this.layout();
    this.showRect(0, 0, layout.width, layout.height, 1.15);
  }

  fitNodes(nodes) {
    if (!nodes.length) return;
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const node of nodes) {
      const box = this.layout().byNode.get(node);
      left = Math.min(left, box.x);
      top = Math.min(top, box.y);
      right = Math.max(right, box.x + box.width);
      bottom = Math.max(bottom, box.y + box.height);
    }
    this.showRect(left, top, right - left, bottom - top, 1.15);
  }

  // Brings a node to the middle, near enough to be read.
  center(node) {
    const box = this.layout().byNode.get(node);
    const readable = Math.max(this.view.scale, 0.8);
    const scale = box.inside ? Math.min(readable, (this.width - 60) / box.width, (this.height - 60) / box.height) : readable;
    this.view = { scale, x: box.x + box.width / 2 - this.width / 2 / scale, y: box.y + box.height / 2 - this.height / 2 / scale };
    this.move();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { view } = this;
    const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    this.move();
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
    this.move();
  }

  setMode(mode) {
    this.mode = mode;
    if (this.selected) this.center(this.selected);
    else this.fit();
  }

  // The innermost node under a point of the canvas.
  nodeAt(x, y) {
    const wx = this.view.x + x / this.view.scale, wy = this.view.y + y / this.view.scale;
    const { boxes } = this.layout();
    for (let i = boxes.length - 1; i >= 0; i--) {
      const box = boxes[i];
      if (wx >= box.x && wy >= box.y && wx <= box.x + box.width && wy <= box.y + box.height) return this.innermost(box, wx, wy);
    }
    return null;
  }

  innermost(box, x, y) {
    for (;;) {
      if (!box.inside) return box.node;
      const child = box.node.children.map((node) => this.layout().byNode.get(node))
        .find((inner) => inner !== box && x >= inner.x && y >= inner.y && x <= inner.x + inner.width && y <= inner.y + inner.height);
      if (!child) return box.node;
      box = child;
    }
  }

  // Where a node is on the canvas.
  rectOf(node) {
    const box = this.layout().byNode.get(node);
    const { x, y, scale } = this.view;
    return { x: (box.x - x) * scale, y: (box.y - y) * scale, width: box.width * scale, height: box.height * scale };
  }

  // --- painting ---

  paint() {
    const c = this.context, { colors, view, ratio } = this;
    if (!this.width) return;
    const layout = this.layout();
    const sight = { left: view.x, top: view.y, right: view.x + this.width / view.scale, bottom: view.y + this.height / view.scale };
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = colors.paper;
    c.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const k = ratio * view.scale;
    c.setTransform(k, 0, 0, k, -view.x * k, -view.y * k);
    this.paintLabels(c, layout);
    if (this.mode === "dependencies") this.paintEdges(c, layout, sight);
    const isInSight = (box) => box.x < sight.right && box.y < sight.bottom && box.x + box.width > sight.left && box.y + box.height > sight.top;
    if (view.scale < NAMES_FROM) this.paintBlocks(c, layout.boxes.filter(isInSight));
    else for (const box of layout.boxes) if (isInSight(box)) this.paintCard(c, box);
    if (this.selected) this.paintNeighbours(c, layout);
    if (this.hovered && this.hovered !== this.selected) this.outline(c, layout.byNode.get(this.hovered), colors.soft, 1.5);
    if (this.selected) this.outline(c, layout.byNode.get(this.selected), colors.accent, 3);
    this.changed();
  }

  paintLabels(c, layout) {
    const size = Math.min(60, Math.max(12, 11 / this.view.scale));
    c.font = `${size}px ${this.colors.text}`;
    c.fillStyle = this.colors.faint;
    c.textBaseline = "alphabetic";
    for (const label of layout.labels) {
      c.textAlign = label.right ? "right" : "left";
      c.fillText(label.text, label.x, label.y);
    }
    c.textAlign = "left";
  }

  // From afar: plain rectangles, by colour, so that thousands are a few paths.
  paintBlocks(c, boxes) {
    const { colors } = this;
    for (const box of boxes) if (box.inside) this.paintFrame(c, box);
    for (let hue = 0; hue < 8; hue++) {
      for (const matches of [false, true]) {
        c.beginPath();
        for (const box of boxes) if (!box.inside && box.node.hue === hue && box.node.matches === matches) c.rect(box.x, box.y, box.width, box.height);
        c.fillStyle = matches ? colors.blocks[hue] : colors.pale;
        c.fill();
      }
    }
    c.fillStyle = colors.bad;
    for (const box of boxes) if (box.node.matches && box.node.marks.some(isAlarming)) c.fillRect(box.x + box.width - 40, box.y, 40, box.inside ? 24 : box.height);
  }

  paintFrame(c, box) {
    const { colors } = this, { hue, matches } = box.node;
    c.fillStyle = colors.ground[hue];
    c.strokeStyle = matches ? colors.frames[hue] : colors.line;
    c.lineWidth = Math.max(1.2, 0.8 / this.view.scale);
    c.beginPath();
    c.roundRect(box.x, box.y, box.width, box.height, 10);
    c.fill();
    c.stroke();
  }

  paintCard(c, box) {
    const { colors, view } = this, { node } = box;
    const alpha = node.matches ? 1 : 0.28;
    if (box.inside) {
      this.paintFrame(c, box);
    } else {
      c.globalAlpha = alpha;
      c.fillStyle = colors.tints[node.hue];
      c.strokeStyle = colors.frames[node.hue];
      c.lineWidth = 1;
      if (node.marks.includes("external")) c.setLineDash([5, 4]);
      c.beginPath();
      c.roundRect(box.x, box.y, box.width, box.height, 7);
      c.fill();
      c.stroke();
      c.setLineDash([]);
      c.fillStyle = colors.hues[node.hue];
      c.beginPath();
      c.roundRect(box.x, box.y, 5, box.height, [7, 0, 0, 7]);
      c.fill();
    }
    c.globalAlpha = alpha;
    const signs = node.marks.filter((mark) => SIGNS[mark]);
    const label = this.labelOf(box, signs.length);
    c.textBaseline = "alphabetic";
    c.fillStyle = colors.ink;
    c.font = `${box.inside ? 600 : 500} 13px ${colors.text}`;
    const showsType = view.scale >= TYPES_FROM || box.inside;
    const baseline = box.inside ? box.y + 20 : showsType ? box.y + 19 : box.y + 27;
    c.fillText(label.name, box.x + 14, baseline);
    if (node.marks.includes("to be deleted")) c.fillRect(box.x + 14, baseline - 5, label.nameWidth, 1.2);
    if (showsType) {
      c.fillStyle = colors.soft;
      c.font = `11px ${colors.text}`;
      if (box.inside) c.fillText(label.type, box.x + 22 + label.nameWidth, baseline);
      else c.fillText(label.type, box.x + 14, box.y + 35);
    }
    signs.forEach((mark, i) => this.paintSign(c, mark, box.x + box.width - 14 - 15 * i, box.inside ? box.y + 15 : box.y + 15));
    c.globalAlpha = 1;
  }

  paintSign(c, mark, x, y) {
    c.save();
    c.translate(x, y);
    c.lineWidth = 1.3;
    c.strokeStyle = isAlarming(mark) ? this.colors.warn : this.colors.soft;
    SIGNS[mark](c);
    c.restore();
  }

  // Shortened in the middle to what the card holds; measured once.
  labelOf(box, signs) {
    const key = box;
    let label = this.labels.get(key);
    if (label) return label;
    const c = this.context;
    const room = box.width - 26 - 15 * signs;
    c.font = `${box.inside ? 600 : 500} 13px ${this.colors.text}`;
    const name = shorten(c, box.node.name, box.inside ? room * 0.6 : room);
    const nameWidth = c.measureText(name).width;
    c.font = `11px ${this.colors.text}`;
    const type = shorten(c, box.node.shortType, box.inside ? room - nameWidth - 12 : box.width - 26);
    label = { name, nameWidth, type };
    this.labels.set(key, label);
    return label;
  }

  edgesOf(layout) {
    if (layout.edges) return layout.edges;
    const edges = [];
    for (const to of this.model.nodes) {
      const end = layout.byNode.get(to);
      for (const from of to.dependencies) {
        const start = layout.byNode.get(from);
        edges.push([start.x + start.width, start.y + start.height / 2, end.x, end.y + end.height / 2]);
      }
    }
    layout.edges = edges;
    return edges;
  }

  paintEdges(c, layout, sight) {
    if (performance.now() < this.movingUntil && this.edgeMs > SLOW_MS) return;
    const began = performance.now();
    const curved = this.view.scale > 0.12;
    c.strokeStyle = this.colors.edge;
    c.globalAlpha = this.selected ? 0.5 : 0.85;
    c.lineWidth = Math.max(1, 0.7 / this.view.scale);
    c.beginPath();
    for (const [x1, y1, x2, y2] of this.edgesOf(layout)) {
      if (Math.max(x1, x2) < sight.left || Math.min(x1, x2) > sight.right || Math.max(y1, y2) < sight.top || Math.min(y1, y2) > sight.bottom) continue;
      c.moveTo(x1, y1);
      if (curved) {
        const bend = Math.max(36, Math.abs(x2 - x1) / 2.4);
        c.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      } else {
        c.lineTo(x2, y2);
      }
    }
    c.stroke();
    c.globalAlpha = 1;
    this.edgeMs = performance.now() - began;
  }

  // What the selected one depends on, and what depends on it: two colours, and one of them dashed.
  paintNeighbours(c, layout) {
    const own = layout.byNode.get(this.selected);
    const draw = (others, color, dash, isBefore) => {
      c.strokeStyle = c.fillStyle = color;
      c.lineWidth = Math.max(1.8, 1.3 / this.view.scale);
      for (const node of others.slice(0, 600)) {
        const other = layout.byNode.get(node);
        c.setLineDash(dash.map((part) => part / Math.min(1, this.view.scale * 1.4)));
        this.link(c, isBefore ? other : own, isBefore ? own : other);
        c.setLineDash([]);
        this.outline(c, other, color, 2);
      }
    };
    draw(this.selected.dependents, this.colors.down, [7, 5], false);
    draw(this.selected.dependencies, this.colors.up, [], true);
  }

  // From the right of a dependency to the left of its dependent, where that is to the right; else back to its right side. What stands above
  // or below is reached around the right of both.
  link(c, from, to) {
    const goesOn = this.mode === "dependencies" || to.x >= from.x + from.width;
    const goesBack = !goesOn && to.x + to.width <= from.x;
    const x1 = goesBack ? from.x : from.x + from.width, x2 = goesOn ? to.x : to.x + to.width;
    const y1 = from.y + Math.min(from.height / 2, 22), y2 = to.y + Math.min(to.height / 2, 22);
    const bend = Math.max(40, Math.abs(x2 - x1) / 2.2);
    const around = Math.max(x1, x2) + 26 + Math.min(90, Math.abs(y2 - y1) / 5);
    const [c1, c2] = goesOn ? [x1 + bend, x2 - bend] : goesBack ? [x1 - bend, x2 + bend] : [around, around];
    c.beginPath();
    c.moveTo(x1, y1);
    c.bezierCurveTo(c1, y1, c2, y2, x2, y2);
    c.stroke();
    const size = Math.max(7, 4.5 / this.view.scale), side = goesOn ? -1 : 1;
    c.setLineDash([]);
    c.beginPath();
    c.moveTo(x2, y2);
    c.lineTo(x2 + side * size, y2 - size / 2);
    c.lineTo(x2 + side * size, y2 + size / 2);
    c.closePath();
    c.fill();
  }

  outline(c, box, color, width) {
    const line = Math.max(width, width * 0.6 / this.view.scale);
    c.strokeStyle = color;
    c.lineWidth = line;
    c.beginPath();
    c.roundRect(box.x - line / 2, box.y - line / 2, box.width + line, box.height + line, box.inside ? 11 : 8);
    c.stroke();
  }
}

function shorten(c, text, room) {
  if (text.length > 300) text = text.slice(0, 150) + text.slice(-150);
  if (room < 12) return "";
  if (c.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const keep = (low + high + 1) >> 1;
    if (c.measureText(cut(text, keep)).width <= room) low = keep;
    else high = keep - 1;
  }
  return cut(text, low);
}

function cut(text, keep) {
  const end = keep >> 1;
  return text.slice(0, keep - end) + "…" + (end ? text.slice(-end) : "");
}
