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
  /** Let new pieces fall, slide, pop or turn. */
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
  /** Shows a line of play: arrows for moves that go from a cell to another, numbers for stones that are put down; an empty list clears them. */
  line(steps: number[][], labels?: string[]): void;
  /** Lights the line that won, for as long as this position is shown. */
  win(cells: number[]): void;
  /** Takes back the last part of a move that is not whole yet; false where there is none. */
  stepBack(): boolean;
  /** Is told when a part of a move was made or taken back, with the board as it stands then. */
  onPart: ((board: Board) => void) | null;
  /** Puts the keyboard on the board. */
  focus(): void;
}

export function makeBoard(view: View, onMove: (mv: number) => void): BoardView {
  return view.board.layout === "Points" ? new PointsBoard(onMove) : new GridBoard(onMove);
}
