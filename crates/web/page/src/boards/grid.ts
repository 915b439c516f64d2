// Boards of squares, with or without gravity. The picture is one SVG; over it lies a grid of real buttons, so that the
// mouse, the keyboard and a screen reader all meet the same thing.

import { animate, h, replace, s, say } from "../dom";
import type { Board, MoveView, View } from "../types";
import { arrow } from "./arrows";
import type { BoardView, Showing, Tone } from "./board";
import { drawPiece, isStones } from "./pieces";

const UNIT = 100;
const MARGIN = 38;

export class GridBoard implements BoardView {
  readonly el = h("div", { class: "board grid-board" });
  onPart: ((board: Board) => void) | null = null;
  private view: View | null = null;
  private showing: Showing = { interactive: false, last: [], flip: false, animate: false };
  private previewed: Board | null = null;
  private lit: { cells: number[]; tone: Tone } = { cells: [], tone: "reason" };
  private steps: number[][] = [];
  private won: number[] = [];
  private chosen: number[] = [];
  private focused = 0;
  private hovered = -1;
  private walked = false;

  constructor(private readonly onMove: (mv: number) => void) {}

  show(view: View, showing: Showing): void {
    const before = this.view?.board ?? null;
    this.view = view;
    this.showing = showing;
    this.previewed = null;
    this.chosen = [];
    this.won = [];
    this.draw(showing.animate ? before : null);
  }

  preview(board: Board | null): void {
    if (this.previewed === board) return;
    this.previewed = board;
    this.draw(null);
  }

  light(cells: number[], tone: Tone = "reason"): void {
    this.lit = { cells, tone };
    const layer = this.el.querySelector(".lights");
    if (layer) replace(layer, ...this.lights());
  }

  line(steps: number[][]): void {
    this.steps = steps;
    const layer = this.el.querySelector(".steps");
    if (layer) replace(layer, ...this.stepMarks());
  }

  win(cells: number[]): void {
    this.won = cells;
    const layer = this.el.querySelector(".win");
    if (layer) replace(layer, ...this.wins());
  }

  stepBack(): boolean {
    if (this.chosen.length === 0) return false;
    this.chosen = this.chosen.slice(0, -1);
    this.draw(null);
    return true;
  }

  focus(): void {
    this.button(this.focused)?.focus();
  }

  private wins(): SVGElement[] {
    if (this.previewed) return [];
    return this.won.map((cell) => {
      const { x, y } = this.at(cell);
      return s("circle", { class: "won", cx: x, cy: y, r: 43, "data-cell": cell });
    });
  }

  private stepMarks(): SVGElement[] {
    return this.steps.flatMap((cells, index) => {
      const cell = cells.at(-1);
      if (cell === undefined || cell >= this.board.squares.length) return [];
      // A man that goes from one cell to another has an arrow; a stone that is put down has a number.
      if (cells.length === 2 && cells[0] !== cell && this.board.layout === "Grid") return [arrow(this.at(cells[0]!), this.at(cell), index)];
      const { x, y } = this.at(cell);
      const mark = s("g", { class: `step ${index % 2 === 0 ? "own" : "other"}`, transform: `translate(${x} ${y})` }, s("circle", { r: 24 }), s("text", { y: 9 }, String(index + 1)));
      return [mark];
    });
  }

  private get board(): Board {
    return this.previewed ?? this.view!.board;
  }

  private moves(): MoveView[] {
    return this.showing.interactive && !this.previewed ? this.view!.moves : [];
  }

  private at(index: number): { x: number; y: number } {
    const { width, height } = this.board;
    let column = index % width;
    let row = Math.floor(index / width);
    if (this.showing.flip) {
      column = width - 1 - column;
      if (this.board.layout === "Grid") row = height - 1 - row;
    }
    return { x: MARGIN + column * UNIT + UNIT / 2, y: (height - 1 - row) * UNIT + UNIT / 2 + 6 };
  }

