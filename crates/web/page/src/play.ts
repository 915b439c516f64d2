// A game being played: the board, the two players, the reasons beside it.

import { Refused, api } from "./api";
import { type BoardView, makeBoard } from "./boards/board";
import { chip, stoneName } from "./boards/pieces";
import { calm, h, replace, say, toast } from "./dom";
import { go } from "./go";
import { levelName, mindOf, mindTitle } from "./levels";
import { moveList, named } from "./moves";
import type { Explained, GameInfo, Seat, Session, Side } from "./types";
import { WhyPanel, type WhyOptions } from "./why";

/** A move that comes at once is hard to follow; those who want no motion want no waiting either. */
const PAUSE = 380;

export class Play {
  private board: BoardView;
  private flip: boolean;
  private alive = true;
  private thinking = false;
  private moving = false;
  private paused = false;
  private readonly why = new WhyPanel(() => this.board);
  private readonly strips = { top: h("div", { class: "strip" }), bottom: h("div", { class: "strip" }) };
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Game" });
  private readonly notes = h("div", { class: "notes" });
  private readonly choices = h("div", { class: "choices" });
  private readonly moves = h("section", { class: "card moves", "aria-label": "Moves" });
  private readonly banner = h("div", { class: "banner", hidden: true });

  constructor(
    private readonly main: HTMLElement,
    private readonly game: GameInfo | undefined,
    private session: Session,
  ) {
    this.board = makeBoard(session.view, (mv) => void this.move(mv));
    this.flip = session.seats[0].kind === "mind" && session.seats[1].kind === "human";
    this.draw();
    this.refresh(false);
    this.showLast();
    document.addEventListener("keydown", this.shortcut);
    void this.continue();
  }

  leave(): void {
    this.alive = false;
    document.removeEventListener("keydown", this.shortcut);
  }

