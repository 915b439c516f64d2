// Setting up any position: by clicks on the board, by its text, or from a game that somebody brings.

import { api } from "./api";
import { type BoardView, makeBoard } from "./boards/board";
import { h, replace, uid } from "./dom";
import { readGame } from "./export";
import { go } from "./go";
import type { Board, GameInfo, Side, View } from "./types";

/** How a position text writes what lies on a cell: the empty cell first. */
function letters(game: GameInfo): [string, string, string] | null {
  const { board, text } = game.start;
  if (board.layout === "Points" || board.pieces.length !== 3) return null;
  return text.includes("-") ? ["-", "X", "O"] : [".", "x", "o"];
}

const saysSide = (game: GameInfo): boolean => / [XO]$/.test(game.start.text);

export async function editView(main: HTMLElement, id: string | undefined): Promise<null> {
  const games = await api.games();
  const game = (id ? await api.game(id) : undefined) ?? games.find((known) => known.id === "connect-four") ?? games[0]!;
  const select = h("select", { id: uid("g"), onchange: () => go(`/edit/${encodeURIComponent(select.value)}`) }, ...games.map((known) => h("option", { value: known.id }, known.title)));
  if (!games.some((known) => known.id === game.id)) select.append(h("option", { value: game.id }, game.title));
  select.value = game.id;
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Set up a position"), h("p", { class: "lead" }, "Put stones on the board, or paste a position or a whole game. Then look at it, or play from it.")),
    h("div", { class: "setup" }, h("div", { class: "card edit-board" }), h("div", { class: "card setup-form" }, h("div", { class: "field" }, h("label", { for: select.id }, "Game"), select))),
  );
  new Editor(main.querySelector<HTMLElement>(".edit-board")!, main.querySelector<HTMLElement>(".setup-form")!, game);
  return null;
}

class Editor {
  private readonly view: View;
  private board: BoardView;
  private side: Side = "First";
  private readonly text: HTMLTextAreaElement;
  private readonly trouble = h("p", { class: "field-error", role: "alert" });

  constructor(place: HTMLElement, form: HTMLElement, private readonly game: GameInfo) {
    this.view = structuredClone(game.start);
    this.board = makeBoard(this.view, (cell) => this.put(cell));
    const id = uid("text");
    this.text = h("textarea", { id, rows: 4, spellcheck: "false", autocomplete: "off" });
    const known = letters(game);
    replace(place, known ? this.board.el : h("p", { class: "muted" }, "This board is set up by its text: paste a position beside it."));
    const toMove = (side: Side, label: string): HTMLElement => {
      const input = h("input", { type: "radio", name: "edit-side", value: side, onchange: () => {
        this.side = side;
        this.write();
      } });
      input.checked = side === this.side;
      return h("label", {}, input, h("span", {}, label));
    };
    form.append(
      h("div", { class: "field" }, h("label", { for: id }, "Position or game"), this.text, h("p", { class: "muted small" }, `A position: ${game.position_format}. Or moves, column digits, JSON, CSV, SGF, GGF or .mat.`), this.trouble),
      ...(saysSide(game) ? [h("fieldset", { class: "field segments" }, h("legend", {}, "To move"), h("div", {}, toMove("First", "First"), toMove("Second", "Second")))] : []),
      h("div", { class: "tools" }, h("button", { type: "button", class: "primary", onclick: () => void this.open() }, "Look at it"), known ? h("button", { type: "button", onclick: () => this.clear() }, "Empty the board") : ""),
    );
    if (known) {
      this.draw();
      this.write();
    }
  }

  /** A click goes round: first player's stone, second player's, nothing. */
  private put(cell: number): void {
    const square = this.view.board.squares[cell]!;
    const next = (square.piece + 1) % 3;
    Object.assign(square, { piece: next, count: next === 0 ? 0 : 1, side: next === 0 ? null : next === 1 ? "First" : "Second" });
    this.draw();
    this.write();
  }

  private clear(): void {
    for (const square of this.view.board.squares) Object.assign(square, { piece: 0, count: 0, side: null });
    this.draw();
    this.write();
  }

  /** Every cell can be clicked: the board is shown as a plain grid whose moves are its cells. */
  private draw(): void {
    const board: Board = { ...this.view.board, layout: "Grid" };
    const moves = board.squares.map((_, cell) => ({ mv: cell, label: "", cells: [cell] }));
    this.board.show({ ...this.view, board, moves, to_move: "First" }, { interactive: true, last: [], flip: false, animate: false });
  }

  private write(): void {
    const known = letters(this.game)!;
    const { board } = this.view;
    // A text begins with the first row by name, which in Reversi is the upper one.
    const rows = board.row_names.map((name, row) => ({ name, row })).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const cells = rows.map(({ row }) => board.squares.slice(row * board.width, (row + 1) * board.width).map((square) => known[square.piece as 0 | 1 | 2]).join("")).join("");
    this.text.value = saysSide(this.game) ? `${cells} ${this.side === "First" ? "X" : "O"}` : cells;
  }

  private async open(): Promise<void> {
    try {
      const { start, moves } = readGame(this.text.value, this.game);
      // The server says what is wrong before anything is opened.
      const look = await api.look({ game: this.game.id, start, moves });
      const labels = look.steps.map((step) => step.label.replaceAll(" ", "_"));
      const joined = labels.every((label) => /^\d$/.test(label)) ? labels.join("") : labels.join(",");
      go(`/play/${encodeURIComponent(this.game.id)}/${encodeURIComponent(joined + (start ? `@${start}` : "")) || "-"}`);
    } catch (error) {
      replace(this.trouble, (error as Error).message);
    }
  }
}
