// The backgammon layout: 24 points, two bars, two trays. A play is built man by man; the partial play stays on the page until it is whole.

import { animate, h, replace, s, say } from "../dom";
import type { Board, MoveView, Side, View } from "../types";
import { arrow } from "./arrows";
import type { BoardView, Showing, Tone } from "./board";
import { type Hop, type Plan, hopsOf, plansOf, usedDice } from "./plays";
import { drawPiece } from "./pieces";

const POINT = 62;
const BAR = 62;
const TRAY = 74;
const EDGE = 12;
const WIDTH = EDGE * 2 + POINT * 12 + BAR + TRAY;
const HEIGHT = 640;
const RADIUS = 27;
const OFF_FIRST = 25;
const OFF_SECOND = 27;

export class PointsBoard implements BoardView {
  readonly el = h("div", { class: "board points-board" });
  onPart: ((board: Board) => void) | null = null;
  /** Takes every click on a cell: a position is set up. */
  onCell: ((cell: number) => void) | null = null;
  private view: View | null = null;
  private showing: Showing = { interactive: false, last: [], flip: false, animate: false };
  private previewed: Board | null = null;
  private lit: { cells: number[]; tone: Tone } = { cells: [], tone: "reason" };
  private plans: Plan[] = [];
  private done: Hop[] = [];
  private from: number | null = null;
  private focused = 0;
  private rolled = "";
  private arrows: Hop[] = [];

  constructor(private readonly onMove: (mv: number) => void) {}

  show(view: View, showing: Showing): void {
    const before = this.view?.board ?? null;
    this.view = view;
    this.showing = showing;
    this.previewed = null;
    this.done = [];
    this.from = null;
    this.plans = showing.interactive && view.to_move ? plansOf(view.board, view.moves, view.to_move) : [];
    this.draw();
    const roll = `${view.history.length}:${this.dice(view.board).join("")}`;
    if (showing.animate && before) this.slide(before, view.board);
    if (showing.animate && roll !== this.rolled) this.tumble();
    this.rolled = roll;
  }

  preview(board: Board | null): void {
    if (this.previewed === board) return;
    this.previewed = board;
    this.draw();
  }

  light(cells: number[], tone: Tone = "reason"): void {
    this.lit = { cells, tone };
    const layer = this.el.querySelector(".lights");
    if (layer) replace(layer, ...this.lights());
  }

  line(steps: number[][], labels: string[] = []): void {
    // Men go from point to point: the first play of the line has arrows.
    if (!this.view) return;
    this.arrows = labels[0] ? hopsOf(this.previewed ?? this.view.board, labels[0]) : [];
    if (this.arrows.length === 0 && steps.length > 0 && this.lit.cells.length === 0) this.light(steps[0]!, "move");
    const layer = this.el.querySelector(".steps");
    if (layer) replace(layer, ...this.arrowMarks());
  }

  win(): void {
    // Nobody wins by a line here.
  }

  stepBack(): boolean {
    if (this.from !== null) this.from = null;
    else if (this.done.pop() === undefined) return false;
    this.draw();
    this.onPart?.(this.board());
    return true;
  }

  private arrowMarks(): SVGElement[] {
    const end = (cell: number): { x: number; y: number } => {
      const { x, y, up } = this.place(cell);
      return { x, y: y + (up ? -1 : 1) * 46 };
    };
    return this.arrows.map(({ from, to }) => arrow(end(from), end(to), 0, 9));
  }

