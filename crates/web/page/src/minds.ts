// Views of their own for learners whose memory has a shape worth drawing. What is not here is shown by the general view.

import type { Inside } from "./mind";
import type { GameInfo } from "./types";

type Drawer = (inside: Inside, game: GameInfo) => (HTMLElement | null)[];

const DRAWERS: Record<string, Drawer> = {};

export function special(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  try {
    return DRAWERS[inside.learner]?.(inside, game) ?? [];
  } catch {
    // A model of another version may lack what a view needs; the general view still shows what is there.
    return [];
  }
}
