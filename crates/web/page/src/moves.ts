// The moves of a game as a list; each can be asked about.

import { duration, h } from "./dom";
import type { Board, Ply } from "./types";

/** A move as a sentence names it: a bare number is a column. */
export function named(label: string, board: Board): string {
  return board.layout === "Gravity" && /^\d+$/.test(label) ? `column ${label}` : label;
}

export function moveList(plies: Ply[], ask: (ply: number) => void, current = -1): Node[] {
  const items = plies.flatMap((ply, index) => {
    if (ply.by === "chance") {
      return [h("li", { class: "roll" }, h("span", { class: "muted small" }, `rolled ${ply.label}`))];
    }
    const button = h(
      "button",
      {
        type: "button",
        class: `ply ${ply.side === "First" ? "first" : "second"}`,
        title: `${ply.by === "mind" ? "Why this move?" : "What is it worth?"} · ${duration(ply.ms)}`,
        "aria-current": index === current ? "step" : undefined,
        onclick: () => ask(index),
      },
      ply.label,
    );
    return [h("li", {}, button)];
  });
  if (items.length === 0) return [h("h2", {}, "Moves"), h("p", { class: "muted" }, "No move yet.")];
  return [
    h("h2", {}, "Moves"),
    h("ol", { class: "plies" }, ...items),
    h("p", { class: "muted small" }, "Choose a move to see its reasons."),
  ];
}
