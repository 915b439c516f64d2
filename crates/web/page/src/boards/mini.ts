// A pattern that has no name, drawn as the small piece of board it speaks of.

import { s } from "../dom";
import type { Board } from "../types";
import { drawPiece } from "./pieces";

const CELL = 100;

/** The rectangle around the pattern: its pieces where they lie, its empty cells with a dot, all others blank. */
export function miniBoard(board: Board, pattern: { cell: number; piece: number }[]): SVGSVGElement | null {
  if (board.layout === "Points" || pattern.length === 0) return null;
  const place = (cell: number): [number, number] => [cell % board.width, Math.floor(cell / board.width)];
  const columns = pattern.map((lies) => place(lies.cell)[0]);
  const rows = pattern.map((lies) => place(lies.cell)[1]);
  const [left, right, bottom, top] = [Math.min(...columns), Math.max(...columns), Math.min(...rows), Math.max(...rows)];
  const [width, height] = [right - left + 1, top - bottom + 1];
  const svg = s("svg", { viewBox: `0 0 ${width * CELL} ${height * CELL}`, class: "mini", "aria-hidden": "true" });
  svg.style.width = `${Math.min(width, 8) * 14}px`;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      svg.append(s("rect", { x: String(column * CELL + 3), y: String(row * CELL + 3), width: "94", height: "94", rx: "12", class: "mini-cell" }));
    }
  }
  for (const lies of pattern) {
    const [column, row] = place(lies.cell);
    const middle = `translate(${(column - left + 0.5) * CELL} ${(top - row + 0.5) * CELL})`;
    const side = board.pieces[lies.piece]?.side ?? null;
    const drawn = lies.piece === 0 ? s("circle", { r: "10", class: "mini-empty" }) : drawPiece(board, { piece: lies.piece, count: 1, side });
    drawn?.setAttribute("transform", middle);
    if (drawn) svg.append(drawn);
  }
  return svg;
}
