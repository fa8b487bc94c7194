// report.js - the report of a comparison: what to use and how good it is; details are folded.
import {
  clamp, copyButton, count, el, fixed, percent, several, shorten, svg, table
} from "./base.js";
import { COLORS } from "./marks.js";
import { showPicture } from "./plot.js";

const TOP = 10;           // candidates on the first screen
const MOST_LINES = 8;     // lines in a chart at most
const FEW_ROWS = 100;     // with fewer held-out rows, accuracies have no decimals
const MANY_CLASSES = 12;  // with more, a list precedes the table of true and predicted classes
const MOST_CROSSED = 100;
const PICTURE_HEIGHT = 400;

const sum = list => list.reduce((a, b) => a + b, 0);
const isNumber = x => x !== null && x !== undefined;
const hundred = (x, digits) => fixed(isNumber(x) ? 100 * x : null, digits);
const remark = (...words) => el("p", { class: "soft" }, ...words);

// ---- results ----

// `compare` lists the best candidates first. A fit without a method lists them in the order of
// trials and without most measures.
function readFound(found) {
  const candidates = found.candidates ?? [], full = "confusion" in found;
  const ranked = candidates.filter(e => isNumber(e.accuracy));
  if (!full)
    ranked.sort((a, b) => (b.accuracy - 0.001 * b.brier) - (a.accuracy - 0.001 * a.brier));
  return { found, full, ranked, unscored: candidates.filter(e => !isNumber(e.accuracy)),
    best: ranked[0], taken: ranked.find(e => e.recommended),
    digits: found.held_out < FEW_ROWS || !full ? 0 : 1 };
}

// "96.3 ± 2.3 %" in one line; tables name the unit in the head instead.
function scoreText(accuracy, error, digits, unit = "\u00a0%") {
  const round = x => (100 * x).toFixed(digits);
  return isNumber(error) ? `${round(accuracy)}\u00a0±\u00a0${round(error)}${unit}`
    : `${round(accuracy)}${unit}, ±\u00a0unknown`;
}

function changedText({ changed, parameters }) {
  return Object.keys(changed ?? {}).filter(name => name !== "dim" && name !== "classifier")
    .map(name => `${name} ${parameters[name] === "" ? "none" : parameters[name]}`).join(", ");
}

// In a narrow cell a name breaks before its classifier or kernel.
function nameCell(e) {
  const tag = e.baseline ? "baseline" : e.experimental ? "experimental" : null;
  return el("th", { scope: "row", title: e.title },
    ...e.name.split(/(?=[/+])/).flatMap(part => [el("wbr"), part]),
    tag && el("span", { class: "tag" }, ` ${tag}`));
}

// ---- the first screen: words ----

function dataText(found) {
  const columns = found.columns ? ` of ${several(found.columns, "column")}` : "";
  const labelled = found.labelled === found.rows ? "all" : count(found.labelled ?? 0);
  const classes = found.classes ? `, ${found.classes} classes` : "";
  const kept = found.keep_labels ? `; trials keep ${found.keep_labels} of each class` : "";
  return `${several(found.rows, "row")}${columns}, ${labelled} labelled${classes}${kept}`;
}

function reasonText({ found, ranked, best, taken }) {
  const all = found.candidates.filter(e => !e.baseline).length;
  if (taken.baseline)
    return "A baseline, because no method is within one standard error of it.";
  if (all === 1)
    return "The only candidate besides the baselines.";
  const least = best.accuracy - found.margin - 1e-9;
  const alike = ranked.filter(e => !e.baseline && e.accuracy >= least);
  return taken === alike[0]
    ? `The best of ${all} candidates${taken === best ? "" : " besides the baselines"}.`
    : `The most stable of ${alike.length} within one standard error of the best (of ${all}).`;
}

function warningsOf({ found }) {
  const warn = words => el("p", { class: "warn" }, words);
  return [
    found.interrupted && warn("The comparison was interrupted. This page shows what was finished."),
    found.predicts === false && warn("These labels do not predict classes here: permuted labels do "
      + `as well${isNumber(found.p_value) ? ` (p = ${fixed(found.p_value, 2)})` : ""}.`),
    found.reason && warn(`Nothing was held out: ${found.reason}.`)
  ].filter(Boolean);
}

