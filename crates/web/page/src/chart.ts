// A line chart: one measure over steps, with a readout under the pointer.

import { h, number, replace, s } from "./dom";

export interface Line {
  name: string;
  points: [number, number][];
}

const WIDTH = 720;
const HEIGHT = 300;
const PAD = { left: 56, right: 30, top: 16, bottom: 34 };

/** Round numbers that cover a range. */
function ticks(low: number, high: number, count = 5): number[] {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => span / size <= count) ?? rough;
  const first = Math.ceil(low / step - 1e-9) * step;
  const found: number[] = [];
  for (let value = first; value <= high + step * 1e-9; value += step) found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return found;
}

export function chart(line: Line, end: number, label: string, unit = "steps"): HTMLElement {
  const share = line.points.every(([, y]) => y >= 0 && y <= 1);
  const ys = line.points.map(([, y]) => y);
  const low = share ? 0 : Math.min(...ys);
  const high = share ? 1 : Math.max(...ys, low + 1e-9);
  const margin = share ? 0 : (high - low) * 0.06;
  const right = Math.max(end, line.points.at(-1)?.[0] ?? 1, 1);
  const x = (step: number): number => PAD.left + ((WIDTH - PAD.left - PAD.right) * step) / right;
  const y = (value: number): number =>
    HEIGHT - PAD.bottom - ((HEIGHT - PAD.top - PAD.bottom) * (value - low + margin)) / (high - low + 2 * margin || 1);
  const path = line.points.map(([step, value], index) => `${index === 0 ? "M" : "L"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`);
  const format = (value: number): string => (share ? `${Math.round(value * 100)} %` : number(value));
  const last = line.points.at(-1);
  const marker = s("circle", { class: "marker", r: 5, visibility: last ? "visible" : "hidden" });
  const readout = h("output", { class: "readout" });
  const tell = (point: [number, number] | undefined): void => {
    if (!point) return;
    marker.setAttribute("cx", String(x(point[0])));
    marker.setAttribute("cy", String(y(point[1])));
    replace(readout, h("b", {}, format(point[1])), ` after ${number(point[0])} ${unit}`);
  };
  tell(last);
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${label}: ${last ? format(last[1]) : "no value yet"}` },
    s("g", { class: "grid" }, ...ticks(low, high).map((value) => s("line", { x1: PAD.left, x2: WIDTH - PAD.right, y1: y(value), y2: y(value) }))),
    s("g", { class: "axis" }, ...ticks(low, high).map((value) => s("text", { x: PAD.left - 10, y: y(value) + 5, "text-anchor": "end" }, format(value)))),
    s("g", { class: "axis" }, ...ticks(0, right, 6).map((step) => s("text", { x: x(step), y: HEIGHT - 10, "text-anchor": "middle" }, number(step)))),
    s("path", { class: "curve", d: path.join("") }),
    marker,
  );
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    tell(line.points.reduce((best, point) => (Math.abs(x(point[0]) - at) < Math.abs(x(best[0]) - at) ? point : best), line.points[0]!));
  });
  picture.addEventListener("pointerleave", () => tell(last));
  return h("figure", { class: "chart" }, h("figcaption", {}, h("span", {}, label), readout), picture);
}
