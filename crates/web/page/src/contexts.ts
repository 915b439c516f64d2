// Inside the context network: what its detectors look for in four squares, and the contexts of a frame that weigh most.

import { h, number, s } from "./dom";
import { type Inside, boardOf, heat } from "./mind";
import { card } from "./minds";
import type { GameInfo } from "./types";

/** Perceptrons of each family of detectors, and what each of them looks at. */
const FAMILIES: Record<string, string[]> = {
  D1: ["any four"],
  D2: ["rows", "columns", "diagonals"],
  D3: ["outer rows", "inner rows", ...[1, 2, 3, 4].map((x) => `columns ${x}, ${8 - x}`), ...[1, 2, 3, 4].map((x) => `diagonals from ${x}, ${8 - x}`)],
  D4: ["rows", "columns", "diagonals"].flatMap((kind) => [0, 1, 2, 3, 4, 5, 6].map((depth) => `${kind}, ${depth} to fill`)),
};
const INPUTS = 9;
const OUTPUTS = 3;
const IN_FRAME = 39;
const FRAME_WIDTH = 5;
const FRAME_HEIGHT = 6;

/** The contexts of a frame, each as its squares, in the order the network keeps them. */
function frame(): [number, number][][] {
  const all: [number, number][][] = [];
  const four = (square: (step: number) => [number, number]): [number, number][] => [0, 1, 2, 3].map(square);
  for (const left of [0, 1]) {
    for (let row = 0; row < 6; row++) all.push(four((step) => [left + step, row]));
    for (let row = 0; row < 3; row++) all.push(four((step) => [left + step, row + step]));
    for (let row = 0; row < 3; row++) all.push(four((step) => [left + 3 - step, row + step]));
  }
  for (let column = 0; column < FRAME_WIDTH; column++) for (let row = 0; row < 3; row++) all.push(four((step) => [column, row + step]));
  return all;
}

export function contexts(inside: Inside): (HTMLElement | null)[] {
  const families = inside.meta["families"] as string[] | undefined;
  const weights = inside.tensors["weights"]?.values;
  if (!families || !weights) return [];
  const names = families.flatMap((family) => FAMILIES[family]!.map((name) => ({ family, name })));
  const first = names.length * OUTPUTS * INPUTS;
  const inputs = IN_FRAME * families.length * OUTPUTS;
  // What is left are the second layer, shared by three frames, and the seven columns that read it.
  const neurons = (weights.length - first - 7) / (inputs + 1 + 7 * 3);
  if (!Number.isInteger(neurons)) return [];
  return [detectors(names, weights), strongest(families.length, weights.slice(first), neurons, inputs)];
}

/** Each detector has three outputs, each with a weight for a disc on each of the four squares. */
function detectors(names: { family: string; name: string }[], weights: number[]): HTMLElement {
  const reads = names.map((detector, index) => ({
    ...detector,
    rows: [0, 1, 2].map((output) => weights.slice((index * OUTPUTS + output) * INPUTS, (index * OUTPUTS + output) * INPUTS + 4)),
  }));
  const most = Math.max(...reads.flatMap((read) => read.rows.flat().map(Math.abs)), 1e-9);
  const strength = (rows: number[][]): number => Math.max(...rows.flat().map(Math.abs));
  const shown = [...reads].sort((a, b) => strength(b.rows) - strength(a.rows)).slice(0, 16);
  const figures = shown.map(({ family, name, rows }) => {
    const cells = rows.flatMap((row, output) =>
      row.map((weight, place) => {
        const { color, share } = heat(weight, most);
        const cell = s("rect", { x: place * 22 + 1, y: output * 22 + 1, width: 20, height: 20, rx: 5 }, s("title", {}, `square ${place + 1}: ${number(weight)}`));
        cell.style.fill = color;
        cell.style.fillOpacity = Math.max(0.04, share).toFixed(3);
        return cell;
      }),
    );
    return h(
      "figure",
      { class: "mini" },
      s("svg", { viewBox: "0 0 88 66", role: "img", "aria-label": `detector ${family}, ${name}` }, s("rect", { class: "mini-back", width: 88, height: 66, rx: 6 }), ...cells),
      h("figcaption", { class: "small muted" }, h("b", {}, family), ` ${name}`),
    );
  });
  return card("Its detectors", "A detector looks at four squares in a line and asks whose discs lie there. In each picture a row is one of its three questions, and the four cells of a row are the four squares: blue, a disc of its own there counts; amber, one of the other's; the stronger the colour, the more. “3 to fill” are lines under which three squares must be filled before they can be completed.", h("div", { class: "minis detectors" }, ...figures));
}

