// axes.js - theme colors of a picture; ticks and names of axes.
import { shorten, svg } from "./base.js";

export const LIGHT = { ink: "#1b1f24", soft: "#59626d", line: "#e3e7eb", paper: "#ffffff",
  edge: "#202020" };
const DARK = { ink: "#e8eaed", soft: "#a4adb8", line: "#2b323a", paper: "#14171b",
  edge: "#f0f0f0" };
export const dark = matchMedia("(prefers-color-scheme: dark)");
export const themeNow = () => dark.matches ? DARK : LIGHT;

// ---- numbers on axes ----

// A step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts.
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

// ---- axes ----

// The SVG elements of the axes, in pixels of the panel.
export function axesOf(panel, frame, view, theme) {
  const label = (text, names) =>
    svg("text", { fill: theme.soft, "font-size": 12, ...names }, text);
  const bottom = frame.y + frame.height, right = frame.x + frame.width, found = [];
  const title = panel.picture.title;
  if (title)
    found.push(label(shorten(title, Math.floor(frame.width / 7)),
      { x: frame.x, y: 18, "font-size": 14, fill: theme.ink }));
  if (panel.dims === 3)
    return [...found, ...edgesOf(panel, frame, view).map(({ from, end, own }) =>
      svg("line", { x1: from[0], y1: from[1], x2: end[0], y2: end[1],
        stroke: own === null ? theme.line : theme.soft }))];
  for (const [value, text] of ticks(panel.range(0, frame, view), frame.width / 90)) {
    const x = frame.x + view.across[0] * (value - panel.middle[0]) + view.shift[0];
    found.push(svg("line", { x1: x, x2: x, y1: frame.y, y2: bottom, stroke: theme.line }),
      label(text, { x, y: bottom + 16, "text-anchor": "middle" }));
  }
  for (const [value, text] of ticks(panel.range(1, frame, view), frame.height / 60)) {
    const y = frame.y + view.up[1] * (value - panel.middle[1]) + view.shift[1];
    found.push(svg("line", { x1: frame.x, x2: right, y1: y, y2: y, stroke: theme.line }),
      label(text, { x: frame.x - 6, y: y + 4, "text-anchor": "end" }));
  }
  found.push(svg("path", { d: `M${frame.x} ${frame.y}V${bottom}H${right}`, fill: "none",
    stroke: theme.soft }));
  const middle = frame.y + frame.height / 2, [across, up] = panel.picture.axes;
  const names = { fill: theme.ink, "text-anchor": "middle", class: "axis" };
  found.push(label(shorten(across, Math.floor(frame.width / 7)),
    { x: frame.x + frame.width / 2, y: bottom + 36, ...names }),
    label(shorten(up, Math.floor(frame.height / 7)),
      { transform: `translate(14 ${middle}) rotate(-90)`, ...names }));
  return found;
}

// The twelve edges of the box in three dimensions, with both ends in pixels. The three edges that
// meet in the lowest corner also name their dimension.
function edgesOf(panel, frame, view) {
  const half = panel.low.map((low, j) => (panel.high[j] - low) / 2);
  const to = corner => [0, 1].map(side => (side ? frame.y : frame.x) + view.shift[side]
    + corner.reduce((sum, v, j) => sum + v * half[j] * (side ? view.up : view.across)[j], 0));
  return [0, 1, 2].flatMap(j => [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([a, b]) => {
    const [from, end] = [-1, 1].map(v => {
      const corner = [v, v, v];
      corner[(j + 1) % 3] = a;
      corner[(j + 2) % 3] = b;
      return to(corner);
    });
    return { from, end, own: a < 0 && b < 0 ? j : null };
  }));
}

// Names and limits of the axes in three dimensions, drawn above the points.
export function cornersOf(panel, frame, view, theme) {
  const text = (words, [x, y], names) => svg("text", { x, y: y + 14, "font-size": 12,
    fill: theme.soft, stroke: theme.paper, "stroke-width": 3, "paint-order": "stroke",
    "text-anchor": "middle", ...names }, words);
  return edgesOf(panel, frame, view).filter(edge => edge.own !== null)
    .flatMap(({ from, end, own: j }) => {
      const at = share => [0, 1].map(side => from[side] + share * (end[side] - from[side]));
      const step = stepOf(panel.high[j] - panel.low[j], 100);
      return [text(shorten(panel.picture.axes[j], 40), at(0.6), { fill: theme.ink, class: "axis" }),
        text(tickText(panel.low[j], step), at(0.05), {}),
        text(tickText(panel.high[j], step), at(1), {})];
    });
}
