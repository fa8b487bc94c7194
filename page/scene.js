// scene.js - points drawn by WebGL2, or by a 2D canvas where there is none.
import { COLORS, NO_CLASS, SHAPES, color, crossing, ink, outline, parts, shape } from "./marks.js";

// What a point is, in one number: its class; whether it is pale or hidden; filled; its opacity.
export const PALE = 1 << 16, HIDDEN = 1 << 17, FILLED = 1 << 18, OPACITY = 24;
const PALENESS = 0.06;

// Widths in pixels: of the line of a hollow mark; of the outline and the halo of a filled one.
const LINE = 1.3, OUTLINE = 0.9, HALO = 1.6;

const VERTEX = `#version 300 es
uniform vec3 across, up;
uniform vec2 shift, size;
uniform float radius, larger, ratio, faint;
uniform int only;
uniform bool dots;
uniform vec3 colors[${COLORS.length + 1}];
in vec3 place;
in uint code;
flat out vec4 paint;
flat out int kind;
flat out float r, extent;
void main() {
  int c = int(code & 0xFFFFu);
  bool none = c == ${NO_CLASS}, filled = (code & ${FILLED}u) != 0u;
  if ((code & ${HIDDEN}u) != 0u) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  vec2 at = vec2(dot(across, place), dot(up, place)) + shift;
  gl_Position = vec4(2.0 * at.x / size.x - 1.0, 1.0 - 2.0 * at.y / size.y, 0.0, 1.0);
  float alpha = float(code >> ${OPACITY}u) / 255.0;
  bool speck = dots && (!filled || larger <= 1.0);
  alpha *= speck ? faint : 1.0;
  alpha *= (code & ${PALE}u) != 0u || only >= 0 && c != only ? ${PALENESS} : 1.0;
  paint = vec4(colors[none ? ${COLORS.length} : c % ${COLORS.length}], alpha);
  kind = speck ? -1
    : (none ? 0 : (c + c / ${COLORS.length}) % ${SHAPES.length}) + (filled ? 100 : 0);
  r = ratio * radius * (filled ? max(larger, 1.0) : 1.0);
  extent = speck ? r + 0.5 : 1.4 * r + ratio * (filled ? ${OUTLINE + HALO} : ${LINE}) + 1.0;
  gl_PointSize = 2.0 * extent;
}`;

