// A game being played, or looked back at: the board, the two players, the reasons beside it.

import { Refused, api } from "./api";
import { Clock } from "./clock";
import { calm, h, replace, say, toast } from "./dom";
import { Explorer, type Line } from "./explorer";
import { go } from "./go";
import { mindTitle, usualOpponent } from "./levels";
import { more } from "./more";
import { written } from "./moves";
import { drawStrip, isOver, nameOf, people, resultOf, seatOf } from "./players";
import { Reasons } from "./reasons";
import { Review } from "./review";
import { sound } from "./sound";
import { watchThink } from "./think";
import type { Board, GameInfo, Seat, Session, Side, View } from "./types";

/** A move that comes at once is hard to follow; those who want no motion want no waiting either. */
const PAUSE = 380;
/** What a mind may look at that is asked to move now. */
const QUICK_STATES = 200;

const lineOf = (session: Session): Line => ({ game: session.view.game, start: session.start, steps: session.plies, view: session.view, won: session.won });

export class Play {
  private readonly explorer: Explorer;
  private readonly review: Review;
  private readonly reasons: Reasons;
  private readonly clock: Clock | null;
  private alive = true;
  private thinking: AbortController | null = null;
  private moving = false;
  private paused = false;
  private closed = false;
  private partial: Board | null = null;
  private readonly strips = { top: h("div", { class: "strip" }), bottom: h("div", { class: "strip" }) };
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Game" });
  private readonly notes = h("div", { class: "notes" });
  private readonly choices = h("div", { class: "choices" });
  private readonly banner = h("div", { class: "banner", hidden: true });

  constructor(
    private readonly main: HTMLElement,
    private readonly game: GameInfo | undefined,
    private session: Session,
    ply?: number,
  ) {
    this.explorer = new Explorer(lineOf(session), game, {
      mayMove: () => this.myTurn(),
      move: (mv) => void this.move(mv),
      moved: () => this.around(),
      reasons: (index) => void this.explain(index),
    });
    this.explorer.flip = session.seats[0].kind === "mind" && session.seats[1].kind === "human";
    this.explorer.board.onPart = (board) => {
      this.partial = board;
      this.drawStrips();
      this.drawTools();
    };
    this.review = new Review(this.explorer, (side) => seatOf(this.session, side).kind === "human");
    this.clock = session.clock && new Clock(session.clock, (side) => void this.flagFell(side));
    this.reasons = new Reasons(this.explorer, game);
    this.reasons.note(session);
    this.draw();
    this.refresh(false);
    this.reasons.showLast(this.session);
    document.addEventListener("keydown", this.shortcut);
    document.addEventListener("visibilitychange", this.comeBack);
    if (ply !== undefined) void this.explorer.go(ply);
    void this.continue();
  }

  leave(): void {
    this.alive = false;
    this.thinking?.abort();
    this.clock?.leave();
    this.explorer.leave();
    this.review.leave();
    document.removeEventListener("keydown", this.shortcut);
    document.removeEventListener("visibilitychange", this.comeBack);
  }

