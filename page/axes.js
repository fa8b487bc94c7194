// axes.js - colors of the page in a picture; ticks and names of axes.
import { shorten, svg } from "./base.js";

export const LIGHT = { ink: "#1b1f24", soft: "#59626d", line: "#e3e7eb", paper: "#ffffff",
  edge: "#202020" };
const DARK = { ink: "#e8eaed", soft: "#a4adb8", line: "#2b323a", paper: "#14171b",
  edge: "#f0f0f0" };
export const dark = matchMedia("(prefers-color-scheme: dark)");
export const themeNow = () => dark.matches ? DARK : LIGHT;

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

// ---- axes ----

// The parts of an SVG that are the axes, in pixels of the panel.
export function axesOf(panel, frame, view, theme) {
  const label = (text, names) =>
    svg("text", { fill: theme.soft, "font-size": 12, ...names }, text);
  const bottom = frame.y + frame.height, right = frame.x + frame.width, found = [];
  const title = panel.picture.title;
  if (title)
    found.push(label(shorten(title, Math.floor(frame.width / 7)),
      { x: frame.x, y: 18, "font-size": 14, fill: theme.ink }));
  if (panel.dims === 3)
    return [...found, ...edgesOf(panel, frame, view, theme)];
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

// Of three dimensions: the edges of the box that meet in its lowest corner.
function edgesOf(panel, frame, view, theme) {
  const half = panel.low.map((low, j) => (panel.high[j] - low) / 2);
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
            "font-size": 12, fill: theme.ink, class: "axis" }, shorten(panel.picture.axes[j], 40)));
      }
  return found;
}