/** How much the second layer listens to a context, over all its neurons and the detectors' answers. */
function strongest(families: number, weights: number[], neurons: number, inputs: number): HTMLElement {
  const squares = frame();
  const heard = squares.map((cells, context) => {
    let sum = 0;
    for (let neuron = 0; neuron < neurons; neuron++) {
      for (let output = 0; output < families * OUTPUTS; output++) sum += weights[neuron * (inputs + 1) + context * families * OUTPUTS + output]! ** 2;
    }
    return { cells, weight: Math.sqrt(sum) };
  });
  const most = Math.max(...heard.map((context) => context.weight), 1e-9);
  const order = [...heard].sort((a, b) => b.weight - a.weight).slice(0, 12);
  const figures = order.map(({ cells, weight }) => {
    const lit = new Set(cells.map(([column, row]) => row * FRAME_WIDTH + column));
    const drawn = Array.from({ length: FRAME_WIDTH * FRAME_HEIGHT }, (_, index) => {
      const cell = s("circle", { class: "mini-cell", cx: (index % FRAME_WIDTH) * 20 + 10, cy: (FRAME_HEIGHT - 1 - Math.floor(index / FRAME_WIDTH)) * 20 + 10, r: 8 });
      if (lit.has(index)) {
        cell.style.fill = "var(--accent)";
        cell.style.fillOpacity = (weight / most).toFixed(3);
      }
      return cell;
    });
    return h(
      "figure",
      { class: "mini" },
      s("svg", { viewBox: `0 0 ${FRAME_WIDTH * 20} ${FRAME_HEIGHT * 20}`, role: "img", "aria-label": `a context heard with ${number(weight)}` }, s("rect", { class: "mini-back", width: FRAME_WIDTH * 20, height: FRAME_HEIGHT * 20, rx: 6 }), ...drawn),
      h("figcaption", { class: "small muted" }, number(weight)),
    );
  });
  return card("Its strongest contexts", "When it judges a column it looks at the five columns around it. These fours of squares count most there; the number says how much, compared with the others.", h("div", { class: "minis" }, ...figures));
}

/** Neurons of the second layer of the network for any board; each cell listens to them, with a number of its own at the end. */
const JUDGES = 15;

/** On any board: which cells its judges speak for. The numbers of the cells a move goes to, then of those it comes from, stand last. */
export function contextsAny(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const weights = inside.tensors["weights"]?.values;
  const { width, height, squares, layout } = game.start.board;
  const from = (weights?.length ?? 0) - 2 * squares.length * (JUDGES + 1);
  if (!weights || from < 0 || layout === "Points") return [];
  const heard = (cell: number, judge: number): number => weights[from + cell * (JUDGES + 1) + judge]!;
  const cells = squares.map((_, cell) => cell);
  const judges = Array.from({ length: JUDGES }, (_, judge) => cells.map((cell) => heard(cell, judge)));
  const middle = cells.map((cell) => heard(cell, JUDGES) + judges.reduce((sum, judge) => sum + judge[cell]! / 2, 0));
  const mean = middle.reduce((sum, value) => sum + value, 0) / middle.length;
  const most = Math.max(...judges.flat().map(Math.abs), 1e-9);
  const strength = (judge: number[]): number => Math.sqrt(judge.reduce((sum, value) => sum + value ** 2, 0));
  const order = [...judges].sort((a, b) => strength(b) - strength(a));
  return [
    card("Where it likes to play before it has looked", "What each cell is worth while every judge below is undecided. Blue: more than the average cell; amber: less; the stronger the colour, the more.", h("div", { class: "minis concept-minis" }, boardOf(middle.map((value) => value - mean), width, height, Math.max(...middle.map((value) => Math.abs(value - mean)), 1e-9), "cells a move goes to"))),
    card("Its judges", `${JUDGES} judges listen to what its detectors see in all the lines of the board, and each of them speaks for moves to some cells (blue) and against others (amber). The number says how loudly it speaks, the loudest first.`, h("div", { class: "minis" }, ...order.map((judge) => boardOf(judge, width, height, most, number(strength(judge)))))),
  ];
}