  /** The men that came to a point slide there from a point that lost one. */
  private slide(before: Board, after: Board): void {
    const change = (cell: number, side: Side): number => {
      const own = (board: Board): number => (board.squares[cell]!.side === side ? board.squares[cell]!.count : 0);
      return own(after) - own(before);
    };
    for (const side of ["First", "Second"] as const) {
      const cells = after.squares.map((_, cell) => cell);
      const left = cells.flatMap((cell) => Array<number>(Math.max(0, -change(cell, side))).fill(cell));
      for (const cell of cells.filter((known) => change(known, side) > 0)) {
        const from = left.shift();
        const man = this.el.querySelector(`.man[data-cell="${cell}"]:last-of-type > g`);
        if (from === undefined || !man) continue;
        const [a, b] = [this.place(from), this.place(cell)];
        animate(man, [{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], 300);
      }
    }
  }

  focus(): void {
    this.el.querySelector<HTMLElement>(`.cell[data-cell="${this.focused}"]`)?.focus();
  }

  /** The board with the hops made so far. */
  private board(): Board {
    if (this.previewed) return this.previewed;
    const base = this.view!.board;
    const side = this.view!.to_move;
    if (this.done.length === 0 || !side) return base;
    const squares = base.squares.map((square) => ({ ...square }));
    for (const { from, to } of this.done) {
      const source = squares[from]!;
      const piece = source.piece;
      source.count -= 1;
      if (source.count === 0) Object.assign(source, { piece: 0, side: null });
      const target = squares[to]!;
      if (target.side !== null && target.side !== side) {
        const bar = squares[side === "First" ? 26 : 24]!;
        Object.assign(bar, { piece: target.piece, side: target.side, count: bar.count + 1 });
        Object.assign(target, { piece: 0, side: null, count: 0 });
      }
      Object.assign(target, { piece, side, count: target.count + 1 });
    }
    return { ...base, squares };
  }

  /** Where a cell lies: its middle line, the edge its men stack from, and the direction. */
  private place(cell: number): { x: number; y: number; up: boolean } {
    const flip = this.showing.flip;
    if (cell >= 24) {
      const first = cell < 26;
      const bottom = first !== flip;
      const bar = cell % 2 === 0;
      const x = bar ? EDGE + POINT * 6 + BAR / 2 : WIDTH - EDGE - TRAY / 2 + 4;
      if (bar) return { x, y: bottom ? HEIGHT / 2 + 44 : HEIGHT / 2 - 44, up: !bottom };
      return { x, y: bottom ? HEIGHT - 20 : 20, up: bottom };
    }
    const point = flip ? 23 - cell : cell;
    const bottom = point < 12;
    const column = bottom ? 11 - point : point - 12;
    const x = EDGE + column * POINT + POINT / 2 + (column >= 6 ? BAR : 0);
    return { x, y: bottom ? HEIGHT - 20 : 20, up: bottom };
  }

  private draw(): void {
    const board = this.board();
    const had = this.el.contains(document.activeElement);
    this.el.classList.toggle("previewing", this.previewed !== null);
    this.el.style.setProperty("--ratio", `${WIDTH} / ${HEIGHT}`);
    const picture = s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
      s("rect", { class: "plane", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 16 }),
      s("rect", { class: "middle-bar", x: EDGE + POINT * 6 + 6, y: 0, width: BAR - 12, height: HEIGHT }),
      s("rect", { class: "side-tray", x: WIDTH - EDGE - TRAY + 8, y: 12, width: TRAY - 8, height: HEIGHT - 24, rx: 10 }),
      s("g", { class: "points" }, ...Array.from({ length: 24 }, (_, cell) => this.point(cell))),
      s("g", { class: "last" }, ...this.marks(this.previewed ? [] : this.showing.last, "last-spot")),
      s("g", { class: "pieces" }, ...board.squares.flatMap((_, cell) => this.stack(board, cell))),
      s("g", { class: "legal" }, ...this.legalMarks()),
      s("g", { class: "lights" }, ...this.lights()),
      s("g", { class: "steps" }, ...this.arrowMarks()),
      s("g", { class: "names" }, ...Array.from({ length: 24 }, (_, cell) => this.name(cell))),
      this.diceLayer(board),
    );
    replace(this.el, picture, this.buttons(board));
    if (had) this.focus();
  }

  private point(cell: number): SVGElement {
    const { x, up } = this.place(cell);
    const [base, tip] = up ? [HEIGHT - 4, HEIGHT - 4 - 258] : [4, 262];
    const kind = cell % 2 === 0 ? "point even" : "point odd";
    return s("path", { class: kind, d: `M${x - POINT / 2 + 3} ${base}L${x + POINT / 2 - 3} ${base}L${x} ${tip}z` });
  }

