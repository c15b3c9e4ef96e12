// timeline.js — when each resource was planned, waited, was with its provider and in the journal. Only the rows in sight are drawn.
import { el, fill, onceAFrame, themeColor } from "../common/dom.js";
import { formatMs, OPS } from "./model.js";

const ROW = 24, BAR = 12, GUTTER = 230, HEAD = 92, AXIS = 24, RIGHT = 18;
const KINDS = ["waiting", "planning", "provider", "journal"];

// Round steps: 1, 2 or 5 times a power of ten, in milliseconds; above a minute in minutes.
export function axisStep(span, room) {
  const rough = span / Math.max(1, room / 90);
  const minutes = [60000, 120000, 300000, 600000, 1800000, 3600000];
  if (rough > 30000) return minutes.find((step) => step >= rough) || Math.ceil(rough / 3600000) * 3600000;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.001)));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= rough);
}

function axisText(ms, step) {
  if (step >= 60000) return `${Math.round(ms / 60000)} min`;
  if (step >= 1000) return `${ms / 1000} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(step < 100 ? 2 : 1)} s`;
  return `${+ms.toFixed(3)} ms`;
}

function prepare(canvas, height) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = canvas.clientWidth;
  canvas.style.height = height + "px";
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return c;
}

export class Timeline {
  constructor(phase, onPath, chosen) {
    this.phase = phase;
    this.onPath = onPath; // resources of the critical path, with their steps on it
    this.chosen = chosen;
    this.rows = phase.resources;
    this.range = [0, Math.max(1, phase.end)];
    this.selected = null;
    this.draw = onceAFrame(() => this.paint());
    this.head = el("canvas", { class: "head", role: "img", "aria-label": "How many resources were with their providers at a time" });
    this.canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": "Timeline. Up and down go through the resources, left and right move in time, plus and minus zoom." });
    this.space = el("div", {}, this.canvas);
    this.body = el("div", { class: "body" }, this.space);
    this.tip = el("div", { class: "tip", hidden: true });
    this.element = el("div", { class: "lanes" }, this.head, this.body, this.tip);
    this.listen();
  }

