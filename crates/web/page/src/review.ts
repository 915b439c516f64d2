// Looking back at a game: every move judged by whoever knows best, the graph, and the mistakes as exercises.

import { api } from "./api";
import { h, many, replace, say, toast } from "./dom";
import type { Mark } from "./evaluation";
import type { Explorer } from "./explorer";
import { named } from "./moves";
import type { Explained, Side, Step } from "./types";

interface Mistake {
  ply: number;
  step: Step;
  mark: Mark;
  explained: Explained;
}

export class Review {
  readonly el = h("section", { class: "card review", "aria-label": "Looking back", hidden: true });
  private stopped = false;
  private running = false;
  private mistakes: Mistake[] = [];
  private readonly counts = new Map<Side, Record<Mark, number>>();

  constructor(
    private readonly explorer: Explorer,
    private readonly isPerson: (side: Side) => boolean,
  ) {}

  leave(): void {
    this.stopped = true;
  }

  /** Judges every move, one after the other; the board and the list can be used meanwhile. */
  async analyse(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.stopped = false;
    this.mistakes = [];
    this.counts.clear();
    const { steps } = this.explorer.line;
    this.el.hidden = false;
    const bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Judging the moves", "aria-valuemin": 0, "aria-valuemax": steps.length }, h("span", {}));
    replace(this.el, h("h2", {}, "Looking back"), h("p", { class: "muted small" }, "Every move is judged by whoever knows this game best."), bar, h("button", { type: "button", onclick: () => this.leave() }, "Stop"));
    this.el.scrollIntoView({ block: "nearest" });
    try {
      for (let ply = 0; ply < steps.length && !this.stopped; ply++) {
        bar.setAttribute("aria-valuenow", String(ply));
        (bar.firstChild as HTMLElement).style.width = `${(100 * ply) / steps.length}%`;
        await this.judge(ply, steps);
      }
      this.summary();
    } catch (error) {
      toast((error as Error).message);
      this.summary();
    }
    this.running = false;
  }

  private async judge(ply: number, steps: Step[]): Promise<void> {
    const step = steps[ply]!;
    if (step.side === null) return;
    const before = steps.slice(0, ply);
    const explained = await api.lookWhy(this.explorer.position(before), { played: step.mv });
    this.explorer.note(explained, before, step.side);
    const mark = explained.mv === step.mv ? undefined : explained.moves.find((move) => move.mv === step.mv)?.why_not?.mark;
    if (!mark) return;
    this.explorer.marks.set(ply, mark);
    const counts = this.counts.get(step.side) ?? { inaccuracy: 0, mistake: 0, blunder: 0 };
    counts[mark]++;
    this.counts.set(step.side, counts);
    if (this.isPerson(step.side) && mark !== "inaccuracy") this.mistakes.push({ ply, step, mark, explained });
    this.explorer.draw();
  }

  private summary(): void {
    this.explorer.draw();
    const side = (name: Side): HTMLElement => {
      const counts = this.counts.get(name) ?? { inaccuracy: 0, mistake: 0, blunder: 0 };
      const told = (Object.entries(counts) as [Mark, number][]).filter(([, count]) => count > 0).map(([mark, count]) => many(count, mark).replace("inaccuracys", "inaccuracies"));
      return h("p", {}, h("b", {}, `${name === "First" ? "First" : "Second"} player: `), told.length > 0 ? told.join(", ") : "no mistake found");
    };
    replace(
      this.el,
      h("h2", {}, "Looking back"),
      side("First"),
      side("Second"),
      this.mistakes.length > 0
        ? h("button", { type: "button", class: "primary", onclick: () => void this.exercise(0) }, `Find the better move (${this.mistakes.length})`)
        : h("p", { class: "muted" }, "There is nothing to do better: walk through the game with the arrow keys."),
    );
    say("Every move is judged.");
  }

  /** One mistake as a question: the person tries before the answer is shown. */
  private async exercise(index: number): Promise<void> {
    const mistake = this.mistakes[index];
    if (!mistake) {
      this.summary();
      return;
    }
    const { explorer } = this;
    await explorer.go(mistake.ply);
    explorer.why.empty("The answer comes after your try.");
    const answer = h("div", { class: "answer", role: "status" });
    const next = h("button", { type: "button", onclick: () => void this.exercise(index + 1) }, index + 1 < this.mistakes.length ? "Next" : "Done");
    const solve = (tried: number | null): void => this.answered(mistake, tried, answer);
    replace(
      this.el,
      h("h2", {}, `Find the better move ${index + 1} of ${this.mistakes.length}`),
      h("p", {}, `Here you played ${named(mistake.step.label, mistake.explained.board)}, ${mistake.mark === "blunder" ? "a blunder" : "a mistake"}. Play something better on the board.`),
      answer,
      h("div", { class: "tools" }, h("button", { type: "button", onclick: () => solve(null) }, "Show me"), next),
    );
    explorer.intercept = (mv) => solve(mv);
  }

  private answered(mistake: Mistake, tried: number | null, answer: HTMLElement): void {
    const { explained } = mistake;
    const best = explained.moves.find((move) => move.mv === explained.mv);
    const own = explained.moves.find((move) => move.mv === tried);
    const mark = own?.why_not?.mark;
    const good = tried === explained.mv || (own !== undefined && mark === undefined && tried !== mistake.step.mv);
    if (tried === null || good) {
      this.explorer.intercept = null;
      const told = tried === null ? `Better was ${named(explained.label, explained.board)}.` : tried === explained.mv ? "Yes, that is the best move." : "Yes, that is as good.";
      replace(answer, h("p", { class: "judgement good" }, told));
      this.explorer.why.show(explained, { title: `Better: ${named(explained.label, explained.board)}`, tag: "best", played: mistake.step.mv });
      this.explorer.board.light(best?.cells ?? [], "hint");
    } else {
      replace(answer, h("p", { class: "judgement bad" }, tried === mistake.step.mv ? "That is the move you made. Try another one." : `Not that one${own ? `: ${own.why_not?.said[0] ?? "it loses winning chances."}` : "."} Try again.`));
    }
    say(answer.textContent ?? "");
  }
}
