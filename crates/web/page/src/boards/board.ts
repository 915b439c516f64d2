// What every board can do, whatever its layout.

import type { Board, View } from "../types";
import { GridBoard } from "./grid";
import { PointsBoard } from "./points";

export interface Showing {
  /** Whether the person may move now. */
  interactive: boolean;
  /** The cells of the last move. */
  last: number[];
  /** Turned round: the second player's view. */
  flip: boolean;
  /** Let new pieces fall, pop or turn. */
  animate: boolean;
}

export type Tone = "reason" | "move" | "hint";

export interface BoardView {
  readonly el: HTMLElement;
  show(view: View, showing: Showing): void;
  /** Shows another position for a moment, such as the one a reason speaks of; null goes back. */
  preview(board: Board | null): void;
  /** Lights cells; an empty list puts them out. */
  light(cells: number[], tone?: Tone): void;
  /** Numbers the cells of a line of play, step by step; an empty list clears them. */
  line(steps: number[][]): void;
  /** Puts the keyboard on the board. */
  focus(): void;
}

export function makeBoard(view: View, onMove: (mv: number) => void): BoardView {
  return view.board.layout === "Points" ? new PointsBoard(onMove) : new GridBoard(onMove);
}
