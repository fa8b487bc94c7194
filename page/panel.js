// panel.js - the rows of one picture: positions, facts about rows, and what pointer, wheel and keys
// do.
import { axesOf, cornersOf, themeNow } from "./axes.js";
import { clamp, el, numbers, percent, several, shorten, svg } from "./base.js";
import { NO_CLASS, color, crossing, ink, outline, shape } from "./marks.js";
import { FILLED, HIDDEN, LINE, OPACITY, OUTLINE, PALE } from "./scene.js";

export const CROWD = 20000; // with more points, marks are dots
const MOST_NAMED = 60;      // names are shown for at most this many rows in view
const MOST_CENTERS = 60;    // the same for names of classes
const MOST_RANKED = 500;    // rows of a class used to find its middle
const NEAR = 14;            // pixels from the pointer to a row
const EDGES = { left: 58, right: 12, top: 10, bottom: 46, title: 24 };
const CERTAIN = 65535, LEAST_OPACITY = 0.1; // a probability of 1 in the file

const dot = ([a, b, c], p, at) => a * p[at] + b * p[at + 1] + c * p[at + 2];
const sure = p => p > 0.9995 ? ">\u00a099.9\u00a0%" : percent(p);

// Places in order of rising key. Key and place share one number, so sorting compares only numbers.
function rising(key) {
  const n = key.length, low = key.reduce((a, b) => Math.min(a, b), Infinity);
  const high = key.reduce((a, b) => Math.max(a, b), low);
  const steps = (2 ** 52 / n - 1) / (high - low || 1);
  const both = key.map((value, i) => Math.round((value - low) * steps) * n + i);
  return Uint32Array.from(both.sort(), number => number % n);
}

export class Panel {
  constructor(plot, picture, small) {
    this.plot = plot;
    this.picture = picture;
    this.n = picture.rows;
    this.dims = picture.dims;
    this.small = small; // 1, or less if there are many panels
    this.predicted = numbers(picture.class, Uint16Array);
    this.probability = numbers(picture.probability, Uint16Array);
    this.label = numbers(picture.label, Uint16Array);
    this.known = numbers(picture.known, Uint8Array);
    this.numbers = numbers(picture.row, Uint32Array);
    this.crowded = this.n > plot.crowd;
    this.place(numbers(picture.points, Float32Array));
    this.sortRows();
    this.codes = new Uint32Array(this.n);
    this.matches = null; // a byte for each row during a search
    this.at = null;      // the named row
    this.pinned = false;
    this.build();
    this.home();
  }

  // Stores points relative to the middle of their range: single precision is then enough.
  place(given) {
    const k = this.dims;
    this.low = [0, 0, 0];
    this.high = [0, 0, 0];
    for (let j = 0; j < k; j++) {
      this.low[j] = Infinity;
      this.high[j] = -Infinity;
      for (let i = j; i < given.length; i += k) {
        this.low[j] = Math.min(this.low[j], given[i]);
        this.high[j] = Math.max(this.high[j], given[i]);
      }
      if (!(this.high[j] > this.low[j])) { // a single value, or no rows
        const middle = this.n ? this.low[j] : 0, room = Math.abs(middle) || 1;
        this.low[j] = middle - room;
        this.high[j] = middle + room;
      }
    }
    this.middle = this.low.map((low, j) => low / 2 + this.high[j] / 2);
    this.points = new Float32Array(3 * this.n);
    for (let i = 0; i < this.n; i++)
      for (let j = 0; j < k; j++)
        this.points[3 * i + j] = given[i * k + j] - this.middle[j];
  }

  classOf(i) {
    if (this.label && this.label[i] !== NO_CLASS)
      return this.label[i];
    return this.predicted ? this.predicted[i] : this.plot.plain ? 0 : NO_CLASS;
  }

  // The class that gives row i its color.
  paint(i) {
    return this.classOf(i);
  }

  isLabelled(i) {
    return Boolean(this.label) && this.label[i] !== NO_CLASS;
  }

  isFilled(i) {
    return this.plot.plain || Boolean(this.known && this.known[i]);
  }

