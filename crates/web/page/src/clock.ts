// A clock for each side that counts down while it is that side's turn. It is kept beside the game, so that a reload gives no time back.

import { h } from "./dom";
import type { Side } from "./types";

interface Kept {
  minutes: number;
  First: number;
  Second: number;
}

const key = (id: string): string => `ludens.clock.${id}`;

/** Gives a game a clock of so many minutes a side. */
export function setClock(id: string, minutes: number): void {
  if (minutes > 0) localStorage.setItem(key(id), JSON.stringify({ minutes, First: minutes * 60_000, Second: minutes * 60_000 }));
}

export function clockText(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  private left: Kept;
  private running: Side | null = null;
  private since = 0;
  private readonly timer: number;
  /** What each side had at first. */
  readonly minutes: number;
  readonly faces: Record<Side, HTMLElement> = { First: h("span", { class: "clock" }), Second: h("span", { class: "clock" }) };

  private constructor(
    private readonly id: string,
    left: Kept,
    private readonly ended: (side: Side) => void,
  ) {
    this.left = left;
    this.minutes = left.minutes;
    this.timer = window.setInterval(() => this.tick(), 200);
    this.draw();
  }

  /** The clock of a game, if it has one. */
  static of(id: string, ended: (side: Side) => void): Clock | null {
    const kept = localStorage.getItem(key(id));
    return kept ? new Clock(id, JSON.parse(kept) as Kept, ended) : null;
  }

  /** It is this side's turn now; null stops the clock. */
  turn(side: Side | null): void {
    if (side === this.running) return;
    this.settle();
    this.running = side;
    this.since = performance.now();
    this.draw();
  }

  leave(): void {
    this.settle();
    clearInterval(this.timer);
  }

  private settle(): void {
    if (!this.running) return;
    this.left[this.running] = Math.max(0, this.left[this.running] - (performance.now() - this.since));
    this.since = performance.now();
    localStorage.setItem(key(this.id), JSON.stringify(this.left));
  }

  private tick(): void {
    if (!this.running) return;
    this.settle();
    this.draw();
    if (this.left[this.running] > 0) return;
    const side = this.running;
    this.running = null;
    this.ended(side);
  }

  private draw(): void {
    for (const side of ["First", "Second"] as const) {
      this.faces[side].textContent = clockText(this.left[side]);
      this.faces[side].classList.toggle("low", this.left[side] < 20_000);
    }
  }
}
