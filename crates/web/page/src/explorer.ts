// A line of play to walk through: the board, the list of moves, the bar, the graph, and what is tried instead. A game that is being played, one
// that is over and a position from a link are all looked at with this.

import { api } from "./api";
import { type BoardView, makeBoard } from "./boards/board";
import { h, replace, say, toast } from "./dom";
import { EvalBar, type Mark, drawGraph, firstStands, gameGraph } from "./evaluation";
import { moveList } from "./moves";
import { sound } from "./sound";
import type { Explained, GameInfo, Look, Ply, Position, Side, Step, View } from "./types";
import { Variations, beginsWith } from "./variations";
import { WhyPanel } from "./why";

export interface Line {
  game: string;
  start: string | null;
  steps: (Step | Ply)[];
  view: View;
  won: number[];
}

export interface Live {
  /** Whether the person may move at the end of the line. */
  mayMove: () => boolean;
  move: (mv: number) => void;
  /** Something else is shown now. */
  moved: () => void;
  /** The reasons of the move that led to what is shown. */
  reasons: (index: number) => void;
}

export class Explorer {
  readonly board: BoardView;
  readonly why: WhyPanel;
  readonly bar = new EvalBar();
  readonly graph = h("div", { class: "graph-place", hidden: true });
  readonly list = h("section", { class: "card moves", "aria-label": "Moves" });
  /** How many moves of the line are shown. */
  at: number;
  /** The variation after them that is looked at, and how far along it the board is. */
  tried: Step[] = [];
  triedAt = 0;
  private readonly variations = new Variations();
  flip = false;
  readonly marks = new Map<number, Mark>();
  private readonly looks = new Map<string, Look>();
  private readonly stands = new Map<string, number>();
  private asking: AbortController | null = null;
  private visit = 0;
  /** Takes the next move on the board instead of trying it: an exercise. */
  intercept: ((mv: number) => void) | null = null;

  constructor(
    public line: Line,
    readonly info: GameInfo | undefined,
    private readonly live: Live,
  ) {
    this.at = line.steps.length;
    this.board = makeBoard(line.view, (mv) => this.take(mv));
    this.why = new WhyPanel(() => this.board);
  }

  leave(): void {
    this.asking?.abort();
  }

  /** The game has gone on (or back): who was at its end stays there. */
  follow(line: Line, animate: boolean): void {
    const atEnd = this.atEnd();
    const before = this.line.steps;
    if (!beginsWith(line.steps, before)) this.variations.keep(before.findIndex((_, index) => !beginsWith(line.steps, before.slice(0, index + 1))));
    this.line = line;
    if (atEnd || this.at > line.steps.length) {
      this.at = line.steps.length;
      this.tried = [];
      this.triedAt = 0;
      this.show(this.endLook(), animate);
    } else this.draw();
  }

  /** At the end of the line, with nothing tried. */
  atEnd(): boolean {
    return this.at === this.line.steps.length && this.tried.length === 0;
  }

  private endLook(): Look {
    return { view: this.line.view, steps: this.line.steps, won: this.line.won };
  }

  /** The moves that lead to what is shown. */
  shown(): Step[] {
    return [...this.line.steps.slice(0, this.at), ...this.tried.slice(0, this.triedAt)];
  }

  position(steps: Step[] = this.shown()): Position {
    return { game: this.line.game, start: this.line.start, moves: steps.map((step) => step.mv) };
  }

  private key(steps: Step[]): string {
    return steps.map((step) => step.mv).join();
  }

  private async look(steps: Step[]): Promise<Look> {
    if (steps.length === this.line.steps.length && this.tried.length === 0) return this.endLook();
    const key = this.key(steps);
    const known = this.looks.get(key) ?? (await api.look(this.position(steps)));
    this.looks.set(key, known);
    return known;
  }

  /** Shows the position after so many moves of the line. */
  async go(at: number): Promise<void> {
    this.at = Math.max(0, Math.min(at, this.line.steps.length));
    this.intercept = null;
    this.tried = [];
    this.triedAt = 0;
    await this.arrive(false);
  }

