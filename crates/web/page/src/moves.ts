// The moves of a game as a list that leads through it: a click shows the position after the move, with its reasons.

import { duration, h } from "./dom";
import { MARK_SIGNS, type Mark } from "./evaluation";
import type { Board, Ply, Step } from "./types";

/** A move as a sentence names it: a bare number is a column. */
export function named(label: string, board: Board): string {
  return board.layout === "Gravity" && /^\d+$/.test(label) ? `column ${label}` : label;
}

export interface MoveListOptions {
  /** How many moves of the game are shown on the board. */
  at: number;
  /** What is tried instead after them. */
  tried: Step[];
  marks: Map<number, Mark>;
  go: (ply: number) => void;
  goTried: (count: number) => void;
  triedAt: number;
}

const isPly = (step: Step | Ply): step is Ply => "ms" in step;

/** How a move is written: a pass says what it means. */
export const written = (label: string): string => (label === "pass" || label === "noop" ? "no move" : label);

function plyButton(step: Step | Ply, index: number, options: MoveListOptions): HTMLElement {
  const mark = options.marks.get(index);
  const time = isPly(step) && step.ms > 0 ? ` · ${duration(step.ms)}` : "";
  return h(
    "button",
    {
      type: "button",
      class: `ply ${step.side === "First" ? "first" : "second"}`,
      title: `Go to this move${time}${mark ? ` · ${mark}` : ""}`,
      "aria-current": index === options.at - 1 && options.tried.length === 0 ? "step" : undefined,
      onclick: () => options.go(index + 1),
    },
    written(step.label),
    mark && h("span", { class: `sign ${mark}` }, MARK_SIGNS[mark]),
  );
}

function triedList(options: MoveListOptions): HTMLElement {
  const items = options.tried.map((step, index) =>
    step.side === null
      ? h("li", { class: "roll" }, h("span", { class: "muted small" }, `rolled ${step.label}`))
      : h("li", {}, h("button", { type: "button", class: `ply ${step.side === "First" ? "first" : "second"}`, "aria-current": index === options.triedAt - 1 ? "step" : undefined, onclick: () => options.goTried(index + 1) }, written(step.label))),
  );
  return h("li", { class: "tried" }, h("span", { class: "small" }, "tried: "), h("ol", { class: "plies" }, ...items));
}

export function moveList(plies: (Step | Ply)[], options: MoveListOptions): HTMLElement {
  const items: HTMLElement[] = plies.map((step, index) =>
    step.side === null ? h("li", { class: "roll" }, h("span", { class: "muted small" }, `rolled ${step.label}`)) : h("li", {}, plyButton(step, index, options)),
  );
  if (options.tried.length > 0) items.splice(options.at, 0, triedList(options));
  if (items.length === 0) return h("p", { class: "muted" }, "No move yet.");
  return h("ol", { class: "plies" }, ...items);
}
