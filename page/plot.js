// plot.js - panels with a list of classes, a search, and pictures to save.
import { button, clamp, count, el, numbers, several, shorten, svg } from "./base.js";
import { DISTINCT, NO_CLASS, color, crossing, ink, outline, shape } from "./marks.js";
import { LIGHT, dark } from "./axes.js";
import { CROWD, Panel } from "./panel.js";
import { newScene } from "./scene.js";

// The mark of class c, in its color or in `paint`.
export function mark(c, filled, paint = color(c)) {
  return svg("svg", { class: "mark", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: outline(shape(c), 8, 8, 5), fill: filled ? paint : "none", stroke: paint,
      "stroke-width": 1.4 }),
    svg("path", { d: crossing(shape(c), 8, 8, 5), fill: "none", "stroke-width": 1.4,
      stroke: filled ? ink(color(c)) : paint }));
}

export class Plot {
  constructor({ classes, predicted, pictures, source, model },
    { alone = false, height = null, crowd = CROWD, Kind = Panel }) {
    Object.assign(this, { classes, predicted, pictures, source, model, alone, crowd });
    this.plain = classes.length === 0;
    this.scene = newScene();
    this.hidden = new Set();
    this.kinds = new Set();  // the hidden ones of "filled" and "hollow"
    this.only = -1;          // the class shown alone, or -1
    this.odd = false;        // show only rows whose label and prediction differ
    this.named = true;
    this.waiting = new Set();
    this.panels = pictures.map(picture => new Kind(this, picture, pictures.length ** -0.25));
    this.tally();
    this.build(height);
    this.encode();
    new ResizeObserver(() => this.resize()).observe(this.grid);
    dark.addEventListener("change", () => this.redrawAll());
    addEventListener("beforeprint", () => this.node.append(this.print()));
    addEventListener("afterprint", () => this.printed.remove());
  }

  // Counts the rows of each class and kind.
  tally() {
    this.counts = new Float64Array(this.classes.length);
    this.rows = this.filled = this.held = this.none = this.odds = 0;
    for (const panel of this.panels) {
      this.rows += panel.n;
      for (let i = 0; i < panel.n; i++) {
        const c = panel.classOf(i);
        c === NO_CLASS ? this.none++ : this.counts[c]++;
        this.filled += panel.isFilled(i);
        this.held += panel.isLabelled(i) && !panel.isFilled(i); // a label that the fit did not use
        this.odds += panel.isOdd(i);
      }
    }
  }

  shows(panel, i, c) {
    return !this.hidden.has(c) && !this.kinds.has(panel.isFilled(i) ? "filled" : "hollow")
      && (!this.odd || panel.isOdd(i));
  }

  // ---- nodes ----

  build(height) {
    this.tip = el("div", { class: "tip", hidden: "" });
    this.status = el("p", { class: "unseen", role: "status" });
    const many = this.panels.length > 1;
    this.grid = el("div", { class: many ? "grid-of-panels" : "one-panel" },
      ...this.panels.map(panel => panel.node), this.tip);
    if (height)
      this.grid.style.height = `${height}px`;
    if (many)
      this.grid.style.setProperty("--columns", Math.ceil(Math.sqrt(this.panels.length)));
    this.node = el("div", { class: this.alone ? "plot alone" : "plot" }, this.tools(),
      el("div", { class: "drawn" }, this.grid, this.side()), this.status);
  }

  finder() {
    const box = el("input", { type: "search", placeholder: "find a row", "aria-label":
      "find rows by name or number; Enter goes to the next one" });
    this.found = el("span", { class: "soft", role: "status" });
    box.addEventListener("input", () => {
      clearTimeout(this.later);
      if (this.rows > CROWD)
        this.later = setTimeout(() => this.search(box.value), 300);
      else
        this.search(box.value);
    });
    box.addEventListener("keydown", e => {
      if (e.key === "Enter")
        this.next(e.shiftKey ? -1 : 1);
    });
    return [box, this.found];
  }