function leadOf(report) {
  const { found, full, taken, digits } = report, lead = el("p", { class: "lead" });
  const guessing = isNumber(found.chance)
    ? `; guessing the largest class gives ${percent(found.chance, digits)}` : "";
  const where = found.labelled < found.rows || found.keep_labels ? "unlabelled" : "new";
  if (taken)
    lead.append("Recommended: ", el("strong", { id: "recommended" }, taken.name),
      ` (${taken.title}${taken.experimental ? ", experimental" : ""}). `);
  else if (found.members)
    lead.append("The model learned from ", el("strong", { id: "recommended" },
      `${found.members} of ${several(found.candidates.length, "candidate")}`), ". ");
  if (isNumber(found.accuracy))
    lead.append(`Expected accuracy on ${where} rows: `,
      el("strong", {}, scoreText(found.accuracy, found.error, digits)), `${guessing}.`);
  return full ? [lead, remark(reasonText(report))] : lead.firstChild ? [lead] : [];
}

// ---- the first screen: scores on one scale ----

// A score on a scale: a bar if the scale begins at 0, and a whisker for the ±, cut at its ends.
function trackOf(score, error, [low, high], kind) {
  const at = x => 100 * (clamp(x, low, high) - low) / (high - low);
  const from = at(score - (error ?? 0)), to = at(score + (error ?? 0));
  const part = (kind, style) => el("span", { class: kind, style });
  return el("span", { class: `track ${kind}`, "aria-hidden": "true" },
    low === 0 ? part("bar", `width: ${at(score)}%`) : null,
    isNumber(error) ? part("whisker", `left: ${from}%; width: ${to - from}%`) : null,
    low > 0 ? part("point", `left: ${at(score)}%`) : null);
}

function scoresOf(report) {
  const { found, ranked, taken, digits } = report, lines = [];
  const add = (name, score, error, kind) => isNumber(score) && lines.push(
    el("li", {}, el("span", {}, name), trackOf(score, error, [0, 1], kind),
      el("span", {}, kind === "plain" ? percent(score, digits) : scoreText(score, error, digits))));
  const baseline = ranked.find(e => e.baseline), method = ranked.find(e => !e.baseline);
  if (!isNumber(found.accuracy))
    return null;
  add(taken ? `${taken.name}${taken.baseline ? ", a baseline" : ""}` : "expected", found.accuracy,
    found.error, "taken");
  if (taken && baseline && baseline !== taken)
    add(`best baseline, ${baseline.name}`, baseline.accuracy, baseline.error, "");
  else if (taken && method && method !== taken)
    add(`best method, ${method.name}`, method.accuracy, method.error, "");
  add("shuffled labels", found.shuffled, null, "plain");
  add("guessing", found.chance, null, "plain");
  return el("ul", { class: "scores", "aria-label": "accuracy, from 0 to 100 %" }, ...lines);
}

// ---- the first screen: what to type ----

function nextOf(found) {
  if (!found.next)
    return null;
  const words = found.next.split(" ").flatMap(word => [el("span", {}, word), " "]);
  const code = el("code", {}, ...words);
  return el("div", { class: "next" }, el("p", {}, "This command fits it to all rows:"),
    el("pre", {}, code), copyButton(found.next, code));
}

// ---- the first screen: the picture ----

// Names of the rows of a picture, unless they are numbered by position.
function namesOf({ picture, names, row_numbers: places }) {
  const rows = numbers(picture.row, Uint32Array) ?? new Uint32Array(picture.rows).map((_, i) => i);
  return names ? Array.from(rows, i => names[i])
    : places && Array.from(rows, i => `row ${places[i]}`);
}

