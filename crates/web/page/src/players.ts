// The two players of a game: what they are called, what stands in their strips, and how the game ended for them.

import { chip, stoneName } from "./boards/pieces";
import { pips } from "./boards/plays";
import type { Clock } from "./clock";
import { h, replace } from "./dom";
import { mindTitle, strength } from "./levels";
import type { Board, GameInfo, Seat, Session, Side } from "./types";

export const seatOf = (session: Session, side: Side): Seat => session.seats[side === "First" ? 0 : 1];
export const people = (session: Session): number => session.seats.filter((seat) => seat.kind === "human").length;
export const isOver = (session: Session): boolean => session.view.score !== null || session.over !== null;

export function nameOf(session: Session, game: GameInfo | undefined, side: Side): string {
  const seat = seatOf(session, side);
  if (seat.kind === "human") return people(session) === 2 ? `Player ${side === "First" ? 1 : 2}` : "You";
  return mindTitle(game?.minds ?? [], seat.mind);
}

export interface Players {
  session: Session;
  game: GameInfo | undefined;
  thinking: boolean;
  /** The board after half a move. */
  partial: Board | null;
  clock: Clock | null;
}

export function drawStrip(strip: HTMLElement, side: Side, { session, game, thinking, partial, clock }: Players): void {
  const { view } = session;
  const seat = seatOf(session, side);
  const active = !isOver(session) && view.to_move === side;
  strip.classList.toggle("active", active);
  const thinks = active && thinking;
  const count = counted(partial ?? view.board, side);
  replace(
    strip,
    chip(view.board, side),
    h("span", { class: "who-lines" }, h("span", { class: "who" }, nameOf(session, game, side)), seat.kind === "mind" && h("span", { class: "muted small" }, strength(game?.minds ?? [], seat))),
    count && h("span", { class: "counted small", title: count.title }, count.text),
    h("span", { class: thinks ? "state thinking" : "state" }, active ? (thinks ? "is thinking" : "to move") : ""),
    clock?.faces[side],
  );
}

/** What is counted of a side: discs where they are turned over, pips where men race, the half move included. */
function counted(board: Board, side: Side): { text: string; title: string } | null {
  if (board.layout === "Points") return { text: `${pips(board)[side]} pips`, title: "How many points its men have still to go" };
  const stones = board.squares.filter((square) => square.side === side).length;
  const turns = board.pieces.some((piece) => /\b(black|white)\b/i.test(piece.name)) && board.pieces.length === 3 && board.layout === "Grid";
  return turns ? { text: `${stones} discs`, title: "Discs on the board" } : null;
}

/** How the game ended, for whoever sits before the page. */
export function resultOf(session: Session, game: GameInfo | undefined): { text: string; detail: string; kind: string } | null {
  const { view, over } = session;
  if (!isOver(session)) return null;
  if (!over && view.score === 0) return { text: "A draw", detail: "Nobody won.", kind: "even" };
  const winner: Side = over ? over.winner : view.score! > 0 ? "First" : "Second";
  const how = over ? (over.by === "time" ? " on time" : ", the other gave up") : "";
  if (people(session) !== 1) return { text: `${nameOf(session, game, winner)} won`, detail: `with ${stoneName(view.board, winner)}${how}`, kind: "good" };
  if (seatOf(session, winner).kind === "human") return { text: "You won", detail: `against ${nameOf(session, game, winner === "First" ? "Second" : "First")}${how}`, kind: "good" };
  const told = over ? (over.by === "time" ? "Your time ran out." : "You gave up.") : `${nameOf(session, game, winner)} won.`;
  return { text: "You lost", detail: told, kind: "bad" };
}
