// A position without an opponent, from a link, a file or the editor: both sides can be moved, and whoever knows best says what is best.

import { api } from "./api";
import { chip } from "./boards/pieces";
import { h, replace, say, toast } from "./dom";
import { Explorer } from "./explorer";
import { readMoves } from "./export";
import { go } from "./go";
import { mindTitle, usualOpponent } from "./levels";
import { more } from "./more";
import { Review } from "./review";
import { watchThink } from "./think";
import type { GameInfo, Seat } from "./types";

/** `#/play/GAME/MOVES@START/PLY`: the line that a link holds. */
export async function analysisView(main: HTMLElement, id: string, text: string | undefined, ply: string | undefined): Promise<() => void> {
  const game = await api.game(id);
  if (!game) throw new Error(`There is no game called ${id} here.`);
  const [moves = "", start] = (text === "-" ? "" : (text ?? "")).split("@");
  const look = await api.look({ game: id, start: start ?? null, moves: readMoves(moves), roll: 0 });
  const board = new Analysis(main, game, new Explorer({ game: id, start: start ?? null, ...look }, game, {
    mayMove: () => false,
    move: () => {},
    moved: () => board.around(),
    reasons: () => void board.explorer.ask(),
  }));
  await board.explorer.go(ply === undefined ? look.steps.length : Number(ply));
  void board.explorer.ask();
  return () => board.leave();
}

class Analysis {
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Analysis" });
  private readonly turn = h("p", { class: "turn-note", role: "status" });
  private readonly review: Review;

  constructor(
    main: HTMLElement,
    private readonly game: GameInfo,
    readonly explorer: Explorer,
  ) {
    this.review = new Review(explorer, () => true);
    replace(
      main,
      h("h1", { class: "unseen" }, `Analysis: ${game.title}`),
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: `table ${explorer.line.view.board.layout.toLowerCase()}` },
          this.turn,
          h("div", { class: "board-row" }, explorer.bar.el, h("div", { class: "board-frame" }, explorer.board.el)),
          this.tools,
        ),
        h("div", { class: "side" }, this.review.el, explorer.why.el),
        explorer.list,
      ),
    );
    document.addEventListener("keydown", this.shortcut);
  }

  leave(): void {
    document.removeEventListener("keydown", this.shortcut);
    this.explorer.leave();
    this.review.leave();
  }

  around(): void {
    const { explorer } = this;
    const tool = (label: string, key: string, act: () => void): HTMLElement => h("button", { type: "button", "aria-keyshortcuts": key, title: `${label} (${key})`, onclick: act }, label);
    void api.look(explorer.position()).then(({ view }) => {
      const side = view.to_move;
      replace(this.turn, side && chip(view.board, side), side ? `${side === "First" ? "First" : "Second"} player to move. Both sides are yours here.` : view.score === null ? "The dice are to be rolled." : "The game is over here.");
    });
    const search = this.game.minds.find((mind) => mind.name === "uct");
    replace(
      this.tools,
      tool("Best move", "h", () => void explorer.ask()),
      tool("Flip", "f", () => this.flip()),
      tool("Play from here", "n", () => void this.playOn()),
      explorer.line.steps.length > 0 && tool("Judge every move", "j", () => void this.review.analyse()),
      h("a", { class: "button", href: `#/edit/${encodeURIComponent(this.game.id)}` }, "Set up"),
      more({ session: null, explorer, game: this.game, resign: null, watch: search ? () => watchThink(explorer, search.name, mindTitle(this.game.minds, search.name)) : null, playOn: () => void this.playOn() }),
    );
  }

  private flip(): void {
    this.explorer.flip = !this.explorer.flip;
    void (this.explorer.tried.length > 0 ? this.explorer.goTried(this.explorer.triedAt) : this.explorer.go(this.explorer.at));
  }

  /** A game from what is shown, against whoever a newcomer meets; the person moves first. */
  private async playOn(): Promise<void> {
    try {
      const position = this.explorer.position();
      const { view } = await api.look(position);
      const [me, it]: [Seat, Seat] = [{ kind: "human" }, usualOpponent(this.game)];
      const session = await api.begin(this.game.id, view.to_move === "Second" ? [it, me] : [me, it], position.start, position.moves);
      say("The game begins here.");
      go(`/play/${session.id}`);
    } catch (error) {
      toast((error as Error).message);
    }
  }

  private shortcut = (event: KeyboardEvent): void => {
    if (this.explorer.walk(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test((event.target as HTMLElement).tagName)) return;
    const acts: Record<string, () => void> = { h: () => void this.explorer.ask(), f: () => this.flip(), n: () => void this.playOn(), j: () => void this.review.analyse() };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}
