// waterfall.js — a row for each span, with a bar from its start to its end.
import { el } from "../common/dom.js";
import { Lanes } from "../common/lanes.js";
import { axisText, formatMs } from "../common/time.js";

const ROW = 22, BAR = 12, GUTTER = 340, HEAD = 26, RIGHT = 70, INDENT = 12, MOST_INDENT = 14;
const LABEL = "Spans. Up and down go through them, Enter opens and closes, left and right move in time, plus and minus zoom.";

export class Waterfall extends Lanes {
  constructor(trace, chosen, toggled) {
    super(trace.spans, trace.end, { row: ROW, head: HEAD, gutter: GUTTER, right: RIGHT, least: 0.001, shortest: 0.001 }, { "aria-hidden": "true" }, LABEL, chosen);
    this.toggled = toggled;
    this.canvas.addEventListener("click", (event) => this.click(event));
  }

  key(event) {
    if (event.key !== "Enter" || !this.selected || event.ctrlKey || event.metaKey || event.altKey) return super.key(event);
    this.toggle(this.selected);
    event.preventDefault();
  }

  click(event) {
    const span = this.rowAt(event.offsetY);
    if (!span) return;
    if (event.offsetX < this.indent(span) + 16 && span.parts.length) this.toggle(span);
    else this.select(span);
  }

  toggle(span) {
    span.isOpen = !span.isOpen;
    this.toggled();
  }

  // --- rows ---

  show(rows) {
    this.rows = rows;
    this.draw();
  }

  indent(span) {
    return 10 + Math.min(span.depth, MOST_INDENT) * INDENT;
  }

  describe(span) {
    return [el("strong", {}, span.label), el("div", {}, `${formatMs(span.end - span.start) || "0 ms"} from ${formatMs(span.start) || "0 ms"} on`)];
  }

  // --- drawing ---

  colorNames() {
    return ["ink", "ink-soft", "ink-faint", "line", "line-strong", "accent-soft", "bad", "provider"];
  }

  paintHead(c) {
    const { step, ticks } = this.ticks();
    c.font = `11px ${this.font}`;
    c.fillStyle = this.colors["ink-soft"];
    c.textAlign = "center";
    for (const tick of ticks) c.fillText(axisText(tick, step), this.x(tick), HEAD - 8);
  }

  paintRows(c, height) {
    c.fillStyle = this.colors.line;
    for (const tick of this.ticks().ticks) c.fillRect(Math.round(this.x(tick)), 0, 1, height);
    this.eachInSight(height, (span, y) => this.paintRow(c, span, y));
    c.fillStyle = this.colors["line-strong"];
    c.fillRect(GUTTER - 8, 0, 1, height);
  }

  paintRow(c, span, y) {
    const { colors } = this, width = this.canvas.clientWidth, left = this.indent(span);
    if (span === this.selected) {
      c.fillStyle = colors["accent-soft"];
      c.fillRect(0, y, width, ROW);
    }
    c.save();
    c.beginPath();
    c.rect(0, y, GUTTER - 14, ROW);
    c.clip();
    c.font = `12px ${this.font}`;
    c.textAlign = "left";
    c.fillStyle = colors["ink-faint"];
    if (span.parts.length) c.fillText(span.isOpen ? "▾" : "▸", left, y + 15);
    c.fillStyle = span.failed ? colors.bad : colors.ink;
    c.fillText((span.failed ? "✕ " : "") + span.label, left + 14, y + 15);
    c.restore();
    this.paintBar(c, span, y);
  }

  paintBar(c, span, y) {
    const from = Math.max(GUTTER, this.x(span.start)), to = Math.min(this.canvas.clientWidth - RIGHT, Math.max(this.x(span.end), this.x(span.start) + 1.5));
    if (to <= GUTTER || from >= this.canvas.clientWidth - RIGHT) return;
    c.fillStyle = span.failed ? this.colors.bad : this.colors.provider;
    c.fillRect(from, y + (ROW - BAR) / 2, Math.max(1.5, to - from), BAR);
    c.font = `11px ${this.font}`;
    c.fillStyle = this.colors["ink-faint"];
    c.textAlign = "left";
    c.fillText(formatMs(span.end - span.start), to + 6, y + 15);
  }
}
