// How a stone looks. Two stones always differ in lightness and in shape, never in hue alone.

import { s } from "../dom";
import type { Board, Piece, Side, Square } from "../types";

/** Which of the two looks a side's disc has: black and white where the game says so, else indigo and amber. */
function look(piece: Piece, side: Side | null): string {
  const words = piece.name.toLowerCase();
  if (/\bblack\b/.test(words)) return "black";
  if (/\bwhite\b/.test(words)) return "white";
  return side === "Second" ? "second" : "first";
}

function disc(kind: string, radius: number): SVGGElement {
  const mark =
    kind === "first" || kind === "black"
      ? s("circle", { class: "mark ring", r: radius * 0.56 })
      : s("circle", { class: "mark dot", r: radius * 0.2 });
  return s("g", { class: `disc ${kind}` }, s("circle", { class: "body", r: radius }), mark);
}

function cross(): SVGGElement {
  const reach = 26;
  return s(
    "g",
    { class: "stroke first" },
    s("line", { x1: -reach, y1: -reach, x2: reach, y2: reach }),
    s("line", { x1: -reach, y1: reach, x2: reach, y2: -reach }),
  );
}

const ring = (): SVGGElement => s("g", { class: "stroke second" }, s("circle", { r: 29 }));

/** Two kinds of stones are discs; a game with more kinds shows each one's name. */
export function isStones(board: Board): boolean {
  return board.pieces.filter((piece) => piece.side !== null).length <= 2;
}

function token(piece: Piece, side: Side | null): SVGGElement {
  const text = piece.glyph.trim() || piece.name.slice(0, 2);
  const kind = side === null ? "nobody" : look(piece, side);
  return s(
    "g",
    { class: `token ${kind}` },
    s("rect", { class: "body", x: -36, y: -36, width: 72, height: 72, rx: side === "Second" ? 36 : 14 }),
    s("text", { class: "letter", y: 13 }, text),
  );
}

/** The drawing of what stands on a square, around the origin, for cells of 100 units. */
export function drawPiece(board: Board, square: Square, radius = 38): SVGGElement | null {
  const piece = board.pieces[square.piece];
  if (!piece || square.piece === 0) return null;
  if (piece.name === "x") return cross();
  if (piece.name === "o") return ring();
  if (isStones(board) && square.side !== null) return disc(look(piece, square.side), radius);
  return token(piece, square.side);
}

/** The small disc beside a player's name. */
export function chip(board: Board, side: Side): SVGSVGElement {
  const index = board.pieces.findIndex((piece) => piece.side === side);
  const stones = isStones(board) && index > 0;
  const drawn = stones
    ? drawPiece(board, { piece: index, count: 1, side })
    : disc(side === "First" ? "first" : "second", 38);
  return s("svg", { class: "chip", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, drawn);
}

export function stoneName(board: Board, side: Side): string {
  const own = board.pieces.filter((piece) => piece.side === side);
  return own.length === 1 ? own[0]!.name : side === "First" ? "first" : "second";
}
