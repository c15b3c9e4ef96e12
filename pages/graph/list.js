// list.js — the resources that were found, as a list of which only what is in sight exists; and the filters.
import { el, fill } from "../common/dom.js";
import { facetCounts, facets } from "./model.js";

const ROW = 38;

export class ResultList {
  constructor(box, space, choose) {
    this.box = box;
    this.space = space;
    this.choose = choose;
    this.nodes = [];
    this.selected = null;
    box.addEventListener("scroll", () => this.render());
    box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.render()).observe(box);
  }

  show(nodes) {
    this.nodes = nodes;
    this.space.style.height = nodes.length * ROW + "px";
    this.box.scrollTop = 0;
    this.render();
  }

  select(node) {
    this.selected = node;
    const at = this.nodes.indexOf(node);
    if (at >= 0) {
      const top = at * ROW, { scrollTop, clientHeight } = this.box;
      if (top < scrollTop) this.box.scrollTop = top;
      else if (top + ROW > scrollTop + clientHeight) this.box.scrollTop = top + ROW - clientHeight;
    }
    this.render();
  }

  // Also used by the search field.
  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || !this.nodes.length) return;
    if ((event.key === "Home" || event.key === "End") && event.target !== this.box) return;
    event.preventDefault();
    const at = this.nodes.indexOf(this.selected);
    const next = at < 0 ? (steps[event.key] > 0 ? 0 : this.nodes.length - 1) : at + steps[event.key];
    this.choose(this.nodes[Math.min(this.nodes.length - 1, Math.max(0, next))]);
  }

  render() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 4);
    const last = Math.min(this.nodes.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 4);
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(this.nodes[i], i));
    this.space.replaceChildren(...rows);
    const isShown = this.selected && this.nodes.slice(first, last).includes(this.selected);
    if (isShown) this.box.setAttribute("aria-activedescendant", "row-" + this.selected.index);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(node, at) {
    const swatch = el("span", { class: "swatch" });
    swatch.style.background = `var(--hue-${node.hue})`;
    const row = el("div", {
      class: "row", role: "option", id: "row-" + node.index, "aria-selected": String(node === this.selected),
      "aria-setsize": this.nodes.length, "aria-posinset": at + 1, onclick: () => this.choose(node),
    }, swatch, el("span", { class: "texts" }, el("span", { class: "title" }, node.name), el("span", { class: "type" }, node.shortType)));
    row.style.top = at * ROW + "px";
    return row;
  }
}

// `chosen` has a set of wanted values for each facet.
export function showFacets(box, model, chosen, changed) {
  fill(box, ...facets.map((facet, place) => {
    const counts = facetCounts(model.nodes, facet);
    const note = el("span", { class: "chosen" });
    const item = ([value, number]) => {
      const input = el("input", { type: "checkbox", "data-facet": facet.id, "data-value": value });
      input.addEventListener("change", () => {
        if (input.checked) chosen[facet.id].add(value);
        else chosen[facet.id].delete(value);
        note.textContent = chosen[facet.id].size ? `${chosen[facet.id].size} chosen` : "";
        changed();
      });
      const swatch = facet.id === "package" && el("span", { class: "swatch" });
      if (swatch) swatch.style.background = `var(--hue-${model.packages.hues.get(value)})`;
      return el("li", {}, el("label", { title: value }, input, swatch, el("span", { class: "what" }, value), el("span", { class: "count" }, number.toLocaleString("en"))));
    };
    return el("details", { class: "facet", open: place === 0 || facet.id === "state" },
      el("summary", {}, el("h3", {}, facet.title), note), el("ul", {}, ...counts.map(item)));
  }));
}