  tools() {
    const all = action => () => this.panels.forEach(action);
    const names = button("names", () => {
      this.named = !this.named;
      names.setAttribute("aria-pressed", this.named);
      this.redrawAll();
    }, { "aria-pressed": "true", title: "show names of classes, and of rows if few are in view" });
    return el("div", { class: "tools" }, ...this.finder(), el("span", { class: "gap" }),
      button("+", all(panel => panel.zoom(1.5)), { "aria-label": "zoom in" }),
      button("\u2212", all(panel => panel.zoom(1 / 1.5)), { "aria-label": "zoom out" }),
      button("reset", all(panel => panel.reset()), { title: "show the whole view" }), names,
      button("PNG", () => this.save("png"), { "aria-label": "save as PNG" }),
      button("SVG", () => this.save("svg"), { "aria-label": "save as SVG" }));
  }

  side() {
    const parts = [];
    if (!this.plain)
      parts.push(...this.list());
    this.pictures.forEach(picture => picture.curves && parts.push(curves(picture)));
    if (this.scene.gl === undefined)
      parts.push(note("Without a graphics card for WebGL2, a 2D canvas draws the points."));
    return el("div", { class: "side" }, ...parts);
  }

  // A line of the list: icon, name and number of rows.
  entry(icon, text, rows, action, attributes = {}) {
    return button(el("span", { class: "entry" }, icon, el("span", { class: "name" }, text),
      el("span", { class: "soft" }, count(rows))), action,
      { "aria-pressed": "true", ...attributes });
  }

  list() {
    const filled = this.filled > 0, hollow = this.rows > this.filled, entries = new Map();
    const name = c => c === NO_CLASS ? "unlabelled" : this.classes[c];
    const press = () => entries.forEach((node, c) =>
      node.setAttribute("aria-pressed", !this.hidden.has(c)));
    const set = hidden => { this.hidden = new Set(hidden); press(); this.encode(); };
    const of = (c, rows) => {
      const toggle = e => {
        if (e.shiftKey)
          set([...entries.keys()].filter(other => other !== c));
        else
          set(this.hidden.has(c) ? [...this.hidden].filter(h => h !== c) : [...this.hidden, c]);
      };
      const node = this.entry(mark(c, filled), name(c), rows, toggle,
        { title: `${name(c)}: click to hide or show it, Shift+click to show it alone` });
      const alone = only => () => { this.only = only; this.redrawAll(); };
      for (const [event, only] of
        [["pointerenter", c], ["focus", c], ["pointerleave", -1], ["blur", -1]])
        node.addEventListener(event, alone(only));
      entries.set(c, node);
      return el("li", {}, node);
    };
    const items = this.classes.map((_, c) => of(c, this.counts[c]));
    if (this.none)
      items.push(of(NO_CLASS, this.none));
    return [
      el("div", { class: "head" }, el("strong", {},
        this.classes.length === 1 ? "1 class" : `${count(this.classes.length)} classes`),
        button("all", () => set([])), button("none", () => set(entries.keys()))),
      el("ul", { class: "classes" }, ...items), ...this.kindsOf(filled && hollow),
      ...this.warnings()
    ];
  }

  // Explains filled and hollow marks, if there are both.
  kindsOf(both) {
    const nodes = [], add = (icon, text, rows, change, pressed) => {
      const node = this.entry(icon, text, rows, () => {
        node.setAttribute("aria-pressed", change());
        this.encode();
      }, { "aria-pressed": pressed });
      nodes.push(el("li", {}, node));
    };
    const kind = name => () => this.kinds.delete(name) || !this.kinds.add(name);
    if (both) {
      add(mark(NO_CLASS, true, "currentColor"), "label known", this.filled, kind("filled"), true);
      const hollow = this.rows - this.filled;
      const text = this.held === 0 ? this.predicted ? "class predicted" : "label not known"
        : this.held === hollow ? "label held out" : "held out or predicted";
      add(mark(NO_CLASS, false, "currentColor"), text, hollow, kind("hollow"), true);
    }
    if (this.odds)
      add("\u2260", "only where label and prediction differ", this.odds,
        () => this.odd = !this.odd, false);
    return nodes.length ? [el("ul", { class: "kinds" }, ...nodes)] : [];
  }

