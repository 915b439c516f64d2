// Why a mind moved as it did: the ranking of all moves, the reasons in words, and on the board the cells each reason speaks of.

import type { BoardView } from "./boards/board";
import { miniBoard } from "./boards/mini";
import { duration, h, many, number, replace, uid } from "./dom";
import { glossed, term } from "./glossary";
import type { Explained, ExplainedMove, Reason, WhyNot } from "./types";

export interface WhyOptions {
  /** The move that was played in this position, where it is not the mind's own. */
  played?: number | undefined;
  title: string;
  /** What the mind's own first choice is called; "played" when nothing is said. */
  tag?: string;
  /** What a perfect player says of the same position. */
  truth?: Explained | null;
  onTruth?: (() => Promise<Explained>) | undefined;
  /** Where the mind has a past: the steps of its training, and the rank this move had then. */
  past?: (() => Promise<[number, number][]>) | undefined;
}

const SHOWN = 8;

/** What stands before a value that is not exact. */
const BOUNDS = {
  "at-most": { sign: "≤ ", title: "at most: the search left this move early" },
  unsettled: { sign: "≈ ", title: "unsettled: the budget ended before this move could be compared with the others" },
};

/** What a person's move is called that loses winning chances. */
const MARKS = { inaccuracy: "An inaccuracy", mistake: "A mistake", blunder: "A blunder" };

/** In words, from the sign of a perfect player's value. */
function verdict(amount: number | null): { word: string; kind: string } {
  if (amount === null) return { word: "–", kind: "" };
  if (amount > 1e-9) return { word: "wins", kind: "good" };
  return amount < -1e-9 ? { word: "loses", kind: "bad" } : { word: "draws", kind: "even" };
}

/** A search leaves a worse move as soon as it knows that it is worse; its value is then only a bound, and may
 * stand above that of a better one. No move counts for more than those ranked before it. */
function capped(moves: ExplainedMove[]): Map<number, number> {
  let cap = Infinity;
  return new Map(moves.map((move) => [move.mv, (cap = Math.min(cap, move.value ?? cap))]));
}

export class WhyPanel {
  readonly el = h("section", { class: "why card", "aria-label": "Why" });
  private open = new Set<number>();
  private all = false;
  private shownTimes = 0;

  constructor(private readonly board: () => BoardView | null) {
    this.empty("The reasons appear here with the opponent's first move.");
  }

  empty(text: string): void {
    this.unlight();
    replace(this.el, h("h2", {}, "Why"), h("p", { class: "muted" }, text));
  }

  show(explained: Explained, options: WhyOptions): void {
    this.open = new Set([options.played ?? explained.mv, explained.mv]);
    this.all = false;
    this.draw(explained, options);
  }

  /** Shows the same decision again with something added, such as the truth. */
  update(explained: Explained, options: WhyOptions): void {
    this.draw(explained, options);
  }

