// sides.js - the side of the explorer: state, classes, selection, filters, suggestions, pairs,
// accuracy curve and the card of a row. Each part has a node and an update function.
import { button, count, el, percent, refill, several, shorten, svg } from "./base.js";
import { NO_CLASS } from "./marks.js";
import { mark } from "./plot.js";

const FULL = 65535;      // a probability of 1 in the transmitted format
const DOUBTFUL = 0.6;    // below this probability
const LIKE_NONE = 0.01;  // below this typicality
const MOST_LISTED = 100; // lines of a list
const SMALL_IMAGE = 128; // pixels across
const CURVE = { width: 260, height: 120, left: 40, right: 6, top: 8, bottom: 30 };

// Rows that a filter does not keep are pale while it is on. Arguments of keeps: the panel, the rows
// with suspect labels, the row.
export const FILTERS = [
  { name: "doubtful", text: "doubtful rows", keeps: (panel, _, i) => !panel.isLabelled(i)
    && panel.classOf(i) !== NO_CLASS && panel.probability[i] < DOUBTFUL * FULL },
  { name: "suspect", text: "suspect labels", keeps: (_, suspects, i) => suspects.has(i) },
  { name: "atypical", text: "atypical rows", keeps: (panel, _, i) =>
    Boolean(panel.typical) && panel.typical[i] < LIKE_NONE * FULL },
  { name: "labelled", text: "labelled rows", keeps: (panel, _, i) => panel.isLabelled(i) }
];

const methodName = name => name === "auto" ? "AutoReducer" : name.toUpperCase();

function section(title, ...parts) {
  return el("section", { "aria-label": title }, el("h2", {}, title), ...parts);
}

const more = (all, shown) =>
  all > shown ? [el("li", { class: "soft" }, `and ${count(all - shown)} more`)] : [];

// ---- state ----

export function statusPart(app) {
  const work = el("p", { class: "work soft", role: "status" }), about = app.about;
  const error = el("p", { class: "wrong", role: "alert", hidden: "" });
  const node = el("section", { "aria-label": "state" },
    el("p", { class: "soft", title: `labels are kept in ${about.folder}` }, el("strong", {},
      shorten(about.source ?? "Rows", 30)), ` ${several(about.rows, "row")}, `
      + several(about.columns.length, "column")), work, error, app.message);
  return { node, update() {
    const { told } = app, method = methodName(told.method);
    work.textContent = told.work ? `${method}; ${methodName(told.work)} is being fitted \u2026`
      : method;
    work.classList.toggle("busy", Boolean(told.work));
    error.textContent = told.error ?? "";
    error.hidden = !told.error;
  } };
}

// ---- classes ----

function classLine(app, c) {
  const none = c === NO_CLASS, name = none ? "no label" : app.classes[c];
  const key = none ? "0" : c < 9 ? `${c + 1}` : "\u2190", labels = el("span", { class: "number" });
  const rows = el("span", { class: "number soft" });
  const give = button(key, () => app.assign(c), { class: "key", "aria-label":
    none ? "clear the labels of the selected rows" : `label the selected rows ${name}` });
  const pick = button(el("span", { class: "entry" }, mark(c, !none),
    el("span", { class: "name" }, shorten(name, 40)), labels, rows), () => app.selectClass(c),
  { class: "pick" });
  const hide = none ? el("span", { class: "hide" }) : button("hide", () => {
    app.hidden.delete(c) || app.hidden.add(c);
    hide.setAttribute("aria-pressed", app.hidden.has(c));
    app.encode();
  }, { "aria-pressed": app.hidden.has(c), "aria-label": `hide ${name}`, class: "hide" });
  const update = () => {
    const made = none ? app.panel.n - app.told.labelled : app.made[c] ?? 0;
    const guessed = none ? "" : app.guessed[c] ?? 0;
    labels.textContent = count(made);
    rows.textContent = count(guessed);
    pick.setAttribute("aria-label", none ? `select ${several(made, "row")} without a label`
      : `select ${name}: ${several(made, "label")}, ${count(guessed)} predicted`);
  };
  return { node: el("li", {}, give, pick, hide), update };
}

export function classesPart(app) {
  const list = el("ul", { class: "classes" }), names = el("datalist", { id: "class-names" });
  const box = el("input", { placeholder: "new class (Enter)", list: "class-names", maxlength: 200,
    "aria-label": "class name; Enter creates the class and labels the selected rows", autocomplete:
    "off" });
  box.addEventListener("keydown", e => {
    if (e.key !== "Enter" || !box.value.trim())
      return;
    app.nameClass(box.value.trim());
    box.value = "";
    app.panel.node.focus();
  });
  const head = el("p", { class: "soft columns" }, el("span", {}, "labels"),
    el("span", {}, "predicted"));
  let known = null, lines = [];
  return { node: section("classes", head, list, box, names), update() {
    if (known !== `${app.classes.length} ${app.classes}`) {
      known = `${app.classes.length} ${app.classes}`;
      lines = [...app.classes.keys(), NO_CLASS].map(c => classLine(app, c));
      refill(list, lines.map(line => line.node));
      names.replaceChildren(...app.classes.map(value => el("option", { value })));
    }
    lines.forEach(line => line.update());
  } };
}

