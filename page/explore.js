// explore.js - the page of `penumbra explore`: state, selection, keys, and requests to the server.
import { button, el, several } from "./base.js";
import { NO_CLASS } from "./marks.js";
import { Plot } from "./plot.js";
import { Field } from "./select.js";
import {
  Card, classesPart, curvePart, filtersPart, pairsPart, selectionPart, statusPart, suggestionsPart,
  FILTERS
} from "./sides.js";
import { showExport, showFinish, showKeys, rangePart, textPart } from "./forms.js";

const MANY = 8000;  // with more rows, marks are dots: each label redraws all of them
const MOST_FRESH = 500; // new labels drawn over the points
const PAUSE = 1000; // milliseconds between attempts to reach the server
const LOST = "The program has ended or cannot be reached.";
const ARRAYS = { f4: Float32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };
const TOOLS = { l: "lasso", b: "box", k: "link", m: "move" };
const NOTHING = "No row is selected: click one, or draw around several.";

// ---- the server ----

// Throws an error if the server cannot be reached, or the reason if it refuses.
async function ask(what, body, signal) {
  const sent = body === undefined ? { signal } : { method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" } };
  const answer = await fetch(what, sent).catch(() => { throw new Error(LOST); });
  if (answer.ok)
    return answer;
  const { error } = await answer.json().catch(() => ({}));
  throw new Error(error ?? LOST);
}

// Reads the response of `next`: JSON, and the arrays that changed.
function readState(buffer) {
  const size = new DataView(buffer).getUint32(0, true), arrays = {};
  const told = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  let at = 4 + size;
  for (const [name, kind, length] of told.arrays) {
    arrays[name] = new ARRAYS[kind](buffer, at, length);
    at += Math.ceil(arrays[name].byteLength / 8) * 8;
  }
  return { told, arrays };
}

// The state after version `have`, or null when `over` is aborted. Calls `reached` with whether the
// server responds.
async function nextState(have, reached, over) {
  for (;;) {
    try {
      const answer = await ask(`next?have=${have}`, undefined, over);
      const state = answer.status === 200 ? readState(await answer.arrayBuffer()) : null;
      reached(true);
      if (state)
        return state;
    } catch {
      if (over.aborted)
        return null;
      reached(false);
      have = 0; // the server answers this at once
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
  }
}

// ---- the page ----

class Explorer extends Plot {
  constructor(about, first) {
    const picture = { ...about, title: "", dims: 2, axes: ["", ""], points: first.arrays.points };
    super({ classes: [], predicted: null, pictures: [picture], source: about.source, model: null },
      { alone: true, crowd: MANY, Kind: Field });
    this.plain = false;
    this.take({ told: first.told, arrays: { ...first.arrays, points: undefined } });
    document.addEventListener("keydown", e => this.press(e));
    document.addEventListener("keyup", e => { this.spaced &&= e.key !== " "; });
  }

  get panel() {
    return this.panels[0];
  }

  build(height) {
    Object.assign(this, { about: this.pictures[0], told: null, chosen: [], rule: "", lit: null,
      recent: [], tool: "lasso", spaced: false, filters: new Set(), pending: [], awaited: [],
      queue: Promise.resolve(), lost: "", fresh: [], over: new AbortController() });
    this.alert = el("p", { class: "alert", role: "alert", hidden: "" });
    this.message = el("p", { class: "message", role: "status" });
    super.build(height);
    this.grid.append(this.alert);
  }

  // ---- state from the server ----

  take({ told, arrays }) {
    const { panel } = this, { points, labelled, label, class: predicted, ...others } = arrays;
    const suspects = JSON.stringify(told.suspects), found = suspects !== this.suspected;
    Object.assign(this, { told, suspected: suspects });
    panel.picture.axes = told.axes;
    Object.assign(panel, others);
    this.predicted = predicted ?? this.predicted;
    if (labelled)
      Object.assign(this, { labelled, labels: label });
    if (points)
      panel.replace(points);
    if (labelled)
      this.card.renew();
    this.refresh(Boolean(points || predicted), found || Boolean(others.typical));
    this.pending = this.pending.filter(change => !change.answered);
  }

  // Applies the labels of the server and the changes it has not confirmed. Returns the rows whose
  // label changed. A class that was undone may still be predicted until the next fit.
  relabel() {
    const label = new Uint16Array(this.panel.n).fill(NO_CLASS);
    this.classes = [...this.told.classes];
    this.labelled?.forEach((row, i) => { label[row] = this.labels[i]; });
    this.pending.forEach(({ apply }) => apply?.(label, this.classes));
    const { length } = this.classes, before = this.panel.label, changed = [];
    const predicted = this.predicted && new Uint16Array(this.panel.n);
    for (let i = 0; i < label.length; i++) {
      label[i] = label[i] < length ? label[i] : NO_CLASS;
      if (predicted)
        predicted[i] = this.predicted[i] < length ? this.predicted[i] : NO_CLASS;
      if (before && label[i] !== before[i])
        changed.push(i);
    }
    Object.assign(this.panel, { label, predicted });
    return changed;
  }

  // Updates everything that depends on labels and fits. `seen`: marks changed; `sifted`: filters
  // keep other rows. A few new labels are drawn over the points until new positions arrive, which
  // takes less time while the processor is not busy drawing.
  refresh(seen, sifted = true) {
    const changed = this.relabel(), few = changed.length <= MOST_FRESH && !this.filters.size;
    this.fresh.push(...few ? changed : []);
    if (changed.length || seen)
      this.tally();
    if (changed.length || seen || sifted)
      this.filter();
    if (seen || !few)
      this.encode();
    else
      this.panel.drawAbove();
    this.update();
    if (this.panel.at !== null && (changed.length || seen))
      this.tell(this.panel, this.panel.at);
  }

  encode() {
    this.fresh = [];
    super.encode();
  }

  update() {
    this.parts.forEach(part => part.update());
  }

  tally() {
    const { panel, classes } = this, of = codes => {
      const counts = new Uint32Array(classes.length);
      codes?.forEach(c => { counts[c] += c < counts.length; });
      return counts;
    };
    this.made = of(panel.label);
    this.guessed = of(panel.predicted);
    this.filled = this.labelled?.length ?? 0;
    this.none = panel.predicted ? 0 : panel.n - this.filled;
  }

  suggested() {
    return this.told.suggested.map(([row]) => row).filter(row => !this.panel.isLabelled(row));
  }

  // Rows that some filter rejects are pale.
  filter() {
    const { panel, filters } = this, suspects = new Set(this.told.suspects.map(([row]) => row));
    panel.matches = filters.size ? new Uint8Array(panel.n).fill(1) : null;
    this.keeping = FILTERS.map(({ name, keeps }) => {
      const asked = filters.has(name);
      let rows = 0;
      for (let i = 0; i < panel.n; i++) {
        const kept = keeps(panel, suspects, i);
        rows += kept;
        if (asked && !kept)
          panel.matches[i] = 0;
      }
      return rows;
    });
  }

  // Warns why the server does not respond; "": it does.
  lose(words) {
    if (this.lost !== words)
      this.warn(words);
    this.lost = words;
  }

  async finish() {
    this.over.abort();
    await ask("end", {}).catch(() => null);
    this.lose("Finished. You can close this page.");
  }

  // ---- words ----

  say(text) {
    this.message.textContent = text;
  }

  warn(text) {
    this.alert.textContent = text;
    this.alert.hidden = !text;
  }

  // ---- selection ----

  // `add` extends the selection; adding a single selected row removes it.
  select(rows, rule, add = false) {
    const leaves = add && rows.length === 1 && this.chosen.includes(rows[0]);
    const others = leaves ? this.chosen.filter(row => row !== rows[0])
      : add ? [...new Set([...this.chosen, ...rows])] : rows;
    this.rule = add && this.rule && !this.rule.split(" + ").includes(rule)
      ? `${this.rule} + ${rule}` : add && this.rule || rule;
    this.chosen = others;
    if (rows.length === 1 && !leaves)
      this.recent = [...this.recent.filter(row => row !== rows[0]), rows[0]].slice(-2);
    this.light(others);
    this.warn(this.lost);
    this.say(others.length || !rule ? "" : `No rows by ${rule}.`);
    if (rows.length !== 1)
      this.panel.leave();
    this.card.show(rows.length === 1 ? rows[0] : null);
    this.update();
  }

  // If several rows are selected, all others are gray.
  light(rows) {
    const before = this.lit;
    this.lit = rows.length > 1 ? new Uint8Array(this.panel.n) : null;
    rows.forEach(row => { if (this.lit) this.lit[row] = 1; });
    if (this.lit || before)
      this.encode();
    else
      this.panel.drawAbove();
  }

  click(row, add) {
    if (row === null && !add)
      this.select([], "");
    if (row === null)
      return;
    this.panel.pinned = true;
    this.panel.say(row);
    this.select([row], "click", add);
  }

  // Goes to a row and selects it.
  show(row, rule) {
    this.panel.go(row);
    this.select([row], rule);
  }

  selectClass(c) {
    const { panel } = this, rows = [];
    for (let i = 0; i < panel.n; i++)
      if (panel.isFree(i) && (c === NO_CLASS ? !panel.isLabelled(i) : panel.classOf(i) === c))
        rows.push(i);
    this.select(rows, c === NO_CLASS ? "unlabelled" : `class ${this.classes[c]}`);
  }

  selectAll() {
    const { panel } = this, all = Array.from({ length: panel.n }, (_, i) => i);
    this.select(all.filter(i => panel.isFree(i)), [...this.filters].join(" and ") || "all");
  }

  next(by) {
    super.next(by);
    if (this.panel.at !== null)
      this.select([this.panel.at], "step");
  }

  suggest() {
    const rows = this.suggested();
    if (rows.length)
      this.show(rows[(rows.indexOf(this.panel.at) + 1) % rows.length], "suggestion");
    else
      this.say("No row is suggested yet.");
  }

  // ---- changes, shown before the server confirms them ----

  change(action, done, apply = null) {
    this.warn(this.lost);
    if (this.lost)
      return;
    performance.mark("change");
    const change = { apply, answered: false, since: performance.now() };
    this.pending.push(change);
    const dimmed = Boolean(this.lit);
    this.lit = null; // all rows show their classes again
    this.say(done);
    this.queue = this.queue.then(() => this.send(action, change)); // before the drawing
    setTimeout(() => this.refresh(dimmed));
  }

  async send(action, change) {
    try {
      const answer = await (await ask("do", action)).json();
      change.answered = true;
      this.awaited.push({ change: answer.change, since: change.since });
      this.measure();
    } catch (error) {
      this.pending = this.pending.filter(other => other !== change);
      this.say("");
      this.warn(error.message);
      this.refresh(false);
    }
  }

  // Labels the selected rows with class c; NO_CLASS clears their labels.
  assign(c) {
    const rows = [...this.chosen], clears = c === NO_CLASS;
    if (!clears && c >= this.classes.length)
      this.say(`There is no class ${c + 1} yet: type the name of a new class.`);
    else if (!rows.length)
      this.say(NOTHING);
    else
      this.change({ action: "label", rows, class: clears ? null : c, rule: this.rule },
        clears ? `${several(rows.length, "row")} cleared` : `${several(rows.length, "row")}: `
          + this.classes[c], label => rows.forEach(row => { label[row] = c; }));
  }

  // Creates or finds a class by name and labels the selected rows with it.
  nameClass(name) {
    const rows = [...this.chosen], known = this.classes.indexOf(name);
    if (known >= 0) {
      this.assign(known);
      return;
    }
    const action = rows.length ? { action: "label", rows, name, rule: this.rule }
      : { action: "class", name };
    const said = rows.length ? `${several(rows.length, "row")}: ${name}` : `new class: ${name}`;
    this.change(action, said, (label, classes) => {
      const c = classes.includes(name) ? classes.indexOf(name) : classes.push(name) - 1;
      rows.forEach(row => { label[row] = c; });
    });
  }

  undo() {
    if (this.told.undo === null && !this.pending.length)
      this.say("There is nothing to undo.");
    else
      this.change({ action: "undo" }, `undone: ${this.told.undo ?? "the last change"}`);
  }

  // Links two rows: those given, else the two selected rows, or the last two.
  link(kind, rows = this.chosen.length === 2 ? this.chosen : this.recent) {
    const [first, second] = rows.map(row => this.panel.name(row));
    if (rows.length < 2)
      this.say("Select two rows first: click one, then another.");
    else
      this.change({ action: "link", kind, rows: [...rows] },
        `${first} and ${second}: ${kind === "must_link" ? "same class" : "different classes"}`);
  }

  unlink(rows) {
    this.change({ action: "unlink", rows }, "pair removed");
  }

  // ---- keys ----

  use(tool) {
    this.tool = tool;
    this.radios[tool].checked = true;
    this.panel.node.dataset.tool = tool;
  }

  actionOf(key) {
    const actions = { 0: () => this.assign(NO_CLASS), u: () => this.undo(), n: () => this.suggest(),
      s: () => this.link("must_link"), d: () => this.link("cannot_link"),
      a: () => this.selectAll(), escape: () => this.select([], ""), r: () => this.panel.reset(),
      home: () => this.panel.reset(), "?": showKeys, ",": () => this.next(-1),
      ".": () => this.next(1) };
    return /^[1-9]$/.test(key) ? () => this.assign(key - 1)
      : TOOLS[key] ? () => this.use(TOOLS[key]) : actions[key];
  }

  press(e) {
    const typed = e.target.closest("dialog, input:not([type=radio], [type=checkbox])");
    const action = this.actionOf(e.key.toLowerCase());
    if (typed && e.key === "Escape" && typed.tagName === "INPUT")
      this.panel.node.focus(); // so that keys act on the plot again
    if (typed || e.ctrlKey || e.metaKey || e.altKey)
      return;
    if (e.key === " " && e.target === this.panel.node)
      this.spaced = true;
    else if (!action)
      return;
    e.preventDefault();
    if (action && !e.repeat)
      action();
  }

  // ---- nodes ----

  finder() {
    this.radios = {};
    const tools = Object.entries(TOOLS).map(([key, name]) => {
      const radio = this.radios[name] = el("input", { type: "radio", name: "tool", value: name,
        class: "unseen", "aria-keyshortcuts": key });
      radio.checked = name === this.tool;
      radio.addEventListener("change", () => this.use(name));
      return el("label", { title: `key ${key.toUpperCase()}` }, radio, el("span", {}, name));
    });
    return [el("fieldset", { class: "choice", "aria-label": "tool" }, ...tools),
      button("undo", () => this.undo(), { title: "key U", "aria-keyshortcuts": "u" })];
  }

  tools() {
    const bar = super.tools();
    bar.append(button("?", showKeys, { "aria-label": "keys", title: "all keys" }),
      button("export", () => showExport(this, () => ask("export", {})), { class: "main" }),
      button("finish", () => showFinish(this)));
    return bar;
  }

  side() {
    this.card = new Card(this, ask);
    const first = [statusPart, classesPart, selectionPart, filtersPart, rangePart, textPart];
    const second = [suggestionsPart, pairsPart, curvePart], made = make => make(this, ask);
    const [left, right] = [first.map(made), second.map(made)];
    this.parts = [...left, ...right];
    const column = (parts, ...more) =>
      el("div", { class: "column" }, ...more, ...parts.map(part => part.node));
    return el("div", { class: "side" }, column(left), column(right, this.card.node));
  }

  // ---- performance measures ----

  drawWaiting() {
    super.drawWaiting();
    if (!this.pictured && this.panel.width) {
      performance.measure("first picture", { start: 0 });
      this.pictured = true;
    }
    this.drawn = this.told.answers;
    this.measure();
  }

  // Measures the time from a change to the first frame with the resulting positions.
  measure() {
    const seen = this.awaited.filter(({ change }) => change <= this.drawn);
    this.awaited = this.awaited.filter(({ change }) => !(change <= this.drawn));
    seen.forEach(({ since }) => performance.measure("label to positions", { start: since }));
  }
}

// ---- from the first picture to the end ----

async function explore(about, place) {
  const waiting = el("p", { class: "soft", role: "status" }, "Computing the first picture \u2026");
  const name = about.source ?? "Rows";
  document.title = `${name} - penumbra explore`;
  document.body.classList.add("whole", "explore");
  place.replaceChildren(waiting);
  const reached = yes => { waiting.textContent = yes ? waiting.textContent : LOST; };
  const first = { told: { version: 0 }, arrays: {} }, never = new AbortController().signal;
  while (!first.arrays.points) {
    const { told, arrays } = await nextState(first.told.version, reached, never);
    Object.assign(first, { told, arrays: { ...first.arrays, ...arrays } });
    waiting.textContent = told.error ?? waiting.textContent;
  }
  const app = new Explorer(about, first);
  place.replaceChildren(el("h1", { class: "unseen" }, name), app.node);
  const more = () =>
    nextState(app.told.version, yes => app.lose(yes ? "" : LOST), app.over.signal);
  for (let state = await more(); state; state = await more())
    app.take(state);
}

explore(JSON.parse(document.getElementById("data").textContent), document.getElementById("page"));