  warnings() {
    const found = [];
    if (this.classes.length > DISTINCT)
      found.push(note(`Only ${DISTINCT} classes have distinct marks; point at a class to see it `
        + "alone."));
    else if (this.classes.length > 10 && this.panels.some(panel => panel.crowded))
      found.push(note("Dots have only ten colors: point at a class to see it alone, or zoom in to "
        + "see shapes."));
    if (this.predicted && this.rows > this.filled + this.held)
      found.push(note("Hollow marks are paler where the predicted class is less probable."));
    return found;
  }

  // ---- changes ----

  encode() {
    this.panels.forEach(panel => panel.encode());
    this.redrawAll();
  }

  resize() {
    this.panels.forEach(panel => panel.resize());
    this.size = [this.grid.clientWidth, this.grid.clientHeight];
    this.redrawAll(true);
  }

  redraw(panel) {
    if (!this.waiting.size)
      requestAnimationFrame(() => this.drawWaiting());
    this.waiting.add(panel);
  }

  redrawAll(now = false) {
    this.panels.forEach(panel => this.redraw(panel));
    if (now)
      this.drawWaiting();
  }

  // Replaces a lost graphics context.
  drawWaiting() {
    if (!this.scene.usable()) {
      this.scene = newScene();
      this.panels.forEach(panel => { panel.cloud = null; });
    }
    const panels = [...this.waiting];
    this.waiting.clear();
    panels.forEach(panel => { panel.draw(); this.placeTip(panel); });
  }

  search(text) {
    const asked = text.trim().toLowerCase();
    let found = 0;
    for (const panel of this.panels) {
      panel.matches = asked ? new Uint8Array(panel.n) : null;
      for (let i = 0; asked && i < panel.n; i++) {
        const name = panel.name(i).toLowerCase();
        const same = panel.picture.names ? name.includes(asked)
          : name === asked || name === `row ${asked}`;
        found += panel.matches[i] = same;
      }
    }
    this.found.textContent = asked ? `${count(found)} found` : "";
    this.encode();
  }

  // Goes from the named row to the next, through all panels and around.
  next(by) {
    const at = Math.max(0, this.panels.findIndex(panel => panel.at !== null));
    const here = this.panels[at];
    const others = [...this.panels.slice(at + 1), ...this.panels.slice(0, at)];
    if (by < 0)
      others.reverse();
    if (here.step(by) || others.some(panel => panel.step(by)))
      return;
    here.leave(); // start again from the other end
    here.step(by);
  }

  // ---- the named row ----

  tell(panel, i) {
    if (i !== null)
      this.panels.forEach(other => other !== panel && other.at !== null && other.leave());
    this.tip.hidden = i === null;
    if (i === null)
      return;
    const facts = panel.facts(i);
    this.tip.replaceChildren(el("strong", {}, shorten(panel.name(i), 60)), el("dl", {},
      ...facts.flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, shorten(text, 60))])));
    this.tipSize = [this.tip.offsetWidth, this.tip.offsetHeight];
    this.status.textContent = panel.pinned
      ? [panel.name(i), ...facts.map(pair => pair.join(" "))].join(", ") : "";
    this.placeTip(panel);
  }

  // Uses stored sizes, because reading sizes here would lay out the page again.
  placeTip(panel) {
    if (panel.at === null || !panel.view)
      return;
    const [x, y] = panel.pixel(panel.at), frame = panel.frame(), [wide, high] = this.tipSize;
    const left = panel.left + frame.x + x, top = panel.top + frame.y + y;
    const right = left + 16 + wide < this.size[0];
    this.tip.style.left = `${right ? left + 14 : Math.max(0, left - 14 - wide)}px`;
    this.tip.style.top = `${clamp(top - 12, 0, Math.max(0, this.size[1] - high))}px`;
  }

  // ---- pictures to save, always on white ----

  picture() {
    const boxes = this.panels.map(({ node, width, height }) =>
      ({ x: node.offsetLeft, y: node.offsetTop, width, height }));
    const width = Math.max(...boxes.map(box => box.x + box.width));
    const height = Math.max(...boxes.map(box => box.y + box.height));
    const legend = this.legend(width + 12, height);
    const size = { width: width + legend.width, height };
    return svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size,
      viewBox: `0 0 ${size.width} ${height}`,
      "font-family": "system-ui, Helvetica, Arial, sans-serif" },
      svg("rect", { width: "100%", height: "100%", fill: LIGHT.paper }),
      ...this.panels.map((panel, i) =>
        svg("g", { transform: `translate(${boxes[i].x} ${boxes[i].y})` }, ...panel.kept(LIGHT))),
      ...legend.parts);
  }

  // Prints the picture to save, as large as the page.
  print() {
    this.printed = el("div", { class: "printed" }, this.picture());
    return this.printed;
  }

  legend(x, height) {
    const shown = this.plain ? [] : this.classes.map((name, c) => [c, name])
      .filter(([c]) => !this.hidden.has(c));
    if (this.none && !this.plain && !this.hidden.has(NO_CLASS))
      shown.push([NO_CLASS, "unlabelled"]);
    const lines = Math.max(1, Math.floor((height - 20) / 20));
    const columns = Math.ceil(shown.length / lines);
    const parts = shown.map(([c, name], i) => {
      const left = x + 180 * Math.floor(i / lines), top = 10 + 20 * (i % lines);
      const icon = mark(c, this.filled);
      for (const [side, value] of Object.entries({ x: left, y: top, width: 16, height: 16 }))
        icon.setAttribute(side, value);
      return svg("g", {}, icon, svg("text", { x: left + 22, y: top + 12, "font-size": 12,
        fill: LIGHT.ink }, shorten(name, 22)));
    });
    return { parts, width: columns ? 12 + 180 * columns : 0 };
  }

  save(type) {
    const source = new Blob([new XMLSerializer().serializeToString(this.picture())],
      { type: "image/svg+xml" });
    const name = `${(this.source || "picture").replace(/\.[^.]*$/, "")}.${type}`;
    if (type === "svg") {
      download(source, name);
      return;
    }
    const image = new Image();
    image.onload = () => {
      const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => download(blob, name));
      URL.revokeObjectURL(image.src);
    };
    image.src = URL.createObjectURL(source);
  }
}

