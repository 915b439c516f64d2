// A search, watched while it thinks: the same search with a budget that doubles, and how its mind changes.

import { api } from "./api";
import { h, number, replace } from "./dom";
import type { Explorer } from "./explorer";
import type { Explained } from "./types";

const FIRST = 16;
const MOST = 262_144;
/** A thought that took so long was the last one. */
const LONG_MS = 1500;

/** Shows the thinking in the panel of the reasons, and on the board the move it likes best so far. */
export function watchThink(explorer: Explorer, mind: string, title: string): void {
  const position = explorer.position();
  // Whoever is being asked of this position would write over what is watched.
  explorer.leave();
  const rows = h("ol", { class: "thoughts" });
  const bars = h("div", { class: "thought-bars" });
  const looked = h("output", { class: "looked" }, "0");
  let going = true;
  const stop = h("button", { type: "button", onclick: () => (going = false) }, "Stop");
  replace(
    explorer.why.el,
    h("h2", {}, `${title} thinks`),
    h("p", { class: "muted small" }, "The same search again and again, each time with twice the positions it may look at."),
    h("p", {}, "Positions looked at: ", looked),
    bars,
    rows,
    stop,
  );
  const here = (): boolean => going && rows.isConnected && explorer.position().moves.join() === position.moves.join();
  const run = async (): Promise<void> => {
    let before = "";
    for (let states = FIRST; states <= MOST && here(); states *= 2) {
      const begun = performance.now();
      const explained = await api.lookWhy(position, { mind, level: { states, temperature: 0 } });
      if (!here()) return;
      looked.textContent = number(explained.cost.states);
      replace(bars, ...moveBars(explained));
      if (explained.label !== before) rows.append(h("li", {}, h("b", {}, explained.label), h("span", { class: "muted small" }, ` after ${number(explained.cost.states)} positions, ${best(explained)}`)));
      before = explained.label;
      explorer.board.light(explained.moves.find((move) => move.mv === explained.mv)?.cells ?? [], "move");
      if (performance.now() - begun > LONG_MS || explained.cost.states < states / 2) break;
    }
    stop.remove();
    if (rows.isConnected) rows.append(h("li", { class: "muted small" }, `It stays with ${before}.`));
  };
  run().catch((error: Error) => rows.append(h("li", { class: "muted small" }, error.message)));
}

const best = (explained: Explained): string => explained.moves.find((move) => move.mv === explained.mv)?.shown ?? "";

/** The moves it looks at, each as long as the share of its attention, or as its value where it counts no visits. */
function moveBars(explained: Explained): HTMLElement[] {
  const shown = explained.moves.slice(0, 7);
  const visits = shown.map((move) => move.visits ?? 0);
  const most = Math.max(...visits, 1);
  return shown.map((move, index) => {
    const share = visits.some((count) => count > 0) ? visits[index]! / most : (move.standing ?? 0);
    const bar = h("span", { class: "bar" });
    bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    return h("div", { class: move.mv === explained.mv ? "thought chosen" : "thought" }, h("span", { class: "move-label" }, move.label), bar, h("span", { class: "small" }, move.shown));
  });
}
