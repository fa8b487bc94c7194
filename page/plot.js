// plot.js - rows as points: panels that zoom and name what is under the pointer, a list of classes,
// a search, and pictures to keep.
import { button, count, el, numbers, percent, several, shorten, svg } from "./base.js";
import { DISTINCT, NO_CLASS, color, crossing, ink, outline, shape } from "./marks.js";
import { FILLED, HIDDEN, OPACITY, PALE, newScene } from "./scene.js";

const CROWD = 20000;  // more points than these are dots
const MOST_NAMED = 60; // rows in view, up to which their names are shown
const MOST_CENTERS = 60;
const NEAR = 14;      // pixels from the pointer to a row
const EDGES = { left: 58, right: 12, top: 10, bottom: 46, title: 24 };
const LEAST_OPACITY = 0.1;

const LIGHT = { ink: "#1b1f24", soft: "#59626d", line: "#e3e7eb", paper: "#ffffff", edge: "#202020" };
const DARK = { ink: "#e8eaed", soft: "#a4adb8", line: "#2b323a", paper: "#14171b", edge: "#f0f0f0" };
const dark = matchMedia("(prefers-color-scheme: dark)");
const themeNow = () => dark.matches ? DARK : LIGHT;

const clamp = (x, least, most) => Math.min(most, Math.max(least, x));

// ---- numbers on axes ----

// 1, 2 or 5 times a power of ten: about `most` steps in a range.
function stepOf(range, most) {
  const power = 10 ** Math.floor(Math.log10(range / most));
  return [1, 2, 5, 10].map(m => m * power).find(step => range / step <= most);
}

function tickText(value, step) {
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e6 || step < 1e-5)
    return value === 0 ? "0" : value.toExponential(Math.max(0, Math.ceil(Math.log10(size / step))));
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

function ticks([low, high], most) {
  const step = stepOf(high - low, most), found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    found.push([i * step, tickText(i * step, step)]);
  return found;
}

// ---- one panel ----

// Rows of one picture, where they are seen, and what is known of them.
class Panel {
  constructor(plot, picture, small) {
    this.plot = plot;
    this.picture = picture;
    this.n = picture.rows;
    this.dims = picture.dims;
    this.small = small; // 1, or less of many panels
    this.predicted = numbers(picture.class, Uint16Array);
    this.probability = numbers(picture.probability, Uint16Array);
    this.label = numbers(picture.label, Uint16Array);
    this.known = numbers(picture.known, Uint8Array);
    this.numbers = numbers(picture.row, Uint32Array);
    this.plain = !this.predicted && !this.label;
    this.crowded = this.n > CROWD;
    this.place(numbers(picture.points, Float32Array));
    this.sortRows();
    this.codes = new Uint32Array(this.n);
    this.matches = null; // a byte for each row, while something is searched
    this.at = null;      // the row that is named
    this.pinned = false;
    this.build();
    this.home();
  }

  // Points around the middle of their range, so that single precision is enough where they are few.
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
      if (!(this.high[j] > this.low[j])) { // one place, or no rows
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
    return this.predicted ? this.predicted[i] : this.plain ? 0 : NO_CLASS;
  }

  isLabelled(i) {
    return Boolean(this.label) && this.label[i] !== NO_CLASS;
  }

  isFilled(i) {
    return this.plain || Boolean(this.known && this.known[i]);
  }

  opacity(i) {
    if (this.isLabelled(i) || !this.probability || this.predicted[i] === NO_CLASS)
      return 1;
    return Math.max(LEAST_OPACITY, this.probability[i] / NO_CLASS);
  }

  // Whether the model predicts another class than that of the label.
  isOdd(i) {
    return this.isLabelled(i) && Boolean(this.predicted) && this.predicted[i] !== NO_CLASS
      && this.predicted[i] !== this.label[i];
  }