  opacity(i) {
    if (this.isLabelled(i) || !this.probability || this.predicted[i] === NO_CLASS)
      return 1;
    return Math.max(LEAST_OPACITY, this.probability[i] / CERTAIN);
  }

  // Whether prediction and label differ.
  isOdd(i) {
    return this.isLabelled(i) && Boolean(this.predicted) && this.predicted[i] !== NO_CLASS
      && this.predicted[i] !== this.label[i];
  }

  // Sets the order of drawing: rows without a class, doubtful, then known ones. A crowd is mixed,
  // so that no class covers another. With `near`, a direction in space, distant rows come first.
  sortRows(near = null) {
    const key = new Float64Array(this.n);
    this.filled = 0;
    for (let i = 0; i < this.n; i++) {
      const mixed = this.crowded ? i * 0.6180339887498949 % 1 : i / this.n;
      this.filled += this.isFilled(i);
      const doubt = (this.paint(i) === NO_CLASS ? 0 : 10) + Math.round(100 * this.opacity(i));
      key[i] = (this.isFilled(i) ? 200 : 0)
        + (near ? dot(near, this.points, 3 * i) : doubt + mixed * 0.9);
    }
    this.order = rising(key);
    this.arrange();
  }

  // Points in the order of drawing.
  arrange() {
    this.sorted = new Float32Array(3 * this.n);
    for (let i = 0; i < this.n; i++)
      for (let j = 0; j < this.dims; j++)
        this.sorted[3 * i + j] = this.points[3 * this.order[i] + j];
  }

  name(i) {
    const names = this.picture.names;
    return names ? names[i] : `row ${this.numbers ? this.numbers[i] : i}`;
  }

  // ---- visibility ----

  // Computes the codes of all rows after hiding or searching.
  encode() {
    this.shown = 0;
    this.order.forEach((i, place) => {
      const c = this.paint(i), pale = this.matches && !this.matches[i];
      const hidden = this.isHidden(i);
      this.shown += !hidden;
      this.codes[place] = (c | (pale ? PALE : 0) | (hidden ? HIDDEN : 0)
        | (this.isFilled(i) ? FILLED : 0) | Math.round(255 * this.opacity(i)) << OPACITY) >>> 0;
    });
    if (this.cloud)
      this.plot.scene.change(this.cloud, this.codes, this.sorted);
    this.centers = null;
  }

  isHidden(i) {
    return !this.plot.shows(this, i, this.classOf(i));
  }

  // ---- nodes ----

  build() {
    this.under = svg("svg", { class: "under", "aria-hidden": "true" });
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.over = svg("svg", { class: "over", "aria-hidden": "true" });
    this.node = el("div", { class: "panel", tabindex: "0", role: "application",
      "aria-roledescription": "plot", "aria-label":
        `${this.picture.title || "rows"}: ${several(this.n, "point")}. Arrows `
        + `${this.dims === 3 ? "turn" : "move"}, plus and minus zoom, `
        + "0 shows all, n and p go from row to row, Escape deselects the row." },
      this.under, this.canvas, this.over);
    this.listen();
  }

  listen() {
    const on = (name, action, options) => this.node.addEventListener(name, action, options);
    this.pointers = new Map();
    on("pointerdown", e => this.press(e));
    on("pointermove", e => this.move(e));
    on("pointerup", e => this.release(e));
    on("pointercancel", e => this.release(e));
    on("pointerleave", () => this.pinned || this.say(null));
    on("wheel", e => this.wheel(e), { passive: false });
    on("dblclick", e => this.twice(e));
    on("keydown", e => this.key(e));
  }

  // ---- the view: a center in the data, a zoom and, in three dimensions, two angles ----

  home() {
    this.zoomed = 1;
    this.center = [0, 0];
    this.turn = [35, 28];
  }