  private stack(board: Board, cell: number): SVGElement[] {
    const square = board.squares[cell]!;
    if (square.count === 0) return [];
    const { x, y, up } = this.place(cell);
    const tray = cell === OFF_FIRST || cell === OFF_SECOND;
    if (tray) return this.tray(square.count, x, y, up, cell);
    const shown = Math.min(square.count, 5);
    const step = up ? -RADIUS * 1.86 : RADIUS * 1.86;
    const men: SVGElement[] = [];
    for (let man = 0; man < shown; man++) {
      const drawn = drawPiece(board, square, RADIUS);
      const from = y + (up ? -RADIUS : RADIUS) * (cell >= 24 ? 0 : 0.9) + man * step;
      if (drawn) men.push(s("g", { class: "man", "data-cell": cell, transform: `translate(${x} ${from})` }, drawn));
    }
    if (square.count > shown) {
      const top = y + (up ? -RADIUS : RADIUS) * 0.9 + (shown - 1) * step;
      men.push(s("text", { class: "count", x, y: top + 8 }, `${square.count}`));
    }
    return men;
  }

  private tray(count: number, x: number, y: number, up: boolean, cell: number): SVGElement[] {
    const kind = cell === OFF_FIRST ? "white" : "black";
    const men = Array.from({ length: count }, (_, man) =>
      s("rect", {
        class: `borne ${kind}`,
        x: x - 24,
        y: up ? y - 14 - man * 17 : y + man * 17,
        width: 48,
        height: 14,
        rx: 4,
      }),
    );
    return men;
  }

  private marks(cells: number[], kind: string): SVGElement[] {
    return cells.map((cell) => {
      const { x, y, up } = this.place(cell);
      const bar = cell >= 24 && cell % 2 === 0 ? 30 : 0;
      return s("rect", {
        class: kind,
        "data-cell": cell,
        x: x - 30,
        y: up ? y - 262 + bar : y - bar,
        width: 60,
        height: 262,
        rx: 12,
      });
    });
  }

  private lights(): SVGElement[] {
    return this.marks(this.lit.cells, `light ${this.lit.tone}`);
  }

  /** Points are counted as whoever sits below counts them: so are the plays that person makes. */
  private counted(cell: number): string {
    if (cell >= 24) return cell % 2 === 0 ? "bar" : "tray";
    return String(this.showing.flip ? 24 - cell : cell + 1);
  }

  private name(cell: number): SVGElement {
    const { x, up } = this.place(cell);
    return s("text", { x, y: up ? HEIGHT - 3 : 15 }, this.counted(cell));
  }

  private dice(board: Board): string[] {
    const note = board.notes.find(([name]) => name === "dice");
    return note ? note[1].split(/\D+/).filter(Boolean) : [];
  }

  private diceLayer(board: Board): SVGElement {
    const spots: Record<string, [number, number][]> = {
      1: [[0, 0]],
      2: [[-1, -1], [1, 1]],
      3: [[-1, -1], [0, 0], [1, 1]],
      4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
      5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
      6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
    };
    const mover = this.view?.to_move;
    const right = mover === "Second" ? this.showing.flip : !this.showing.flip;
    const middle = EDGE + POINT * (right ? 9 : 3) + (right ? BAR : 0);
    const rolled = this.dice(board);
    const used = this.previewed ? [] : usedDice(rolled.map(Number), this.done);
    // Doubles are played four times: each of the two dice stands for two of them.
    const spent = (index: number): boolean => (rolled[0] === rolled[1] ? used.length >= 2 * (index + 1) : used.includes(index));
    const dice = rolled.map((value, index) =>
      s(
        "g",
        { transform: `translate(${middle + (index === 0 ? -34 : 34)} ${HEIGHT / 2})` },
        s(
          "g",
          { class: spent(index) ? "die used" : "die" },
          s("rect", { x: -25, y: -25, width: 50, height: 50, rx: 11 }),
          ...(spots[value] ?? []).map(([dx, dy]) => s("circle", { cx: dx * 13, cy: dy * 13, r: 4.6 })),
        ),
      ),
    );
    return s("g", { class: "dice" }, ...dice);
  }

  private tumble(): void {
    this.el.querySelectorAll(".die").forEach((die, index) => {
      animate(
        die,
        [
          { transform: `translate(${-90 - 30 * index}px, 40px) rotate(${-500 - 80 * index}deg)`, opacity: 0.2 },
          { transform: "translate(10px, -6px) rotate(20deg)", opacity: 1, offset: 0.75 },
          { transform: "none" },
        ],
        620,
        "cubic-bezier(.2,.7,.3,1)",
      );
    });
  }