function pictureOf({ found, full, taken }) {
  const { picture, class_names, source } = found;
  if (!picture)
    return full ? remark("There is no picture, because its fit failed or was stopped.") : null;
  const node = el("div", {}), { rows, of } = picture;
  picture.names = namesOf(found);
  showPicture(node, { classes: class_names ?? [], predicted: Boolean(picture.class),
    pictures: [picture], source: source ?? null, model: null }, { height: PICTURE_HEIGHT });
  return el("div", { class: "winner" }, node,
    remark(`${taken ? taken.name : "The model"} in the first trial${of > rows
      ? `, ${count(rows)} of ${several(of, "row")}` : ""}. Filled marks are rows whose label the `
      + "fit knew. Hollow marks are held-out rows in the color of their true class, and unlabelled "
      + "rows in that of their predicted class. Columns that contribute most name the axes."));
}

// ---- the first screen: the best candidates ----

// The range of accuracies, rounded outward to tenths.
function rangeOf(values) {
  const low = clamp(Math.floor(10 * Math.min(...values)), 0, 9);
  return [low / 10, clamp(Math.ceil(10 * Math.max(...values)), low + 1, 10) / 10];
}

function scoreCell(e, range, digits) {
  return el("td", { class: "scored" },
    trackOf(e.accuracy, e.error, range, e.baseline ? "plain" : ""),
    isNumber(e.error) ? scoreText(e.accuracy, e.error, digits, "") : hundred(e.accuracy, digits));
}

function rankCell({ full, best, taken }, e) {
  const alike = full && e.accuracy >= best.accuracy - (best.error ?? 0) - 1e-9;
  const [mark, words] = e === taken ? ["\u25b8", "recommended"]
    : alike ? ["=", "as good"] : e.member ? ["*", "good"] : [];
  return el("td", { class: "rank" },
    el("span", mark ? { "aria-label": words, role: "img" } : {}, mark), e.rank ? ` ${e.rank}` : "");
}

// Heads and cells of the columns that some candidate fills; a column is a name and a function.
function measured(ranked, columns) {
  const shown = columns.filter(([, text]) => ranked.some(e => text(e) !== ""));
  return { heads: shown.map(([name]) => el("th", { scope: "col", class: "number" }, name)),
    cells: e => shown.map(([, text]) => el("td", { class: "number" }, text(e))) };
}

function measuresOf({ full, ranked }) {
  return measured(ranked, full
    ? [["stable %", e => hundred(e.stable, 0)], ["dims", e => `${e.dim}`],
      ["seconds", e => fixed(e.seconds, e.seconds < 10 ? 2 : 0)]]
    : [["log-loss", e => fixed(e.log_loss, 3)], ["Brier score", e => fixed(e.brier, 3)]]);
}

function bestOf(report) {
  const { full, ranked, taken, digits } = report, different = ranked.filter(e => !e.same_as);
  const isTop = e => !full || different.indexOf(e) < TOP;
  const shown = ranked.filter(e => e === taken || !e.same_as && (e.baseline || isTop(e)));
  const ends = sign => shown.map(e => e.accuracy + sign * (e.error ?? 0));
  const range = rangeOf([...ends(-1), ...ends(1)]);
  const measures = measuresOf(report);
  if (shown.length === 0)
    return null;
  const rows = shown.map(e => [rankCell(report, e), nameCell(e), scoreCell(e, range, digits),
    ...measures.cells(e)]);
  const gap = shown.findIndex((e, i) => i > 0 && !isTop(e));
  const head = ["", "method", el("th", { scope: "col" }, "accuracy %", el("span",
    { class: "soft scale" }, ...range.map(x => el("span", {}, `${Math.round(100 * x)}`)))),
  ...measures.heads];
  return el("section", { class: "best" },
    el("h2", {}, shown.length < ranked.length ? "The best candidates" : "Candidates"),
    table("the best candidates", "", head, rows,
      i => [shown[i] === taken && "taken", i === gap && "apart"].filter(Boolean).join(" ") || null),
    remark(full ? "\u25b8 recommended, = as good within the ± of the best" : "* good",
      shown.length < ranked.length ? `; all ${ranked.length} are below.` : "."));
}

// ---- parts that fold ----

function folded(title, ...parts) {
  return el("details", {}, el("summary", {}, el("h2", {}, title)), ...parts);
}