  // The order of drawing: rows without a class, doubtful ones, known ones; a crowd is mixed, so that
  // no class covers another.
  sortRows() {
    const key = new Float64Array(this.n);
    this.filled = 0;
    for (let i = 0; i < this.n; i++) {
      const mixed = this.crowded ? i * 0.6180339887498949 % 1 : i / this.n;
      this.filled += this.isFilled(i);
      key[i] = (this.isFilled(i) ? 200 : this.classOf(i) === NO_CLASS ? 0 : 10)
        + Math.round(100 * this.opacity(i)) + mixed * 0.9;
    }
    this.order = Uint32Array.from({ length: this.n }, (_, i) => i).sort((a, b) => key[a] - key[b]);
    this.sorted = new Float32Array(3 * this.n);
    this.order.forEach((row, i) => this.sorted.set(this.points.subarray(3 * row, 3 * row + 3), 3 * i));
  }

  name(i) {
    const names = this.picture.names;
    return names ? names[i] : `row ${this.numbers ? this.numbers[i] : i}`;
  }

  // ---- what is shown ----

  // Codes of all rows, after something is hidden or searched.
  encode() {
    this.shown = 0;
    this.order.forEach((i, place) => {
      const c = this.classOf(i), pale = this.matches && !this.matches[i];
      const hidden = !this.plot.shows(this, i, c);
      this.shown += !hidden;
      this.codes[place] = (c | (pale ? PALE : 0) | (hidden ? HIDDEN : 0)
        | (this.isFilled(i) ? FILLED : 0) | Math.round(255 * this.opacity(i)) << OPACITY) >>> 0;
    });
    if (this.cloud)
      this.plot.scene.change(this.cloud, this.codes);
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
        `${this.picture.title || "rows"}: ${several(this.n, "point")}. Arrows move, plus and minus `
        + "zoom, 0 shows all, n and p go from row to row, Escape leaves." },
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
    on("dblclick", e => { this.zoom(2, ...this.spot(e)); });
    on("keydown", e => this.key(e));
  }

  // ---- the view: a center in the data, a zoom, and in three dimensions two angles ----

  home() {
    this.zoomed = 1;
    this.center = [0, 0];
    this.turn = [35, 28];
  }

  resize() {
    const box = this.node.getBoundingClientRect(), ratio = devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    for (const node of [this.under, this.over])
      node.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const frame = this.frame();
    Object.assign(this.canvas.style, { left: `${frame.x}px`, top: `${frame.y}px`,
      width: `${frame.width}px`, height: `${frame.height}px` });
    this.canvas.width = Math.round(frame.width * ratio);
    this.canvas.height = Math.round(frame.height * ratio);
    this.ratio = ratio;
  }

  // Where points are drawn.
  frame(width = this.width, height = this.height) {
    const top = EDGES.top + (this.picture.title ? EDGES.title : 0);
    return { x: EDGES.left, y: top, width: Math.max(20, width - EDGES.left - EDGES.right),
      height: Math.max(20, height - top - EDGES.bottom) };
  }

  // Data to pixels of the frame: x = across . place + shift[0], y = up . place + shift[1].
  projection(frame = this.frame()) {
    const half = this.low.map((low, j) => (this.high[j] - low) / 2 || 1);
    const sx = this.zoomed * frame.width / 2.1, sy = this.zoomed * frame.height / 2.1;
    const shift = [frame.width / 2 - this.center[0] * sx, frame.height / 2 + this.center[1] * sy];
    if (this.dims === 2)
      return { across: [sx / half[0], 0, 0], up: [0, -sy / half[1], 0], shift };
    const [turn, tilt] = this.turn.map(angle => angle * Math.PI / 180), s = Math.min(sx, sy) / 1.6;
    shift[0] = frame.width / 2 - this.center[0] * s;
    shift[1] = frame.height / 2 + this.center[1] * s;
    return { across: [s * Math.cos(turn) / half[0], s * Math.sin(turn) / half[1], 0],
      up: [s * Math.sin(turn) * Math.sin(tilt) / half[0], -s * Math.cos(turn) * Math.sin(tilt) / half[1],
        -s * Math.cos(tilt) / half[2]], shift };
  }

  // The pixels in the frame of row i.
  pixel(i, view = this.view) {
    const p = this.points, j = 3 * i, { across: a, up: b, shift } = view;
    return [a[0] * p[j] + a[1] * p[j + 1] + a[2] * p[j + 2] + shift[0],
      b[0] * p[j] + b[1] * p[j + 1] + b[2] * p[j + 2] + shift[1]];
  }

  // The range of a coordinate in the frame; in two dimensions.
  range(j, frame, view) {
    const [scale, shift, size] =
      j ? [view.up[1], view.shift[1], frame.height] : [view.across[0], view.shift[0], frame.width];
    const ends = [(0 - shift) / scale, (size - shift) / scale].map(v => v + this.middle[j]);
    return j ? ends.reverse() : ends;
  }

  // Marks are smaller where there are many rows or panels, and larger where few are seen.
  radius() {
    const crowd = Math.max(this.crowded ? 0.27 : 0.42, Math.min(1, (600 / (this.n + 1)) ** 0.25));
    return clamp(4.2 * crowd * this.small * this.zoomed ** 0.3, 1.1, 6);
  }

  look(frame, theme) {
    const radius = this.radius(), some = this.filled < this.n;
    const usual = 4.2 * Math.min(1, (600 / (this.filled + 1)) ** 0.25) * this.small;
    return { ...this.projection(frame), radius, ratio: this.ratio, paper: theme.paper,
      edge: theme.edge, only: this.plot.only, haloed: some,
      larger: some && this.filled <= CROWD ? Math.max(1.35, 0.8 * usual / radius) : 1,
      dots: this.crowded && radius < 3,
      faint: clamp(0.8 * Math.sqrt(CROWD * Math.sqrt(this.zoomed) / (this.n + 1)), 0.15, 0.8) };
  }

  // ---- drawing ----

  draw() {
    if (!this.width)
      return;
    const theme = themeNow(), frame = this.frame();
    this.view = this.look(frame, theme);
    if (!this.cloud)
      this.cloud = this.plot.scene.add(this.sorted, this.codes);
    this.plot.scene.draw(this.cloud, this.canvas.getContext("2d"), this.view);
    this.under.replaceChildren(...this.axes(frame, this.view, theme));
    this.over.replaceChildren(...this.texts(frame, this.view, theme), ...this.ring(frame, theme));
  }

  // The parts of an SVG that are the axes, in pixels of the panel.
  axes(frame, view, theme) {
    const label = (text, names) =>
      svg("text", { fill: theme.soft, "font-size": 12, ...names }, text);
    const bottom = frame.y + frame.height, right = frame.x + frame.width, found = [];
    const title = this.picture.title;
    if (title)
      found.push(label(shorten(title, Math.floor(frame.width / 7)), { x: frame.x, y: 18, "font-size": 14,
        fill: theme.ink }));
    if (this.dims === 3)
      return [...found, ...this.edges(frame, view, theme)];
    for (const [value, text] of ticks(this.range(0, frame, view), frame.width / 90)) {
      const x = frame.x + view.across[0] * (value - this.middle[0]) + view.shift[0];
      found.push(svg("line", { x1: x, x2: x, y1: frame.y, y2: bottom, stroke: theme.line }),
        label(text, { x, y: bottom + 16, "text-anchor": "middle" }));
    }
    for (const [value, text] of ticks(this.range(1, frame, view), frame.height / 60)) {
      const y = frame.y + view.up[1] * (value - this.middle[1]) + view.shift[1];
      found.push(svg("line", { x1: frame.x, x2: right, y1: y, y2: y, stroke: theme.line }),
        label(text, { x: frame.x - 6, y: y + 4, "text-anchor": "end" }));
    }
    found.push(svg("path", { d: `M${frame.x} ${frame.y}V${bottom}H${right}`, fill: "none",
      stroke: theme.soft }));
    const middle = frame.y + frame.height / 2, [across, up] = this.picture.axes;
    const names = { fill: theme.ink, "text-anchor": "middle", class: "axis" };
    found.push(label(shorten(across, Math.floor(frame.width / 7)),
      { x: frame.x + frame.width / 2, y: bottom + 36, ...names }),
      label(shorten(up, Math.floor(frame.height / 7)),
        { transform: `translate(14 ${middle}) rotate(-90)`, ...names }));
    return found;
  }

  // Of three dimensions: the edges of the box that meet in its lowest corner.
  edges(frame, view, theme) {
    const half = this.low.map((low, j) => (this.high[j] - low) / 2);
    const to = corner => [0, 1].map(side => (side ? frame.y : frame.x) + view.shift[side]
      + corner.reduce((sum, v, j) => sum + v * half[j] * (side ? view.up : view.across)[j], 0));
    const found = [], corners = [-1, 1];
    for (let j = 0; j < 3; j++)
      for (const a of corners)
        for (const b of corners) {
          const from = [a, a, a], end = [a, a, a];
          from[(j + 1) % 3] = end[(j + 1) % 3] = b;
          from[(j + 2) % 3] = end[(j + 2) % 3] = a;
          from[j] = -1;
          end[j] = 1;
          const [x1, y1] = to(from), [x2, y2] = to(end), own = a < 0 && b < 0;
          found.push(svg("line", { x1, y1, x2, y2, stroke: own ? theme.soft : theme.line }));
          if (own)
            found.push(svg("text", { x: (x1 + 3 * x2) / 4 + 6, y: (y1 + 3 * y2) / 4 + 14,
              "font-size": 12, fill: theme.ink, class: "axis" }, shorten(this.picture.axes[j], 40)));
        }
    return found;
  }

  // Names of classes at the middle of their rows, and of rows where few are in view; none covers
  // another.
  texts(frame, view, theme) {
    if (!this.plot.named)
      return [];
    const taken = [], found = [], add = (text, x, y, bold) => {
      const wide = 7 * text.length, box = [x - wide / 2, y - 14, x + wide / 2, y + 4];
      if (x < 0 || y < 8 || x > frame.width || y > frame.height
        || taken.some(t => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]))
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
    for (let i = 0; i < this.n && found.length <= MOST_NAMED; i++) {
      const [x, y] = this.pixel(i, view);
      if (x >= 0 && y >= 0 && x <= frame.width && y <= frame.height && !this.isHidden(i))
        found.push(i);
    }
    return found;
  }

  // For each class shown, the row nearest to the medians of its rows.
  middles() {
    if (this.centers)
      return this.centers;
    const rows = new Map();
    for (let i = 0; i < this.n; i++) {
      const c = this.classOf(i);
      if (c !== NO_CLASS && !this.plain && !this.isHidden(i))
        rows.has(c) ? rows.get(c).push(i) : rows.set(c, [i]);
    }
    this.centers = [...rows].map(([c, list]) => [c, this.medoid(list)]);
    return this.centers;
  }

  medoid(rows) {
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

  // ---- the row under the pointer ----

  nearest(x, y) {
    const p = this.points, { across: a, up: b, shift } = this.view;
    let best = null, least = NEAR ** 2;
    for (let i = 0; i < this.n; i++) {
      const j = 3 * i;
      const dx = a[0] * p[j] + a[1] * p[j + 1] + a[2] * p[j + 2] + shift[0] - x;
      const dy = b[0] * p[j] + b[1] * p[j + 1] + b[2] * p[j + 2] + shift[1] - y;
      const d = dx * dx + dy * dy;
      if (d < least && !this.isHidden(i)) {
        least = d;
        best = i;
      }
    }
    return best;
  }

  // What is known of a row, a pair of words a line.
  facts(i) {
    const classes = this.plot.classes, found = [];
    if (this.isLabelled(i))
      found.push([this.isFilled(i) ? "label" : "true class", classes[this.label[i]]]);
    if (this.predicted && this.predicted[i] !== NO_CLASS)
      found.push(["predicted", `${classes[this.predicted[i]]}${this.probability
        ? `, ${percent(this.probability[i] / NO_CLASS)}` : ""}`]);
    if (this.isOdd(i))
      found.push(["", "not the same"]);
    this.picture.axes.forEach((axis, j) => found.push([this.dims === 2 ? "xy"[j] : "xyz"[j],
      Number((this.points[3 * i + j] + this.middle[j]).toPrecision(4)).toString()]));
    return found;
  }

  say(i) {
    if (i === this.at)
      return;
    this.at = i;
    this.over.replaceChildren(...this.texts(this.frame(), this.view, themeNow()),
      ...this.ring(this.frame(), themeNow()));
    this.plot.tell(this, i);
  }

  go(i) {
    this.pinned = true;
    const frame = this.frame(), [x, y] = this.pixel(i);
    if (x < 0 || y < 0 || x > frame.width || y > frame.height)
      this.pan(frame.width / 2 - x, frame.height / 2 - y);
    this.at = null;
    this.draw();
    this.say(i);
  }

  // The next row that is shown, or, while something is searched, found.
  step(by) {
    for (let tries = 0, i = this.at ?? (by > 0 ? -1 : this.n); tries < this.n; tries++) {
      i = (i + by + this.n) % this.n;
      if (!this.isHidden(i) && (!this.matches || this.matches[i])) {
        this.go(i);
        return;
      }
    }
  }

  // ---- pointer, wheel and keys ----

  spot(e) {
    const box = this.node.getBoundingClientRect(), frame = this.frame();
    return [e.clientX - box.left - frame.x, e.clientY - box.top - frame.y];
  }

  pan(dx, dy) {
    const view = this.projection(), frame = this.frame();
    const s = this.dims === 3 ? Math.min(frame.width, frame.height) * this.zoomed / 3.36 : null;
    this.center[0] -= dx / (s ?? this.zoomed * frame.width / 2.1);
    this.center[1] += dy / (s ?? this.zoomed * frame.height / 2.1);
    this.view = view;
    this.plot.redraw(this);
  }

  // About a place in the frame, which stays where it is.
  zoom(by, x = this.frame().width / 2, y = this.frame().height / 2) {
    const before = this.projection(), old = this.zoomed;
    this.zoomed = clamp(this.zoomed * by, 0.5, 1e5);
    const grown = this.zoomed / old, after = this.projection();
    this.pan(x - (after.shift[0] + (x - before.shift[0]) * grown),
      y - (after.shift[1] + (y - before.shift[1]) * grown));
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
    this.box = [frame.x + Math.min(x, x0), frame.y + Math.min(y, y0), Math.abs(x - x0), Math.abs(y - y0)];
    this.plot.redraw(this);
  }

  release(e) {
    if (!this.pointers.delete(e.pointerId))
      return;
    if (this.box) {
      const [x, y, width, height] = this.box, frame = this.frame();
      this.box = null;
      if (width > 4 && height > 4)
        this.pan(frame.width / 2 - (x - frame.x + width / 2), frame.height / 2 - (y - frame.y + height / 2));
      this.zoom(width > 4 && height > 4 ? Math.min(frame.width / width, frame.height / height) : 1);
    } else if (this.moved < 5 && e.type === "pointerup") {
      const found = this.nearest(...this.spot(e));
      this.pinned = found !== null;
      this.say(found);
    }
  }

  // In a page that scrolls the wheel zooms once the plot was clicked.
  wheel(e) {
    if (!this.plot.alone && document.activeElement !== this.node && !e.ctrlKey)
      return;
    e.preventDefault();
    this.zoom(2 ** (-e.deltaY * (e.deltaMode ? 20 : 1) / 300), ...this.spot(e));
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey)
      return;
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    const actions = { "+": () => this.zoom(1.5), "=": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5),
      0: () => this.reset(), n: () => this.step(1), p: () => this.step(-1),
      Escape: () => { this.pinned = false; this.say(null); } };
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

  // ---- a picture to keep ----

  kept(theme) {
    const frame = this.frame(), view = this.look(frame, theme);
    const points = this.shown > CROWD
      ? [svg("image", { href: this.canvas.toDataURL(), width: frame.width, height: frame.height })]
      : this.paths(view, theme);
    return [...this.axes(frame, view, theme),
      svg("svg", { x: frame.x, y: frame.y, width: frame.width, height: frame.height }, ...points),
      ...this.texts(frame, view, theme)];
  }

  // Marks that look the same are one path, in the order of drawing.
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
    return [...groups.values()].flatMap(({ c, filled, opacity, d, lines }) => [
      svg("path", { d, opacity, fill: filled ? color(c) : "none", stroke: filled ? theme.edge : color(c),
        "stroke-width": filled ? 1.8 : 1.3, "paint-order": "stroke" }),
      lines ? svg("path", { d: lines, opacity, fill: "none", stroke: filled ? ink(color(c)) : color(c),
        "stroke-width": 1.3 }) : ""
    ]);
  }
}