  listen() {
    this.body.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.body);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    for (const canvas of [this.canvas, this.head]) {
      canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey && !(event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), this.timeAt(event.offsetX));
        else this.pan((event.deltaX || event.deltaY) / this.room() * (this.range[1] - this.range[0]));
      }, { passive: false });
      canvas.addEventListener("pointerdown", (event) => this.press(canvas, event));
    }
  }

  press(canvas, event) {
    let moved = 0, last = event.clientX;
    const move = (now) => {
      const step = now.clientX - last;
      moved += Math.abs(step);
      last = now.clientX;
      if (moved > 3) this.pan(-step / this.room() * (this.range[1] - this.range[0]));
    };
    const up = (now) => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", up);
      if (moved <= 3 && canvas === this.canvas) this.select(this.rowAt(now.offsetY));
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
  }

  key(event) {
    const at = this.rows.indexOf(this.selected);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const span = this.range[1] - this.range[0];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.select(this.rows[Math.min(this.rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
    else if (event.key === "ArrowLeft") this.pan(-span / 8);
    else if (event.key === "ArrowRight") this.pan(span / 8);
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  // --- the range of time ---

  room() {
    return Math.max(1, this.canvas.clientWidth - GUTTER - RIGHT);
  }

  timeAt(x) {
    return this.range[0] + (x - GUTTER) / this.room() * (this.range[1] - this.range[0]);
  }

  setRange(start, span) {
    const whole = Math.max(1, this.phase.end);
    const length = Math.min(whole, Math.max(0.05, span));
    const from = Math.min(Math.max(0, start), whole - length);
    this.range = [from, from + length];
    this.draw();
  }

  zoom(factor, around = (this.range[0] + this.range[1]) / 2) {
    const span = this.range[1] - this.range[0];
    this.setRange(around - (around - this.range[0]) / factor, span / factor);
  }

  pan(time) {
    this.setRange(this.range[0] + time, this.range[1] - this.range[0]);
  }

  fit() {
    this.setRange(0, this.phase.end);
  }

  // --- rows ---

  show(rows) {
    this.rows = rows;
    this.body.scrollTop = 0;
    this.draw();
  }

  rowAt(y) {
    return this.rows[Math.floor((y + this.body.scrollTop) / ROW)] || null;
  }

  select(resource) {
    this.selected = resource;
    const at = this.rows.indexOf(resource);
    if (at >= 0) {
      const top = at * ROW, { scrollTop, clientHeight } = this.body;
      if (top < scrollTop) this.body.scrollTop = top;
      else if (top + ROW > scrollTop + clientHeight) this.body.scrollTop = top + ROW - clientHeight;
    }
    this.chosen(resource);
    this.draw();
  }

  hover(event) {
    const resource = this.rowAt(event.offsetY);
    this.tip.hidden = !resource;
    if (!resource) return;
    const times = KINDS.filter((kind) => resource.times[kind] > 0).map((kind) => `${kind} ${formatMs(resource.times[kind])}`);
    fill(this.tip, el("strong", {}, resource.name), el("div", {}, resource.type), el("div", {}, times.join(" · ") || "no calls"));
    const left = Math.min(event.offsetX + 14, this.element.clientWidth - this.tip.offsetWidth - 10);
    const top = HEAD + event.offsetY + 16;
    this.tip.style.left = Math.max(6, left) + "px";
    this.tip.style.top = (top + this.tip.offsetHeight > this.element.clientHeight ? top - this.tip.offsetHeight - 30 : top) + "px";
  }

  // --- drawing ---

  readColors() {
    const names = ["ink", "ink-soft", "ink-faint", "line", "line-strong", "paper", "surface", "accent", "accent-soft", "bad", ...KINDS, ...Object.values(OPS).map((op) => op.color)];
    return Object.fromEntries(names.map((name) => [name, themeColor(name)]));
  }

  paint(whole) {
    if (!this.element.isConnected || !this.body.clientWidth) return;
    this.colors = this.readColors();
    this.font = getComputedStyle(document.body).fontFamily;
    this.space.style.height = this.rows.length * ROW + "px";
    const height = whole ? this.rows.length * ROW : Math.min(this.rows.length * ROW, this.body.clientHeight || 480, 480);
    this.paintHead(prepare(this.head, HEAD));
    this.paintRows(prepare(this.canvas, Math.max(ROW, height)), height);
  }

  x(time) {
    return GUTTER + (time - this.range[0]) / (this.range[1] - this.range[0]) * this.room();
  }

  ticks() {
    const step = axisStep(this.range[1] - this.range[0], this.room());
    const ticks = [];
    for (let time = Math.ceil(this.range[0] / step) * step; time <= this.range[1]; time += step) ticks.push(time);
    return { step, ticks };
  }

  paintHead(c) {
    const { colors } = this, { points, most } = this.phase.parallelism;
    const { step, ticks } = this.ticks();
    const base = HEAD - AXIS, tall = base - 14;
    const y = (number) => base - number / Math.max(1, most) * tall;
    c.font = `11px ${this.font}`;
    c.fillStyle = colors["ink-soft"];
    c.textAlign = "left";
    c.fillText("at work at a time", 14, 22);
    c.fillStyle = colors["ink-faint"];
    c.fillText(most ? `${most} at most, ${this.phase.parallelism.average.toFixed(1)} on average` : "no provider was called", 14, 39);
    c.strokeStyle = colors.line;
    c.textAlign = "center";
    for (const tick of ticks) {
      c.fillText(axisText(tick, step), this.x(tick), HEAD - 8);
      c.beginPath();
      c.moveTo(this.x(tick), 8);
      c.lineTo(this.x(tick), base);
      c.stroke();
    }
    c.save();
    c.beginPath();
    c.rect(GUTTER, 0, this.room(), base);
    c.clip();
    c.beginPath();
    c.moveTo(this.x(0), base);
    let before = 0;
    for (const [time, number] of points) {
      c.lineTo(this.x(time), y(before));
      c.lineTo(this.x(time), y(number));
      before = number;
    }
    c.lineTo(this.x(this.phase.end), y(before));
    c.lineTo(this.x(this.phase.end), base);
    c.closePath();
    c.globalAlpha = 0.28;
    c.fillStyle = colors.provider;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = colors.provider;
    c.lineWidth = 1.4;
    c.stroke();
    c.restore();
  }

  paintRows(c, height) {
    const { colors } = this;
    const first = Math.floor(this.body.scrollTop / ROW), last = Math.min(this.rows.length, first + Math.ceil(height / ROW) + 1);
    const offset = this.body.scrollTop;
    c.strokeStyle = colors.line;
    for (const tick of this.ticks().ticks) {
      c.beginPath();
      c.moveTo(Math.round(this.x(tick)) + 0.5, 0);
      c.lineTo(Math.round(this.x(tick)) + 0.5, height);
      c.stroke();
    }
    for (let i = first; i < last; i++) this.paintRow(c, this.rows[i], i * ROW - offset);
    c.fillStyle = colors["line-strong"];
    c.fillRect(GUTTER - 0.5, 0, 1, height);
  }

  paintRow(c, resource, y) {
    const { colors } = this, width = this.canvas.clientWidth;
    const op = OPS[resource.op];
    if (resource === this.selected) {
      c.fillStyle = colors["accent-soft"];
      c.fillRect(0, y, width, ROW);
    }
    c.font = `600 12px ${this.font}`;
    c.textAlign = "center";
    c.fillStyle = resource.failed ? colors.bad : colors[op.color];
    c.fillText(resource.failed ? "✕" : op.sign, 18, y + 16);
    c.font = `${this.onPath.has(resource) ? 650 : 400} 12px ${this.font}`;
    c.textAlign = "left";
    c.fillStyle = colors.ink;
    c.save();
    c.beginPath();
    c.rect(30, y, GUTTER - 44, ROW);
    c.clip();
    c.fillText(resource.name, 32, y + 16);
    const nameWidth = c.measureText(resource.name).width;
    c.font = `11px ${this.font}`;
    c.fillStyle = colors["ink-faint"];
    c.fillText(resource.shortType, 40 + nameWidth, y + 16);
    c.restore();
    c.save();
    c.beginPath();
    c.rect(GUTTER, y, width - GUTTER, ROW);
    c.clip();
    this.paintBars(c, resource, y);
    c.restore();
  }

  paintBars(c, resource, y) {
    const { colors } = this, top = y + (ROW - BAR) / 2;
    if (resource.isOpen) {
      c.fillStyle = colors["line-strong"];
      c.fillRect(this.x(resource.first), y + ROW / 2 - 1, Math.max(2, this.x(resource.last) - this.x(resource.first)), 2);
    }
    for (const segment of resource.segments) {
      const left = this.x(segment.start), right = Math.max(this.x(segment.end), left + (segment.kind === "provider" ? 1.5 : 0.75));
      if (right < GUTTER || left > this.canvas.clientWidth) continue;
      c.fillStyle = colors[segment.kind];
      const thin = segment.kind === "waiting" ? 4 : 0;
      c.fillRect(left, top + thin, right - left, BAR - 2 * thin);
    }
    if (resource.failed) {
      c.strokeStyle = colors.bad;
      c.lineWidth = 2;
      c.strokeRect(this.x(resource.stepStart) - 1, top - 1, Math.max(4, this.x(resource.stepEnd) - this.x(resource.stepStart)) + 2, BAR + 2);
      c.lineWidth = 1;
    }
    c.fillStyle = colors.ink;
    for (const step of this.onPath.get(resource) || []) c.fillRect(this.x(step.start), top + BAR + 2, Math.max(2, this.x(step.end) - this.x(step.start)), 1.6);
  }
}
