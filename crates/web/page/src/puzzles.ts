// Puzzles: a position in which just one move wins, proved. How hard it is was measured on our own players.

import { api } from "./api";
import { type BoardView, makeBoard } from "./boards/board";
import { chip } from "./boards/pieces";
import { h, many, number, replace, say, uid } from "./dom";
import { go } from "./go";
import { moveText } from "./export";
import { named } from "./moves";
import { sound } from "./sound";
import type { GameInfo, Puzzle } from "./types";

const KEY = "ludens.puzzles";

interface Score {
  solved: number;
  tried: number;
}

function scores(): Record<string, Score> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Score>;
  } catch {
    return {};
  }
}

/** Games in which somebody can prove the truth in time. */
const FITTING = ["connect-four", "tic-tac-toe", "reversi"];

/** `#/puzzles/GAME/SEED`: the same address is the same puzzle. */
export async function puzzlesView(main: HTMLElement, id: string | undefined, seed: string | undefined): Promise<null> {
  const games = (await api.games()).filter((game) => FITTING.includes(game.id));
  const game = games.find((known) => known.id === id) ?? games.find((known) => known.id === "connect-four") ?? games[0];
  if (!game) throw new Error("Puzzles need a game whose truth is known.");
  if (!seed) {
    go(`/puzzles/${game.id}/${1 + Math.floor(Math.random() * 100_000)}`);
    return null;
  }
  const select = h("select", { id: uid("g"), "aria-label": "Game", onchange: () => go(`/puzzles/${select.value}`) }, ...games.map((known) => h("option", { value: known.id }, known.title)));
  select.value = game.id;
  const stage = h("div", { class: "play" }, h("p", { class: "muted thinking", role: "status" }, "A position is looked for whose truth can be proved"));
  replace(main, h("div", { class: "page-head slim" }, h("h1", {}, "Find the one move that wins"), h("p", { class: "lead" }, "Just one move wins here: that is proved. Every other one lets it slip."), select), stage);
  await new PuzzleBoard(stage, game).open(Number(seed));
  return null;
}

class PuzzleBoard {
  private board: BoardView | null = null;
  private puzzle: Puzzle | null = null;
  private done = false;
  private wrong = 0;
  private readonly side = h("section", { class: "card puzzle", "aria-label": "Puzzle" });
  private readonly answer = h("div", { class: "answer", role: "status" });

  constructor(
    private readonly stage: HTMLElement,
    private readonly game: GameInfo,
  ) {}

  async open(seed: number): Promise<void> {
    const puzzle = await this.find(seed);
    if (!this.stage.isConnected || !puzzle) return;
    this.puzzle = puzzle;
    this.board = makeBoard(puzzle.view, (mv) => this.take(mv));
    const last = puzzle.steps.filter((step) => step.side !== null).at(-1);
    const mover = puzzle.view.to_move!;
    replace(this.stage, h("div", { class: `table ${puzzle.view.board.layout.toLowerCase()}` }, h("p", { class: "turn-note" }, chip(puzzle.view.board, mover), "You are to move and win."), h("div", { class: "board-row" }, h("div", { class: "board-frame" }, this.board.el))), h("div", { class: "side" }, this.side));
    this.board.show(puzzle.view, { interactive: true, last: last?.cells ?? [], flip: false, animate: false });
    this.draw();
  }

  /** Not every number has one; the next ones are tried. */
  private async find(seed: number): Promise<Puzzle | null> {
    for (let tries = 0; tries < 6; tries++) {
      try {
        return await api.puzzle(this.game.id, seed + tries);
      } catch (error) {
        if (tries === 5) replace(this.stage, h("p", { class: "failure" }, (error as Error).message), h("a", { class: "button", href: `#/puzzles/${this.game.id}` }, "Another one"));
      }
    }
    return null;
  }

  private grade(): string {
    const { tried, missed } = this.puzzle!;
    if (tried.length === 0) return "Nobody has tried it yet.";
    const hard = missed / tried.length;
    const word = hard < 0.2 ? "Easy" : hard < 0.5 ? "Medium" : hard < 0.8 ? "Hard" : "Very hard";
    return `${word}: ${missed} of our ${many(tried.length, "player")} miss it.`;
  }

  private draw(): void {
    const puzzle = this.puzzle!;
    const own = scores()[this.game.id] ?? { solved: 0, tried: 0 };
    const next = h("a", { class: this.done ? "button primary" : "button", href: `#/puzzles/${this.game.id}` }, this.done ? "Next puzzle" : "Another one");
    const show = h("button", { type: "button", onclick: () => this.finish(false) }, "Show me");
    const link = `#/play/${encodeURIComponent(this.game.id)}/${encodeURIComponent(moveText(puzzle.steps)) || "-"}`;
    const finders = puzzle.tried.filter((player) => player.found).map((player) => `${player.title}, level ${player.level}${player.elo === null ? "" : ` (Elo ${number(Math.round(player.elo))})`}`);
    replace(
      this.side,
      h("h2", {}, `Puzzle ${puzzle.seed}`),
      h("p", { class: "grade" }, this.grade()),
      this.answer,
      this.done && h("details", {}, h("summary", {}, "Who finds it"), finders.length > 0 ? h("ul", { class: "small" }, ...finders.map((text) => h("li", {}, text))) : h("p", { class: "small muted" }, "None of our players does.")),
      h("div", { class: "tools" }, !this.done && show, next, this.done && h("a", { class: "button", href: link }, "Look at it")),
      h("p", { class: "muted small" }, `You have solved ${own.solved} of ${own.tried} at the first try.`),
    );
  }

  private take(mv: number): void {
    const puzzle = this.puzzle!;
    if (this.done) return;
    if (mv === puzzle.answer) return this.finish(true);
    this.wrong++;
    const label = puzzle.view.moves.find((move) => move.mv === mv)?.label ?? "";
    replace(this.answer, h("p", { class: "judgement bad" }, `${named(label, puzzle.view.board)} does not win. Try again.`));
    say(this.answer.textContent ?? "");
    this.board!.show(puzzle.view, { interactive: true, last: [], flip: false, animate: false });
  }

  private finish(found: boolean): void {
    const puzzle = this.puzzle!;
    this.done = true;
    const all = scores();
    const own = all[this.game.id] ?? { solved: 0, tried: 0 };
    all[this.game.id] = { solved: own.solved + (found && this.wrong === 0 ? 1 : 0), tried: own.tried + 1 };
    localStorage.setItem(KEY, JSON.stringify(all));
    sound(found ? "won" : "lost");
    const told = `${named(puzzle.label, puzzle.view.board)} wins`;
    replace(this.answer, h("p", { class: `judgement ${found ? "good" : "even"}` }, found ? `Yes: ${told}.` : `The answer: ${told}.`), h("p", { class: "muted small thinking" }, "Why"));
    this.board!.light(puzzle.view.moves.find((move) => move.mv === puzzle.answer)?.cells ?? [], "hint");
    this.draw();
    void this.reason();
  }

  private async reason(): Promise<void> {
    const puzzle = this.puzzle!;
    const verdict = this.answer.firstElementChild!;
    try {
      const explained = await api.lookWhy({ game: puzzle.game, moves: puzzle.steps.map((step) => step.mv) });
      replace(this.answer, verdict, ...explained.said.map((text) => h("p", {}, text)));
      const line = explained.moves.find((move) => move.mv === puzzle.answer)?.reasons.find((reason) => reason.line.length > 1);
      if (line) this.board!.line(line.line_cells, line.line);
    } catch (error) {
      replace(this.answer, verdict, h("p", { class: "muted small" }, (error as Error).message));
    }
  }
}