// A dot for each trial, from `low` to 1.
function dotsOf(e, low) {
  const at = x => 4 + 112 * (x - low) / (1 - low);
  return svg("svg", { viewBox: "0 0 120 16", class: "dots", role: "img",
    "aria-label": `trials: ${e.trials.map(x => percent(x)).join(", ")}` },
    svg("line", { x1: 4, x2: 116, y1: 8, y2: 8, class: "rule" }),
    ...e.trials.map(x => svg("circle", { cx: at(x), cy: 8, r: 3, class: "dot" })),
    svg("line", { x1: at(e.accuracy), x2: at(e.accuracy), y1: 2, y2: 14, class: "mean" }));
}

function showAll(report) {
  const { full, ranked, taken, digits } = report;
  if (!full || ranked.length === 0)
    return null;
  const low = Math.floor(10 * Math.min(0.9, ...ranked.flatMap(e => e.trials))) / 10;
  const measures = measured(ranked, [["accuracy", e => scoreText(e.accuracy, e.error, digits, "")],
    ["untuned", e => hundred(e.untuned, digits) || "fails"],
    ["set aside", e => hundred(e.aside, digits)],
    ["p", e => isNumber(e.p) && e.p < 0.001 ? "< 0.001" : fixed(e.p, 3)],
    ["stable", e => hundred(e.stable, 0)], ["dims", e => `${e.dim}`],
    ["seconds", e => fixed(e.seconds, 2)]]);
  const rows = ranked.map(e => [rankCell(report, e), nameCell(e), dotsOf(e, low),
    ...measures.cells(e), el("td", { class: "free" }, changedText(e),
      e.same_as ? ` (the same classes as ${e.same_as})` : "")]);
  const trials = `trials, ${Math.round(100 * low)} to 100`;
  const head = ["", "method", trials, ...measures.heads, "parameters"];
  return folded(`All ${several(ranked.length, "candidate")}`,
    table("all candidates", "", head, rows, i => ranked[i] === taken ? "taken" : null),
    remark("Accuracies are in percent. Dots are trials, the tick is their mean; ± holds the truth "
      + "in 90 of 100 cases. Each trial tunes a candidate on rows that it does not hold out. "
      + "Untuned: with given or default parameters, used if they score higher. Set aside: on "
      + "rows whose labels the trials did not keep. p: paired t-test against the best "
      + "candidate, corrected for trials that share rows (Nadeau and Bengio 2003). Stable: "
      + "unlabelled rows that get the same class in two trials. Baselines use the columns as "
      + "they are; one is recommended only if no method is within one standard error of the "
      + "best."));
}

// Groups reasons that differ only in numbers.
function showUnscored({ found, unscored }) {
  const reasons = new Map(), hasCost = e => e.tried === false && isNumber(e.cost);
  for (const e of unscored) {
    const key = (e.failure ?? "").replace(/[\d.+-]+/g, "#");
    reasons.set(key, [...reasons.get(key) ?? [], e]);
  }
  if (unscored.length === 0 || found.reason)
    return null;
  const named = e => hasCost(e) ? `${e.name} (${Number(e.cost.toPrecision(2))})` : e.name;
  return folded(`${several(unscored.length, "candidate")} failed or left out`,
    table("failed or left out", "", ["reason", "candidates"], [...reasons.values()].map(list =>
      [el("th", { scope: "row", class: "free" }, list[0].failure || "not reached"),
        el("td", { class: "free" }, list.map(named).join(", "))])),
    unscored.some(hasCost) ? remark("Costs in parentheses are in units of the effort.") : null);
}

// ---- accuracy by dimension ----

function lineOf(i, points) {
  return svg("polyline", { points, class: "curve", stroke: COLORS[i % COLORS.length],
    "stroke-dasharray": i ? `${4 + 2 * i} ${1 + i}` : "none" });
}