function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function note(text) {
  return el("p", { class: "soft note" }, text);
}

// The weights of each axis over the columns of spectra.
function curves({ axes, curves: { at, weights } }) {
  const places = numbers(at, Float32Array), first = places[0], last = places[places.length - 1];
  return el("div", { class: "curves" }, ...weights.map((text, j) => {
    const values = numbers(text, Float32Array);
    const most = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0) || 1;
    const points = Array.from(values, (v, i) =>
      [220 * (places[i] - first) / (last - first), 30 - 28 * v / most].map(x => x.toFixed(1)));
    return el("figure", {},
      el("figcaption", {}, `weights of the ${["horizontal", "vertical", "third"][j]} axis`),
      svg("svg", { viewBox: "0 0 220 76", role: "img", "aria-label":
        `weights of the columns from ${first} to ${last} in ${axes[j]}` },
        svg("line", { x1: 0, x2: 220, y1: 30, y2: 30, class: "grid-line" }),
        svg("polyline", { points: points.join(" "), class: "curve", stroke: "var(--mark)" }),
        svg("text", { x: 0, y: 74 }, `${first}`),
        svg("text", { x: 220, y: 74, "text-anchor": "end" }, `${last}`)));
  }));
}

// Describes the picture in a sentence.
function caption({ pictures, model }, title) {
  const total = name => pictures.reduce((sum, p) => sum + (p[name] ?? p.rows), 0);
  const rows = `${total("of") > total("rows") ? `${count(total("rows"))} of ` : ""}`
    + several(total("of"), "row");
  return title ? `${rows}; ${title}` : model ? `${rows}, projected by ${model}` : rows;
}

// Shows a plot of `data`: classes, whether a model predicts them, and pictures (JSON of `penumbra
// plot`). It is as wide as `place` and `height` pixels high or, if `alone`, fills the page.
export function showPicture(place, data, options) {
  place.append(new Plot(data, options).node);
}

export function showPlot(place, given) {
  const [first, ...others] = given.pictures, title = others.length ? "" : first.title;
  if (others.length)
    given.source = `${others.length + 1} files`;
  else
    first.title = ""; // the caption has it
  document.title = given.source || "penumbra plot";
  document.body.classList.add("whole");
  place.append(el("h1", {}, given.source || "Rows"),
    el("p", { class: "soft" }, caption(given, title)));
  showPicture(place, given, { alone: true });
}