  private draw(explained: Explained, options: WhyOptions): void {
    this.unlight();
    this.shownTimes++;
    const shown = this.shown(explained, options);
    const hidden = explained.moves.length - shown.length;
    // A word is explained where it is met first, not in every sentence.
    const met = new Set<string>();
    const list = h("ol", { class: "ranking" }, ...shown.map((move) => this.row(move, explained, options)));
    replace(
      this.el,
      h("h2", {}, options.title),
      this.judgement(explained, options),
      options.played !== undefined && options.played !== explained.mv && h("h3", {}, `Best: ${explained.label}`),
      ...explained.said.map((sentence, index) => h("p", { class: index === 0 && options.played === undefined ? "said lead" : "said" }, ...glossed(sentence, met))),
      h("p", { class: "summary" }, ...glossed(explained.summary || "This mind does not say how it decides.", met)),
      explained.opinion && h("p", { class: "summary" }, `A trained player gives whoever is to move ${Math.round(100 * explained.opinion.standing)} %.`),
      explained.slipped &&
        h("p", { class: "slip" }, "At this level it draws among its ", term("ranking"), `, and drew ${explained.label}.`),
      explained.spared &&
        h("p", { class: "slip" }, `Left to its ranking it would have lost at once: it takes care, and plays ${explained.label}.`),
      explained.moves.length > 0 &&
        h(
          "div",
          { class: "ranking-head" },
          h("span", {}, many(explained.ranked, "move") + (explained.ranked > explained.moves.length ? `, ${explained.moves.length} listed` : "")),
          h("span", {}, ...glossed(explained.unit || "value", met)),
        ),
      list,
      hidden > 0 &&
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            onclick: () => {
              this.all = true;
              this.draw(explained, options);
            },
          },
          `Show ${many(hidden, "more move")}`,
        ),
      options.truth ? this.truthNote(options.truth) : options.onTruth && this.truthButton(options.onTruth, explained, options),
      options.past && this.learnt(options.past, explained),
      this.cost(explained, met),
    );
  }

  /** Asks the perfect player aside: the reasons stay, and the game goes on while it thinks. */
  private truthButton(ask: () => Promise<Explained>, explained: Explained, options: WhyOptions): HTMLElement {
    const box = h("div", { class: "truth" });
    const mine = ++this.shownTimes;
    const run = async (): Promise<void> => {
      replace(box, h("p", { class: "muted small thinking", role: "status" }, "The perfect player is thinking"));
      try {
        const truth = await ask();
        if (mine === this.shownTimes) this.update(explained, { ...options, truth });
      } catch (error) {
        replace(box, h("p", { class: "muted small", role: "status" }, `No word from the perfect player: ${(error as Error).message}`), button("Ask again"));
      }
    };
    const button = (text: string): HTMLElement => h("button", { type: "button", class: "quiet", onclick: () => void run() }, text);
    replace(box, button("What would a perfect player say?"));
    return box;
  }

  /** One sentence of the perfect player about the whole position. */
  private truthNote(truth: Explained): HTMLElement {
    const best = truth.moves.find((move) => move.mv === truth.mv);
    return h("p", { class: "truth-note small" }, h("b", {}, "The perfect player: "), `${truth.label} ${verdict(best?.value ?? null).word}. ${truth.summary}`);
  }

  /** When did it learn this? The rank of the move along the training. */
  private learnt(past: () => Promise<[number, number][]>, explained: Explained): HTMLElement {
    const box = h("div", { class: "past" });
    const ask = async (): Promise<void> => {
      replace(box, h("p", { class: "muted small" }, "Asking its younger selves…"));
      try {
        const points = await past();
        const best = points.find(([, rank], index) => rank === 1 && points.slice(index).every(([, later]) => later === 1));
        const told = best
          ? best[0] === 0
            ? `It ranked ${explained.label} first from the very beginning.`
            : `It has ranked ${explained.label} first since step ${number(best[0])}.`
          : `It has never settled on ${explained.label}.`;
        const marks = points.map(([step, rank]) => h("li", { class: rank === 1 ? "first-rank" : "" }, h("b", {}, `${rank}.`), h("span", {}, number(step))));
        replace(box, h("p", {}, told), h("ol", { class: "ranks", "aria-label": "Rank of the move after each number of steps" }, ...marks));
      } catch (error) {
        replace(box, h("p", { class: "muted small" }, (error as Error).message));
      }
    };
    replace(box, h("button", { type: "button", class: "quiet", onclick: () => void ask() }, "When did it learn this?"));
    return box;
  }

  /** What a person's move is worth beside the best one, and why. */
  private judgement(explained: Explained, options: WhyOptions): HTMLElement | null {
    const move = explained.moves.find((known) => known.mv === options.played);
    if (options.played === undefined || !move) return null;
    if (move.mv === explained.mv) return h("p", { class: "judgement good" }, "The best move.");
    const beside = move.why_not;
    const mark = beside?.mark;
    const lost = beside?.loss !== undefined && beside.loss >= 0.005 ? ` It loses ${Math.round(100 * beside.loss)} % of winning chances.` : "";
    const verdict = mark ? `${MARKS[mark]}.${lost} Better was ${explained.label}.` : beside?.loss === undefined ? `It would rather play ${explained.label}.` : `A good move.${lost}`;
    return h("div", {}, h("p", { class: `judgement ${mark === undefined ? "even" : "bad"}` }, ...glossed(verdict)), beside && this.contrast(beside, explained));
  }

  /** What another move loses, the play that shows it, and the terms that differ. */
  private contrast(beside: WhyNot, explained: Explained): HTMLElement {
    const line = beside.line.length > 1 && h("button", { type: "button", class: "reason" }, h("span", { class: "reason-text" }, "How it could go on: ", h("span", { class: "line" }, beside.line.join(" "))));
    if (line) this.points(line, explained, [], "reason", beside.line_cells, beside.line);
    const terms = beside.differences.map((term) => {
      const item = h("button", { type: "button", class: "reason" }, h("span", { class: "reason-text" }, term.text), h("span", { class: term.worth.startsWith("−") ? "worth against" : "worth" }, term.worth));
      this.points(item, explained, term.cells, "reason");
      return h("li", {}, item);
    });
    return h(
      "div",
      { class: "why-not" },
      ...beside.said.map((sentence) => h("p", { class: "said small" }, sentence)),
      line || null,
      terms.length > 0 && h("ul", { class: "reasons", "aria-label": `For ${explained.label}, against this` }, ...terms),
    );
  }

  private shown(explained: Explained, options: WhyOptions): ExplainedMove[] {
    if (this.all) return explained.moves;
    const wanted = [options.played, explained.mv];
    return explained.moves.filter((move, rank) => rank < SHOWN || wanted.includes(move.mv));
  }

  private row(move: ExplainedMove, explained: Explained, options: WhyOptions): HTMLElement {
    const caps = capped(explained.moves);
    const values = [...caps.values()];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const own = caps.get(move.mv) ?? low;
    const share = high > low ? (own - low) / (high - low) : 1;
    const bar = h("span", { class: "bar" });
    bar.style.setProperty("--share", `${(4 + 96 * share).toFixed(1)}%`);
    const open = this.open.has(move.mv) && (move.reasons.length > 0 || move.why_not !== undefined);
    const reasons = uid("reasons");
    const truth = options.truth?.moves.find((other) => other.mv === move.mv);
    const told = truth && verdict(truth.value);
    const is = (mv: number | undefined): boolean => move.mv === mv;
    const head = h(
      "button",
      {
        type: "button",
        class: "move-row",
        "aria-expanded": move.reasons.length > 0 || move.why_not ? String(open) : undefined,
        "aria-controls": open ? reasons : undefined,
        onclick: () => {
          if (open) this.open.delete(move.mv);
          else this.open.add(move.mv);
          this.draw(explained, options);
        },
      },
      h("span", { class: "move-label" }, move.label),
      bar,
      told && h("span", { class: `verdict ${told.kind}` }, told.word),
      h("span", { class: "move-value", title: move.bound && BOUNDS[move.bound].title }, `${move.bound ? BOUNDS[move.bound].sign : ""}${move.shown}`),
      is(explained.mv) && h("span", { class: "tag" }, options.tag ?? (options.played === undefined ? "played" : "its choice")),
      options.played !== undefined && is(options.played) && h("span", { class: "tag own" }, "yours"),
    );
    // A man that walks has an arrow.
    const walks = explained.board.layout === "Points" || (explained.board.layout === "Grid" && move.cells.length === 2);
    this.points(head, explained, move.cells, "move", walks ? [move.cells] : [], [move.label]);
    const aside = open && move.why_not && move.mv !== options.played && h("div", {}, h("h3", { class: "small" }, `Why not ${move.label}?`), this.contrast(move.why_not, explained));
    const list = open
      ? h("div", { id: reasons }, aside || null, h("ul", { class: "reasons" }, ...move.reasons.map((reason) => this.reason(reason, explained))))
      : null;
    return h("li", { class: is(explained.mv) ? "chosen" : "" }, head, list);
  }

  private reason(reason: Reason, explained: Explained): HTMLElement {
    const line = reason.line.length > 1 && h("span", { class: "line" }, reason.line.join(" "));
    const item = h(
      "button",
      { type: "button", class: "reason", "data-kind": reason.kind.toLowerCase() },
      reason.pattern && miniBoard(explained.board, reason.pattern),
      h("span", { class: "reason-text" }, reason.text, line && ": ", line),
      reason.shown && h("span", { class: reason.shown.startsWith("−") ? "worth against" : "worth" }, reason.shown),
    );
    this.points(item, explained, reason.cells, "reason", reason.line_cells, reason.line);
    const rule = reason.notation && h("details", { class: "notation" }, h("summary", {}, "as it is written"), h("code", {}, reason.notation));
    return h("li", {}, item, rule || null);
  }

  /** While something is pointed at, by mouse or by focus, the board shows its cells. */
  private points(item: HTMLElement, explained: Explained, cells: number[], tone: "move" | "reason", line: number[][] = [], labels: string[] = []): void {
    const on = (): void => {
      this.board()?.preview(explained.board);
      this.board()?.light(cells, tone);
      this.board()?.line(line, labels);
    };
    item.addEventListener("mouseenter", on);
    item.addEventListener("focus", on);
    item.addEventListener("mouseleave", () => this.unlight());
    item.addEventListener("blur", () => this.unlight());
  }

  private unlight(): void {
    this.board()?.preview(null);
    this.board()?.light([]);
    this.board()?.line([]);
  }

  private cost(explained: Explained, met: Set<string>): HTMLElement {
    const entry = (name: string, text: string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, ...glossed(text, met)));
    return h(
      "dl",
      { class: "cost" },
      entry("Examined", many(explained.cost.states, "state")),
      entry("Thought for", duration(explained.ms)),
      entry("Knows", explained.known.length > 0 ? explained.known.join(", ") : "nothing learnt"),
    );
  }
}