  /** Shows the position at the end of these moves of a variation that begins after so many moves of the line. */
  async goTo(at: number, path: Step[]): Promise<void> {
    this.intercept = null;
    this.at = at;
    this.tried = this.variations.add(at, path);
    await this.goTried(path.length);
  }

  /** The next variation beside the one that is looked at; false where there is none. */
  private beside(step: number): boolean {
    if (this.tried.length === 0) return false;
    const path = this.tried.slice(0, this.triedAt);
    // Dice that fell after the move are no move of anybody.
    while (path.at(-1)?.side === null) path.pop();
    if (path.length === 0) return false;
    const { all, place } = this.variations.beside(this.at, path);
    const next = all[place + step];
    if (next) void this.goTo(this.at, next);
    return next !== undefined;
  }

  /** Forgets the variation from the move that is shown on. */
  private async forget(): Promise<void> {
    const path = this.tried.slice(0, this.triedAt);
    this.variations.forget(this.at, path);
    const left = path.slice(0, -1);
    if (left.some((step) => step.side !== null)) await this.goTo(this.at, left);
    else await this.go(this.at);
    say("Forgotten.");
  }

  async goTried(count: number): Promise<void> {
    this.triedAt = Math.max(0, Math.min(count, this.tried.length));
    await this.arrive(false);
  }

  async back(): Promise<void> {
    if (this.triedAt > 1) return this.goTried(this.triedAt - 1);
    return this.go(this.tried.length > 0 ? this.at : this.at - 1);
  }

  async forward(): Promise<void> {
    return this.tried.length > 0 ? this.goTried(this.triedAt + 1) : this.go(this.at + 1);
  }

  private async arrive(animate: boolean): Promise<void> {
    const mine = ++this.visit;
    try {
      const look = await this.look(this.shown());
      if (mine === this.visit) this.show(look, animate);
    } catch (error) {
      toast((error as Error).message);
    }
  }

  private show(look: Look, animate: boolean): void {
    const last = this.shown().filter((step) => step.side !== null).at(-1);
    // At the end of a game that goes on only whose turn it is may move; everywhere else anything may be tried.
    const interactive = this.atEnd() && look.view.score === null ? this.live.mayMove() : look.view.to_move !== null;
    this.board.light([]);
    this.board.show(look.view, { interactive, last: last?.cells ?? [], flip: this.flip, animate });
    this.board.win(look.won);
    this.draw();
    this.live.moved();
    if (this.tried.length > 0) void this.ask();
    else if (this.at > 0 && !this.atEnd()) this.live.reasons(this.at - 1);
  }

  /** A move was made on the board. */
  private take(mv: number): void {
    if (this.intercept) this.intercept(mv);
    else if (this.atEnd() && this.live.mayMove()) this.live.move(mv);
    else void this.tryMove(mv);
  }

  /** Tries something else from what is shown; the game stays as it is. */
  async tryMove(mv: number): Promise<void> {
    const steps = this.shown();
    try {
      const position = this.position(steps);
      const look = await api.look({ ...position, moves: [...position.moves, mv], roll: steps.length });
      const path = look.steps.slice(this.at);
      this.tried = this.variations.add(this.at, path);
      this.triedAt = path.length;
      this.looks.set(this.key(look.steps), look);
      sound("move");
      this.show(look, true);
      say(`Tried: ${look.steps.filter((step) => step.side !== null).at(-1)?.label ?? ""}`);
    } catch (error) {
      toast((error as Error).message);
    }
  }

  /** What whoever knows best says of the position that is shown. */
  async ask(): Promise<void> {
    const steps = this.shown();
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const view = (await this.look(steps)).view;
    if (view.to_move === null) {
      this.why.empty(view.score === null ? "The dice are to be rolled." : "The game is over here.");
      return;
    }
    try {
      const explained = await api.lookWhy(this.position(steps), {}, asking.signal);
      if (this.key(steps) !== this.key(this.shown())) return;
      this.note(explained, steps, view.to_move);
      this.why.show(explained, { title: `Best here: ${explained.label}`, tag: "best" });
      // As with a hint: where the best move goes is seen without reading.
      this.board.light(explained.moves.find((move) => move.mv === explained.mv)?.cells ?? [], "hint");
    } catch (error) {
      if (!asking.signal.aborted) this.why.empty((error as Error).message);
    }
  }

