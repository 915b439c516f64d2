// A whole play, written as people write it (`24/18*/13 6/5(2)`), taken apart into the hops of single men.

import type { Board, MoveView, Side } from "../types";

export interface Hop {
  from: number;
  to: number;
}

export interface Plan {
  move: MoveView;
  hops: Hop[];
}

const BAR = 25;
const OFF = 0;

/** The cell of a point as `side` counts it. */
export function cellOf(side: Side, point: number): number {
  if (point === BAR) return side === "First" ? 24 : 26;
  if (point === OFF) return side === "First" ? 25 : 27;
  return side === "First" ? point - 1 : 24 - point;
}

function pointOf(text: string): number {
  const name = text.replace("*", "");
  return name === "bar" ? BAR : name === "off" ? OFF : Number(name);
}

/** The ways of a man from one point to another with these dice: with two different ones, two orders. */
function ways(from: number, to: number, dice: number[], free: (point: number) => boolean): number[][] {
  const distance = from - to;
  if (dice.length < 2 || dice[0] === dice[1]) {
    const die = dice[0] ?? distance;
    const stations = [from];
    for (let at = from - die; at > to; at -= die) stations.push(at);
    return [[...stations, to]];
  }
  const direct = dice.some((die) => die === distance) || (to === OFF && dice.some((die) => die >= distance));
  if (direct) return [[from, to]];
  const through = dice.map((die) => from - die).filter((station) => station > to && free(station));
  return through.length > 0 ? through.map((station) => [from, station, to]) : [[from, to]];
}

/** Every way to make every legal play by hops. */
export function plansOf(board: Board, moves: MoveView[], side: Side): Plan[] {
  const note = board.notes.find(([name]) => name === "dice");
  const dice = note ? note[1].split(/\D+/).filter(Boolean).map(Number) : [];
  const free = (point: number): boolean => {
    const square = board.squares[cellOf(side, point)]!;
    return square.side === null || square.side === side;
  };
  return moves.flatMap((move) => {
    let plans: number[][][] = [[]];
    for (const word of move.label.split(" ")) {
      const parts = /^([^(]+)(?:\((\d)\))?$/.exec(word);
      if (!parts?.[1]?.includes("/")) return [];
      const points = parts[1].split("/").map(pointOf);
      for (let time = 0; time < Number(parts[2] ?? 1); time++) {
        for (let station = 0; station + 1 < points.length; station++) {
          const options = ways(points[station]!, points[station + 1]!, dice, free);
          plans = plans.flatMap((plan) => options.map((option) => [...plan, option]));
        }
      }
    }
    return plans.map((plan) => ({
      move,
      hops: plan.flatMap((stations) =>
        stations.slice(1).map((to, index) => ({ from: cellOf(side, stations[index]!), to: cellOf(side, to) })),
      ),
    }));
  });
}

/** The hops of a play as it is written, by whoever has men where it begins. */
export function hopsOf(board: Board, label: string): Hop[] {
  for (const side of ["First", "Second"] as const) {
    const plan = plansOf(board, [{ mv: 0, label, cells: [] }], side)[0];
    if (plan && plan.hops.length > 0 && plan.hops.some((hop) => board.squares[hop.from]?.side === side)) return plan.hops;
  }
  return [];
}

/** How far a hop is. */
function length({ from, to }: Hop): number {
  const point = (cell: number): number => (cell === 24 ? 25 : cell === 25 ? 0 : cell === 26 ? 0 : cell === 27 ? 25 : cell + 1);
  return Math.abs(point(from) - point(to));
}

/** Which of the dice these hops have used, by their number; for doubles as many entries as hops. */
export function usedDice(dice: number[], done: Hop[]): number[] {
  if (dice[0] === dice[1]) return done.map((_, index) => index);
  const free = dice.map((_, index) => index);
  return done.flatMap((hop) => {
    const far = length(hop);
    // A man may be borne off with more than he needs.
    const index = free.find((die) => dice[die] === far) ?? free.filter((die) => dice[die]! > far).sort((a, b) => dice[a]! - dice[b]!)[0];
    if (index === undefined) return [];
    free.splice(free.indexOf(index), 1);
    return [index];
  });
}

/** How many points both sides have still to go. */
export function pips(board: Board): Record<Side, number> {
  const count = { First: 0, Second: 0 };
  board.squares.forEach((square, cell) => {
    if (!square.side || cell === 25 || cell === 27) return;
    const away = cell >= 24 ? 25 : square.side === "First" ? cell + 1 : 24 - cell;
    count[square.side] += away * square.count;
  });
  return count;
}
