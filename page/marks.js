// marks.js - the colors and shapes of all pictures of the command and of the Python package.

// Any two colors differ from each other and from light and dark paper, for normal, red-blind and
// green-blind eyes.
export const COLORS = [
  "#076F9E", "#CC8805", "#17734F", "#C46EE1", "#3F1BBD", "#90C6EA", "#9E3A01", "#C2D61B", "#2F515C",
  "#F3A893"
];

export const NO_CLASS = 65535;
const GRAY = "#9A9A9A";

// Outlines: the number of sides (0: a circle); the angle of a corner in degrees; the distance of a
// side from the center, relative to the radius of the circle; 1 if the same shape upside down is
// added; lines across (1: upright, 2: diagonal).
export const SHAPES = [
  [0, 0, 1, 0, 0], [4, 45, 0.9, 0, 0], [3, 90, 0.67, 0, 0], [4, 0, 0.95, 0, 0],
  [3, -90, 0.67, 0, 0], [5, 90, 1, 0, 0], [3, 90, 0.67, 1, 0], [4, 0, 0.95, 0, 1],
  [0, 0, 1, 0, 1], [4, 45, 0.9, 0, 2]
];

// The number of classes with distinct marks.
export const DISTINCT = COLORS.length * SHAPES.length;

export function color(c) {
  return c === NO_CLASS ? GRAY : COLORS[c % COLORS.length];
}

export function shape(c) {
  return SHAPES[c === NO_CLASS ? 0 : (c + Math.floor(c / COLORS.length)) % SHAPES.length];
}

// "#076F9E" as three numbers in [0, 1].
export function parts(paint) {
  return [1, 3, 5].map(i => parseInt(paint.slice(i, i + 2), 16) / 255);
}

// A color that is visible on `paint`: dark on light, light on dark.
export function ink(paint) {
  const [r, g, b] = parts(paint);
  return 3 * r + 6 * g + b > 5 ? "#202020" : "#FFFFFF";
}

// The corners of an outline of radius r; [] for a circle.
function corners([sides, angle, inner, twice], r) {
  const outer = r * inner / Math.cos(Math.PI / sides), many = twice ? 4 * sides : sides;
  return Array.from({ length: many }, (_, i) => {
    const at = angle * Math.PI / 180 + 2 * Math.PI * i / many;
    const far = twice && i % 2 ? outer / Math.sqrt(3) : outer;
    return [far * Math.cos(at), -far * Math.sin(at)];
  });
}

function across([, , inner, , lines], r) {
  const far = inner * r, slant = far * (lines === 2 ? 0.95 : 1);
  return lines === 0 ? [] : lines === 1 ? [[-far, 0, far, 0], [0, -far, 0, far]]
    : [[-slant, -slant, slant, slant], [slant, -slant, -slant, slant]];
}

// The path of a mark at x, y: its outline; the lines across it.
export function outline(kind, x, y, r) {
  const at = v => v.toFixed(2);
  if (!kind[0])
    return `M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return `M${corners(kind, r).map(([a, b]) => `${at(x + a)} ${at(y + b)}`).join("L")}z`;
}

export function crossing(kind, x, y, r) {
  return across(kind, r).map(([a, b, c, d]) => `M${x + a} ${y + b}L${x + c} ${y + d}`).join("");
}
