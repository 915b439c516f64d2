// The levels of any opponent: how much it may examine, and how freely it draws among its ranking.

import { number } from "./dom";
import type { Level } from "./types";

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
