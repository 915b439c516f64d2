// The moves of a game as a list that leads through it: a click shows the position after the move, with its reasons.

import { duration, h } from "./dom";
import { MARK_SIGNS, type Mark } from "./evaluation";
import type { Board, Ply, Step } from "./types";
import { type Twig, beginsWith } from "./variations";

/** A move as a sentence names it: a bare number is a column. */
export function named(label: string, board: Board): string {
  return board.layout === "Gravity" && /^\d+$/.test(label) ? `column ${label}` : label;
}

export interface MoveListOptions {
  /** How many moves of the game are shown on the board. */
  at: number;
  /** The moves of the variation that lead to what is shown. */
  tried: Step[];
  /** What was tried after so many moves. */
  tree: (at: number) => Twig[];
  marks: Map<number, Mark>;
  go: (ply: number) => void;
  goTo: (at: number, path: Step[]) => void;
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

const rolled = (step: Step): HTMLElement => h("li", { class: "roll" }, h("span", { class: "muted small" }, `rolled ${step.label}`));

/** A variation in its own box: its first moves one after the other, what parts from them in boxes of their own after the move it stands against. */
function variation(first: Twig, at: number, options: MoveListOptions): HTMLElement {
  const items: HTMLElement[] = [];
  for (let twig: Twig | undefined = first, others: Twig[] = []; twig; [twig, ...others] = twig.next) {
    items.push(twig.step.side === null ? rolled(twig.step) : triedPly(twig, at, options), ...others.map((other) => variation(other, at, options)));
  }
  return h("li", { class: "tried" }, h("ol", { class: "plies" }, ...items));
}

function triedPly({ step, path }: Twig, at: number, options: MoveListOptions): HTMLElement {
  const shown = at === options.at && path.length === options.tried.length && beginsWith(options.tried, path);
  return h("li", {}, h("button", { type: "button", class: `ply ${step.side === "First" ? "first" : "second"}`, "aria-current": shown ? "step" : undefined, onclick: () => options.goTo(at, path) }, written(step.label)));
}

export function moveList(plies: (Step | Ply)[], options: MoveListOptions): HTMLElement {
  const items: HTMLElement[] = [];
  for (let at = 0; at <= plies.length; at++) {
    const step = plies[at];
    // As in books: what is tried instead of a move stands after that move.
    const tried = options.tree(at).map((twig) => variation(twig, at, options));
    if (step) items.push(step.side === null ? rolled(step) : h("li", {}, plyButton(step, at, options)));
    items.push(...tried);
  }
  if (items.length === 0) return h("p", { class: "muted" }, "No move yet.");
  return h("ol", { class: "plies" }, ...items);
}
