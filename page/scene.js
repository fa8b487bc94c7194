// scene.js - draws points with WebGL2, or on a 2D canvas if WebGL2 is not available.
import { COLORS, NO_CLASS, SHAPES, color, crossing, ink, outline, parts, shape } from "./marks.js";

// A code holds the class of a point, its opacity, and whether it is pale, hidden or filled.
export const PALE = 1 << 16, HIDDEN = 1 << 17, FILLED = 1 << 18, OPACITY = 24;
const PALENESS = 0.06;

const PAINTS = [...COLORS, color(NO_CLASS)].map(paint => parts(paint).map(v => 255 * v));

// Widths in pixels: the line of a hollow mark; the outline and the halo of a filled mark.
export const LINE = 1.3, OUTLINE = 0.9;
const HALO = 1.6;

const VERTEX = `#version 300 es
uniform vec3 across, up;
uniform vec2 shift, size;
uniform float radius, larger, ratio, faint;
uniform int only;
uniform bool specks;
uniform vec3 colors[${COLORS.length + 1}];
in vec3 place;
in uint code;
flat out vec4 paint;
flat out int kind;
flat out float r, extent;
void main() {
  int c = int(code & 0xFFFFu);
  bool none = c == ${NO_CLASS}, filled = (code & ${FILLED}u) != 0u;
  vec2 at = vec2(dot(across, place), dot(up, place)) + shift;
  gl_Position = (code & ${HIDDEN}u) != 0u ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4(2.0 * at.x / size.x - 1.0, 1.0 - 2.0 * at.y / size.y, 0.0, 1.0);
  float alpha = float(code >> ${OPACITY}u) / 255.0 * (specks ? faint : 1.0);
  alpha *= (code & ${PALE}u) != 0u || only >= 0 && c != only ? ${PALENESS} : 1.0;
  paint = vec4(colors[none ? ${COLORS.length} : c % ${COLORS.length}], alpha);
  kind = (none ? 0 : (c + c / ${COLORS.length}) % ${SHAPES.length}) + (filled ? 100 : 0);
  r = ratio * radius * (filled ? larger : 1.0);
  extent = specks ? r + 0.5 : 1.4 * r + ratio * (filled ? ${OUTLINE + HALO} : ${LINE}) + 1.0;
  gl_PointSize = 2.0 * extent;
}`;

const SPECK = `#version 300 es
precision mediump float;
flat in vec4 paint;
flat in float r, extent;
out vec4 drawn;
void main() {
  float alpha = paint.a
    * clamp(r + 0.5 - extent * length(2.0 * gl_PointCoord - 1.0), 0.0, 1.0);
  drawn = vec4(paint.rgb * alpha, alpha);
}`;

const MARK = `#version 300 es
precision highp float;
uniform vec3 paper, edge;
uniform float ratio;
uniform bool haloed;
uniform vec4 shapes[${SHAPES.length}];
uniform float lines[${SHAPES.length}];
flat in vec4 paint;
flat in int kind;
flat in float r, extent;
out vec4 drawn;

float side(vec2 p, float sides, float angle) {
  float a = atan(p.y, p.x) - angle, sector = 6.2831853 / sides;
  return cos(a - sector * (floor(a / sector) + 0.5)) * length(p);
}

// The distance from the outline in pixels, negative inside.
float outside(vec2 p, vec4 s) {
  if (s.x == 0.0) return length(p) - r;
  float d = side(p, s.x, s.y);
  if (s.w > 0.0) d = min(d, side(vec2(p.x, -p.y), s.x, s.y));
  return d - s.z * r;
}

float cover(float d) { return clamp(0.5 - d, 0.0, 1.0); }

void main() {
  vec2 p = (2.0 * gl_PointCoord - 1.0) * extent;
  p.y = -p.y;
  int which = kind % 100;
  float d = outside(p, shapes[which]), line = ${LINE.toFixed(1)} * ratio;
  float crossing = lines[which] == 0.0 ? 0.0
    : cover((lines[which] == 1.0 ? min(abs(p.x), abs(p.y))
      : 0.7071 * min(abs(p.x - p.y), abs(p.x + p.y))) - 0.5 * line) * cover(d);
  if (kind < 100) {
    float alpha = paint.a * max(cover(abs(d) - 0.5 * line), crossing);
    drawn = vec4(paint.rgb * alpha, alpha);
    return;
  }
  float outline = ${OUTLINE.toFixed(1)} * ratio;
  float halo = haloed ? cover(d - outline - ${HALO.toFixed(1)} * ratio) : 0.0;
  float light = dot(paint.rgb, vec3(0.3, 0.6, 0.1));
  vec3 inside = mix(paint.rgb, light > 0.5 ? vec3(0.125) : vec3(1.0), crossing);
  float rim = cover(d - outline), body = cover(d);
  vec3 mark = mix(mix(paper, edge, rim), inside, body);
  float alpha = paint.a * max(halo, rim);
  drawn = vec4(mark * alpha, alpha);
}`;

