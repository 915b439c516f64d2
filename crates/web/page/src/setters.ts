// Setting up the pieces of a position by clicks: stones on a grid, men on the points of backgammon. Each writes its position as text.

import { makeBoard } from "./boards/board";
import { PointsBoard } from "./boards/points";
import { cellOf } from "./boards/plays";
import { h, uid } from "./dom";
import type { Board, GameInfo, Side, View } from "./types";

export interface Setter {
  readonly el: HTMLElement;
  readonly controls: HTMLElement[];
  /** The position as its game writes it. */
  text(): string;
  clear(): void;
  /** Shows a position that was read. */
  take(view: View): void;
}

/** Who can set up this game by clicks, and is told of every change. */
export function setterOf(game: GameInfo, changed: () => void): Setter | null {
  if (game.start.board.layout === "Points") return new Men(game, changed);
  return letters(game) ? new Stones(game, changed) : null;
}

/** How a position text writes what lies on a cell: the empty cell first. */
function letters(game: GameInfo): [string, string, string] | null {
  const { board, text } = game.start;
  if (board.pieces.length !== 3) return null;
  return text.includes("-") ? ["-", "X", "O"] : [".", "x", "o"];
}

function choice(name: string, options: [string, string][], chosen: string, choose: (value: string) => void): HTMLElement {
  const group = uid("choice");
  const items = options.map(([value, text]) => {
    const input = h("input", { type: "radio", name: group, value, onchange: () => choose(value) });
    input.checked = value === chosen;
    return h("label", {}, input, h("span", {}, text));
  });
  return h("fieldset", { class: "field segments" }, h("legend", {}, name), h("div", {}, ...items));
}

function check(of: HTMLElement, value: string): void {
  for (const input of of.querySelectorAll("input")) input.checked = input.value === value;
}

class Stones implements Setter {
  private board: Board;
  private side: Side = "First";
  private readonly saysSide: boolean;
  private readonly shown: ReturnType<typeof makeBoard>;
  readonly controls: HTMLElement[];

  constructor(
    private readonly game: GameInfo,
    private readonly changed: () => void,
  ) {
    this.board = structuredClone(game.start.board);
    this.saysSide = / [XO]$/.test(game.start.text);
    this.shown = makeBoard(game.start, (cell) => this.put(cell));
    const toMove = choice("To move", [["First", "First"], ["Second", "Second"]], "First", (side) => {
      this.side = side as Side;
      changed();
    });
    this.controls = this.saysSide ? [toMove] : [];
    this.draw();
  }

  get el(): HTMLElement {
    return this.shown.el;
  }

  /** A click goes round: first player's stone, second player's, nothing. */
  private put(cell: number): void {
    const square = this.board.squares[cell]!;
    const next = (square.piece + 1) % 3;
    Object.assign(square, { piece: next, count: next === 0 ? 0 : 1, side: next === 0 ? null : next === 1 ? "First" : "Second" });
    this.draw();
    this.changed();
  }

  clear(): void {
    for (const square of this.board.squares) Object.assign(square, { piece: 0, count: 0, side: null });
    this.draw();
    this.changed();
  }

  take(view: View): void {
    this.board = structuredClone(view.board);
    this.side = / O$/.test(view.text) ? "Second" : "First";
    if (this.controls[0]) check(this.controls[0], this.side);
    this.draw();
  }

  /** Every cell can be clicked: the board is shown as a plain grid whose moves are its cells. */
  private draw(): void {
    const board: Board = { ...this.board, layout: "Grid" };
    const moves = board.squares.map((_, cell) => ({ mv: cell, label: "", cells: [cell] }));
    this.shown.show({ ...this.game.start, board, moves, to_move: "First" }, { interactive: true, last: [], flip: false, animate: false });
  }

  text(): string {
    const known = letters(this.game)!;
    const { board } = this;
    // A text begins with the first row by name, which in Reversi is the upper one.
    const rows = board.row_names.map((name, row) => ({ name, row })).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const cells = rows.map(({ row }) => board.squares.slice(row * board.width, (row + 1) * board.width).map((square) => known[square.piece as 0 | 1 | 2]).join("")).join("");
    return this.saysSide ? `${cells} ${this.side === "First" ? "X" : "O"}` : cells;
  }
}

const MEN = 15;
const BAR = 25;
const TRAY: Record<Side, number> = { First: 25, Second: 27 };

/** A key of GNU Backgammon: a 1 for each man and a 0 after each point, first of who waits, then of who is on roll. */
function gnuId(board: Board, onRoll: Side): string {
  const bits: number[] = [];
  for (const side of [onRoll === "First" ? "Second" : "First", onRoll] as const) {
    for (let point = 1; point <= BAR; point++) {
      const square = board.squares[cellOf(side, point)]!;
      if (square.side === side) bits.push(...Array<number>(square.count).fill(1));
      bits.push(0);
    }
  }
  const bytes = Array.from({ length: 10 }, (_, byte) => bits.slice(8 * byte, 8 * byte + 8).reduce((sum, bit, place) => sum | (bit << place), 0));
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
}