  resize() {
    const box = this.node.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    this.left = this.node.offsetLeft;
    this.top = this.node.offsetTop;
    for (const node of [this.under, this.over])
      node.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const frame = this.frame();
    Object.assign(this.canvas.style, { left: `${frame.x}px`, top: `${frame.y}px`,
      width: `${frame.width}px`, height: `${frame.height}px` });
    this.canvas.width = Math.round(frame.width * ratio);
    this.canvas.height = Math.round(frame.height * ratio);
    this.ratio = ratio;
  }

  // The area of the points.
  frame() {
    const top = EDGES.top + (this.picture.title ? EDGES.title : 0);
    return { x: EDGES.left, y: top, width: Math.max(20, this.width - EDGES.left - EDGES.right),
      height: Math.max(20, this.height - top - EDGES.bottom) };
  }

  // Pixels for half the range of a coordinate, to the right and up; equal in three dimensions.
  scale({ width, height }) {
    const sides = this.dims === 2 ? [width, height] : Array(2).fill(Math.min(width, height) / 1.6);
    return sides.map(side => this.zoomed * side / 2.1);
  }

  // Maps data to pixels of the frame: x = across . place + shift[0], y = up . place + shift[1];
  // `near` points toward the eye.
  projection(frame = this.frame()) {
    const half = this.low.map((low, j) => (this.high[j] - low) / 2 || 1);
    const [s, up] = this.scale(frame), [turn, tilt] = this.turn.map(angle => angle * Math.PI / 180);
    const shift = [frame.width / 2 - this.center[0] * s, frame.height / 2 + this.center[1] * up];
    if (this.dims === 2)
      return { across: [s / half[0], 0, 0], up: [0, -up / half[1], 0], shift };
    return { across: [s * Math.cos(turn) / half[0], s * Math.sin(turn) / half[1], 0],
      up: [s * Math.sin(turn) * Math.sin(tilt) / half[0],
        -s * Math.cos(turn) * Math.sin(tilt) / half[1], -s * Math.cos(tilt) / half[2]], shift,
      near: [Math.sin(turn) * Math.cos(tilt) / half[0], -Math.cos(turn) * Math.cos(tilt) / half[1],
        Math.sin(tilt) / half[2]] };
  }

  // The position of row i in the frame, in pixels.
  pixel(i, view = this.view) {
    return [dot(view.across, this.points, 3 * i) + view.shift[0],
      dot(view.up, this.points, 3 * i) + view.shift[1]];
  }

  // The visible range of a coordinate in two dimensions.
  range(j, frame, view) {
    const [scale, shift, size] =
      j ? [view.up[1], view.shift[1], frame.height] : [view.across[0], view.shift[0], frame.width];
    const ends = [(0 - shift) / scale, (size - shift) / scale].map(v => v + this.middle[j]);
    return j ? ends.reverse() : ends;
  }

  // Marks are smaller for many rows or panels, and larger if few rows are in view.
  look(frame, theme) {
    const usual = n => 4.2 * this.small * Math.min(1, (600 / (n + 1)) ** 0.25);
    const least = 4.2 * this.small * (this.crowded ? 0.27 : 0.42), some = this.filled < this.n;
    const radius = clamp(Math.max(least, usual(this.n)) * this.zoomed ** 0.3, 1.1, 6);
    return { ...this.projection(frame), radius, ratio: this.ratio, paper: theme.paper,
      edge: theme.edge, only: this.plot.only, haloed: some,
      larger: some && this.filled <= CROWD ? Math.max(1.5, 0.8 * usual(this.filled) / radius)
        : 1,
      dots: this.crowded && radius < 3,
      faint: clamp(0.8 * Math.sqrt(CROWD * Math.sqrt(this.zoomed) / (this.n + 1)), 0.15, 0.8) };
  }

  // ---- drawing ----

  // In three dimensions the order depends on the angles.
  sortAnew() {
    const { near } = this.view;
    if (!near || this.crowded || `${near}` === this.sortedBy)
      return;
    this.sortedBy = `${near}`;
    this.sortRows(near);
    this.encode();
  }

