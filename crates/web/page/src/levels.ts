// The levels of any opponent: how much it may examine, and how freely it draws among its ranking.

import { many, number } from "./dom";
import type { Level, MindInfo, Rung } from "./types";

export const LEVELS: { name: string; level: Level }[] = [
  { name: "Beginner", level: { states: 50, temperature: 0.9 } },
  { name: "Casual", level: { states: 500, temperature: 0.45 } },
  { name: "Club", level: { states: 5000, temperature: 0.15 } },
  { name: "Strong", level: { states: 100000, temperature: 0 } },
  { name: "Its best", level: { states: null, temperature: 0 } },
];

export function levelText(index: number): string {
  const { states, temperature } = LEVELS[index]!.level;
  const budget = states === null ? "As much thought as it likes" : `At most ${number(states)} states a move`;
  const draw = temperature === 0 ? "always the move it ranks first." : `draws among its ranking (temperature ${temperature}).`;
  return `${budget}; ${draw}`;
}

export function levelName(level: Level | undefined): string {
  const found = LEVELS.find(
    (known) => known.level.states === (level?.states ?? null) && known.level.temperature === (level?.temperature ?? 0),
  );
  return found?.name ?? (level?.states ? `${number(level.states)} states` : "Its best");
}

export function rungName(rung: Rung, count: number): string {
  if (rung.level === 1) return "Beginner";
  return rung.level === count ? "Its best" : `Level ${rung.level} of ${count}`;
}

export function rungText(rung: Rung): string {
  const elo = rung.elo === null ? "" : `Elo ${number(Math.round(rung.elo))} ± ${number(Math.round(rung.elo_plus_minus ?? 0))} over a random player; `;
  const told = `${elo}what it knew after ${many(rung.step, "step")} of training.`;
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** The mind that `name` belongs to: itself, the one it is a rung of, or the one it is with settings. */
export function mindOf(minds: MindInfo[], name: string): MindInfo | undefined {
  return (
    minds.find((mind) => mind.name === name) ??
    minds.find((mind) => mind.levels.some((rung) => rung.name === name)) ??
    minds.find((mind) => mind.name === name.split(":")[0])
  );
}

/** How a seat's mind is called: its title, and its rung or settings. */
export function mindTitle(minds: MindInfo[], name: string): string {
  const mind = mindOf(minds, name);
  if (!mind) return name;
  const rung = mind.levels.find((known) => known.name === name);
  if (rung && rung.level < mind.levels.length) return `${mind.title}, ${rungName(rung, mind.levels.length).toLowerCase()}`;
  return name === mind.name || rung ? mind.title : `${mind.title} (${name.slice(mind.name.length + 1)})`;
}