// ---- a plot ----

function mark(c, filled, opacity = 1) {
  const kind = shape(c), paint = c === null ? "currentColor" : color(c);
  const d = outline(c === null ? shape(NO_CLASS) : kind, 8, 8, 5);
  return svg("svg", { class: "mark", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d, fill: filled ? paint : "none", stroke: paint, "stroke-width": 1.4, opacity }),
    c === null ? null : svg("path", { d: crossing(kind, 8, 8, 5), fill: "none",
      stroke: filled ? ink(paint) : paint, "stroke-width": 1.4 }));
}

class Plot {
  constructor({ classes, predicted, pictures, source, model }, { alone = false, height = null }) {
    Object.assign(this, { classes, predicted, pictures, source, model, alone });
    this.scene = newScene();
    this.hidden = new Set();
    this.kinds = new Set();  // of "filled" and "hollow", those that are hidden
    this.only = -1;          // the class that is looked at alone
    this.odd = false;        // rows are shown only where label and prediction differ
    this.named = true;
    this.waiting = new Set();
    this.panels = pictures.map(picture => new Panel(this, picture, pictures.length ** -0.25));
    this.tally();
    this.build(height);
    this.encode();
    new ResizeObserver(() => this.resize()).observe(this.grid);
    dark.addEventListener("change", () => this.redrawAll());
    addEventListener("beforeprint", () => this.redrawAll(true));
  }

