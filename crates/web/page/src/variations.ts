// What is tried beside the line of a game: any number of variations, from any place, also from one another. Each is kept as the moves
// after its place in the line; where two begin alike they are one twig of the tree until they part.

import type { Step } from "./types";

export interface Variation {
  /** After how many moves of the line it begins. */
  at: number;
  steps: Step[];
}

/** A move in the tree, with what was tried after it, the first one first. */
export interface Twig {
  step: Step;
  /** The moves from the line to this one. */
  path: Step[];
  next: Twig[];
}

const same = (one: Step | undefined, other: Step | undefined): boolean => one?.mv === other?.mv && one?.side === other?.side;

/** Whether `whole` begins with `part`. */
export const beginsWith = (whole: Step[], part: Step[]): boolean => part.length <= whole.length && part.every((step, index) => same(step, whole[index]));

export class Variations {
  private all: Variation[] = [];

  from(at: number): Variation[] {
    return this.all.filter((variation) => variation.at === at);
  }

  get count(): number {
    return this.all.length;
  }

  /** Takes a line of moves into the tree; the longest one that it lies in, which may go on beyond it. */
  add(at: number, steps: Step[]): Step[] {
    const known = this.from(at).find((variation) => beginsWith(variation.steps, steps));
    if (known) return known.steps;
    const shorter = this.from(at).find((variation) => beginsWith(steps, variation.steps));
    if (shorter) shorter.steps = steps;
    else this.all.push({ at, steps });
    return steps;
  }

  /** Forgets everything from the last of these moves on. */
  forget(at: number, path: Step[]): void {
    const gone = this.from(at).filter((variation) => beginsWith(variation.steps, path));
    this.all = this.all.filter((variation) => !gone.includes(variation));
    const left = path.slice(0, -1);
    const before = left.at(-1)?.side === null ? left.slice(0, -1) : left;
    if (before.length > 0) this.add(at, before);
  }

  /** The line has changed after so many moves: what began later has no place any more. */
  keep(moves: number): void {
    this.all = this.all.filter((variation) => variation.at <= moves);
  }

  tree(at: number): Twig[] {
    const grow = (lines: Step[][], path: Step[]): Twig[] => {
      const twigs: { step: Step; lines: Step[][] }[] = [];
      for (const line of lines.filter((known) => known.length > path.length)) {
        const step = line[path.length]!;
        const found = twigs.find((twig) => same(twig.step, step));
        if (found) found.lines.push(line);
        else twigs.push({ step, lines: [line] });
      }
      return twigs.map(({ step, lines: own }) => ({ step, path: [...path, step], next: grow(own, [...path, step]) }));
    };
    return grow(this.from(at).map((variation) => variation.steps), []);
  }

  /** What was tried instead of the last of these moves, that move among it; with its own place. */
  beside(at: number, path: Step[]): { all: Step[][]; place: number } {
    let twigs = this.tree(at);
    for (const step of path.slice(0, -1)) twigs = twigs.find((twig) => same(twig.step, step))?.next ?? [];
    const all = twigs.map((twig) => twig.path);
    return { all, place: all.findIndex((other) => same(other.at(-1), path.at(-1))) };
  }
}