class Men implements Setter {
  private board: Board;
  private brush: Side | "none" = "First";
  private onRoll: Side = "First";
  private readonly shown = new PointsBoard(() => {});
  private readonly roll: HTMLSelectElement;
  private readonly sides: HTMLElement;
  private readonly note = h("p", { class: "muted small", role: "status" });
  readonly controls: HTMLElement[];

  constructor(
    private readonly game: GameInfo,
    private readonly changed: () => void,
  ) {
    this.board = structuredClone(game.start.board);
    this.shown.onCell = (cell) => this.put(cell);
    const id = uid("roll");
    const rolls = [1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high }, (_, low) => `${high}${low + 1}`));
    this.roll = h("select", { id, onchange: () => this.draw(true) }, h("option", { value: "open" }, "The dice decide who starts"), h("option", { value: "" }, "The dice are thrown next"), ...rolls.map((roll) => h("option", { value: roll }, `${roll[0]} and ${roll[1]}`)));
    this.sides = choice("On roll", [["First", "White"], ["Second", "Black"]], "First", (side) => {
      this.onRoll = side as Side;
      // Before the roll that decides nobody is on roll.
      if (this.roll.value === "open") this.roll.value = "";
      this.draw(true);
    });
    this.controls = [
      choice("A click puts", [["First", "White man"], ["Second", "Black man"], ["none", "Takes away"]], "First", (brush) => {
        this.brush = brush as Side | "none";
      }),
      this.sides,
      h("div", { class: "field" }, h("label", { for: id }, "Dice"), this.roll),
      this.note,
    ];
    this.draw(false);
  }

  get el(): HTMLElement {
    return this.shown.el;
  }

  private tell(text: string): void {
    this.note.textContent = text;
  }

  private piece(side: Side): number {
    return this.board.pieces.findIndex((piece) => piece.side === side);
  }

  private add(cell: number, side: Side, men: number): void {
    const square = this.board.squares[cell]!;
    const count = (square.side === side ? square.count : 0) + men;
    Object.assign(square, count > 0 ? { piece: this.piece(side), side, count } : { piece: 0, side: null, count: 0 });
  }

  /** Men that stand nowhere lie in the tray of their side. */
  private put(cell: number): void {
    if (cell === TRAY.First || cell === TRAY.Second) return this.tell("Men that are taken from the board lie here by themselves.");
    const square = this.board.squares[cell]!;
    const side: Side | "none" = this.brush === "none" ? "none" : cell === 24 ? "First" : cell === 26 ? "Second" : this.brush;
    this.tell("");
    if (side === "none" || (square.side !== null && square.side !== side)) {
      if (square.side === null) return;
      this.add(TRAY[square.side], square.side, side === "none" ? 1 : square.count);
      this.add(cell, square.side, side === "none" ? -1 : -square.count);
    }
    if (side !== "none") {
      if (this.board.squares[TRAY[side]]!.count === 0) return this.tell(`All ${MEN} men of ${side === "First" ? "White" : "Black"} are on the board: take one away first.`);
      this.add(TRAY[side], side, -1);
      this.add(cell, side, 1);
    }
    this.draw(true);
  }

  clear(): void {
    for (const square of this.board.squares) Object.assign(square, { piece: 0, count: 0, side: null });
    for (const side of ["First", "Second"] as const) this.add(TRAY[side], side, MEN);
    this.tell("");
    this.draw(true);
  }

  take(view: View): void {
    this.board = structuredClone(view.board);
    const [, roll = "", side] = view.text.split(":");
    this.onRoll = side === "second" ? "Second" : "First";
    this.roll.value = roll;
    check(this.sides, this.onRoll);
    this.draw(false);
  }

  private draw(told: boolean): void {
    const { value } = this.roll;
    if (value === "open" && this.onRoll === "Second") {
      this.onRoll = "First";
      check(this.sides, "First");
    }
    const board: Board = { ...this.board, notes: /\d/.test(value) ? [["dice", value.split("").join("-")]] : [] };
    this.shown.show({ ...this.game.start, board, moves: [], to_move: this.onRoll }, { interactive: false, last: [], flip: false, animate: false });
    if (told) this.changed();
  }

  text(): string {
    const { value } = this.roll;
    const id = gnuId(this.board, this.onRoll);
    return this.onRoll === "Second" ? `${id}:${value}:second` : value ? `${id}:${value}` : id;
  }
}