// ---- selection ----

export function selectionPart(app) {
  const text = el("p", {}), empty = button("clear", () => app.select([], ""),
    { title: "key Escape" });
  const link = (word, kind, key) => button(word, () => app.link(kind), { title: `key ${key}` });
  return { node: section("selection", el("div", { class: "head" }, text, empty),
    el("div", { class: "head" }, el("span", { class: "soft" }, "two rows:"),
      link("the same", "must_link", "S"), link("different", "cannot_link", "D"))), update() {
    const { chosen, rule } = app;
    text.textContent = chosen.length ? `${several(chosen.length, "row")}, by ${rule}` : "no rows";
    empty.disabled = !chosen.length;
  } };
}

// ---- filters and suggestions ----

function filterLine(app, { name, text }, place) {
  const box = el("input", { type: "checkbox" }), rows = el("span", { class: "soft" });
  box.addEventListener("change", () => {
    app.filters.delete(name) || app.filters.add(name);
    app.filter();
    app.encode();
    app.update();
  });
  const update = () => { rows.textContent = count(app.keeping[place]); };
  return { node: el("label", { class: "entry" }, box, el("span", { class: "name" }, text), rows),
    update };
}

// Fills a list with buttons that go to rows; each of `lines` is a row and words.
function rowList(app, list, lines, rule) {
  const said = JSON.stringify(lines);
  if (list.dataset.said === said)
    return;
  list.dataset.said = said;
  refill(list, [...lines.slice(0, MOST_LISTED).map(([row, ...words]) =>
    el("li", {}, button(el("span", {}, el("strong", {}, shorten(app.panel.name(row), 30)), " ",
      el("span", { class: "soft" }, words.join(""))), () => app.show(row, rule)))),
  ...more(lines.length, MOST_LISTED)]);
}

export function filtersPart(app) {
  const lines = FILTERS.map((filter, place) => filterLine(app, filter, place));
  const list = el("ul", { "aria-label": "suspect labels" });
  return { node: section("show only", ...lines.map(line => line.node), list), update() {
    lines.forEach(line => line.update());
    list.hidden = !app.filters.has("suspect");
    rowList(app, list, app.told.suspects.map(([row, label, other]) =>
      [row, label, `, but other labels suggest ${other}`]), "suspect label");
  } };
}

export function suggestionsPart(app) {
  const list = el("ol", {}), none = el("p", { class: "soft" }, "Label rows of two classes first.");
  return { node: section("label next", list, none), update() {
    none.hidden = app.told.suggested.length > 0;
    rowList(app, list, app.told.suggested, "suggestion");
  } };
}

export function pairsPart(app) {
  const list = el("ul", {}), node = section("pairs", list);
  return { node, update() {
    const { must_link: same, cannot_link: apart } = app.told;
    const all = [...same.map(pair => [pair, "="]), ...apart.map(pair => [pair, "\u2260"])];
    const said = JSON.stringify(all);
    node.hidden = !all.length;
    if (list.dataset.said === said)
      return;
    list.dataset.said = said;
    refill(list, [...all.slice(0, MOST_LISTED).map(([pair, sign]) => {
      const [first, second] = pair.map(row => shorten(app.panel.name(row), 24));
      return el("li", { class: "head" }, el("span", { class: "name" },
        `${first} ${sign} ${second}`), button("remove", () => app.unlink(pair),
        { "aria-label": `remove the pair ${first}, ${second}` }));
    }), ...more(all.length, MOST_LISTED)]);
  } };
}

// ---- accuracy over the number of labels ----

