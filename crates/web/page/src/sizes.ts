// Line games of other sizes: K in a line on a board of W × H, with stones that are put anywhere or fall.

import { api } from "./api";
import { h, replace, uid } from "./dom";
import type { GameInfo } from "./types";

const MOST_CELLS = 64;
const FAMILY = /^(line|gravity)-(\d+)x(\d+)x(\d+)$/;

/** What is wrong with a size, in a sentence; null where nothing is. */
export function wrongSize(width: number, height: number, length: number): string | null {
  if (![width, height, length].every((value) => Number.isInteger(value) && value > 0)) return "Each of the three is a whole number from 1 up.";
  if (width * height > MOST_CELLS) return `A board has ${MOST_CELLS} cells at most; ${width} × ${height} are ${width * height}.`;
  if (length < 2 || length > Math.max(width, height)) return `A line has from 2 to ${Math.max(width, height)} cells on this board.`;
  return null;
}

/** For a game of the family: fields for its size. */
export function sizeField(game: GameInfo, choose: (game: GameInfo) => void): HTMLElement[] {
  const found = FAMILY.exec(game.id) ?? (game.id === "four-in-a-row" ? ["", "line", "9", "4", "4"] : null);
  if (!found) return [];
  const [, family, ...sizes] = found;
  const ids = [uid("w"), uid("h"), uid("k")];
  const inputs = sizes.map((value, index) => h("input", { type: "number", id: ids[index], min: 1, max: MOST_CELLS, value }));
  const trouble = h("p", { class: "field-error small", role: "alert" });
  const take = async (): Promise<void> => {
    const [width, height, length] = inputs.map((input) => Number(input.value)) as [number, number, number];
    const wrong = wrongSize(width, height, length);
    replace(trouble, wrong);
    if (wrong) return;
    const next = await api.game(`${family}-${width}x${height}x${length}`);
    if (next) choose(next);
    else replace(trouble, "This size cannot be played.");
  };
  const field = (index: number, name: string): HTMLElement => h("div", { class: "field" }, h("label", { for: ids[index]! }, name), inputs[index]!);
  const box = h("details", { class: "field" }, h("summary", {}, "Another size"), h("div", { class: "trio" }, field(0, "Columns"), field(1, "Rows"), field(2, "In a line")), h("p", { class: "muted small" }, `${MOST_CELLS} cells at most.`), trouble, h("button", { type: "button", onclick: () => void take() }, "Take this size"));
  return [box];
}