  // How many rows there are of each class and kind.
  tally() {
    this.counts = new Float64Array(this.classes.length);
    this.rows = this.filled = this.none = this.odds = 0;
    for (const panel of this.panels) {
      this.rows += panel.n;
      for (let i = 0; i < panel.n; i++) {
        const c = panel.classOf(i);
        c === NO_CLASS ? this.none++ : this.counts[c]++;
        this.filled += panel.isFilled(i);
        this.odds += panel.isOdd(i);
      }
    }
    this.plain = this.panels.every(panel => panel.plain);
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

  tools() {
    const box = el("input", { type: "search", placeholder: "find a row", "aria-label":
      "find rows by name or number; Enter goes to the next one" });
    this.found = el("span", { class: "soft", role: "status" });
    box.addEventListener("input", () => this.search(box.value));
    box.addEventListener("keydown", e => {
      if (e.key === "Enter")
        this.next(e.shiftKey ? -1 : 1);
    });
    const all = action => () => this.panels.forEach(action);
    const names = button("names", () => {
      this.named = !this.named;
      names.setAttribute("aria-pressed", this.named);
      this.redrawAll();
    }, { "aria-pressed": "true", title: "names of classes, and of rows where few are in view" });
    return el("div", { class: "tools" }, box, this.found, el("span", { class: "gap" }),
      button("+", all(panel => panel.zoom(1.5)), { "aria-label": "zoom in" }),
      button("\u2212", all(panel => panel.zoom(1 / 1.5)), { "aria-label": "zoom out" }),
      button("all", all(panel => panel.reset()), { title: "show all rows" }), names,
      button("PNG", () => this.save("png"), { "aria-label": "save as PNG" }),
      button("SVG", () => this.save("svg"), { "aria-label": "save as SVG" }));
  }

  side() {
    const parts = [];
    if (!this.plain)
      parts.push(...this.list());
    this.pictures.forEach(picture => picture.curves && parts.push(curves(picture)));
    if (this.scene.gl === undefined)
      parts.push(note("This browser has no WebGL2; points are drawn by a 2D canvas, more slowly."));
    return el("div", { class: "side" }, ...parts);
  }

  // A line of the list: what it stands for, and how many rows.
  entry(icon, text, rows, action, attributes = {}) {
    return button(el("span", { class: "entry" }, icon, el("span", { class: "name" }, text),
      el("span", { class: "soft" }, count(rows))), action, { "aria-pressed": "true", ...attributes });
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
        { title: `${name(c)}: click to hide or show, Shift to see it alone` });
      const alone = only => () => { this.only = only; this.redrawAll(); };
      for (const [event, only] of [["pointerenter", c], ["focus", c], ["pointerleave", -1], ["blur", -1]])
        node.addEventListener(event, alone(only));
      entries.set(c, node);
      return el("li", {}, node);
    };
    const items = this.classes.map((_, c) => of(c, this.counts[c]));
    if (this.none)
      items.push(of(NO_CLASS, this.none));
    return [
      el("div", { class: "head" }, el("strong", {}, this.classes.length === 1 ? "1 class" : `${count(this.classes.length)} classes`),
        button("all", () => set([])), button("none", () => set(entries.keys()))),
      el("ul", { class: "classes" }, ...items), ...this.kindsOf(filled && hollow), ...this.warnings()
    ];
  }

  // What filled and hollow marks are, where there are both.
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
      add(mark(null, true), "label known", this.filled, kind("filled"), true);
      add(mark(null, false), this.predicted ? "class predicted" : "label not known",
        this.rows - this.filled, kind("hollow"), true);
    }
    if (this.odds)
      add("\u2260", "only where label and prediction differ", this.odds,
        () => this.odd = !this.odd, false);
    return nodes.length ? [el("ul", { class: "kinds" }, ...nodes)] : [];
  }

  warnings() {
    const found = [];
    if (this.classes.length > DISTINCT)
      found.push(note(`Only ${DISTINCT} classes have marks of their own; point at a class to see it `
        + "alone."));
    else if (this.classes.length > 10 && this.panels.some(panel => panel.crowded))
      found.push(note("Dots have ten colors for more classes: point at a class to see it alone, or "
        + "zoom in for shapes."));
    if (this.predicted)
      found.push(note("The paler a hollow mark, the less probable its class."));
    return found;
  }

  // ---- changes ----

  encode() {
    this.panels.forEach(panel => panel.encode());
    this.redrawAll();
  }

  resize() {
    this.panels.forEach(panel => panel.resize());
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

  // A context that was lost is made anew.
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
        found += panel.matches[i] = same && !panel.isHidden(i);
      }
    }
    this.found.textContent = asked ? `${count(found)} found` : "";
    this.encode();
  }

  next(by) {
    const panel = this.panels.find(p => p.matches && p.matches.includes(1));
    if (panel)
      panel.step(by);
  }

  // ---- the row that is named ----

  tell(panel, i) {
    this.panels.forEach(other => other !== panel && other.at !== null && other.say(null));
    this.tip.hidden = i === null;
    if (i === null)
      return;
    const facts = panel.facts(i);
    this.tip.replaceChildren(el("strong", {}, shorten(panel.name(i), 60)), el("dl", {},
      ...facts.flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, shorten(text, 60))])));
    this.status.textContent = panel.pinned
      ? [panel.name(i), ...facts.map(pair => pair.join(" "))].join(", ") : "";
    this.placeTip(panel);
  }

  placeTip(panel) {
    if (panel.at === null || !panel.view)
      return;
    const [x, y] = panel.pixel(panel.at), frame = panel.frame();
    const left = panel.node.offsetLeft + frame.x + x, top = panel.node.offsetTop + frame.y + y;
    const right = left + 16 + this.tip.offsetWidth < this.grid.clientWidth;
    this.tip.style.left =
      `${right ? left + 14 : Math.max(0, left - 14 - this.tip.offsetWidth)}px`;
    this.tip.style.top =
      `${clamp(top - 12, 0, Math.max(0, this.grid.clientHeight - this.tip.offsetHeight))}px`;
  }

  // ---- pictures to keep, always on white ----

  picture() {
    const boxes = this.panels.map(({ node, width, height }) =>
      ({ x: node.offsetLeft, y: node.offsetTop, width, height }));
    const width = Math.max(...boxes.map(box => box.x + box.width));
    const height = Math.max(...boxes.map(box => box.y + box.height));
    const legend = this.legend(width + 12, height);
    return svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: width + legend.width, height,
      "font-family": "system-ui, Helvetica, Arial, sans-serif" },
      svg("rect", { width: "100%", height: "100%", fill: LIGHT.paper }),
      ...this.panels.map((panel, i) => svg("g", { transform: `translate(${boxes[i].x} ${boxes[i].y})` },
        ...panel.kept(LIGHT))), ...legend.parts);
  }

  legend(x, height) {
    const shown = this.plain ? [] : this.classes.map((name, c) => [c, name])
      .filter(([c]) => !this.hidden.has(c));
    const lines = Math.max(1, Math.floor((height - 20) / 20)), columns = Math.ceil(shown.length / lines);
    const parts = shown.map(([c, name], i) => {
      const left = x + 180 * Math.floor(i / lines), top = 10 + 20 * (i % lines), icon = mark(c, this.filled);
      fill16(icon, left, top);
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

function fill16(icon, x, y) {
  for (const [name, value] of Object.entries({ x, y, width: 16, height: 16 }))
    icon.setAttribute(name, value);
}

function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function note(text) {
  return el("p", { class: "soft note" }, text);
}

// What each axis weighs, over the columns of spectra.
function curves({ axes, curves: { at, weights } }) {
  const places = numbers(at, Float32Array), first = places[0], last = places[places.length - 1];
  return el("div", { class: "curves" }, ...weights.map((text, j) => {
    const values = numbers(text, Float32Array), most = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0) || 1;
    const d = [...values].map((v, i) => `${i ? "L" : "M"}${(220 * (places[i] - first) / (last - first)).toFixed(1)} `
      + (30 - 28 * v / most).toFixed(1)).join("");
    return el("figure", {}, el("figcaption", {}, `what the ${j ? "vertical" : "horizontal"} axis weighs`),
      svg("svg", { viewBox: "0 0 220 76", role: "img", "aria-label":
        `weights of the columns from ${first} to ${last} in ${axes[j]}` },
        svg("line", { x1: 0, x2: 220, y1: 30, y2: 30, class: "grid-line" }),
        svg("path", { d, class: "curve", stroke: "var(--mark)" }),
        svg("text", { x: 0, y: 74 }, `${first}`), svg("text", { x: 220, y: 74, "text-anchor": "end" }, `${last}`)));
  }));
}

// What this picture shows, in a sentence.
function caption({ pictures, classes, model, source }) {
  const rows = pictures.reduce((sum, picture) => sum + picture.rows, 0);
  return `${several(rows, "row")}${source ? ` of ${source}` : ""}`
    + `${model ? `, as ${model} places them` : ""}${classes.length ? "; filled: label known" : ""}`;
}

// A plot in a part of a page: the classes, whether a model predicts them, and pictures (the JSON of
// `penumbra plot`). It takes the width of `place`, and `height` pixels.
export function showPicture(place, data, { height = 480, alone = false } = {}) {
  const plot = new Plot(data, { alone, height });
  place.append(plot.node);
  return plot;
}

export function showPlot(place, given) {
  document.title = given.source || "penumbra plot";
  document.body.classList.add("whole");
  place.append(el("h1", {}, given.source || "Rows"), el("p", { class: "soft" }, caption(given)));
  showPicture(place, given, { alone: true, height: null });
}