  /** Remembers how the sides stand in a position. */
  note(explained: Explained, steps: Step[], mover: Side): void {
    const stands = firstStands(explained, mover);
    if (stands === null) return;
    this.stands.set(this.key(steps), stands);
    this.draw();
  }

  stoodAfter(count: number): number | null {
    return this.stands.get(this.key(this.line.steps.slice(0, count))) ?? null;
  }

  /** What is known of the position that is shown, or of the one before. */
  private standing(): { value: number | null; exact: boolean } {
    const steps = this.shown();
    const score = this.atEnd() ? this.line.view.score : (this.looks.get(this.key(steps))?.view.score ?? null);
    if (score !== null) return { value: score > 0 ? 1 : score < 0 ? 0 : 0.5, exact: true };
    for (let count = steps.length; count >= Math.max(0, steps.length - 3); count--) {
      const known = this.stands.get(this.key(steps.slice(0, count)));
      if (known !== undefined) return { value: known, exact: false };
    }
    return { value: null, exact: false };
  }

  draw(): void {
    const { value, exact } = this.standing();
    this.bar.show(value, this.flip, exact);
    const values = Array.from({ length: this.line.steps.length + 1 }, (_, count) => this.stoodAfter(count));
    const score = this.line.view.score;
    if (score !== null) values[values.length - 1] = score > 0 ? 1 : score < 0 ? 0 : 0.5;
    drawGraph(this.graph, gameGraph(values, this.at, this.marks, (ply) => void this.go(ply)));
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    replace(
      this.list,
      h("div", { class: "spread" }, h("h2", {}, "Moves"), h("span", { class: "muted small" }, this.tried.length > 0 ? "something else is tried" : `${this.at} of ${this.line.steps.length}`), this.tried.length > 0 && h("button", { type: "button", class: "quiet", title: "Forget this move of the variation and what follows it", onclick: () => void this.forget() }, "Forget")),
      moveList(this.line.steps, {
        at: this.at,
        tried: this.tried.slice(0, this.triedAt),
        tree: (at) => this.variations.tree(at),
        marks: this.marks,
        go: (ply) => void this.go(ply),
        goTo: (at, path) => void this.goTo(at, path),
      }),
      this.steps(),
      this.graph,
    );
    // Within the list only: the page itself must stay where the person has it.
    const [current, box] = [this.list.querySelector<HTMLElement>(".ply[aria-current]"), this.list.querySelector<HTMLElement>(".plies")];
    if (current && box) box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 2;
    if (focused) this.list.querySelector<HTMLElement>(`[aria-label="${focused}"]`)?.focus();
  }

  /** The buttons that lead through the line. */
  private steps(): HTMLElement {
    const end = this.line.steps.length;
    const step = (sign: string, label: string, enabled: boolean, act: () => void): HTMLElement =>
      h("button", { type: "button", "aria-label": label, title: label, disabled: !enabled, onclick: act }, sign);
    return h(
      "div",
      { class: "steps-row", role: "group", "aria-label": "Go through the game" },
      step("«", "To the start", this.at > 0, () => void this.go(0)),
      step("‹", "Back", this.at > 0 || this.tried.length > 0, () => void this.back()),
      step("›", "Forward", this.at < end || this.triedAt < this.tried.length, () => void this.forward()),
      step("»", "To the end", !this.atEnd(), () => void this.go(end)),
    );
  }

  /** Arrows, Home and End lead through the line, unless the board has the keys. */
  walk(event: KeyboardEvent): boolean {
    if ((event.target as HTMLElement).closest?.(".cells, input, select, textarea, [role=dialog]")) return false;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => void this.back(),
      ArrowRight: () => void this.forward(),
      Home: () => void this.go(0),
      End: () => void this.go(this.line.steps.length),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const up = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (up !== undefined && this.beside(up)) event.preventDefault();
    const act = acts[event.key];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }
}