function curveChart({ found, digits }, lines) {
  const last = Math.max(...lines.map(e => e.curve.findLastIndex(isNumber))), marks = [];
  const [bottom, top] = rangeOf(lines.flatMap(e => e.curve.filter(isNumber)));
  const x = i => 60 + 394 * (last === 0 ? 0.5 : i / last);
  const y = v => 260 - 245 * (v - bottom) / (top - bottom);
  const add = (tag, attributes, ...content) => marks.push(svg(tag, attributes, ...content));
  for (let v = bottom; v < top + 0.01; v += top - bottom > 0.45 ? 0.2 : 0.1) {
    add("path", { d: `M44 ${y(v)}H470`, class: "rule" });
    add("text", { x: 38, y: y(v) + 5, "text-anchor": "end" }, `${Math.round(100 * v)}`);
  }
  for (let i = 0; i <= last; i += Math.ceil((last + 1) / 12))
    add("text", { x: x(i), y: 280, "text-anchor": "middle" }, `${found.dims[i]}`);
  if (found.chance >= bottom) {
    add("path", { d: `M44 ${y(found.chance)}H470`, class: "chance" });
    add("text", { x: 48, y: y(found.chance) - 5 }, "guessing");
  }
  lines.forEach((e, i) => {
    const seen = e.curve.map((v, j) => [x(j), y(v), v]).filter(point => isNumber(point[2]));
    marks.push(lineOf(i, seen.map(a => `${a[0]},${a[1]}`).join(" ")));
    for (const [cx, cy, v] of seen)
      add("circle", { cx, cy, r: 3, fill: COLORS[i % COLORS.length] },
        svg("title", {}, `${e.name}: ${percent(v, digits)}`));
  });
  add("text", { x: 257, y: 300, "text-anchor": "middle" }, "dimensions");
  const told = lines.map(e =>
    `${e.name}: ${e.curve.filter(isNumber).map(v => percent(v, digits)).join(", ")}`);
  return svg("svg", { viewBox: "0 0 480 304", class: "chart", role: "img",
    "aria-label": `accuracy by the number of dimensions; ${told.join("; ")}` }, ...marks);
}

function showCurves(report) {
  const { full, ranked } = report;
  const lines = full ? ranked.filter(e => e.curve.some(isNumber)).slice(0, MOST_LINES) : [];
  if (lines.length === 0)
    return null;
  return folded("Accuracy by the number of dimensions",
    el("div", { class: "abreast" }, curveChart(report, lines), el("div", {},
      el("ul", { class: "legend" }, ...lines.map((e, i) => el("li", {},
        svg("svg", { width: 40, height: 8, "aria-hidden": "true" }, lineOf(i, "0,4 40,4")),
        e.name))),
      remark("Mean accuracy in percent over the trials, without tuning, for the best "
        + "candidates whose first dimensions are also their result for fewer dimensions."))));
}

// ---- predictions of the recommended candidate ----

// Pairs of true and predicted class of the mistakes, the most frequent first.
function mistakesOf(counts) {
  return counts.flatMap((row, i) => row.map((wrong, j) => ({ i, j, wrong, rows: sum(row) })))
    .filter(m => m.i !== m.j && m.wrong > 0).sort((a, b) => b.wrong - a.wrong);
}

function mistakeText(mistakes, all, names) {
  const name = i => shorten(names[i], 30), wrong = sum(mistakes.map(m => m.wrong));
  if (wrong === 0)
    return `All ${count(all)} held-out rows are classified correctly.`;
  return `${count(wrong)} of ${several(all, "held-out row")} ${wrong === 1 ? "is" : "are"} `
    + `misclassified. Most frequent: ${mistakes.slice(0, 3).map(m =>
      `${m.wrong} of the ${count(m.rows)} of ${name(m.i)} called ${name(m.j)}`).join("; ")}.`;
}

function classTable(counts, names, mistakes) {
  const order = counts.map((row, i) => ({ i, rows: sum(row), right: row[i] }))
    .sort((a, b) => a.right / (a.rows || 1) - b.right / (b.rows || 1));
  const head = ["class", "right %", "rows", "called instead"];
  return table("classes, the most difficult first", "", head, order.map(({ i, rows, right }) => [
    el("th", { scope: "row", class: "free" }, names[i]),
    el("td", { class: "number" }, rows ? hundred(right / rows, 0) : ""),
    el("td", { class: "number" }, count(rows)),
    el("td", { class: "free" }, mistakes.filter(m => m.i === i).slice(0, 3)
      .map(m => `${names[m.j]} (${m.wrong})`).join(", "))]));
}

