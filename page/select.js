// select.js - a panel to select and link rows by click, box, lasso and line. It marks selected,
// suggested and linked rows, and moves points to new positions.
import { themeNow } from "./axes.js";
import { svg } from "./base.js";
import { NO_CLASS, color, outline, shape } from "./marks.js";
import { Panel } from "./panel.js";

const CLICK = 5;            // a click moves the pointer by fewer pixels
const STEP = 3;             // pixels between the corners of a lasso
const BLEND = 300;          // milliseconds from old positions to new ones
const MOST_OUTLINED = 2000; // more selected rows are shown by color only
const MOST_LINKS = 2000;    // drawn at most
const DIMMED = 0.5;         // factor for the opacity of unselected rows

const still = matchMedia("(prefers-reduced-motion: reduce)");

function isInside(corners, x, y) {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [x0, y0] = corners[i], [x1, y1] = corners[j];
    if (y0 > y !== y1 > y && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
      inside = !inside;
  }
  return inside;
}

export class Field extends Panel {
  // ---- properties of a row ----

  classOf(i) {
    return this.isLabelled(i) ? this.label[i] : this.predicted ? this.predicted[i] : NO_CLASS;
  }

  isFilled(i) {
    return this.isLabelled(i);
  }

  isDimmed(i) {
    return Boolean(this.plot.lit) && !this.plot.lit[i];
  }

  paint(i) {
    return this.isDimmed(i) ? NO_CLASS : this.classOf(i);
  }

  opacity(i) {
    return super.opacity(i) * (this.isDimmed(i) ? DIMMED : 1);
  }

  isFree(i) {
    return !this.isHidden(i) && (!this.matches || Boolean(this.matches[i]));
  }

  facts(i) {
    return super.facts(i).slice(0, -this.dims);
  }

  build() {
    super.build();
    this.node.setAttribute("aria-label", `${this.n} rows. Arrows move, plus and minus zoom, R `
      + "shows all, comma and period go from row to row, N to a suggestion, digits label the "
      + "selected rows, question mark shows all keys.");
    this.node.addEventListener("contextmenu", e => e.preventDefault());
  }

  // ---- positions ----

  // Takes new positions [2n]; points move there from their current positions.
  replace(given) {
    const old = this.points, halves = () => this.low.map((low, j) => (this.high[j] - low) / 2 || 1);
    const before = halves();
    this.place(given);
    const after = halves();
    this.blend = null;
    if (still.matches)
      return;
    const from = old.map((value, i) => value * after[i % 3] / before[i % 3]);
    this.blend = { from, to: this.points, since: null };
    this.points = from;
  }

  advance() {
    if (!this.blend)
      return;
    const { from, to } = this.blend, now = performance.now();
    this.blend.since ??= now;
    const share = (now - this.blend.since) / BLEND, part = share * share * (3 - 2 * share);
    this.points = share < 1 ? from.map((value, i) => value + part * (to[i] - value)) : to;
    if (share >= 1)
      this.blend = null;
    else
      this.plot.redraw(this);
    this.arrange();
    if (this.cloud)
      this.plot.scene.change(this.cloud, this.codes, this.sorted);
  }

  // As in Panel, but many rows keep one random order among rows of equal certainty.
  sortRows() {
    if (!this.crowded || !this.order) {
      super.sortRows();
      this.mixed = this.order;
      return;
    }
    const level = new Uint8Array(this.n), starts = new Uint32Array(256);
    this.filled = 0;
    for (let i = 0; i < this.n; i++) {
      this.filled += this.isFilled(i);
      level[i] = this.paint(i) === NO_CLASS ? 0
        : 10 + Math.round(100 * this.opacity(i)) + (this.isFilled(i) ? 120 : 0);
      starts[level[i] + 1]++;
    }
    for (let k = 1; k < 256; k++)
      starts[k] += starts[k - 1];
    this.order = new Uint32Array(this.n);
    for (const row of this.mixed)
      this.order[starts[level[row]]++] = row;
    if (!this.blend) // a blend arranges them itself
      this.arrange();
  }

  // Labels change the number of filled rows.
  encode() {
    this.sortRows();
    if (this.cloud)
      this.cloud.hollow = this.n - this.filled;
    super.encode();
  }

  // ---- drawing ----

  draw() {
    this.advance();
    super.draw();
  }

  // Draws only the layer above the points.
  drawAbove() {
    if (this.view)
      this.drawOver(this.frame(), themeNow());
  }

