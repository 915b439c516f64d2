// The levels of any opponent: how much it may examine, and how freely it draws among its ranking; for a trained player, its own past.

import { many, number } from "./dom";
import type { GameInfo, Level, MindInfo, Rung, Seat } from "./types";

export const LEVELS: { name: string; level: Level }[] = [
  { name: "Beginner", level: { states: 50, temperature: 0.9 } },
  { name: "Casual", level: { states: 500, temperature: 0.45 } },
  { name: "Club", level: { states: 5000, temperature: 0.15 } },
  { name: "Strong", level: { states: 100000, temperature: 0 } },
  { name: "Its best", level: { states: null, temperature: 0 } },
];

/** Where nothing is known of a player's strength, this one is friendly. */
const CASUAL = 1;
/** Elo over a random player that somebody who has just learnt the rules can meet. */
const FRIENDLY = 600;

export function levelText(index: number): string {
  const { states, temperature } = LEVELS[index]!.level;
  const budget = states === null ? "Thinks as long as it likes" : `Looks at ${number(states)} positions a move at most`;
  const draw = temperature === 0 ? "always plays the move it likes best." : "does not always play the move it likes best.";
  return `${budget}, and ${draw}`;
}

export function levelName(level: Level | undefined): string {
  const found = LEVELS.find(
    (known) => known.level.states === (level?.states ?? null) && known.level.temperature === (level?.temperature ?? 0),
  );
  return found?.name ?? (level?.states ? `${number(level.states)} positions a move` : "Its best");
}

/** The rungs whose measured strength rises: a slider is strength, so a later self that plays no better is left out. What was not measured stays. */
export function rising(mind: MindInfo | undefined): Rung[] {
  const kept: Rung[] = [];
  for (const rung of mind?.levels ?? []) {
    const before = kept.at(-1)?.elo;
    if (rung.elo === null || before === null || before === undefined || rung.elo > before) kept.push(rung);
  }
  return kept;
}

export function rungName(rung: Rung, rungs: Rung[]): string {
  const place = rungs.findIndex((known) => known.name === rung.name);
  if (place === 0 && rungs.length > 1) return "Beginner";
  return place === rungs.length - 1 ? "Its best" : `Level ${place + 1} of ${rungs.length}`;
}

export function rungText(rung: Rung): string {
  const elo = rung.elo === null ? "" : `Elo ${number(Math.round(rung.elo))} ± ${number(Math.round(rung.elo_plus_minus ?? 0))}, where a player of random moves has 0; `;
  const told = `${elo}${rung.step === 0 ? "before it learnt anything." : `what it knew after ${many(rung.step, "step")} of training.`}`;
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

/** How a seat's mind is called. */
export function mindTitle(minds: MindInfo[], name: string): string {
  const mind = mindOf(minds, name);
  if (!mind) return name;
  const own = name === mind.name || mind.levels.some((rung) => rung.name === name);
  return own ? mind.title : `${mind.title} (${name.slice(mind.name.length + 1)})`;
}

/** How strong it is asked to be, in a word. */
export function strength(minds: MindInfo[], seat: Seat): string {
  if (seat.kind === "human") return "";
  const mind = mindOf(minds, seat.mind);
  const rungs = mind?.levels ?? [];
  if (rungs.length === 0) return levelName(seat.level);
  const rung = rungs.find((known) => known.name === seat.mind);
  if (!rung) return "";
  const shown = rising(mind);
  return shown.some((known) => known.name === rung.name) ? rungName(rung, shown) : `after ${many(rung.step, "step")}`;
}

const best = (mind: MindInfo): number => Math.max(-Infinity, ...mind.levels.map((rung) => rung.elo ?? -Infinity));

/** The player that is all the methods together. */
const WHOLE = /^zoo:homo-/;

/** Homo ludens where it was trained, else the trained player with the highest Elo; without one the search that plays best: where lines win the one that counts them, else the one that
 * plays games in its head. Never a player that is trained elsewhere and has learnt nothing here. */
export function strongest(game: GameInfo): string {
  const trained = game.minds.filter((mind) => mind.kind === "learnt").sort((a, b) => best(b) - best(a));
  const search = (game.lines ? ["alphabeta", "uct"] : ["uct", "alphabeta"]).map((name) => game.minds.find((mind) => mind.name === name)).find(Boolean);
  return (trained.find((mind) => WHOLE.test(mind.name)) ?? trained[0] ?? search ?? game.minds.at(-1))?.name ?? "random";
}

/** The place on the slider where a newcomer meets this player: the rung nearest to a friendly strength, but not before it learnt anything. */
export function friendly(mind: MindInfo | undefined): number {
  const rungs = rising(mind);
  if (rungs.length < 2) return CASUAL;
  const far = (rung: Rung): number => Math.abs((rung.elo ?? 0) - FRIENDLY);
  const learnt = rungs.filter((rung) => rung.step > 0 && rung.elo !== null);
  const nearest = learnt.sort((a, b) => far(a) - far(b))[0];
  return nearest ? rungs.indexOf(nearest) : rungs.length - 1;
}

/** The seat of a mind at a place of its slider. One that is careful plays nothing that loses at once while something else does not. */
export function seatAt(mind: MindInfo | undefined, name: string, place: number, settings = "", careful = true): Seat {
  const rungs = rising(mind);
  const care = careful ? { careful } : {};
  const whole: Level = { states: null, temperature: 0, ...care };
  if (rungs.length > 1 && !settings) return { kind: "mind", mind: rungs[Math.min(place, rungs.length - 1)]!.name, level: whole };
  const level = mind?.levels.length ? whole : { ...LEVELS[Math.min(place, LEVELS.length - 1)]!.level, ...care };
  return { kind: "mind", mind: settings ? `${name}:${settings}` : name, level };
}

/** Whether a player is careful unless somebody says otherwise: whoever is met first and all that were trained; a simple one is left as it is. */
export function usuallyCareful(game: GameInfo, name: string): boolean {
  return name === strongest(game) || mindOf(game.minds, name)?.kind !== "classical";
}

/** Whom a newcomer meets. */
export function usualOpponent(game: GameInfo): Seat {
  const name = strongest(game);
  const mind = game.minds.find((known) => known.name === name);
  return seatAt(mind, name, friendly(mind), "", game.start.board.layout !== "Points");
}