  private draw(): void {
    replace(
      this.main,
      h("h1", { class: "unseen" }, this.game?.title ?? this.session.view.game),
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: `table ${this.session.view.board.layout.toLowerCase()}` },
          this.strips.top,
          h("div", { class: "board-frame" }, this.board.el, this.banner),
          this.strips.bottom,
          this.notes,
          this.choices,
          this.tools,
        ),
        h("div", { class: "side" }, this.why.el, this.moves),
      ),
    );
  }

  private seat(side: Side): Seat {
    return this.session.seats[side === "First" ? 0 : 1];
  }

  private name(side: Side): string {
    const seat = this.seat(side);
    if (seat.kind === "human") return this.people() === 2 ? `Player ${side === "First" ? 1 : 2}` : "You";
    return this.title(seat.mind);
  }

  private title(mind: string): string {
    return mindTitle(this.game?.minds ?? [], mind);
  }

  private people(): number {
    return this.session.seats.filter((seat) => seat.kind === "human").length;
  }

  private myTurn(): boolean {
    const side = this.session.view.to_move;
    return side !== null && this.seat(side).kind === "human" && !this.thinking;
  }

  private lastCells(): number[] {
    const last = this.session.plies.filter((ply) => ply.by !== "chance").at(-1);
    return last?.cells ?? [];
  }

  private refresh(animate: boolean): void {
    const { view } = this.session;
    const showing = { interactive: this.myTurn(), last: this.lastCells(), flip: this.flip, animate };
    this.board.show(view, showing);
    this.strip(this.strips.top, this.flip ? "First" : "Second");
    this.strip(this.strips.bottom, this.flip ? "Second" : "First");
    this.drawTools();
    this.drawChoices();
    const notes = view.board.notes.filter(([name]) => name !== "dice");
    replace(this.notes, ...notes.map(([name, text]) => h("span", { class: "note" }, h("b", {}, name), ` ${text}`)));
    replace(this.moves, ...moveList(this.session.plies, (ply) => void this.explain(ply)));
    this.drawBanner();
  }

  private strip(strip: HTMLElement, side: Side): void {
    const { view } = this.session;
    const seat = this.seat(side);
    const active = view.to_move === side;
    strip.classList.toggle("active", active);
    const state = active ? (seat.kind === "human" ? "to move" : this.thinking ? "is thinking" : "to move") : "";
    replace(
      strip,
      chip(view.board, side),
      h("span", { class: "who" }, this.name(side)),
      seat.kind === "mind" && !mindOf(this.game?.minds ?? [], seat.mind)?.levels.length && h("span", { class: "muted small" }, levelName(seat.level)),
      h("span", { class: this.thinking && active ? "state thinking" : "state" }, state),
    );
  }

  private drawTools(): void {
    const tool = (label: string, key: string, enabled: boolean, act: () => void): HTMLElement =>
      h(
        "button",
        { type: "button", disabled: !enabled, "aria-keyshortcuts": key, title: `${label} (${key})`, onclick: act },
        label,
      );
    const played = this.session.plies.some((ply) => ply.by === "human");
    const over = this.session.view.score !== null;
    replace(
      this.tools,
      tool("Undo", "u", played && !this.thinking, () => void this.undo()),
      tool("Hint", "h", this.myTurn(), () => void this.hint()),
      tool("Judge my move", "j", played, () => void this.judge()),
      tool("Flip", "f", true, () => this.turn()),
      this.people() === 0 && !over && tool(this.paused ? "Go on" : "Pause", "p", true, () => this.pause()),
      tool("Again", "n", true, () => void this.again()),
      h("a", { class: "button", href: "#/play" }, "New game"),
    );
  }

  /** Moves that no click on a cell can make, such as a pass. */
  private drawChoices(): void {
    const { view } = this.session;
    const cellless = this.myTurn() ? view.moves.filter((move) => move.cells.length === 0) : [];
    const button = (mv: number, label: string): HTMLElement =>
      h("button", { type: "button", class: "choice", onclick: () => void this.move(mv) }, label);
    const all = this.myTurn() && view.moves.length > cellless.length && needsList(view.board.layout, view.moves);
    replace(
      this.choices,
      ...cellless.map((move) => button(move.mv, move.label)),
      all &&
        h(
          "details",
          {},
          h("summary", {}, `All ${view.moves.length} moves`),
          h("div", { class: "all-moves" }, ...view.moves.map((move) => button(move.mv, move.label))),
        ),
    );
  }

  private result(): { text: string; kind: string } | null {
    const { score, board } = this.session.view;
    if (score === null) return null;
    if (score === 0) return { text: "A draw", kind: "even" };
    const winner: Side = score > 0 ? "First" : "Second";
    if (this.people() === 1) {
      const mine = this.seat(winner).kind === "human";
      return mine ? { text: "You won", kind: "good" } : { text: `${this.name(winner)} won`, kind: "bad" };
    }
    return { text: `${this.name(winner)} won with ${stoneName(board, winner)}`, kind: "good" };
  }

  private drawBanner(): void {
    const result = this.result();
    this.banner.hidden = result === null;
    if (!result) return;
    this.banner.className = `banner ${result.kind}`;
    replace(
      this.banner,
      h("strong", {}, result.text),
      h("button", { type: "button", onclick: () => void this.again() }, "Play again"),
      h("a", { class: "button", href: `#/games/${this.session.id}` }, "Look back"),
    );
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.alive) return;
      toast((error as Error).message);
      if (error instanceof Refused && error.status === 409) {
        this.session = await api.session(this.session.id);
        this.refresh(false);
      }
    }
  }

  private async move(mv: number): Promise<void> {
    if (!this.myTurn() || this.moving) return;
    this.moving = true;
    this.board.el.setAttribute("aria-busy", "true");
    await this.guarded(async () => {
      this.session = await api.move(this.session.id, mv, this.session.version);
      this.after();
    });
    this.moving = false;
    this.board.el.removeAttribute("aria-busy");
    await this.continue();
  }

  private after(): void {
    if (!this.alive) return;
    this.refresh(true);
    const last = this.session.plies.filter((ply) => ply.by !== "chance").at(-1);
    const who = last?.side ? this.name(last.side) : "";
    const result = this.result();
    const dice = this.session.view.board.notes.find(([name]) => name === "dice");
    const rolled = dice ? ` Dice ${dice[1]}.` : "";
    say(`${last ? `${who}: ${last.label}.` : ""}${result ? ` ${result.text}.` : `${rolled} ${this.myTurn() ? "Your turn." : ""}`}`);
  }

  /** Lets minds play while it is their turn. */
  private async continue(): Promise<void> {
    await this.guarded(async () => {
      while (this.alive && !this.paused && !this.thinking) {
        const side = this.session.view.to_move;
        if (side === null || this.seat(side).kind === "human") return;
        this.thinking = true;
        this.refresh(false);
        try {
          const [session] = await Promise.all([
            api.reply(this.session.id),
            new Promise((resolve) => setTimeout(resolve, calm() ? 0 : PAUSE)),
          ]);
          this.session = session;
        } finally {
          this.thinking = false;
        }
        this.after();
        this.showLast();
      }
    });
    if (this.alive) this.drawTools();
  }

  private showLast(): void {
    const last = this.session.last_decision;
    if (last && this.alive) this.present(last, { title: `Why ${named(last.label, last.board)}?` });
  }

  /** Shows a decision, and offers the truth where somebody knows it. */
  private present(explained: Explained, options: WhyOptions): void {
    const oracle = this.game?.minds.find((mind) => mind.name === "solver");
    const asked = explained.mind.split(":")[0];
    const onTruth =
      oracle && asked !== oracle.name
        ? (): Promise<Explained> => api.why(this.session.id, { ply: explained.ply, mind: oracle.name })
        : undefined;
    this.why.show(explained, { ...options, onTruth, past: this.past(explained) });
  }

  /** Where a player keeps its past: what each rung of its training thinks of the same move. */
  private past(explained: Explained): (() => Promise<[number, number][]>) | undefined {
    const rungs = mindOf(this.game?.minds ?? [], explained.mind)?.levels ?? [];
    if (rungs.length < 2) return undefined;
    return async () => {
      const points: [number, number][] = [];
      for (const rung of rungs) {
        const then = await api.why(this.session.id, { ply: explained.ply, mind: rung.name });
        const rank = then.moves.findIndex((move) => move.mv === explained.mv);
        if (rank >= 0) points.push([rung.step, rank + 1]);
      }
      return points;
    };
  }

  /** The reasons behind any move of the game: the mind's own, or what a mind says of a person's. */
  private async explain(ply: number): Promise<void> {
    await this.guarded(async () => {
      const played = this.session.plies[ply];
      if (!played) return;
      const explained = await api.why(this.session.id, this.asking(ply));
      const own = played.by === "mind" ? {} : { played: played.mv };
      const title = played.by === "mind" ? `Why ${named(played.label, explained.board)}?` : `Your move ${named(played.label, explained.board)}`;
      this.present(explained, { title, ...own });
    });
  }

  private asking(ply: number): { ply: number; mind?: string } {
    if (this.people() < 2) return { ply };
    return { ply, mind: this.adviser() };
  }

  /** Who is asked when only people play. */
  private adviser(): string {
    const minds = this.game?.minds ?? [];
    const good = minds.filter((mind) => mind.kind === "learnt").concat(minds.filter((mind) => /uct|alphabeta/.test(mind.name)));
    return (good[0] ?? minds.at(-1))?.name ?? "random";
  }

  private async hint(): Promise<void> {
    if (!this.myTurn()) return;
    await this.guarded(async () => {
      const explained = await api.why(this.session.id, this.asking(this.session.plies.length));
      this.present(explained, { title: `Hint: ${named(explained.label, explained.board)}`, tag: "best" });
      const best = explained.moves.find((move) => move.mv === explained.mv);
      this.board.light(best?.cells ?? [], "hint");
      say(`Hint: ${explained.label}`);
    });
  }

  private async judge(): Promise<void> {
    const ply = this.session.plies.findLastIndex((known) => known.by === "human");
    if (ply >= 0) await this.explain(ply);
  }

  private async undo(): Promise<void> {
    if (this.thinking) return;
    await this.guarded(async () => {
      this.session = await api.undo(this.session.id);
      this.refresh(false);
      this.why.empty("Taken back. The reasons return with the next move.");
      say("Taken back. Your turn.");
    });
  }

  private turn(): void {
    this.flip = !this.flip;
    this.refresh(false);
  }

  private pause(): void {
    this.paused = !this.paused;
    this.drawTools();
    void this.continue();
  }

  private async again(): Promise<void> {
    await this.guarded(async () => {
      const [first, second] = this.session.seats;
      const seats: [Seat, Seat] = this.people() === 1 ? [second, first] : [first, second];
      const session = await api.begin(this.session.view.game, seats, this.session.start ?? undefined);
      go(`/play/${session.id}`);
    });
  }

  private shortcut = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(target.tagName)) return;
    const acts: Record<string, () => void> = {
      u: () => void this.undo(),
      h: () => void this.hint(),
      j: () => void this.judge(),
      f: () => this.turn(),
      n: () => void this.again(),
      p: () => this.pause(),
    };
    const act = acts[event.key];
    if (!act || (event.key === "p" && this.people() > 0)) return;
    event.preventDefault();
    act();
  };
}

/** Games whose moves are more than one click get a list of all moves too. */
function needsList(layout: string, moves: { cells: number[] }[]): boolean {
  return layout === "Points" || moves.some((move) => move.cells.length > 1);
}
