// forms.js - forms that select rows by a column range or by words; dialogs of the explorer: keys,
// exported files, finish.
import { button, copyButton, el, svg } from "./base.js";

const BARS = 30;
const MOST_NAMES = 1000; // of columns in the suggestion list of the browser

const KEYS = [
  ["L B K M", "lasso, box, link, move; drag with Space to move, turn the wheel to zoom"],
  ["click, Shift", "select a row; add it to the selection"],
  ["1 \u2026 9, 0", "label the selected rows; clear their labels"], ["U", "undo"],
  ["N", "go to the next suggestion"], ["S, D", "link the last two selected rows: same, different"],
  ["drag", "link the clicked row to another: same class; with Shift: different"],
  [", .", "previous row, next row"], ["A, Escape", "select all shown rows; clear the selection"],
  ["arrows, +, \u2212", "move and zoom the focused plot"], ["R, Home", "show the whole view"],
  ["?", "show these keys"]
];

// ---- a range of a column ----

// Counts the values in each of BARS equal intervals from `low` to `high`.
function histogram(values, low, high) {
  const bars = new Uint32Array(BARS);
  for (const value of values)
    if (value >= low && value <= high)
      bars[Math.min(BARS - 1, Math.floor(BARS * (value - low) / (high - low || 1)))]++;
  return bars;
}

function barChart(bars, name) {
  const most = Math.max(...bars);
  return svg("svg", { viewBox: `0 0 ${4 * BARS} 40`, class: "bars", role: "img", "aria-label":
    `histogram of ${name}`, preserveAspectRatio: "none" },
  ...Array.from(bars, (n, i) => svg("rect", { x: 4 * i, width: 3.4, y: 40 - 40 * n / most,
    height: 40 * n / most })));
}

// The value as it is shown, which is also the one compared.
const rounded = value => Number(value?.toPrecision(6));

export function rangePart(app, ask) {
  const { columns } = app.about, place = el("div", { class: "histogram" });
  const names = el("datalist", { id: "columns" },
    ...columns.slice(0, MOST_NAMES).map(value => el("option", { value })));
  const box = el("input", { list: "columns", placeholder: "column", "aria-label":
    "column to select by", autocomplete: "off" });
  const number = word => el("input", { type: "number", step: "any", "aria-label": word });
  const [from, to] = [number("least value"), number("largest value")];
  let values = null, column = null;
  const load = async () => {
    const j = columns.indexOf(box.value);
    if (j < 0 || box.value === column)
      return;
    column = box.value;
    const found = await ask(`column/${j}`).then(answer => answer.arrayBuffer())
      .catch(error => app.warn(error.message));
    if (!found || columns[j] !== column)
      return;
    values = new Float32Array(found);
    const known = values.filter(value => Number.isFinite(value)).sort();
    [from.value, to.value] = [known[0], known.at(-1)].map(v => `${rounded(v)}`);
    place.replaceChildren(barChart(histogram(values, known[0], known.at(-1)), column));
  };
  const select = () => {
    const [low, high] = [Number(from.value), Number(to.value)], rows = [];
    values?.forEach((value, i) => {
      if (rounded(value) >= low && rounded(value) <= high && app.panel.isFree(i))
        rows.push(i);
    });
    app.select(rows, `range ${column} ${from.value} to ${to.value}`);
  };
  box.addEventListener("input", load);
  const done = button("Select", () => values && select());
  for (const field of [from, to])
    field.addEventListener("keydown", e => e.key === "Enter" && done.click());
  const node = el("details", {}, el("summary", {}, "select by a range"), box, names, place,
    el("div", { class: "head" }, from, "to", to, done));
  return { node, update() {} };
}

// ---- words ----

export function textPart(app, ask) {
  const box = el("input", { type: "search", placeholder: "text (Enter selects)", "aria-label":
    "select rows whose text or name contains these words" });
  box.addEventListener("keydown", async e => {
    const text = box.value.trim();
    if (e.key !== "Enter" || !text)
      return;
    try {
      const answer = await ask(`search?text=${encodeURIComponent(text)}`);
      const rows = [...new Uint32Array(await answer.arrayBuffer())];
      app.select(rows.filter(i => app.panel.isFree(i)), `text "${text}"`);
    } catch (error) {
      app.warn(error.message);
    }
  });
  return { node: el("section", { "aria-label": "text" }, box), update() {} };
}

// ---- dialogs ----

function openDialog(title, ...parts) {
  const close = button("Close", () => dialog.close());
  const dialog = el("dialog", { "aria-label": title }, el("h2", {}, title), ...parts, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}

export function showKeys() {
  openDialog("Keys", el("dl", {}, ...KEYS.flatMap(([key, words]) =>
    [el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)])));
}

export async function showExport(app, send) {
  app.say("Fitting and writing files \u2026");
  try {
    const { folder, files, command } = await (await send()).json();
    const code = el("pre", {}, command);
    app.say(`Files written to ${folder}.`);
    openDialog("Exported", el("p", {}, `In ${folder}:`),
      el("ul", {}, ...files.map(file => el("li", {}, file))),
      el("p", {}, "This command fits the model again:"), code, copyButton(command, code));
  } catch (error) {
    app.say("");
    app.warn(error.message);
  }
}

export function showFinish(app) {
  const { dialog, close } = openDialog("Finish?", el("p", {}, "This ends the program. The labels "
    + `stay in ${app.about.folder} and return when you explore the same data from here.`),
  button("Finish", () => {
    dialog.close();
    app.finish();
  }));
  close.textContent = "Continue";
}