function accuracyChart({ curve, chance }) {
  const { width, height, left, right, top, bottom } = CURVE;
  const most = Math.max(...curve.map(([labels]) => labels)), low = height - bottom;
  const least = Math.min(chance ?? 1, ...curve.map(([, a, error]) => Math.max(0, a - error)));
  const floor = Math.floor(10 * least) / 10, room = 1 - floor || 1;
  const x = labels => left + (width - left - right) * labels / most;
  const y = share => low - (low - top) * (Math.min(1, Math.max(floor, share)) - floor) / room;
  const line = points => points.map(point => point.map(v => v.toFixed(1)).join(" ")).join("L");
  const band = [...curve.map(([l, a, e]) => [x(l), y(a + e)]),
    ...curve.map(([l, a, e]) => [x(l), y(a - e)]).reverse()];
  const text = (words, names) => svg("text", names, words);
  const told = curve.map(([l, a, e]) =>
    `${several(l, "label")} ${percent(a)} \u00b1 ${percent(e)}`).join(", ");
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "accuracy",
    "aria-label": `expected accuracy: ${told}` },
  ...[floor, 1].flatMap(share => [svg("line", { x1: left, x2: width - right, y1: y(share),
    y2: y(share), class: "grid-line" }), text(percent(share, 0), { x: left - 4, y: y(share) + 4,
    "text-anchor": "end" })]),
  chance === null ? null : svg("line", { x1: left, x2: width - right, y1: y(chance),
    y2: y(chance), class: "chance" }),
  svg("path", { d: `M${line(band)}z`, class: "band" }),
  svg("path", { d: `M${line(curve.map(([l, a]) => [x(l), y(a)]))}`, class: "curve",
    stroke: "var(--mark)" }),
  ...curve.map(([l, a]) => svg("circle", { cx: x(l), cy: y(a), r: 2.5, class: "at" })),
  text("0", { x: left, y: height - 14 }), text(several(most, "label"), { x: width - right,
    y: height - 14, "text-anchor": "end" }));
}

export function curvePart(app) {
  const place = el("div", {}), now = el("p", {}), sentence = el("p", { class: "stop" });
  const caution = el("p", { class: "soft note" }, "You chose which rows to label, so they are not"
    + " a random sample: the accuracy on other rows may differ.");
  const node = section("expected accuracy", now, place, sentence, caution);
  return { node, update() {
    const { told } = app, { curve, sentence: said, chance } = told, last = curve.at(-1);
    place.replaceChildren(...last ? [accuracyChart(told)] : []);
    now.textContent = last ? `${percent(last[1])} \u00b1 ${percent(last[2])} with `
      + several(last[0], "label") + (chance === null ? "" : `; by chance ${percent(chance)}`)
      : told.work === "auto" ? "The accuracy is being estimated."
        : "It is estimated once two classes have labels.";
    sentence.textContent = said ?? "";
    caution.hidden = !last;
  } };
}

// ---- the card of a row ----

export class Card {
  constructor(app, ask) {
    Object.assign(this, { app, ask, row: null });
    this.body = el("div", { "aria-live": "polite" });
    this.node = section("row", this.body);
    this.node.classList.add("card");
    this.show(null);
  }

  // Shows the row again after something about it changed.
  renew() {
    this.show(this.row);
  }

  async show(row) {
    this.row = row;
    if (row === null) {
      this.filled = null;
      this.body.replaceChildren(el("p", { class: "soft" }, "Click a row to see its details."));
      return;
    }
    const told = await this.ask(`row/${row}`).then(answer => answer.json())
      .catch(error => ({ text: error.message, table: [] }));
    if (this.row !== row) // the user chose another row meanwhile
      return;
    if (this.filled !== row)
      this.fill(row, told);
    this.filled = row;
    this.tag.textContent = told.labelled ?? "";
  }

  fill(row, { text, image, table, spectrum }) {
    const name = this.app.panel.name(row);
    this.tag = el("span", { class: "soft" });
    this.body.replaceChildren(...[
      el("p", {}, el("strong", {}, shorten(name, 60)), " ", this.tag),
      image ? imageOf(row, name) : null,
      text ? el("p", { class: "text" }, text) : null,
      spectrum ? spectrumChart(spectrum, name) : null,
      table.length ? el("dl", {}, ...table.flatMap(([word, value]) =>
        [el("dt", {}, shorten(word, 30)), el("dd", {}, shorten(value, 200))])) : null
    ].filter(part => part));
  }
}

// Small images are enlarged without smoothing.
function imageOf(row, name) {
  const image = el("img", { src: `image/${row}`, alt: `image of ${name}` });
  image.addEventListener("load", () =>
    image.classList.toggle("small", image.naturalWidth < SMALL_IMAGE));
  return image;
}

function spectrumChart({ at, values }, name) {
  const [low, high] = [Math.min(...values), Math.max(...values)], first = at[0], last = at.at(-1);
  const points = values.map((value, i) => [260 * (at[i] - first) / (last - first || 1),
    88 - 84 * (value - low) / (high - low || 1)].map(v => v.toFixed(1)).join(" "));
  return svg("svg", { viewBox: "0 0 260 106", class: "accuracy", role: "img", "aria-label":
    `spectrum of ${name}, from ${first} to ${last}` },
  svg("path", { d: `M${points.join("L")}`, class: "curve", stroke: "var(--mark)" }),
  svg("text", { x: 0, y: 104 }, `${first}`),
  svg("text", { x: 260, y: 104, "text-anchor": "end" }, `${last}`));
}
