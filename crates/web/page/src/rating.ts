// A person's own strength: the Elo under which the results against players of known strength are most likely.

import { h, many } from "./dom";
import { glossed } from "./glossary";
import { mindOf } from "./levels";
import type { GameInfo, GameLine } from "./types";

export interface Result {
  /** The opponent's Elo. */
  elo: number;
  /** 1 won, ½ drawn, 0 lost. */
  points: number;
}

const PER_NAT = 400 / Math.LN10;
const Z95 = 1.96;

/** The most likely Elo and half of its 95 % interval; one imagined draw against the mean opponent keeps it finite. */
export function rate(results: Result[]): { elo: number; plusMinus: number } {
  const mean = results.reduce((sum, result) => sum + result.elo, 0) / results.length;
  const all = [...results, { elo: mean, points: 0.5 }];
  let strength = mean / PER_NAT;
  let information = 1;
  for (let step = 0; step < 60; step++) {
    let slope = 0;
    information = 0;
    for (const { elo, points } of all) {
      const expected = 1 / (1 + Math.exp(elo / PER_NAT - strength));
      slope += points - expected;
      information += expected * (1 - expected);
    }
    const change = Math.max(-1, Math.min(1, slope / information));
    strength += change;
    if (Math.abs(change) < 1e-9) break;
  }
  return { elo: PER_NAT * strength, plusMinus: (PER_NAT * Z95) / Math.sqrt(information) };
}

/** The games a person has finished from the start against a level whose Elo was measured. */
function measured(lines: GameLine[], game: GameInfo): Result[] {
  return lines.flatMap((line) => {
    const mind = line.seats.find((seat) => seat.kind === "mind");
    const place = line.seats.findIndex((seat) => seat.kind === "human");
    if (line.game !== game.id || line.set_up || line.result === null || mind?.kind !== "mind" || place < 0) return [];
    const elo = mindOf(game.minds, mind.mind)?.levels.find((rung) => rung.name === mind.mind)?.elo;
    if (elo === null || elo === undefined) return [];
    const own = place === 0 ? line.result : -line.result;
    return [{ elo, points: own > 0 ? 1 : own < 0 ? 0 : 0.5 }];
  });
}

/** The person's rating in every game in which there is one. */
export function ownRatings(lines: GameLine[], games: GameInfo[]): HTMLElement | null {
  const rated = games.map((game) => ({ game, results: measured(lines, game) })).filter(({ results }) => results.length > 0);
  if (rated.length === 0) return null;
  const items = rated.map(({ game, results }) => {
    const { elo, plusMinus } = rate(results);
    return h("div", {}, h("dt", {}, game.title), h("dd", {}, `${Math.round(elo)} ± ${Math.round(plusMinus)}`), h("dd", { class: "muted small" }, `${many(results.length, "game")} against players of known strength`));
  });
  return h("div", { class: "card own-rating" }, h("h2", {}, "Your strength"), h("p", { class: "muted small" }, ...glossed("Elo on the scale of the levels, where a player of random moves has 0. With few games the ± is wide. The levels were measured without the care for what loses at once.")), h("dl", { class: "cost wide" }, ...items));
}