const FRAGMENT = `#version 300 es
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

// In pixels, negative inside.
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
  if (kind < 0) {
    float alpha = paint.a * cover(length(p) - r);
    drawn = vec4(paint.rgb * alpha, alpha);
    return;
  }
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

function link(gl) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

// Draws for all panels: there may be more of them than a browser has contexts.
class WebGL {
  constructor() {
    this.canvas = document.createElement("canvas");
    const gl = this.gl =
      this.canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false });
    this.program = gl && link(gl);
    if (!this.program)
      return;
    gl.useProgram(this.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniform3fv(this.at("colors"),
      [...COLORS, color(NO_CLASS)].flatMap(paint => parts(paint)));
    gl.uniform4fv(this.at("shapes"),
      SHAPES.flatMap(([n, angle, inner, twice]) => [n, angle * Math.PI / 180, inner, twice]));
    gl.uniform1fv(this.at("lines"), SHAPES.map(s => s[4]));
  }

  at(name) {
    return this.gl.getUniformLocation(this.program, name);
  }

  usable() {
    return Boolean(this.program) && !this.gl.isContextLost();
  }

  // Points [n x 3] and their codes [n], in the order of drawing.
  add(points, codes) {
    const gl = this.gl, cloud = { count: codes.length, array: gl.createVertexArray() };
    gl.bindVertexArray(cloud.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
    const place = gl.getAttribLocation(this.program, "place");
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    cloud.codes = gl.createBuffer();
    this.change(cloud, codes);
    const code = gl.getAttribLocation(this.program, "code");
    gl.enableVertexAttribArray(code);
    gl.vertexAttribIPointer(code, 1, gl.UNSIGNED_INT, 0, 0);
    return cloud;
  }

  change(cloud, codes) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, cloud.codes);
    gl.bufferData(gl.ARRAY_BUFFER, codes, gl.DYNAMIC_DRAW);
  }

  draw(cloud, context, view) {
    const gl = this.gl, { width, height } = context.canvas, k = view.ratio;
    if (this.canvas.width < width || this.canvas.height < height) {
      this.canvas.width = Math.max(this.canvas.width, width);
      this.canvas.height = Math.max(this.canvas.height, height);
    }
    gl.viewport(0, this.canvas.height - height, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform3f(this.at("across"), ...view.across.map(v => v * k));
    gl.uniform3f(this.at("up"), ...view.up.map(v => v * k));
    gl.uniform2f(this.at("shift"), view.shift[0] * k, view.shift[1] * k);
    gl.uniform2f(this.at("size"), width, height);
    gl.uniform1f(this.at("ratio"), k);
    gl.uniform1f(this.at("radius"), view.radius);
    gl.uniform1f(this.at("larger"), view.larger);
    gl.uniform1f(this.at("faint"), view.faint);
    gl.uniform1i(this.at("only"), view.only);
    gl.uniform1i(this.at("dots"), view.dots);
    gl.uniform1i(this.at("haloed"), view.haloed);
    gl.uniform3f(this.at("paper"), ...parts(view.paper));
    gl.uniform3f(this.at("edge"), ...parts(view.edge));
    gl.bindVertexArray(cloud.array);
    gl.drawArrays(gl.POINTS, 0, cloud.count);
    context.clearRect(0, 0, width, height);
    context.drawImage(this.canvas, 0, 0, width, height, 0, 0, width, height);
  }
}

// The same, point after point.
class Canvas {
  usable() {
    return true;
  }

  add(points, codes) {
    return { points, codes, count: codes.length };
  }

  change(cloud, codes) {
    cloud.codes = codes;
  }

  draw(cloud, context, view) {
    const { width, height } = context.canvas, [a, b, c] = view.across, [d, e, f] = view.up;
    const p = cloud.points;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.scale(view.ratio, view.ratio);
    for (let i = 0; i < cloud.count; i++) {
      const code = cloud.codes[i], far = 3 * i;
      const x = a * p[far] + b * p[far + 1] + c * p[far + 2] + view.shift[0];
      const y = d * p[far] + e * p[far + 1] + f * p[far + 2] + view.shift[1];
      if (!(code & HIDDEN) && x > -9 && y > -9 && x < width + 9 && y < height + 9)
        this.mark(context, view, code, x, y);
    }
    context.globalAlpha = 1;
  }

  mark(context, view, code, x, y) {
    const c = code & 0xFFFF, paint = color(c), filled = Boolean(code & FILLED);
    const dot = view.dots && (!filled || view.larger <= 1);
    const pale = code & PALE || view.only >= 0 && c !== view.only;
    const r = view.radius * (filled ? Math.max(view.larger, 1) : 1);
    context.globalAlpha = (code >>> OPACITY) / 255 * (dot ? view.faint : 1) * (pale ? PALENESS : 1);
    context.fillStyle = context.strokeStyle = paint;
    if (dot) {
      context.fillRect(x - r, y - r, 2 * r, 2 * r);
      return;
    }
    const around = new Path2D(outline(shape(c), x, y, r));
    if (filled && view.haloed)
      this.line(context, around, view.paper, 2 * (OUTLINE + HALO));
    if (filled) {
      this.line(context, around, view.edge, 2 * OUTLINE);
      context.fillStyle = paint;
      context.fill(around);
    }
    if (!filled)
      this.line(context, around, paint, LINE);
    this.line(context, new Path2D(crossing(shape(c), x, y, r)), filled ? ink(paint) : paint, LINE);
  }

  line(context, path, paint, width) {
    context.strokeStyle = paint;
    context.lineWidth = width;
    context.stroke(path);
  }
}

export function newScene() {
  const scene = new WebGL();
  return scene.usable() ? scene : new Canvas();
}