function compile(gl, type, source) {
  const part = gl.createShader(type);
  gl.shaderSource(part, source);
  gl.compileShader(part);
  return part;
}

function link(gl, fragment) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragment));
  gl.bindAttribLocation(program, 0, "place");
  gl.bindAttribLocation(program, 1, "code");
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    return null;
  const at = name => gl.getUniformLocation(program, name);
  gl.useProgram(program);
  gl.uniform3fv(at("colors"), [...COLORS, color(NO_CLASS)].flatMap(parts));
  gl.uniform4fv(at("shapes"),
    SHAPES.flatMap(([n, angle, inner, twice]) => [n, angle * Math.PI / 180, inner, twice]));
  gl.uniform1fv(at("lines"), SHAPES.map(s => s[4]));
  return program;
}

// Whether the processor emulates WebGL, which is slower than a 2D canvas.
function isSoftware(gl) {
  const told = gl.getParameter(gl.RENDERER), masked = told.startsWith("WebKit");
  const more = masked && gl.getExtension("WEBGL_debug_renderer_info");
  const name = more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : told;
  return /swiftshader|llvmpipe|software|softpipe|basic render/i.test(name);
}

// A cloud holds points [n x 3] and their codes [n] in the order of drawing, with `filled` points
// last. One context draws for all panels, because a browser limits the number of contexts.
class WebGL {
  constructor() {
    this.canvas = document.createElement("canvas");
    const gl = this.gl =
      this.canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false });
    if (!gl || isSoftware(gl) && location.hash !== "#webgl") // used by tests
      return;
    this.specks = link(gl, SPECK);
    this.marks = link(gl, MARK);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  usable() {
    return Boolean(this.specks && this.marks) && !this.gl.isContextLost();
  }

  add(points, codes, filled) {
    const gl = this.gl, count = codes.length, array = gl.createVertexArray();
    const cloud = { count, hollow: count - filled, array, points: null,
      places: gl.createBuffer(), codes: gl.createBuffer() };
    this.change(cloud, codes, points);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, cloud.places);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, cloud.codes);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 0, 0);
    return cloud;
  }

  // Replaces the codes, and the points if they or their order changed.
  change(cloud, codes, points) {
    const gl = this.gl, fill = (buffer, values) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    };
    if (points !== cloud.points)
      fill(cloud.places, points);
    fill(cloud.codes, codes);
    cloud.points = points;
  }

  draw(cloud, context, view) {
    const gl = this.gl, { width, height } = context.canvas, specks = speckCount(cloud, view);
    this.canvas.width = Math.max(this.canvas.width, width);
    this.canvas.height = Math.max(this.canvas.height, height);
    gl.viewport(0, this.canvas.height - height, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindVertexArray(cloud.array);
    this.part(this.specks, view, 0, specks, [width, height]);
    this.part(this.marks, view, specks, cloud.count - specks, [width, height]);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.canvas, 0, 0, width, height, 0, 0, width, height);
  }

  part(program, view, first, count, size) {
    const gl = this.gl, k = view.ratio, set = (type, name, ...values) =>
      gl[`uniform${type}`](gl.getUniformLocation(program, name), ...values);
    if (!count)
      return;
    gl.useProgram(program);
    set("3fv", "across", view.across.map(v => v * k));
    set("3fv", "up", view.up.map(v => v * k));
    set("2fv", "shift", view.shift.map(v => v * k));
    set("2fv", "size", size);
    for (const name of ["ratio", "radius", "larger", "faint"])
      set("1f", name, view[name]);
    set("1i", "only", view.only);
    set("1i", "specks", program === this.specks);
    set("1i", "haloed", view.haloed);
    set("3fv", "paper", parts(view.paper));
    set("3fv", "edge", parts(view.edge));
    gl.drawArrays(gl.POINTS, first, count);
  }
}

// The number of points, from the first, that are drawn as specks.
function speckCount(cloud, view) {
  return !view.dots ? 0 : view.larger > 1 ? cloud.hollow : cloud.count;
}

// The same on a 2D canvas: specks pixel by pixel, marks as images that are rendered once.
class Canvas {
  constructor() {
    this.looks = ""; // properties of the rendered marks
    this.marks = new Map();
    this.sums = new Float32Array(0);
  }

  usable() {
    return true;
  }

  add(points, codes, filled) {
    return { points, codes, count: codes.length, hollow: codes.length - filled };
  }

  change(cloud, codes, points) {
    Object.assign(cloud, { codes, points });
  }