  ring(frame, theme) {
    const at = ([x, y]) => `${(frame.x + x).toFixed(1)} ${(frame.y + y).toFixed(1)}`;
    const draw = (d, names) => svg("path", { d, fill: "none", "stroke-width": 1.2, ...names });
    const links = list => list.slice(0, MOST_LINKS).filter(([i, j]) =>
      !this.isHidden(i) && !this.isHidden(j)).map(([i, j]) =>
      `M${at(this.pixel(i))}L${at(this.pixel(j))}`).join("");
    const { must_link: same, cannot_link: apart } = this.plot.told;
    const cannot = { stroke: "var(--warn)", "stroke-dasharray": "5 3" };
    const found = [draw(links(same), { stroke: theme.soft }), draw(links(apart), cannot),
      ...this.freshMarks(frame), draw(this.outlines(frame), { stroke: this.view.edge })];
    for (const i of this.plot.suggested().filter(row => !this.isHidden(row))) {
      const [x, y] = this.pixel(i);
      found.push(svg("circle", { cx: frame.x + x, cy: frame.y + y, r: this.view.radius + 7,
        fill: "none", stroke: "var(--mark)", "stroke-width": 1.5, "stroke-dasharray": "3 2" }));
    }
    if (this.stroke && this.moved >= CLICK)
      found.push(this.stroke.row === null
        ? draw(`M${this.corners().map(at).join("L")}z`, { stroke: theme.ink, fill: theme.ink,
          "fill-opacity": 0.06, "stroke-dasharray": "4 3" })
        : draw(`M${at(this.pixel(this.stroke.row))}L${at(this.stroke.path.at(-1))}`,
          this.stroke.shift ? cannot : { stroke: theme.ink }));
    return [...found, ...super.ring(frame, theme)];
  }

  // Marks of new labels that the points do not show yet.
  freshMarks(frame) {
    return this.plot.fresh.filter(row => !this.isHidden(row)).map(row => {
      const [x, y] = this.pixel(row), c = this.classOf(row), { radius, larger } = this.view;
      return svg("path", { d: outline(shape(c), frame.x + x, frame.y + y, radius * larger),
        fill: this.isFilled(row) ? color(c) : "none", stroke: color(c) });
    });
  }

  // Circles around the selected rows.
  outlines(frame) {
    const { radius, larger } = this.view, { chosen } = this.plot;
    const shown = chosen.length > MOST_OUTLINED ? [] : chosen;
    return shown.filter(row => !this.isHidden(row)).map(row => {
      const [x, y] = this.pixel(row), r = radius * (this.isFilled(row) ? larger : 1) + 2;
      return outline(shape(NO_CLASS), frame.x + x, frame.y + y, r);
    }).join("");
  }

  // ---- strokes of the pointer ----

  // The corners of the lasso or of the box.
  corners() {
    const { path, tool } = this.stroke, [[x0, y0], [x1, y1]] = [path[0], path.at(-1)];
    return tool === "box" ? [[x0, y0], [x1, y0], [x1, y1], [x0, y1]] : path;
  }

  rowsInside(corners) {
    const [xs, ys] = [0, 1].map(side => corners.map(corner => corner[side]));
    const [left, right, top, low] =
      [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const found = [];
    for (let i = 0; i < this.n; i++) {
      const [x, y] = this.pixel(i);
      if (x >= left && x <= right && y >= top && y <= low && this.isFree(i)
        && isInside(corners, x, y))
        found.push(i);
    }
    return found;
  }

  twice() {} // a double click does not zoom here

  press(e) {
    if (e.button > 2)
      return;
    this.node.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, this.spot(e));
    this.moved = 0;
    this.stroke = this.pointers.size === 1 ? this.strokeOf(e) : null;
  }

  // The stroke that a drag from here draws, or null if it moves the view. A link starts at `row`.
  strokeOf(e) {
    const { tool, spaced } = this.plot, path = [this.spot(e)], row = this.nearest(...path[0]);
    if (e.button !== 0 || tool === "move" || spaced)
      return null;
    if (row !== null && (tool === "link" || this.pinned && row === this.at))
      return { tool: "link", row, path, shift: e.shiftKey };
    return tool === "link" ? null : { tool, row: null, path, shift: e.shiftKey };
  }

  move(e) {
    const now = this.spot(e), before = this.pointers.get(e.pointerId);
    if (!before || !this.stroke || this.pointers.size > 1) {
      super.move(e);
      return;
    }
    this.moved = Math.max(this.moved, Math.hypot(now[0] - before[0], now[1] - before[1]));
    const { path, row } = this.stroke, last = path.at(-1);
    this.stroke.shift = e.shiftKey;
    if (row === null && Math.hypot(now[0] - last[0], now[1] - last[1]) < STEP)
      return;
    path.push(now);
    this.drawOver(this.frame(), themeNow());
  }

  release(e) {
    if (!this.pointers.delete(e.pointerId))
      return;
    const { stroke } = this, click = this.moved < CLICK && e.button === 0, spot = this.spot(e);
    if (e.type === "pointerup" && click)
      this.plot.click(this.nearest(...spot), e.shiftKey);
    else if (e.type === "pointerup" && stroke && stroke.row !== null)
      this.linkTo(this.nearest(...spot), stroke);
    else if (e.type === "pointerup" && stroke)
      this.plot.select(this.rowsInside(this.corners()), stroke.tool, e.shiftKey);
    this.stroke = null;
    this.plot.redraw(this);
  }

  linkTo(row, { row: first, shift }) {
    if (row !== null && row !== first)
      this.plot.link(shift ? "cannot_link" : "must_link", [first, row]);
  }

  // The panel handles only keys that move the view; the page handles the rest.
  key(e) {
    if (/^Arrow|^[-+=]$/.test(e.key))
      super.key(e);
  }
}
