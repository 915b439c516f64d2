// A search, watched while it thinks: what it likes best so far, and how its mind changes.

import { api } from "./api";
import { h, number, replace } from "./dom";
import type { Explorer } from "./explorer";
import { term } from "./glossary";
import type { Glimpse, SeenMove } from "./types";

/** The moves that are drawn. */
const SHOWN = 7;

/** What is drawn of a search, one glimpse after the other. */
class Thinking {
  readonly rows = h("ol", { class: "thoughts" });
  readonly bars = h("div", { class: "thought-bars" });
  readonly looked = h("output", { class: "looked" }, "0");
  readonly line = h("p", { class: "small thought-line" });
  readonly how = h("p", { class: "muted small" });
  /** The move it liked best so far. */
  best = "";

  constructor(private readonly explorer: Explorer) {}

  take(seen: Glimpse): void {
    if (seen.kind === "begins")
      replace(this.how, ...(seen.live ? ["One ", term("search"), ", shown while it goes on."] : ["This player shows nothing before it is done. So it is asked again and again, each time with twice the positions it may look at."]));
    if ("states" in seen) this.looked.textContent = number(seen.states);
    if (seen.kind === "thought") this.thought(seen.states, seen.moves, seen.line);
    if (seen.kind === "answer") this.say(h("span", { class: "muted small" }, `It plays ${seen.label}.`));
    if (seen.kind === "error") this.say(h("span", { class: "muted small" }, seen.message));
  }

  private thought(states: number, moves: SeenMove[], line: string[]): void {
    const best = moves[0];
    if (!best) return;
    replace(this.bars, ...moveBars(moves));
    replace(this.line, ...(line.length > 1 ? ["It expects: ", h("b", {}, line.slice(0, 8).join(" "))] : []));
    if (best.label !== this.best) this.say(h("b", {}, best.label), h("span", { class: "muted small" }, ` after ${number(states)} positions, ${best.shown}`));
    this.best = best.label;
    this.explorer.board.light(best.cells, "move");
  }

  say(...words: (string | HTMLElement)[]): void {
    this.rows.append(h("li", {}, ...words));
  }
}

/** Shows the thinking in the panel of the reasons, and on the board the move it likes best so far. */
export function watchThink(explorer: Explorer, mind: string, title: string): void {
  const position = explorer.position();
  // Whoever is being asked of this position would write over what is watched.
  explorer.leave();
  const thinking = new Thinking(explorer);
  const leaving = new AbortController();
  const stop = h("button", { type: "button", onclick: () => leaving.abort() }, "Stop");
  const { how, looked, bars, line, rows } = thinking;
  replace(explorer.why.el, h("h2", {}, `${title} thinks`), how, h("p", {}, "Positions looked at: ", looked), bars, line, rows, stop);
  const here = (): boolean => rows.isConnected && explorer.position().moves.join() === position.moves.join();
  // The server thinks as long as somebody looks.
  const watch = setInterval(() => here() || leaving.abort(), 250);
  const take = (seen: Glimpse): void => {
    if (here()) thinking.take(seen);
  };
  api
    .think(position, { mind, level: { states: null, temperature: 0 } }, take, leaving.signal)
    .catch((error: Error) => thinking.say(h("span", { class: "muted small" }, leaving.signal.aborted && thinking.best ? `Stopped. It would play ${thinking.best}.` : error.message)))
    .finally(() => {
      clearInterval(watch);
      stop.remove();
    });
}

/** The moves it looks at, each as long as the share of its attention, or as its value where it counts no visits. */
function moveBars(moves: SeenMove[]): HTMLElement[] {
  const shown = moves.slice(0, SHOWN);
  const most = Math.max(...shown.map((move) => move.visits ?? 0));
  return shown.map((move, index) => {
    const share = most > 0 ? (move.visits ?? 0) / most : (move.standing ?? 0);
    const bar = h("span", { class: "bar" });
    bar.style.setProperty("--share", `${(100 * share).toFixed(1)}%`);
    return h("div", { class: index === 0 ? "thought chosen" : "thought" }, h("span", { class: "move-label" }, move.label), bar, h("span", { class: "small" }, move.shown));
  });
}
