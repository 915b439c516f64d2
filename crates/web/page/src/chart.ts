// A line chart: one measure over steps, with axes that say what they count, an interval where one is known, and a readout under the pointer.

import { h, number, replace, s } from "./dom";

export interface Line {
  name: string;
  points: [number, number][];
  /** Half of the interval of each point. */
  spread?: number[];
}

const WIDTH = 720;
const HEIGHT = 320;
const PAD = { left: 64, right: 30, top: 16, bottom: 54 };

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

/** Short enough for an axis: 1,500,000 is 1.5 M. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${number(value / 1e6)} M`;
  if (size >= 10_000) return `${number(value / 1000)} k`;
  return number(value).replace("-", "−");
}

/** A share of all is drawn from 0 to 100 %; what is called a share or a part is one, whatever else lies between 0 and 1 is a number. */
const isShare = (name: string): boolean => /wins|share|perfect moves|chance/.test(name);

export function chart(line: Line, end: number, label: string, unit = "steps"): HTMLElement {
  const share = isShare(line.name) && line.points.every(([, y]) => y >= 0 && y <= 1);
  const reach = (index: number): number => line.spread?.[index] ?? 0;
  const lows = line.points.map(([, y], index) => y - reach(index));
  const highs = line.points.map(([, y], index) => y + reach(index));
  const low = share ? 0 : Math.min(...lows);
  const high = share ? 1 : Math.max(...highs, low + 1e-9);
  const margin = share ? 0 : (high - low) * 0.06;
  const right = Math.max(end, line.points.at(-1)?.[0] ?? 1, 1);
  const x = (step: number): number => PAD.left + ((WIDTH - PAD.left - PAD.right) * step) / right;
  const y = (value: number): number =>
    HEIGHT - PAD.bottom - ((HEIGHT - PAD.top - PAD.bottom) * (value - low + margin)) / (high - low + 2 * margin || 1);
  const place = (step: number, value: number): string => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`;
  const path = line.points.map(([step, value], index) => `${index === 0 ? "M" : "L"}${place(step, value)}`);
  const format = (value: number): string => (share ? `${Math.round(value * 100)} %` : short(value));
  const last = line.points.length - 1;
  const marker = s("circle", { class: "marker", r: 5, visibility: last >= 0 ? "visible" : "hidden" });
  const readout = h("output", { class: "readout" });
  const tell = (index: number): void => {
    const point = line.points[index];
    if (!point) return;
    marker.setAttribute("cx", String(x(point[0])));
    marker.setAttribute("cy", String(y(point[1])));
    const spread = line.spread ? ` ± ${format(reach(index))}` : "";
    replace(readout, h("b", {}, format(point[1])), `${spread} after ${number(point[0])} ${unit}`);
  };
  tell(last);
  const band = line.spread && line.points.length > 1 ? [...line.points.map(([step], index) => place(step, highs[index]!)), ...line.points.map(([step], index) => place(step, lows[index]!)).reverse()] : [];
  const told = last >= 0 ? `${format(line.points[last]![1])} after ${number(line.points[last]![0])} ${unit}` : "no value yet";
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${label}: ${told}` },
    s("g", { class: "grid" }, ...ticks(low, high).map((value) => s("line", { x1: PAD.left, x2: WIDTH - PAD.right, y1: y(value), y2: y(value) }))),
    s("g", { class: "axis" }, ...ticks(low, high).map((value) => s("text", { x: PAD.left - 10, y: y(value) + 5, "text-anchor": "end" }, format(value)))),
    s("g", { class: "axis" }, ...ticks(0, right, 6).map((step) => s("text", { x: x(step), y: HEIGHT - PAD.bottom + 22, "text-anchor": "middle" }, short(step)))),
    s("text", { class: "axis-name", x: (PAD.left + WIDTH - PAD.right) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, unit),
    band.length > 0 ? s("path", { class: "band", d: `M${band.join("L")}z` }) : null,
    s("path", { class: "curve", d: path.join("") }),
    ...(line.points.length < 40 ? line.points.map(([step, value]) => s("circle", { class: "point-dot", cx: x(step), cy: y(value), r: 3 })) : []),
    marker,
  );
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    const far = (index: number): number => Math.abs(x(line.points[index]![0]) - at);
    tell(line.points.reduce((best, _, index) => (far(index) < far(best) ? index : best), 0));
  });
  picture.addEventListener("pointerleave", () => tell(last));
  return h("figure", { class: "chart" }, h("figcaption", {}, h("span", {}, label), readout), picture);
}
