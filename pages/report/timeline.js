// timeline.js — when each resource was planned, waited, was with its provider and in the journal.
import { el } from "../common/dom.js";
import { Lanes } from "../common/lanes.js";
import { axisText, formatMs } from "../common/time.js";
import { OPS } from "./model.js";

const ROW = 24, BAR = 12, GUTTER = 230, HEAD = 92, AXIS = 24, RIGHT = 18;
const KINDS = ["waiting", "planning", "provider", "journal"];
const HEAD_LABEL = "How many resources were with their providers at a time";
const LABEL = "Timeline. Up and down go through the resources, left and right move in time, plus and minus zoom.";

export class Timeline extends Lanes {
  constructor(phase, onPath, chosen) {
    super(phase.resources, phase.end, { row: ROW, head: HEAD, gutter: GUTTER, right: RIGHT, least: 1, shortest: 0.05 }, { role: "img", "aria-label": HEAD_LABEL }, LABEL, chosen);
    this.phase = phase;
    this.onPath = onPath; // resources of the critical path, with their steps on it
    this.rollOn(this.head);
    for (const canvas of [this.canvas, this.head]) canvas.addEventListener("pointerdown", (event) => this.press(canvas, event));
  }

  press(canvas, event) {
    let moved = 0, last = event.clientX;
    const move = (now) => {
      const step = now.clientX - last;
      moved += Math.abs(step);
      last = now.clientX;
      if (moved > 3) this.pan(-step / this.room() * this.length());
    };
    const up = (now) => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", up);
      if (moved <= 3 && canvas === this.canvas) this.select(this.rowAt(now.offsetY));
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
  }

  // --- rows ---

  show(rows) {
    this.rows = rows;
    this.body.scrollTop = 0;
    this.draw();
  }

  describe(resource) {
    const times = KINDS.filter((kind) => resource.times[kind] > 0).map((kind) => `${kind} ${formatMs(resource.times[kind])}`);
    return [el("strong", {}, resource.name), el("div", {}, resource.type), el("div", {}, times.join(" · ") || "no calls")];
  }

  // --- drawing ---

  colorNames() {
    return ["ink", "ink-soft", "ink-faint", "line", "line-strong", "paper", "surface", "accent", "accent-soft", "bad", ...KINDS, ...Object.values(OPS).map((op) => op.color)];
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
    c.strokeStyle = colors.line;
    for (const tick of this.ticks().ticks) {
      c.beginPath();
      c.moveTo(Math.round(this.x(tick)) + 0.5, 0);
      c.lineTo(Math.round(this.x(tick)) + 0.5, height);
      c.stroke();
    }
    this.eachInSight(height, (resource, y) => this.paintRow(c, resource, y));
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