// Vertical names keep the columns narrow.
function crossTable(counts, names) {
  const upright = counts.length > 4 && names.some(name => name.length > 4);
  const name = text => el("span", { class: "class-name", title: text }, shorten(text, 20));
  const cell = (n, total, own) => el("td", n === 0 ? {}
    : { class: own ? "right" : "wrong", style: `--share: ${(n / total).toFixed(2)}` },
  n || own ? `${n}` : "");
  const rows = counts.map((row, i) => [el("th", { scope: "row" }, name(names[i])),
    ...row.map((n, j) => cell(n, sum(row), i === j)), count(sum(row)),
    sum(row) ? fixed(100 * row[i] / sum(row), 0) : ""]);
  const right = sum(counts.map((row, i) => row[i])), all = sum(counts.flat());
  rows.push([el("th", { scope: "row" }, "predicted"),
    ...counts.map((_, j) => count(sum(counts.map(row => row[j])))), count(all),
    fixed(100 * right / all, 0)]);
  return table("true and predicted classes", `grid${upright ? " upright" : ""}`,
    ["true \\ called", ...names.map(name), "rows", "right %"], rows);
}

function showConfusion({ found, full, taken }) {
  const counts = found.confusion;
  if (!full || sum(counts.flat()) === 0)
    return null;
  const names = found.class_names, mistakes = mistakesOf(counts);
  return folded("Predicted classes",
    el("p", {}, mistakeText(mistakes, sum(counts.flat()), names)),
    counts.length > MANY_CLASSES
      ? el("div", { class: "list" }, classTable(counts, names, mistakes)) : null,
    counts.length > MOST_CROSSED ? null
      : el("div", { class: counts.length > 2 * MANY_CLASSES ? "screen" : null },
        crossTable(counts, names)),
    remark(`The held-out rows of all trials, by true class and by the class that ${taken.name} `
      + "predicts. Each run holds out each row once. Shading shows fractions of a true class."));
}

// ---- probabilities ----

function calibrationText(bins) {
  const all = (list, value) => sum(list.map(bin => bin.rows * value(bin))), one = () => 1;
  const text = (list, words) => list.length === 0 ? ""
    : `Of the ${several(all(list, one), "row")} given ${words}, ${
      percent(all(list, bin => bin.right) / all(list, one), 0)} were right. `;
  const high = Math.round(100 * all(bins, bin => bin.predicted - bin.right) / all(bins, one));
  return text(bins.filter(bin => bin.predicted >= 0.9), "90 % or more")
    + text(bins.filter(bin => bin.predicted < 0.9), "less")
    + `Probabilities are ${high === 0 ? "neither too high nor too low"
      : `${several(Math.abs(high), "point")} too ${high > 0 ? "high" : "low"}`} on average.`;
}

// Half the width of an interval that holds the truth in 90 of 100 cases.
function halfWidth({ right, rows }) {
  return 1.645 * Math.sqrt(Math.max(right * (1 - right), 0.25 / rows) / rows);
}

function calibrationChart(bins) {
  const x = v => 46 + 244 * v, y = v => 254 - 244 * clamp(v, 0, 1);
  const most = Math.max(...bins.map(bin => bin.rows)), marks = [];
  const add = (tag, attributes, ...content) => marks.push(svg(tag, attributes, ...content));
  const label = (text, at) => add("text", { "text-anchor": "middle", ...at }, text);
  for (const v of [0, 0.5, 1]) {
    add("path", { d: `M${x(0)} ${y(v)}H${x(1)}M${x(v)} ${y(0)}V${y(1)}`, class: "rule" });
    label(`${100 * v}`, { x: 40, y: y(v) + 5, "text-anchor": "end" });
    label(`${100 * v}`, { x: x(v), y: 272 });
  }
  add("path", { d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, class: "chance" });
  add("polyline", { points: bins.map(bin => [x(bin.predicted), y(bin.right)]),
    class: "curve own" });
  for (const bin of bins) {
    const cx = x(bin.predicted), r = 3 + 9 * Math.sqrt(bin.rows / most), half = halfWidth(bin);
    add("path", { d: `M${cx} ${y(bin.right - half)}V${y(bin.right + half)}`, class: "spread" });
    add("circle", { cx, cy: y(bin.right), r, class: "dot" },
      svg("title", {}, several(bin.rows, "row")));
  }
  label("probability given, %", { x: x(0.5), y: 292 });
  label("right, %", { transform: "translate(12 132) rotate(-90)" });
  const told = bins.map(bin => `${percent(bin.predicted, 0)}: ${percent(bin.right, 0)}`);
  return svg("svg", { viewBox: "0 0 304 300", class: "chart small", role: "img",
    "aria-label": `percent right by probability: ${told.join(", ")}` }, ...marks);
}

