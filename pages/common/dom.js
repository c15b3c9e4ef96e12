// dom.js — makes elements. Text is only ever set as text: nothing that a state or a log says is read as markup.

// el("p", { class: "soft", onclick: go }, "text", child)
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== null && child !== false));
}

export function readData() {
  return JSON.parse(byId("data").textContent);
}

export function count(number, singular, plural) {
  return `${number.toLocaleString("en")} ${number === 1 ? singular : plural || singular + "s"}`;
}

// The value of a colour of theme.css, for canvases.
export function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

// A function that asks for one frame; many calls before it make one.
export function onceAFrame(paint) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      paint();
    });
  };
}

// Light or dark: what the system says until the button is used. `changed` draws what style sheets cannot; before the page is printed it is
// called with true, and must have drawn when it returns.
export function startTheme(button, changed) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const apply = () => {
    const theme = chosen || (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    changed(false);
  };
  system.addEventListener("change", apply);
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    apply();
  });
  // Paper is white.
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    changed(true);
  });
  addEventListener("afterprint", apply);
  apply();
}

export function formatTime(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? String(text) : time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