  /** The plans that agree with the hops made so far, with what is left of each. */
  private left(): { move: MoveView; hops: Hop[] }[] {
    return this.plans.flatMap(({ move, hops }) => {
      const rest = [...hops];
      for (const made of this.done) {
        const index = rest.findIndex((hop) => hop.from === made.from && hop.to === made.to);
        if (index < 0) return [];
        rest.splice(index, 1);
      }
      return [{ move, hops: rest }];
    });
  }

  private next(): Hop[] {
    const board = this.board();
    const side = this.view?.to_move;
    return this.left()
      .flatMap(({ hops }) => hops)
      .filter((hop) => board.squares[hop.from]?.side === side);
  }

  private legalMarks(): SVGElement[] {
    if (this.previewed) return [];
    const hops = this.next();
    if (this.from === null) return this.marks([...new Set(hops.map((hop) => hop.from))], "legal-from");
    const targets = new Set(hops.filter((hop) => hop.from === this.from).map((hop) => hop.to));
    return [...this.marks([this.from], "legal-chosen"), ...this.marks([...targets], "legal-to")];
  }

  private choose(cell: number): void {
    if (this.onCell) return this.onCell(cell);
    const hops = this.next();
    if (this.from === cell) this.from = null;
    else if (this.from !== null && hops.some((hop) => hop.from === this.from && hop.to === cell)) {
      this.done.push({ from: this.from, to: cell });
      this.from = null;
      const whole = this.left().find(({ hops: rest }) => rest.length === 0);
      if (whole) return this.onMove(whole.move.mv);
      this.onPart?.(this.board());
      say("Now the next man");
    } else if (hops.some((hop) => hop.from === cell)) this.from = cell;
    else if (this.done.length > 0 && this.from === null && this.done.at(-1)!.to === cell) this.done.pop();
    this.draw();
  }

  private buttons(board: Board): HTMLElement {
    const hops = this.previewed ? [] : this.next();
    const cells = board.squares.map((square, cell) => {
      const { x, y, up } = this.place(cell);
      const source = hops.some((hop) => hop.from === cell);
      const target = this.from !== null && hops.some((hop) => hop.from === this.from && hop.to === cell);
      const names = this.counted(cell);
      const men = square.count === 0 ? "empty" : `${square.count} × ${board.pieces[square.piece]!.name}`;
      const note = target ? ", move here" : source ? ", take a man" : "";
      const button = h("button", {
        type: "button",
        class: source || target || this.onCell ? "cell playable" : "cell",
        "data-cell": cell,
        tabindex: cell === this.focused ? 0 : -1,
        "aria-label": `${cell < 24 ? "point " : ""}${names}, ${men}${note}`,
        "aria-disabled": source || target || this.onCell ? undefined : "true",
        "aria-pressed": this.onCell ? undefined : this.from === cell ? "true" : "false",
        onclick: () => this.choose(cell),
        onfocus: () => (this.focused = cell),
      });
      const height = cell >= 24 && cell % 2 === 0 ? 230 : 280;
      button.style.left = `${(100 * (x - POINT / 2)) / WIDTH}%`;
      button.style.width = `${(100 * POINT) / WIDTH}%`;
      button.style.top = `${(100 * (up ? y - height + 18 : y - 18)) / HEIGHT}%`;
      button.style.height = `${(100 * height) / HEIGHT}%`;
      return button;
    });
    const group = h("div", { class: "cells free", role: "group", "aria-label": "Board" }, ...cells);
    group.addEventListener("keydown", (event) => this.key(event));
    return group;
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowRight: -1, ArrowLeft: 1 };
    const down = this.focused < 12;
    let next = this.focused;
    if (event.key === "Escape") {
      this.from = null;
      this.done = [];
      return this.draw();
    }
    const side: Side = this.view?.to_move ?? "First";
    if (event.key in steps) {
      const step = steps[event.key]! * (down ? 1 : -1) * (this.focused >= 24 ? -1 : 1);
      next = (this.focused + step + 28) % 28;
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") next = this.focused < 24 ? 23 - this.focused : 0;
    else if (event.key === "b") next = side === "First" ? 24 : 26;
    else if (event.key === "o") next = side === "First" ? OFF_FIRST : OFF_SECOND;
    else return;
    event.preventDefault();
    this.el.querySelector(`.cell[data-cell="${this.focused}"]`)?.setAttribute("tabindex", "-1");
    this.focused = next;
    this.el.querySelector(`.cell[data-cell="${next}"]`)?.setAttribute("tabindex", "0");
    this.focus();
  }
}