function showCalibration({ found }) {
  const bins = (found.calibration ?? []).filter(bin => bin.rows);
  const cell = text => el("td", { class: "number" }, text);
  if (bins.length === 0)
    return null;
  return folded("Probabilities of the classes",
    el("div", { class: "abreast" }, calibrationChart(bins), el("div", {},
      el("p", {}, calibrationText(bins)),
      table("probabilities of the classes", "", ["probability %", "right %", "rows"],
        bins.map(bin =>
          [hundred(bin.predicted, 0), hundred(bin.right, 0), count(bin.rows)].map(cell))),
      remark("Held-out rows, grouped by the probability of the predicted class. Correct "
        + "probabilities lie on the dashed line. Larger dots are more rows; a vertical line holds "
        + "the truth in 90 of 100 cases."))));
}

// ---- trials ----

function showFacts({ found, full, taken }) {
  const held = found.inductive ? "left out of the fits" : "stay in the fits without labels";
  const facts = [
    ["Trials", full ? `${found.trials}: ${several(found.runs, "run")} of ${found.folds}${
      found.given_folds ? " given" : ""} folds${found.groups ? " of whole groups" : ""}, seed ${
      found.seed}; ${count(found.held_out)} rows are held out and ${held}`
      : found.folds ? `${several(found.runs, "run")} of ${several(found.folds, "fold")}` : null],
    ["Candidates", full ? `${found.compared}, ${found.tuned} of them tuned${
      found.inner_folds ? ` in ${found.inner_folds} folds` : " (too few labels)"}; effort ${
      found.effort}, ${fixed(found.seconds, found.seconds < 10 ? 1 : 0)} s` : null],
    ["Guessing", isNumber(found.p_value)
      ? `permuted labels do as well with p = ${fixed(found.p_value, 3)}` : null],
    ["Set aside", isNumber(taken?.aside) ? `${taken.name} classifies ${
      percent(taken.aside)} of the rows whose labels the trials did not keep correctly` : null],
    ["Made by", found.penumbra ? `penumbra ${found.penumbra}` : null]
  ];
  const told = facts.filter(([, text]) => text);
  return told.length === 0 ? null : folded("Trials", el("dl", {},
    ...told.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
}

// ---- the page ----

// Opens all parts for printing and closes them again afterwards.
function openForPrint(place) {
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...place.querySelectorAll("details:not([open])")];
    closed.forEach(part => part.open = true);
  });
  addEventListener("afterprint", () => closed.forEach(part => part.open = false));
}

// Marks boxes that are narrower than their tables.
function watchWide(place) {
  const seen = new ResizeObserver(boxes => boxes.forEach(({ target }) =>
    target.classList.toggle("cut", target.scrollWidth > target.clientWidth + 1)));
  place.querySelectorAll(".wide").forEach(box => seen.observe(box));
}

export function showReport(place, found) {
  const report = readFound(found), picture = pictureOf(report);
  document.body.classList.add("report");
  document.title = `Methods compared${found.source ? ` on ${found.source}` : ""}`;
  place.append(el("h1", {}, document.title), remark(dataText(found)), ...warningsOf(report),
    el("div", { class: found.picture ? "first" : "first single" },
      el("div", { class: "say" }, ...leadOf(report), scoresOf(report), nextOf(found)), picture,
      bestOf(report)),
    ...[showAll, showUnscored, showCurves, showConfusion, showCalibration, showFacts]
      .map(show => show(report)).filter(Boolean));
  openForPrint(place);
  watchWide(place);
}