  private draw(): void {
    const { explorer } = this;
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
          h("div", { class: "board-row" }, explorer.bar.el, h("div", { class: "board-frame" }, explorer.board.el)),
          this.strips.bottom,
          this.banner,
          this.notes,
          this.choices,
          this.tools,
        ),
        h("div", { class: "side" }, this.review.el, explorer.why.el),
        explorer.list,
      ),
    );
  }

  private myTurn(): boolean {
    const side = this.session.view.to_move;
    return side !== null && !isOver(this.session) && seatOf(this.session, side).kind === "human" && !this.thinking;
  }

  private refresh(animate: boolean): void {
    this.partial = null;
    this.clock?.sync(this.session.clock);
    this.explorer.follow(lineOf(this.session), animate);
    this.around();
  }

  /** Everything around the board. */
  private around(): void {
    if (!this.alive) return;
    this.drawStrips();
    this.drawTools();
    this.drawChoices();
    this.drawNotes();
    this.drawBanner();
  }

  private drawStrips(): void {
    const { flip } = this.explorer;
    const state = { session: this.session, game: this.game, thinking: this.thinking !== null, partial: this.partial, clock: this.clock };
    drawStrip(this.strips.top, flip ? "First" : "Second", state);
    drawStrip(this.strips.bottom, flip ? "Second" : "First", state);
  }

  private drawNotes(): void {
    const { board } = this.session.view;
    // What the strips tell is not told twice.
    const notes = board.notes.filter(([name]) => name !== "dice" && !/^(pips|discs|turn|control|step)/.test(name));
    const first = this.session.plies.find((ply) => ply.side !== null)?.side ?? this.session.view.to_move;
    const began = board.layout === "Points" && first && this.session.plies.filter((ply) => ply.side !== null).length < 2;
    const started = began ? [`The dice decided who starts: ${nameOf(this.session, this.game, first) === "You" ? "you do" : `${nameOf(this.session, this.game, first)} does`}.`] : [];
    replace(this.notes, ...started.map((text) => h("span", { class: "note" }, text)), ...notes.map(([name, text]) => h("span", { class: "note" }, h("b", {}, name), ` ${text}`)));
  }

  private drawTools(): void {
    const tool = (label: string, key: string, enabled: boolean, act: () => void): HTMLElement =>
      h("button", { type: "button", disabled: !enabled, "aria-keyshortcuts": key, title: `${label} (${key})`, onclick: act }, label);
    const played = this.session.plies.some((ply) => ply.by === "human");
    const over = isOver(this.session);
    const away = !this.explorer.atEnd();
    const focus = this.tools.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-keyshortcuts") : null;
    replace(
      this.tools,
      away && tool("Back to the game", "e", true, () => void this.explorer.go(this.session.plies.length)),
      tool("Undo", "u", (played || this.partial !== null) && !this.thinking, () => void this.undo()),
      tool("Hint", "h", this.myTurn() || away, () => void this.hint()),
      tool("Judge my move", "j", played, () => void this.judge()),
      tool("Flip", "f", true, () => this.turn()),
      this.thinking && tool("Move now", "m", true, () => void this.moveNow()),
      people(this.session) === 0 && !over && tool(this.paused ? "Go on" : "Pause", "p", true, () => this.pause()),
      tool("Again", "n", true, () => void this.again()),
      more({ session: this.session, explorer: this.explorer, game: this.game, resign: people(this.session) > 0 && !over ? () => void this.giveUp() : null, watch: this.watchable(), playOn: () => void this.playOn() }),
    );
    if (focus) this.tools.querySelector<HTMLElement>(`[aria-keyshortcuts="${focus}"]`)?.focus();
  }

  /** A search whose thinking can be watched: the opponent's, where it looks ahead, else the one at hand. */
  private watchable(): (() => void) | null {
    const searches = (this.game?.minds ?? []).filter((mind) => ["uct", "alphabeta"].includes(mind.name));
    const seat = this.session.seats.find((known) => known.kind === "mind");
    const name = seat?.kind === "mind" && /^(uct|alphabeta|expectimax)\b|^zoo:(homo|nhb)/.test(seat.mind) ? seat.mind : searches.at(-1)?.name;
    return name ? () => watchThink(this.explorer, name, mindTitle(this.game?.minds ?? [], name)) : null;
  }

  /** Moves that no click on a cell can make, such as a pass. */
  private drawChoices(): void {
    const { view } = this.session;
    const mine = this.myTurn() && this.explorer.atEnd();
    const cellless = mine ? view.moves.filter((move) => move.cells.length === 0) : [];
    const button = (mv: number, label: string): HTMLElement => h("button", { type: "button", class: "choice", onclick: () => void this.move(mv) }, label);
    const all = mine && view.moves.length > cellless.length && needsList(view);
    const only = view.moves.length === 1 && cellless.length === 1;
    replace(
      this.choices,
      only && h("span", { class: "note" }, "You cannot move."),
      ...cellless.map((move) => button(move.mv, only ? "Go on" : written(move.label))),
      all &&
        h("details", {}, h("summary", {}, `All ${view.moves.length} moves`), h("div", { class: "all-moves" }, ...view.moves.map((move) => button(move.mv, move.label)))),
    );
  }

  private drawBanner(): void {
    const result = resultOf(this.session, this.game);
    this.banner.hidden = result === null || this.closed;
    if (!result) return;
    this.banner.className = `banner ${result.kind}`;
    if (this.banner.childElementCount > 0) return;
    replace(
      this.banner,
      h("div", { class: "result" }, h("strong", {}, result.text), h("span", { class: "muted" }, result.detail)),
      h("button", { type: "button", class: "primary", onclick: () => void this.again() }, "Play again"),
      h("button", { type: "button", onclick: () => void this.review.analyse() }, "Look back"),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", title: "Close (Escape)", onclick: () => this.close() }, "✕"),
    );
  }

  private close(): void {
    this.closed = true;
    this.drawBanner();
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.alive || (error instanceof Refused && error.code === "left")) return;
      toast((error as Error).message);
      if (error instanceof Refused && error.status === 409) await this.reload();
    }
  }

  private async reload(): Promise<void> {
    this.session = await api.session(this.session.id);
    if (this.alive) this.refresh(false);
  }

  /** The game may have gone on in another tab. */
  private comeBack = (): void => {
    if (document.hidden || this.thinking || this.moving) return;
    void this.guarded(async () => {
      const now = await api.session(this.session.id);
      if (!this.alive || now.version === this.session.version) return;
      this.session = now;
      this.refresh(false);
      this.reasons.showLast(this.session);
      void this.continue();
    });
  };

  private async move(mv: number): Promise<void> {
    if (!this.myTurn() || this.moving) return;
    this.moving = true;
    this.explorer.board.el.setAttribute("aria-busy", "true");
    await this.guarded(async () => {
      this.session = await api.move(this.session.id, mv, this.session.version);
      this.after();
    });
    this.moving = false;
    this.explorer.board.el.removeAttribute("aria-busy");
    await this.continue();
  }

  private after(): void {
    if (!this.alive) return;
    this.refresh(true);
    const last = this.session.plies.filter((ply) => ply.by !== "chance").at(-1);
    const who = last?.side ? nameOf(this.session, this.game, last.side) : "";
    const result = resultOf(this.session, this.game);
    sound(result === null ? "move" : result.kind === "bad" ? "lost" : result.kind === "even" ? "drawn" : "won");
    const dice = this.session.view.board.notes.find(([name]) => name === "dice");
    const rolled = dice ? ` Dice ${dice[1]}.` : "";
    say(`${last ? `${who}: ${written(last.label)}.` : ""}${result ? ` ${result.text}.` : `${rolled} ${this.myTurn() ? "Your turn." : ""}`}`);
  }

  /** Lets minds play while it is their turn; `states` hurries the first of them. */
  private async continue(states?: number): Promise<void> {
    await this.guarded(async () => {
      for (let quick = states; this.alive && !this.paused && !this.thinking; quick = undefined) {
        const side = this.session.view.to_move;
        if (side === null || isOver(this.session) || seatOf(this.session, side).kind === "human") return;
        const asked = (this.thinking = new AbortController());
        this.around();
        try {
          const wait = new Promise((resolve) => setTimeout(resolve, calm() ? 0 : PAUSE));
          const [session] = await Promise.all([api.reply(this.session.id, quick, asked.signal), wait]);
          this.session = session;
        } finally {
          if (this.thinking === asked) this.thinking = null;
        }
        this.reasons.note(this.session);
        this.after();
        this.reasons.showLast(this.session);
      }
    });
    if (this.alive) this.around();
  }

  /** Whoever thinks too long plays what it sees at a glance. */
  private async moveNow(): Promise<void> {
    this.thinking?.abort();
    this.thinking = null;
    await this.continue(QUICK_STATES);
  }

  private async explain(ply: number): Promise<void> {
    await this.guarded(() => this.reasons.explain(this.session, ply));
  }

  private async hint(): Promise<void> {
    if (!this.explorer.atEnd()) return this.explorer.ask();
    if (this.myTurn()) await this.guarded(() => this.reasons.hint(this.session));
  }

  private async judge(): Promise<void> {
    const ply = this.session.plies.findLastIndex((known) => known.by === "human");
    if (ply >= 0) await this.explain(ply);
  }

  private async undo(): Promise<void> {
    if (this.thinking || this.explorer.board.stepBack()) return;
    await this.guarded(async () => {
      this.session = await api.undo(this.session.id);
      this.closed = false;
      replace(this.banner);
      this.refresh(false);
      await this.explorer.go(this.session.plies.length);
      this.explorer.why.empty("Taken back. The reasons return with the next move.");
      say("Taken back. Your turn.");
    });
  }

  private async giveUp(): Promise<void> {
    await this.guarded(async () => {
      this.thinking?.abort();
      this.session = await api.giveUp(this.session.id);
      this.after();
    });
  }

  /** The server says whether the time is really up. */
  private async flagFell(side: Side): Promise<void> {
    if (!this.alive || seatOf(this.session, side).kind !== "human") return;
    await this.guarded(async () => {
      this.session = await api.session(this.session.id);
      if (isOver(this.session)) this.after();
      else this.clock?.sync(this.session.clock);
    });
  }

  private turn(): void {
    this.explorer.flip = !this.explorer.flip;
    void (this.explorer.tried.length > 0 ? this.explorer.goTried(this.explorer.triedAt) : this.explorer.go(this.explorer.at)).then(() => this.around());
  }

  private pause(): void {
    this.paused = !this.paused;
    this.drawTools();
    void this.continue();
  }

  private async again(): Promise<void> {
    await this.guarded(async () => {
      const [first, second] = this.session.seats;
      const seats: [Seat, Seat] = people(this.session) === 1 ? [second, first] : [first, second];
      const session = await api.begin(this.session.view.game, seats, this.session.start, [], this.clock?.minutes);
      go(`/play/${session.id}`);
    });
  }

  /** A new game from the position that is shown, against the same opponent. */
  private async playOn(): Promise<void> {
    await this.guarded(async () => {
      const opponent = this.session.seats.find((seat) => seat.kind === "mind") ?? (this.game ? usualOpponent(this.game) : this.session.seats[1]);
      const me: Seat = { kind: "human" };
      const { moves, start } = this.explorer.position();
      const look = await api.look(this.explorer.position());
      const seats: [Seat, Seat] = look.view.to_move === "Second" ? [opponent, me] : [me, opponent];
      go(`/play/${(await api.begin(this.session.view.game, seats, start, moves)).id}`);
    });
  }

  private shortcut = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && !this.banner.hidden) return this.close();
    if (this.explorer.walk(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(target.tagName)) return;
    const acts: Record<string, () => void> = {
      u: () => void this.undo(),
      h: () => void this.hint(),
      j: () => void this.judge(),
      f: () => this.turn(),
      n: () => void this.again(),
      e: () => void this.explorer.go(this.session.plies.length),
      ...(this.thinking ? { m: () => void this.moveNow() } : {}),
      ...(people(this.session) === 0 ? { p: () => this.pause() } : {}),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** Games whose moves are more than one click get a list of all moves too. */
function needsList(view: View): boolean {
  return view.board.layout === "Points" || view.moves.some((move) => move.cells.length > 1);
}