  draw() {
    if (!this.width)
      return;
    const theme = themeNow(), frame = this.frame();
    this.view = this.look(frame, theme);
    this.sortAnew();
    if (!this.cloud)
      this.cloud = this.plot.scene.add(this.sorted, this.codes, this.filled);
    this.plot.scene.draw(this.cloud, this.canvas.getContext("2d"), this.view);
    if (this.at !== null && !this.isSeen(this.at, frame))
      this.leave();
    this.under.replaceChildren(...axesOf(this, frame, this.view, theme));
    this.drawOver(frame, theme);
  }

  drawOver(frame, theme) {
    this.over.replaceChildren(...this.texts(frame, this.view, theme), ...this.ring(frame, theme));
  }

  // Names of classes in the middle of their rows, and of rows if few are in view. Names do not
  // overlap.
  texts(frame, view, theme) {
    const taken = [], found = this.dims === 3 ? cornersOf(this, frame, view, theme) : [];
    if (!this.plot.named)
      return found;
    const add = (text, x, y, bold) => {
      const half = Math.min(3.5 * text.length, frame.width / 2);
      if (x < 0 || y < 8 || x > frame.width || y > frame.height)
        return;
      x = clamp(x, half, frame.width - half); // keep the whole name visible
      const box = [x - half, y - 14, x + half, y + 4];
      if (taken.some(t => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]))
        return;
      taken.push(box);
      found.push(svg("text", { x: frame.x + x, y: frame.y + y, fill: theme.ink, "font-size": 12,
        "font-weight": bold ? 600 : 400, "text-anchor": "middle", stroke: theme.paper,
        "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" }, text));
    };
    if (this.plot.classes.length <= MOST_CENTERS)
      for (const [c, row] of this.middles())
        add(shorten(this.plot.classes[c], 24), ...this.pixel(row, view), true);
    const seen = this.inView(frame, view);
    for (const i of seen.length <= MOST_NAMED ? seen : []) {
      const [x, y] = this.pixel(i, view);
      add(shorten(this.name(i), 24), x, y + view.radius + 14, false);
    }
    return found;
  }

  inView(frame, view) {
    const found = [];
    for (let i = 0; i < this.n && found.length <= MOST_NAMED; i++)
      if (this.isSeen(i, frame, view))
        found.push(i);
    return found;
  }

  // For each class shown, the row nearest to the medians of its rows.
  middles() {
    if (this.centers)
      return this.centers;
    const rows = new Map();
    for (let i = 0; i < this.n; i++) {
      const c = this.classOf(i);
      if (c !== NO_CLASS && !this.plot.plain && !this.isHidden(i))
        rows.has(c) ? rows.get(c).push(i) : rows.set(c, [i]);
    }
    this.centers = [...rows].map(([c, list]) => [c, this.medoid(list)]);
    return this.centers;
  }

  // Uses a sample of many rows.
  medoid(all) {
    const rows = all.filter((_, i) => i % Math.ceil(all.length / MOST_RANKED) === 0);
    const middle = [0, 1, 2].map(j =>
      Float32Array.from(rows, i => this.points[3 * i + j]).sort()[rows.length >> 1]);
    const far = i => [0, 1, 2].reduce((sum, j) =>
      sum + ((this.points[3 * i + j] - middle[j]) / (this.high[j] - this.low[j] || 1)) ** 2, 0);
    return rows.reduce((best, i) => far(i) < far(best) ? i : best, rows[0]);
  }

  ring(frame, theme) {
    if (this.box) {
      const [x, y, width, height] = this.box;
      return [svg("rect", { x, y, width, height, fill: "none", stroke: theme.ink,
        "stroke-dasharray": "4 3" })];
    }
    if (this.at === null)
      return [];
    const [x, y] = this.pixel(this.at), r = this.view.radius + 5;
    return [svg("circle", { cx: frame.x + x, cy: frame.y + y, r, fill: "none", stroke: theme.ink,
      "stroke-width": 2 })];
  }

  isSeen(i, frame, view = this.view) {
    const [x, y] = this.pixel(i, view);
    return x >= 0 && y >= 0 && x <= frame.width && y <= frame.height && !this.isHidden(i);
  }

  // ---- the row under the pointer ----

  nearest(x, y) {
    const p = this.points, { across, up, shift } = this.view;
    let best = null, least = NEAR ** 2;
    for (let i = 0; i < this.n; i++) {
      const dx = dot(across, p, 3 * i) + shift[0] - x, dy = dot(up, p, 3 * i) + shift[1] - y;
      const d = dx * dx + dy * dy;
      if (d < least && !this.isHidden(i)) {
        least = d;
        best = i;
      }
    }
    return best;
  }

  // Facts about a row as pairs of words.
  facts(i) {
    const classes = this.plot.classes, found = [];
    if (this.isLabelled(i))
      found.push([this.isFilled(i) ? "label" : "true class", classes[this.label[i]]]);
    if (this.predicted && this.predicted[i] !== NO_CLASS)
      found.push(["predicted", `${classes[this.predicted[i]]}${this.probability
        ? `, ${sure(this.probability[i] / CERTAIN)}` : ""}`]);
    if (this.isOdd(i))
      found.push(["", "differs from the label"]);
    this.picture.axes.forEach((_, j) => found.push(["xyz"[j],
      `${Number((this.points[3 * i + j] + this.middle[j]).toPrecision(7))}`]));
    return found;
  }

  say(i) {
    if (i === this.at)
      return;
    this.at = i;
    this.drawOver(this.frame(), themeNow());
    this.plot.tell(this, i);
  }

  leave() {
    this.pinned = false;
    this.say(null);
  }

  go(i) {
    const frame = this.frame(), [x, y] = this.pixel(i);
    this.leave();
    if (!this.isSeen(i, frame))
      this.pan(frame.width / 2 - x, frame.height / 2 - y);
    this.draw();
    this.pinned = true;
    this.say(i);
  }

  // Goes to the next shown row (during a search, the next match). Returns false if there is none.
  step(by) {
    for (let i = (this.at ?? (by > 0 ? -1 : this.n)) + by; i >= 0 && i < this.n; i += by)
      if (!this.isHidden(i) && (!this.matches || this.matches[i])) {
        this.go(i);
        return true;
      }
    return false;
  }

  // ---- pointer, wheel and keys ----

  spot(e) {
    const box = this.node.getBoundingClientRect(), frame = this.frame();
    return [e.clientX - box.left - frame.x, e.clientY - box.top - frame.y];
  }

  pan(dx, dy) {
    const [across, up] = this.scale(this.frame());
    this.center[0] -= dx / across;
    this.center[1] += dy / up;
    this.plot.redraw(this);
  }

  // Zooms about a place in the frame, which stays fixed.
  zoom(by, x = this.frame().width / 2, y = this.frame().height / 2) {
    const before = this.projection(), old = this.zoomed;
    this.zoomed = clamp(this.zoomed * by, 0.5, 1e5);
    const grown = this.zoomed / old, after = this.projection();
    this.pan(x - (after.shift[0] + (x - before.shift[0]) * grown),
      y - (after.shift[1] + (y - before.shift[1]) * grown));
  }

  twice(e) {
    this.zoom(2, ...this.spot(e));
  }

  press(e) {
    if (e.button !== 0)
      return;
    this.node.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, this.spot(e));
    this.moved = 0;
    this.begin = e.shiftKey && this.pointers.size === 1 ? this.spot(e) : null;
  }

  move(e) {
    const now = this.spot(e), before = this.pointers.get(e.pointerId);
    if (!before) {
      if (!this.pinned && this.view && e.pointerType !== "touch")
        this.say(this.nearest(...now));
      return;
    }
    this.pointers.set(e.pointerId, now);
    this.moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
    if (this.pointers.size === 2)
      this.pinch(e.pointerId, before, now);
    else if (this.begin)
      this.drawBox(now);
    else if (this.dims === 3 && !e.altKey)
      this.rotate(now[0] - before[0], now[1] - before[1]);
    else
      this.pan(now[0] - before[0], now[1] - before[1]);
  }

  pinch(id, before, now) {
    const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, spot]) => spot);
    const far = spot => Math.hypot(spot[0] - other[0], spot[1] - other[1]) || 1;
    this.zoom(far(now) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  rotate(dx, dy) {
    this.turn = [this.turn[0] - dx / 3, clamp(this.turn[1] + dy / 3, -90, 90)];
    this.plot.redraw(this);
  }

  drawBox([x, y]) {
    const [x0, y0] = this.begin, frame = this.frame();
    this.box = [frame.x + Math.min(x, x0), frame.y + Math.min(y, y0), Math.abs(x - x0),
      Math.abs(y - y0)];
    this.plot.redraw(this);
  }

  release(e) {
    if (!this.pointers.delete(e.pointerId))
      return;
    if (this.box) {
      const [x, y, width, height] = this.box, frame = this.frame();
      this.box = null;
      const large = width > 4 && height > 4;
      if (large)
        this.pan(frame.x + frame.width / 2 - x - width / 2,
          frame.y + frame.height / 2 - y - height / 2);
      this.zoom(large ? Math.min(frame.width / width, frame.height / height) : 1);
    } else if (this.moved < 5 && e.type === "pointerup") {
      const found = this.nearest(...this.spot(e));
      this.pinned = found !== null;
      this.say(found);
    }
  }

  // In a scrolling page the wheel zooms only after a click on the plot.
  wheel(e) {
    if (!this.plot.alone && document.activeElement !== this.node && !e.ctrlKey)
      return;
    e.preventDefault();
    this.zoom(2 ** (-e.deltaY * (e.deltaMode ? 20 : 1) / 300), ...this.spot(e));
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey)
      return;
    const moves =
      { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    const actions = { "+": () => this.zoom(1.5), "=": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5), 0: () => this.reset(),
      n: () => this.plot.next(1), p: () => this.plot.next(-1),
      Escape: () => this.leave() };
    if (moves[e.key] && this.dims === 3)
      this.rotate(...moves[e.key].map(v => v / 2));
    else if (moves[e.key])
      this.pan(...moves[e.key]);
    else if (actions[e.key])
      actions[e.key]();
    else
      return;
    e.preventDefault();
  }

  reset() {
    this.home();
    this.plot.redraw(this);
  }

  // ---- a picture to save ----

  kept(theme) {
    const frame = this.frame(), view = this.look(frame, theme);
    const points = this.shown > CROWD ? this.image(frame, view) : this.paths(view, theme);
    return [...axesOf(this, frame, view, theme),
      svg("svg", { x: frame.x, y: frame.y, width: frame.width, height: frame.height }, ...points),
      ...this.texts(frame, view, theme)];
  }

  image(frame, view) {
    this.plot.scene.draw(this.cloud, this.canvas.getContext("2d"), view);
    const href = this.canvas.toDataURL();
    this.plot.redraw(this);
    return [svg("image", { href, width: frame.width, height: frame.height })];
  }

  // Joins marks of the same look into one path, in the order of drawing.
  paths(view, theme) {
    const groups = new Map();
    for (const i of this.order) {
      if (this.isHidden(i))
        continue;
      const c = this.classOf(i), filled = this.isFilled(i), opacity = this.opacity(i).toFixed(1);
      const key = `${c} ${filled} ${opacity}`, [x, y] = this.pixel(i, view);
      const r = view.radius * (filled ? view.larger : 1);
      if (!groups.has(key))
        groups.set(key, { c, filled, opacity, d: "", lines: "" });
      groups.get(key).d += outline(shape(c), x, y, r);
      groups.get(key).lines += crossing(shape(c), x, y, r);
    }
    return [...groups.values()].flatMap(({ c, filled, opacity, d, lines }) => {
      const paint = color(c), stroke = filled ? ink(paint) : paint;
      return [svg("path", { d, opacity, fill: filled ? paint : "none", "paint-order": "stroke",
        stroke: filled ? theme.edge : paint, "stroke-width": filled ? 2 * OUTLINE : LINE }),
      svg("path", { d: lines, opacity, fill: "none", stroke, "stroke-width": LINE })];
    });
  }
}
