// The faces of the clocks. The server keeps the time: a reload gives none back, and a game whose time is up has ended though nobody looks.

import { h } from "./dom";
import type { Clocks, Side } from "./types";

/** The page may be ahead of the server by so much. */
const SLACK = 60;

export function clockText(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  private since = performance.now();
  private told = false;
  private readonly timer = window.setInterval(() => this.tick(), 200);
  readonly faces: Record<Side, HTMLElement> = { First: h("span", { class: "clock" }), Second: h("span", { class: "clock" }) };

  constructor(
    private clocks: Clocks,
    private readonly ended: (side: Side) => void,
  ) {
    this.draw();
  }

  get minutes(): number {
    return this.clocks.minutes;
  }

  /** As the server says. */
  sync(clocks: Clocks | null): void {
    if (!clocks) return;
    this.clocks = clocks;
    this.since = performance.now();
    this.told = false;
    this.draw();
  }

  leave(): void {
    clearInterval(this.timer);
  }

  private left(side: Side): number {
    const spent = this.clocks.running === side ? performance.now() - this.since : 0;
    return this.clocks.left[side === "First" ? 0 : 1] - spent;
  }

  private tick(): void {
    const side = this.clocks.running;
    if (!side) return;
    this.draw();
    if (this.told || this.left(side) > -SLACK) return;
    this.told = true;
    this.ended(side);
  }

  private draw(): void {
    for (const side of ["First", "Second"] as const) {
      this.faces[side].textContent = clockText(this.left(side));
      this.faces[side].classList.toggle("low", this.left(side) < 20_000);
    }
  }
}
