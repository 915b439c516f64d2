// The reasons of a game that is played: those of the opponent's moves, hints, and what whoever knows best says of a person's.

import { api } from "./api";
import { calm, say } from "./dom";
import type { Explorer } from "./explorer";
import { mindOf } from "./levels";
import { named } from "./moves";
import type { Explained, GameInfo, Session } from "./types";
import type { WhyOptions } from "./why";

/** How long a pattern is lit. */
const FLASH = 1600;

export class Reasons {
  constructor(
    private readonly explorer: Explorer,
    private readonly game: GameInfo | undefined,
  ) {}

  /** Remembers how the sides stood when the newest decision was made. */
  note(session: Session): void {
    const last = session.last_decision;
    const mover = last && session.plies[last.ply]?.side;
    if (last && mover) this.explorer.note(last, session.plies.slice(0, last.ply), mover);
  }

  showLast(session: Session): void {
    const last = session.last_decision;
    if (!last || !this.explorer.atEnd()) return;
    this.present(session, last, { title: `Why ${named(last.label, last.board)}?` });
    this.flash(last);
  }

  /** The pattern that weighed most lights up for a moment, so that one sees it while one plays. */
  private flash(last: Explained): void {
    const cells = last.moves.find((move) => move.mv === last.mv)?.reasons.find((reason) => reason.cells.length > 0)?.cells ?? [];
    if (calm() || cells.length === 0) return;
    this.explorer.board.light(cells, "reason");
    setTimeout(() => {
      // Whoever points at a reason has put another light on.
      if (!this.explorer.board.el.classList.contains("previewing")) this.explorer.board.light([]);
    }, FLASH);
  }

  /** The reasons behind any move of the game: the mind's own, or what whoever knows best says of a person's. */
  async explain(session: Session, ply: number): Promise<void> {
    const played = session.plies[ply];
    if (!played?.side) return;
    const explained = await api.why(session.id, { ply });
    if (!this.explorer.board.el.isConnected) return;
    this.explorer.note(explained, session.plies.slice(0, ply), played.side);
    const own = played.by === "mind" ? {} : { played: played.mv };
    const title = played.by === "mind" ? `Why ${named(played.label, explained.board)}?` : `Your move ${named(played.label, explained.board)}`;
    this.present(session, explained, { title, ...own });
  }

  async hint(session: Session): Promise<void> {
    const explained = await api.why(session.id, { ply: session.plies.length });
    this.explorer.note(explained, session.plies, session.view.to_move!);
    this.present(session, explained, { title: `Hint: ${named(explained.label, explained.board)}`, tag: "best" });
    const best = explained.moves.find((move) => move.mv === explained.mv);
    this.explorer.board.light(best?.cells ?? [], "hint");
    this.explorer.board.line(explained.board.layout === "Points" || best?.cells.length === 2 ? [best?.cells ?? []] : [], [explained.label]);
    say(`Hint: ${explained.label}`);
  }

  /** Shows a decision, and offers the truth where somebody knows it. */
  private present(session: Session, explained: Explained, options: WhyOptions): void {
    const oracle = this.game?.minds.find((mind) => mind.name === "solver");
    const asked = explained.mind.split(":")[0];
    const onTruth = oracle && asked !== oracle.name ? (): Promise<Explained> => api.why(session.id, { ply: explained.ply, mind: oracle.name }) : undefined;
    this.explorer.why.show(explained, { ...options, onTruth, past: this.past(session, explained) });
  }

  /** Where a player keeps its past: what each rung of its training thinks of the same move. */
  private past(session: Session, explained: Explained): (() => Promise<[number, number][]>) | undefined {
    const rungs = mindOf(this.game?.minds ?? [], explained.mind)?.levels ?? [];
    if (rungs.length < 2) return undefined;
    return async () => {
      const points: [number, number][] = [];
      for (const rung of rungs) {
        const then = await api.why(session.id, { ply: explained.ply, mind: rung.name });
        const rank = then.moves.findIndex((move) => move.mv === explained.mv);
        if (rank >= 0) points.push([rung.step, rank + 1]);
      }
      return points;
    };
  }
}
