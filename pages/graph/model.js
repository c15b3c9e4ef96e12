// model.js — resources as nodes that know each other, and what is asked of them: search and filters.
import { isProviderType, packageOf, shortType, urnName } from "../common/urn.js";

const HUES = 8;

function nodeOf(resource, index) {
  const marks = resource.marks || [];
  const isProvider = isProviderType(resource.type);
  return {
    index,
    resource,
    marks,
    isProvider,
    name: urnName(resource.urn),
    type: resource.type,
    shortType: shortType(resource.type),
    package: packageOf(resource.type),
    parent: null,
    children: [],
    dependencies: [],
    dependents: [],
    provider: null,
    provided: [],
    text: [resource.urn, resource.type, resource.id || ""].join("\n").toLowerCase(),
    matches: true,
  };
}

// "password: [3]" of the state becomes "3: password".
function throughByNode(resource) {
  const through = new Map();
  for (const [property, numbers] of Object.entries(resource.through || {})) {
    for (const number of numbers) through.set(number, [...(through.get(number) || []), property]);
  }
  return through;
}

function link(nodes, node) {
  const resource = node.resource;
  node.parent = nodes[resource.parent] && resource.parent !== node.index ? nodes[resource.parent] : null;
  if (node.parent) node.parent.children.push(node);
  node.provider = nodes[resource.provider] || null;
  if (node.provider) node.provider.provided.push(node);
  node.through = throughByNode(resource);
  const numbers = new Set([...(resource.dependencies || []), ...node.through.keys()]);
  for (const number of numbers) {
    const other = nodes[number];
    if (!other || other === node) continue;
    node.dependencies.push(other);
    other.dependents.push(node);
  }
}

// Packages from the most to the least used; the last colour is for all that are left.
function colorPackages(nodes) {
  const uses = new Map();
  for (const node of nodes) uses.set(node.package, (uses.get(node.package) || 0) + 1);
  const names = [...uses.keys()].sort((a, b) => uses.get(b) - uses.get(a) || (a < b ? -1 : 1));
  const hues = new Map(names.map((name, place) => [name, name === "pulumi" ? HUES - 1 : Math.min(place, HUES - 1)]));
  for (const node of nodes) node.hue = hues.get(node.package);
  return { names, hues };
}

export function buildModel(data) {
  const nodes = data.resources.map(nodeOf);
  for (const node of nodes) link(nodes, node);
  const packages = colorPackages(nodes);
  return { data, nodes, packages, matching: nodes };
}

function stateOf(node) {
  return node.marks.length ? node.marks : ["settled"];
}

function providerName(node) {
  return node.provider ? node.provider.name : node.isProvider ? "(is a provider)" : "(none)";
}

// What can be filtered by: the values of a node, each with a text.
export const facets = [
  { id: "package", title: "Package", of: (node) => [node.package] },
  { id: "type", title: "Type", of: (node) => [node.type] },
  { id: "state", title: "State", of: stateOf },
  { id: "provider", title: "Provider", of: (node) => [providerName(node)] },
];

export function facetCounts(nodes, facet) {
  const counts = new Map();
  for (const node of nodes) for (const value of facet.of(node)) counts.set(value, (counts.get(value) || 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

// `chosen`: by the id of a facet, the set of its wanted values; an empty set wants all. Every word must occur.
export function select(model, words, chosen) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  model.matching = model.nodes.filter((node) => {
    node.matches = wanted.every((word) => node.text.includes(word)) && facets.every((facet) => {
      const values = chosen[facet.id];
      return !values || values.size === 0 || facet.of(node).some((value) => values.has(value));
    });
    return node.matches;
  });
  return model.matching;
}
