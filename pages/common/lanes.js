// lanes.js — rows over an axis of time: scrolling, keys, zoom, choice and tip. Only the rows in sight are drawn. What a row shows is up to those
// who extend it: paintHead, paintRows, describe (the tip), colorNames.
import { el, fill, onceAFrame, themeColor } from "./dom.js";
import { axisStep, prepareCanvas } from "./time.js";

const TALLEST = 480;

export class Lanes {
  // sizes: row, head (heights), gutter, right (widths beside the axis), least (the shortest axis) and shortest (range), both in milliseconds
  constructor(rows, end, sizes, head, label, chosen) {
    this.rows = rows;
    this.end = end;
    this.sizes = sizes;
    this.chosen = chosen;
    this.range = [0, Math.max(sizes.least, end)];
    this.selected = null;
    this.draw = onceAFrame(() => this.paint());
    this.head = el("canvas", { class: "head", ...head });
    this.canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": label });
    this.space = el("div", {}, this.canvas);
    this.body = el("div", { class: "body" }, this.space);
    this.tip = el("div", { class: "tip", hidden: true });
    this.element = el("div", { class: "lanes" }, this.head, this.body, this.tip);
    this.body.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.body);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    this.rollOn(this.canvas);
  }

  rollOn(canvas) {
    canvas.addEventListener("wheel", (event) => {
      const zooms = event.ctrlKey || event.metaKey;
      if (!zooms && !(event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) return;
      event.preventDefault();
      if (zooms) this.zoom(Math.exp(-event.deltaY / 300), this.timeAt(event.offsetX));
      else this.pan((event.deltaX || event.deltaY) / this.room() * this.length());
    }, { passive: false });
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const at = this.rows.indexOf(this.selected);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.select(this.rows[Math.min(this.rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
    else if (event.key === "ArrowLeft") this.pan(-this.length() / 8);
    else if (event.key === "ArrowRight") this.pan(this.length() / 8);
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  // --- the range of time ---

  length() {
    return this.range[1] - this.range[0];
  }

  room() {
    return Math.max(1, this.canvas.clientWidth - this.sizes.gutter - this.sizes.right);
  }

  x(time) {
    return this.sizes.gutter + (time - this.range[0]) / this.length() * this.room();
  }

  timeAt(x) {
    return this.range[0] + (x - this.sizes.gutter) / this.room() * this.length();
  }

  setRange(start, span) {
    const whole = Math.max(this.sizes.least, this.end);
    const length = Math.min(whole, Math.max(this.sizes.shortest, span));
    const from = Math.min(Math.max(0, start), whole - length);
    this.range = [from, from + length];
    this.draw();
  }

  zoom(factor, around = (this.range[0] + this.range[1]) / 2) {
    this.setRange(around - (around - this.range[0]) / factor, this.length() / factor);
  }

  pan(time) {
    this.setRange(this.range[0] + time, this.length());
  }

  fit() {
    this.setRange(0, this.end);
  }

  ticks() {
    const step = axisStep(this.length(), this.room());
    const ticks = [];
    for (let time = Math.ceil(this.range[0] / step) * step; time <= this.range[1]; time += step) ticks.push(time);
    return { step, ticks };
  }

  // --- rows ---

  rowAt(y) {
    return this.rows[Math.floor((y + this.body.scrollTop) / this.sizes.row)] || null;
  }

  select(row) {
    this.selected = row;
    const at = this.rows.indexOf(row), tall = this.sizes.row;
    if (at >= 0) {
      const top = at * tall, { scrollTop, clientHeight } = this.body;
      if (top < scrollTop) this.body.scrollTop = top;
      else if (top + tall > scrollTop + clientHeight) this.body.scrollTop = top + tall - clientHeight;
    }
    this.chosen(row);
    this.draw();
  }

  hover(event) {
    const row = this.rowAt(event.offsetY);
    this.tip.hidden = !row;
    if (!row) return;
    fill(this.tip, ...this.describe(row));
    const left = Math.min(event.offsetX + 14, this.element.clientWidth - this.tip.offsetWidth - 10);
    const top = this.sizes.head + event.offsetY + 16;
    this.tip.style.left = Math.max(6, left) + "px";
    this.tip.style.top = (top + this.tip.offsetHeight > this.element.clientHeight ? top - this.tip.offsetHeight - 30 : top) + "px";
  }

  // --- drawing ---

  paint(isWhole) {
    if (!this.body.clientWidth) return;
    const all = this.rows.length * this.sizes.row;
    this.colors = Object.fromEntries(this.colorNames().map((name) => [name, themeColor(name)]));
    this.font = getComputedStyle(document.body).fontFamily;
    this.space.style.height = all + "px";
    const height = isWhole ? all : Math.min(all, this.body.clientHeight || TALLEST, TALLEST);
    this.paintHead(prepareCanvas(this.head, this.sizes.head));
    this.paintRows(prepareCanvas(this.canvas, Math.max(this.sizes.row, height)), height);
  }

  eachInSight(height, paint) {
    const { row } = this.sizes, offset = this.body.scrollTop, first = Math.floor(offset / row);
    const last = Math.min(this.rows.length, first + Math.ceil(height / row) + 1);
    for (let i = first; i < last; i++) paint(this.rows[i], i * row - offset);
  }
}