  draw(cloud, context, view) {
    const { width, height } = context.canvas, specks = speckCount(cloud, view);
    context.clearRect(0, 0, width, height);
    if (specks)
      this.drawSpecks(cloud, context, view, specks);
    const looks = [view.radius, view.larger, view.ratio, view.haloed, view.paper].join();
    if (looks !== this.looks)
      this.marks.clear();
    this.looks = looks;
    this.each(cloud, view, specks, cloud.count, (code, x, y) => {
      const kind = code & (0xFFFF | FILLED);
      if (!this.marks.has(kind))
        this.marks.set(kind, markImage(kind, view));
      const image = this.marks.get(kind), half = image.width / 2;
      context.globalAlpha = strength(code, view);
      context.drawImage(image, Math.round(x - half), Math.round(y - half)); // sharp
    });
    context.globalAlpha = 1;
  }

  // Sums hold colors multiplied by opacity; the image needs them divided by it.
  drawSpecks(cloud, context, view, count) {
    const image = context.createImageData(context.canvas.width, context.canvas.height);
    const { data, width, height } = image;
    this.sums =
      this.sums.length === data.length ? this.sums.fill(0) : new Float32Array(data.length);
    const sums = this.sums, radius = view.radius * view.ratio;
    this.each(cloud, view, 0, count, (code, x, y) => {
      const c = code & 0xFFFF, paint = PAINTS[c === NO_CLASS ? COLORS.length : c % COLORS.length];
      speck(sums, width, height, x, y, code & FILLED ? radius * view.larger : radius, paint,
        strength(code, view) * view.faint);
    });
    for (let at = 0; at < data.length; at += 4) {
      const all = sums[at + 3];
      if (all > 0) {
        data[at] = sums[at] / all;
        data[at + 1] = sums[at + 1] / all;
        data[at + 2] = sums[at + 2] / all;
        data[at + 3] = 255 * all;
      }
    }
    context.putImageData(image, 0, 0);
  }

  // Calls action for each shown point from `from` to `to` - 1, with its place in canvas pixels.
  each(cloud, view, from, to, action) {
    const p = cloud.points, k = view.ratio, [a, b, c] = view.across.map(v => v * k);
    const [d, e, f] = view.up.map(v => v * k), [x0, y0] = view.shift.map(v => v * k);
    for (let i = from, j = 3 * from; i < to; i++, j += 3)
      if (!(cloud.codes[i] & HIDDEN))
        action(cloud.codes[i], a * p[j] + b * p[j + 1] + c * p[j + 2] + x0,
          d * p[j] + e * p[j + 1] + f * p[j + 2] + y0);
  }
}

function strength(code, view) {
  const pale = code & PALE || view.only >= 0 && (code & 0xFFFF) !== view.only;
  return (code >>> OPACITY) / 255 * (pale ? PALENESS : 1);
}

// Blends a disk over the sums.
function speck(sums, width, height, x, y, r, paint, strong) {
  const right = Math.min(width - 1, Math.floor(x + r)), inner = Math.max(0, r - 0.5) ** 2;
  const low = Math.min(height - 1, Math.floor(y + r)), outer = (r + 0.5) ** 2;
  for (let v = Math.max(0, Math.floor(y - r)); v <= low; v++)
    for (let u = Math.max(0, Math.floor(x - r)); u <= right; u++) {
      const far = (u + 0.5 - x) ** 2 + (v + 0.5 - y) ** 2;
      if (far >= outer)
        continue;
      const alpha = far <= inner ? strong : strong * (r + 0.5 - Math.sqrt(far));
      const at = 4 * (v * width + u), below = 1 - alpha;
      sums[at] = paint[0] * alpha + sums[at] * below;
      sums[at + 1] = paint[1] * alpha + sums[at + 1] * below;
      sums[at + 2] = paint[2] * alpha + sums[at + 2] * below;
      sums[at + 3] = alpha + sums[at + 3] * below;
    }
}

function markImage(kind, view) {
  const c = kind & 0xFFFF, filled = Boolean(kind & FILLED), paint = color(c);
  const r = view.radius * (filled ? view.larger : 1);
  const half = Math.ceil(1.4 * r + OUTLINE + HALO + 1);
  const canvas = document.createElement("canvas"), k = view.ratio;
  canvas.width = canvas.height = 2 * Math.ceil(half * k);
  const context = canvas.getContext("2d"), around = new Path2D(outline(shape(c), 0, 0, r));
  const line = (path, color, width) => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke(path);
  };
  context.setTransform(k, 0, 0, k, canvas.width / 2, canvas.width / 2);
  if (filled && view.haloed)
    line(around, view.paper, 2 * (OUTLINE + HALO));
  if (filled)
    line(around, view.edge, 2 * OUTLINE);
  context.fillStyle = paint;
  filled ? context.fill(around) : line(around, paint, LINE);
  line(new Path2D(crossing(shape(c), 0, 0, r)), filled ? ink(paint) : paint, LINE);
  return canvas;
}

export function newScene() {
  const scene = new WebGL();
  return scene.usable() ? scene : new Canvas();
}
