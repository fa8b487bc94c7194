// base.js - elements, numbers, arrays and tables that all parts of the page use.

// ---- elements (text is never parsed as markup) ----

function fill(node, attributes, parts) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined)
      node.setAttribute(name, value);
  node.append(...parts.filter(part => part !== null && part !== undefined));
  return node;
}

export function el(tag, attributes = {}, ...parts) {
  return fill(document.createElement(tag), attributes, parts);
}

export function svg(tag, attributes = {}, ...parts) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, parts);
}

// A button with a text or an element.
export function button(content, action, attributes = {}) {
  const node = el("button", { type: "button", ...attributes }, content);
  node.addEventListener("click", action);
  return node;
}

async function copyText(text, node) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // without permission, copy the selection instead
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
  return true;
}

// Replaces the parts of a list and keeps the focus at its position.
export function refill(list, parts) {
  const buttons = () => [...list.querySelectorAll("button")];
  const at = buttons().indexOf(document.activeElement);
  list.replaceChildren(...parts);
  buttons()[Math.min(at, buttons().length - 1)]?.focus();
}

// A button that copies a text, which the element `shown` displays.
export function copyButton(text, shown) {
  const node = button("Copy", async () => {
    node.textContent = await copyText(text, shown) ? "Copied" : "Selected";
  }, { "aria-live": "polite" });
  return node;
}

// ---- numbers ----

export function clamp(x, least, most) {
  return Math.min(most, Math.max(least, x));
}

export function fixed(x, digits) {
  return x === null || x === undefined ? "" : x.toFixed(digits);
}

export function percent(x, digits = 1) {
  return x === null || x === undefined ? "" : `${(100 * x).toFixed(digits)}\u00a0%`;
}

// A whole number with spaces between thousands.
export function count(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function several(n, word) {
  return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}

// Shortens a name to `most` letters in the middle, because names often differ at the end.
export function shorten(name, most) {
  const letters = [...name], half = Math.floor((most - 1) / 2);
  return letters.length <= most
    ? name
    : `${letters.slice(0, half).join("")}\u2026${letters.slice(letters.length - half).join("")}`;
}

// ---- arrays ----

// Decodes numbers of `Type` from little-endian base64; passes arrays and null through.
export function numbers(text, Type) {
  if (text === null || text === undefined || text instanceof Type)
    return text ?? null;
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = binary.charCodeAt(i);
  return new Type(bytes.buffer);
}

// ---- tables ----

// Cells are texts or elements. A wide table scrolls in its box, also by keys.
export function table(name, kind, head, rows, rowClass = () => null) {
  const cell = (tag, attributes) => c =>
    /^T[DH]$/.test(c.tagName) ? c : el(tag, attributes, c);
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": name },
    el("table", { class: kind },
      el("thead", {}, el("tr", {}, ...head.map(cell("th", { scope: "col" })))),
      el("tbody", {}, ...rows.map((row, i) =>
        el("tr", { class: rowClass(i) }, ...row.map(cell("td", {})))))));
}
