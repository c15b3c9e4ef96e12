// panel.js — what is known of the selected resource.
import { count, el, fill, formatTime } from "../common/dom.js";
import { valueTree } from "../common/values.js";
import { isAlarming, signCanvas } from "./draw.js";

const FEW = 60;

function chip(mark, pending) {
  const text = mark === "pending" && pending ? `pending: ${pending}` : mark;
  return el("span", { class: "chip" + (isAlarming(mark) ? " warn" : "") }, signCanvas(mark), text);
}

function fact(list, name, content) {
  if (content) list.append(el("dt", {}, name), el("dd", {}, content));
}

function linkTo(node, go) {
  return el("button", { class: "link", onclick: () => go(node) }, node.name);
}

function linkRow(node, go, properties) {
  const type = node.shortType + (properties && properties.length ? ` · through ${properties.join(", ")}` : "");
  return el("li", {}, linkTo(node, go), el("span", { class: "type" }, type));
}

function section(title, number, ...content) {
  return el("section", {}, el("h3", {}, title, number === undefined ? "" : el("span", { class: "count" }, ` ${number}`)), ...content);
}

// A long list shows its beginning.
function links(title, id, nodes, go, through) {
  if (!nodes.length) return null;
  const row = (node) => linkRow(node, go, through && through(node));
  const list = el("ul", { class: "links", id }, ...nodes.slice(0, FEW).map(row));
  const more = nodes.length > FEW && el("button", {
    class: "quiet",
    onclick: () => {
      list.append(...nodes.slice(FEW).map(row));
      more.remove();
    },
  }, `and ${count(nodes.length - FEW, "other")}`);
  return section(title, nodes.length, list, more);
}

export function showPanel(panel, node, go, close) {
  const { resource } = node;
  const facts = el("dl", {});
  fact(facts, "URN", el("span", { class: "mono", id: "panel-urn" }, resource.urn));
  fact(facts, "ID", resource.id && el("span", { class: "mono" }, resource.id));
  fact(facts, "Parent", node.parent && linkTo(node.parent, go));
  fact(facts, "Provider", node.provider && linkTo(node.provider, go));
  fact(facts, "Created", resource.created && formatTime(resource.created));
  fact(facts, "Changed", resource.modified && formatTime(resource.modified));
  fact(facts, "Source", resource.source && el("span", { class: "mono" }, resource.source));

  fill(panel,
    el("header", {},
      el("div", {},
        el("p", { class: "over" }, node.type),
        el("h2", { id: "panel-name" }, node.name)),
      el("button", { class: "quiet no-print", onclick: close, "aria-label": "Close the panel" }, "✕")),
    node.marks.length > 0 && el("div", { class: "chips" }, ...node.marks.map((mark) => chip(mark, resource.pending))),
    facts,
    resource.initErrors && section("Errors", resource.initErrors.length,
      el("ul", { class: "errors" }, ...resource.initErrors.map((text) => el("li", {}, text)))),
    links("Depends on", "panel-dependencies", node.dependencies, go, (other) => node.through.get(other.index)),
    links("Needed by", "panel-dependents", node.dependents, go, (other) => other.through.get(node.index)),
    links("Children", "panel-children", node.children, go),
    links("Provides for", "panel-provided", node.provided, go),
    section("Inputs", undefined, valueTree(resource.inputs)),
    section("Outputs", undefined, valueTree(resource.outputs)));
  panel.hidden = false;
  panel.scrollTop = 0;
}