  private draw(before: Board | null): void {
    const board = this.board;
    const width = board.width * UNIT + MARGIN + 6;
    const height = board.height * UNIT + MARGIN + 6;
    const gravity = board.layout === "Gravity";
    this.el.classList.toggle("previewing", this.previewed !== null);
    const picture = s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      gravity ? null : this.surface(board),
      s("g", { class: "last" }, ...this.lastMarks()),
      gravity ? s("g", { class: "back" }, s("rect", this.frame(board, "back"))) : null,
      s("g", { class: "pieces" }, ...this.pieces(board, before)),
      gravity ? this.front(board) : null,
      gravity ? s("g", { class: "last" }, ...this.lastMarks()) : null,
      s("g", { class: "legal" }, ...this.legalMarks()),
      s("g", { class: "ghost" }),
      s("g", { class: "win" }, ...this.wins()),
      s("g", { class: "lights" }, ...this.lights()),
      s("g", { class: "steps" }, ...this.stepMarks()),
      s("g", { class: "names" }, ...this.names(board)),
    );
    this.el.style.setProperty("--ratio", `${width} / ${height}`);
    const had = this.el.contains(document.activeElement);
    replace(this.el, picture, this.buttons(board, width, height));
    if (had) this.focus();
  }

  private frame(board: Board, kind: string): Record<string, unknown> {
    return { class: kind, x: MARGIN, y: 6, width: board.width * UNIT, height: board.height * UNIT, rx: 14 };
  }

  private surface(board: Board): SVGGElement {
    const lines: SVGElement[] = [];
    // Where men of several kinds walk about, the squares are checkered, as everybody knows them.
    if (!isStones(board) || this.walks()) return s("g", { class: "surface" }, s("rect", this.frame(board, "plane")), ...this.checkers(board));
    for (let column = 1; column < board.width; column++) {
      const x = MARGIN + column * UNIT;
      lines.push(s("line", { x1: x, x2: x, y1: 6, y2: board.height * UNIT + 6 }));
    }
    for (let row = 1; row < board.height; row++) {
      const y = row * UNIT + 6;
      lines.push(s("line", { y1: y, y2: y, x1: MARGIN, x2: MARGIN + board.width * UNIT }));
    }
    return s("g", { class: "surface" }, s("rect", this.frame(board, "plane")), ...lines);
  }

  /** Whether men go from cell to cell here. */
  private walks(): boolean {
    return this.board.layout === "Grid" && (this.view?.moves.some((move) => move.cells.length === 2 && move.cells[0] !== move.cells[1]) || this.walked);
  }

  private checkers(board: Board): SVGElement[] {
    this.walked = true;
    return board.squares.flatMap((_, index) => {
      const [column, row] = [index % board.width, Math.floor(index / board.width)];
      const { x, y } = this.at(index);
      return (column + row) % 2 === 0 ? [s("rect", { class: "dark-square", x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT })] : [];
    });
  }

  /** The front of a board whose discs fall behind it: one shape with a hole for each cell. */
  private front(board: Board): SVGGElement {
    const { x, y, width, height } = this.frame(board, "") as { x: number; y: number; width: number; height: number };
    const r = 14;
    let path = `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 -${r} ${r}`;
    path += `h-${width - 2 * r}a${r} ${r} 0 0 1 -${r} -${r}v-${height - 2 * r}a${r} ${r} 0 0 1 ${r} -${r}z`;
    const holes: SVGElement[] = [];
    board.squares.forEach((_, index) => {
      const at = this.at(index);
      path += `M${at.x - 41} ${at.y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0z`;
      holes.push(s("circle", { class: "rim", cx: at.x, cy: at.y, r: 41 }));
    });
    return s("g", { class: "front" }, s("path", { d: path, "fill-rule": "evenodd" }), ...holes);
  }

  private pieces(board: Board, before: Board | null): SVGElement[] {
    return board.squares.flatMap((square, index) => {
      const drawn = drawPiece(board, square, board.layout === "Gravity" ? 40 : 38);
      if (!drawn) return [];
      const { x, y } = this.at(index);
      const moving = s("g", {}, drawn);
      const was = before?.squares[index];
      if (was && was.piece !== square.piece) {
        const from = this.cameFrom(board, before!, index);
        if (from === null) this.arrive(moving, was.piece === 0, board, y);
        else this.slide(moving, this.at(from), { x, y });
      }
      return [s("g", { transform: `translate(${x} ${y})` }, moving)];
    });
  }

  /** The cell this man has left, where one did: it has his kind no more. */
  private cameFrom(board: Board, before: Board, index: number): number | null {
    const piece = board.squares[index]!.piece;
    const left = this.showing.last.filter((cell) => cell !== index && before.squares[cell]?.piece === piece && board.squares[cell]?.piece !== piece);
    return left[0] ?? null;
  }

  private slide(piece: SVGElement, from: { x: number; y: number }, to: { x: number; y: number }): void {
    requestAnimationFrame(() => animate(piece, [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }], 260));
  }

  /** A new disc falls or pops up, a changed one turns over. */
  private arrive(piece: SVGElement, isNew: boolean, board: Board, y: number): void {
    requestAnimationFrame(() => {
      if (!isNew) {
        animate(piece, [{ transform: "scaleX(1)" }, { transform: "scaleX(0.06)" }, { transform: "scaleX(1)" }], 380);
      } else if (board.layout === "Gravity") {
        const far = y + 40;
        animate(
          piece,
          [
            { transform: `translateY(${-far}px)`, easing: "cubic-bezier(.5,0,.9,.6)" },
            { transform: "translateY(0)", offset: 0.72, easing: "ease-out" },
            { transform: `translateY(${-far * 0.05}px)`, offset: 0.86, easing: "ease-in" },
            { transform: "translateY(0)" },
          ],
          260 + Math.sqrt(far) * 11,
          "linear",
        );
      } else {
        animate(piece, [{ transform: "scale(.4)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], 180);
      }
    });
  }

  private lastMarks(): SVGElement[] {
    if (this.previewed) return [];
    return this.showing.last.map((index) => {
      const { x, y } = this.at(index);
      return this.board.layout === "Gravity"
        ? s("circle", { class: "last-ring", cx: x, cy: y, r: 45 })
        : s("rect", { class: "last-square", x: x - 48, y: y - 48, width: 96, height: 96, rx: 8 });
    });
  }

  /** The cells that can be clicked next, given what has been chosen of a move of several cells. */
  private candidates(): MoveView[] {
    return this.moves().filter((move) => this.chosen.every((cell) => move.cells.includes(cell)));
  }

  private legalMarks(): SVGElement[] {
    const cells = new Set(this.candidates().flatMap((move) => move.cells));
    return [...cells].map((index) => {
      const { x, y } = this.at(index);
      const taken = this.board.squares[index]!.piece !== 0;
      const chosen = this.chosen.includes(index);
      if (chosen || taken) {
        const kind = chosen ? "legal-chosen" : "legal-taken";
        return s("rect", { class: kind, x: x - 46, y: y - 46, width: 92, height: 92, rx: 10 });
      }
      return s("circle", { class: "legal-dot", cx: x, cy: y, r: 9 });
    });
  }

  private lights(): SVGElement[] {
    const gravity = this.board.layout === "Gravity";
    return this.lit.cells
      .filter((index) => index < this.board.squares.length)
      .map((index) => {
        const { x, y } = this.at(index);
        const kind = `light ${this.lit.tone}`;
        return gravity
          ? s("circle", { class: kind, cx: x, cy: y, r: 44, "data-cell": index })
          : s("rect", { class: kind, x: x - 46, y: y - 46, width: 92, height: 92, rx: 12, "data-cell": index });
      });
  }

  private names(board: Board): SVGElement[] {
    const columns = board.column_names.map((name, column) =>
      s("text", { x: this.at(column).x, y: board.height * UNIT + 34 }, name),
    );
    const rows = board.row_names.map((name, row) => s("text", { x: 18, y: this.at(row * board.width).y + 8 }, name));
    return [...columns, ...rows];
  }

  private buttons(board: Board, width: number, height: number): HTMLElement {
    const legal = this.candidates();
    const rows: HTMLElement[] = [];
    const order = Array.from({ length: board.height }, (_, row) => board.height - 1 - row);
    if (this.showing.flip && board.layout === "Grid") order.reverse();
    for (const row of order) {
      const columns = Array.from({ length: board.width }, (_, column) => column);
      if (this.showing.flip) columns.reverse();
      const cells = columns.map((column) => this.cellButton(board, row * board.width + column, legal));
      rows.push(h("div", { role: "row" }, ...cells));
    }
    const grid = h("div", { role: "grid", class: "cells", "aria-label": "Board" }, ...rows);
    const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;
    grid.style.left = percent(MARGIN, width);
    grid.style.top = percent(6, height);
    grid.style.width = percent(board.width * UNIT, width);
    grid.style.height = percent(board.height * UNIT, height);
    grid.addEventListener("keydown", (event) => this.key(event));
    return grid;
  }

  private cellButton(board: Board, index: number, legal: MoveView[]): HTMLElement {
    const square = board.squares[index]!;
    const name = `${board.column_names[index % board.width]}${board.row_names[Math.floor(index / board.width)]}`;
    const content = square.piece === 0 ? "empty" : board.pieces[square.piece]!.name;
    const playable = this.movesAt(index, legal).length > 0;
    const note = playable ? (board.layout === "Gravity" ? ", drop here" : ", you can play here") : "";
    const button = h("button", {
      type: "button",
      role: "gridcell",
      class: playable ? "cell playable" : "cell",
      tabindex: index === this.focused ? 0 : -1,
      "aria-label": `${name}, ${content}${note}`,
      "aria-disabled": playable ? undefined : "true",
      "aria-selected": this.chosen.includes(index) ? "true" : undefined,
      "data-cell": index,
      onclick: () => this.choose(index),
      onfocus: () => (this.focused = index),
      onmouseenter: () => this.ghost(index),
      onmouseleave: () => this.ghost(-1),
    });
    return button;
  }

  /** The moves a click on this cell can mean. */
  private movesAt(index: number, among: MoveView[]): MoveView[] {
    if (this.board.layout !== "Gravity") return among.filter((move) => move.cells.includes(index));
    const column = index % this.board.width;
    return among.filter((move) => move.cells.some((cell) => cell % this.board.width === column));
  }

  private choose(index: number): void {
    if (this.chosen.includes(index)) {
      this.chosen = this.chosen.filter((cell) => cell !== index);
      return this.draw(null);
    }
    let meant = this.movesAt(index, this.candidates());
    if (meant.length === 0 && this.chosen.length > 0) {
      this.chosen = [];
      meant = this.movesAt(index, this.candidates());
    }
    if (meant.length === 0) return;
    const exact = meant.filter((move) => new Set(move.cells).size === this.chosen.length + 1);
    if (meant.length === 1 || (exact.length === 1 && this.board.layout === "Gravity")) return this.onMove(meant[0]!.mv);
    if (exact.length === 1 && meant.length === 1) return this.onMove(exact[0]!.mv);
    this.chosen = [...this.chosen, index];
    this.draw(null);
    say(`${meant.length} moves begin so; choose the next cell or a move of the list`);
  }

  /** The disc that would fall into the column under the pointer. */
  private ghost(index: number): void {
    if (index === this.hovered) return;
    this.hovered = index;
    const layer = this.el.querySelector(".ghost");
    if (!layer) return;
    const board = this.board;
    const move = index >= 0 ? this.movesAt(index, this.candidates())[0] : undefined;
    const side = this.view?.to_move;
    if (!move || !side || board.pieces.filter((piece) => piece.side !== null).length > 2 || move.cells.length > 1) {
      return replace(layer);
    }
    const piece = board.pieces.findIndex((known) => known.side === side);
    const drawn = drawPiece(board, { piece, count: 1, side }, board.layout === "Gravity" ? 40 : 38);
    const { x, y } = this.at(move.cells[0]!);
    replace(layer, drawn && s("g", { transform: `translate(${x} ${y})` }, drawn));
  }

  private button(index: number): HTMLElement | null {
    return this.el.querySelector<HTMLElement>(`.cell[data-cell="${index}"]`);
  }

  private key(event: KeyboardEvent): void {
    const { width, height } = this.board;
    const turn = this.showing.flip ? -1 : 1;
    const up = this.board.layout === "Grid" ? turn : 1;
    let column = this.focused % width;
    let row = Math.floor(this.focused / width);
    if (event.key === "ArrowLeft") column -= turn;
    else if (event.key === "ArrowRight") column += turn;
    else if (event.key === "ArrowUp") row += up;
    else if (event.key === "ArrowDown") row -= up;
    else if (event.key === "Home") column = 0;
    else if (event.key === "End") column = width - 1;
    else return this.letter(event);
    event.preventDefault();
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    this.moveFocus(row * width + column);
  }

  /** The name of a column, such as 4, drops a disc there or goes there. */
  private letter(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const column = this.board.column_names.indexOf(event.key);
    if (column < 0 || !/^\d$/.test(event.key)) return;
    event.preventDefault();
    if (this.board.layout === "Gravity") this.choose(column);
    else this.moveFocus(Math.floor(this.focused / this.board.width) * this.board.width + column);
  }

  private moveFocus(index: number): void {
    this.button(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = index;
    this.button(index)?.setAttribute("tabindex", "0");
    this.focus();
  }
}
