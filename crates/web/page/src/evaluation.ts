// How the two sides stand: a bar beside the board, and the graph of the whole game, which is also a way through it.

import { h, replace, s } from "./dom";
import type { Explained, Side } from "./types";

/** How the first player stands in the position a decision was made in: 0 lost, 1 won. */
export function firstStands(explained: Explained, mover: Side): number | null {
  const best = explained.moves.find((move) => move.mv === explained.mv)?.standing ?? explained.opinion?.standing;
  if (best === null || best === undefined) return null;
  return mover === "First" ? best : 1 - best;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** The bar: the lower part is the one who sits below. */
export class EvalBar {
  private readonly fill = h("span", { class: "eval-fill" });
  private readonly text = h("span", { class: "eval-text" });
  readonly el = h("div", { class: "eval-bar", role: "img", "aria-label": "Evaluation: not judged yet" }, this.fill, this.text);

  show(first: number | null, flip: boolean, exact = false): void {
    this.el.classList.toggle("unknown", first === null);
    this.el.classList.toggle("flipped", flip);
    const share = first ?? 0.5;
    this.fill.style.height = `${100 * share}%`;
    this.text.textContent = first === null ? "?" : exact ? (share > 0.5 ? "1" : share < 0.5 ? "0" : "½") : String(Math.round(100 * (flip ? 1 - share : share)));
    const told = first === null ? "not judged yet" : `first player ${percent(share)}, second player ${percent(1 - share)}`;
    this.el.setAttribute("aria-label", `Evaluation: ${told}`);
    this.el.title = first === null ? "How the sides stand: not judged yet" : `How the sides stand: ${told}`;
  }
}

export type Mark = "inaccuracy" | "mistake" | "blunder";
export const MARK_SIGNS: Record<Mark, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

const WIDTH = 400;
const HEIGHT = 110;
const PAD = 6;

/** The graph: one point a position, the first player at the top. A click goes there. */
export function gameGraph(values: (number | null)[], at: number, marks: Map<number, Mark>, go: (ply: number) => void): HTMLElement | null {
  const known = values.flatMap((value, ply) => (value === null ? [] : [{ ply, value }]));
  if (known.length < 2) return null;
  const last = Math.max(values.length - 1, 1);
  const x = (ply: number): number => PAD + ((WIDTH - 2 * PAD) * ply) / last;
  const y = (value: number): number => PAD + (HEIGHT - 2 * PAD) * (1 - value);
  const points = known.map(({ ply, value }) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
  const [from, to] = [x(known[0]!.ply).toFixed(1), x(known.at(-1)!.ply).toFixed(1)];
  const dots = known.filter(({ ply }) => marks.has(ply - 1)).map(({ ply, value }) => s("circle", { class: `graph-mark ${marks.get(ply - 1)}`, cx: x(ply), cy: y(value), r: 4.5 }, s("title", {}, `move ${ply}: ${marks.get(ply - 1)}`)));
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `How the sides stood, move by move: ${known.length} positions judged`, preserveAspectRatio: "none" },
    s("rect", { class: "graph-back", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 8 }),
    s("path", { class: "graph-area", d: `M${from} ${y(0)}L${points.join("L")}L${to} ${y(0)}z` }),
    s("line", { class: "graph-even", x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5) }),
    s("path", { class: "graph-line", d: `M${points.join("L")}` }),
    s("line", { class: "graph-now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }),
    ...dots,
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round((((event.clientX - box.left) / box.width) * WIDTH - PAD) / ((WIDTH - 2 * PAD) / last)));
  });
  return h("figure", { class: "game-graph" }, picture, h("figcaption", { class: "muted small" }, "How the sides stood: up is good for the first player. Click to go there."));
}

/** Puts the graph in its place, or takes it away. */
export function drawGraph(place: HTMLElement, graph: HTMLElement | null): void {
  place.hidden = graph === null;
  replace(place, graph);
}
