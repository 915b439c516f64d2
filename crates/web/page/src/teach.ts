// Teach a player in five minutes: one training from its first step to a game, with the beginner and the trained player side by side.

import { api } from "./api";
import { type BoardView, makeBoard } from "./boards/board";
import { chart } from "./chart";
import { h, number, replace, toast } from "./dom";
import { term } from "./glossary";
import { go } from "./go";
import type { Training } from "./learn";
import { follow } from "./stream";
import type { Explained, GameInfo, View } from "./types";

interface Lesson {
  game: string;
  learner: string;
  steps: number;
  /** Positions everybody can judge: what there is to do in them. */
  positions: { moves: string[]; task: string }[];
}

const LESSONS: Lesson[] = [
  {
    game: "tic-tac-toe",
    learner: "odds",
    steps: 1000,
    positions: [
      { moves: ["a1", "b2", "a2", "c3"], task: "Two crosses stand in a column: a third one wins." },
      { moves: ["b2", "a1", "c3", "a2"], task: "The other side threatens to win: it must be stopped." },
    ],
  },
  {
    game: "connect-four",
    learner: "odds",
    steps: 600,
    positions: [
      { moves: ["4", "1", "4", "1", "4", "2"], task: "Three lie on each other in column 4: a fourth one wins." },
      { moves: ["4", "3", "4", "3", "1", "3"], task: "The other side has three in column 3: it must be stopped." },
    ],
  },
];

const MAIN = "strength (Elo)";

export async function teachView(main: HTMLElement, id: string | undefined): Promise<() => void> {
  const tour = new Tour(main, await api.games());
  if (id) await tour.watch(id);
  else tour.begin();
  return () => tour.leave();
}

class Tour {
  private stop: (() => void) | null = null;
  private readonly stage = h("div", { class: "tour" });
  private shown = "";

  constructor(
    main: HTMLElement,
    private readonly games: GameInfo[],
  ) {
    replace(main, h("div", { class: "page-head" }, h("h1", {}, "Teach a player in five minutes"), h("p", { class: "lead" }, "It begins by knowing nothing but the rules. You start its training, see what it learns, and play it.")), this.stage);
  }

  leave(): void {
    this.stop?.();
  }

  private card(number: number, title: string, ...content: (Node | string | null | false)[]): HTMLElement {
    return h("section", { class: "card tour-step" }, h("h2", {}, h("span", { class: "tour-number", "aria-hidden": "true" }, String(number)), title), ...content);
  }

  begin(): void {
    const choice = (lesson: Lesson): HTMLElement => {
      const game = this.games.find((known) => known.id === lesson.game)!;
      return h("button", { type: "button", class: "primary", onclick: () => void this.start(lesson) }, `Teach it ${game.title}`);
    };
    replace(
      this.stage,
      this.card(1, "Choose what it shall learn", h("p", {}, "It will play against itself, again and again. After each game it remembers which lines on the board were there when a side won, and when it lost. Nobody tells it how to play."), h("div", { class: "tools left" }, ...LESSONS.map(choice))),
      this.card(2, "Watch it learn", h("p", { class: "muted" }, "Its strength appears here as a curve.")),
      this.card(3, "Beginner and trained, side by side", h("p", { class: "muted" }, "Both get the same position. What do they play, and why?")),
      this.card(4, "Play it", h("p", { class: "muted" }, "Can you still win?")),
    );
  }

  private async start(lesson: Lesson): Promise<void> {
    try {
      const training = await api.post<Training>("/api/trainings", { game: lesson.game, learner: lesson.learner, steps: lesson.steps, seed: Math.floor(Math.random() * 1000) });
      go(`/teach/${training.id}`);
    } catch (error) {
      toast((error as Error).message);
    }
  }

  async watch(id: string): Promise<void> {
    const curve = h("div", {});
    const pair = h("div", {});
    const play = h("div", {});
    this.stop = follow<Training>(`/api/trainings/${id}`, (training) => {
      const lesson = LESSONS.find((known) => known.game === training.game);
      const game = this.games.find((known) => known.id === training.game);
      if (!lesson || !game) return;
      if (!curve.isConnected) {
        replace(
          this.stage,
          this.card(1, `It learns ${game.title}`, h("p", {}, "It plays against itself. A ", term("step"), " of this learner is one game; after it, the ", term("odds"), " of every line on the board are counted anew.")),
          this.card(2, "Watch it learn", h("p", {}, "The curve is its ", term("Elo"), " against fixed players and against what it was before."), curve),
          this.card(3, "Beginner and trained, side by side", pair),
          this.card(4, "Play it", play),
        );
      }
      this.draw(training, curve);
      if (training.running) {
        replace(pair, h("p", { class: "muted" }, "Wait until it has finished."));
        replace(play, h("p", { class: "muted" }, "Soon."));
      } else if (this.shown !== training.id) {
        this.shown = training.id;
        void this.compare(training, lesson, game, pair);
        replace(play, h("p", {}, "It has no look ahead: it judges each move by the lines it touches. That is how you can beat it."), h("button", { type: "button", class: "primary", onclick: () => void this.play(training) }, "Play your player"), " ", h("a", { class: "button", href: `#/mind/${training.game}/${training.mind}` }, "Look inside its mind"));
      }
    });
  }

  private draw(training: Training, place: HTMLElement): void {
    const points = training.curve.filter((point) => MAIN in point.values).map((point): [number, number] => [point.step, point.values[MAIN]!]);
    const spread = training.curve.filter((point) => MAIN in point.values).map((point) => point.values[`${MAIN} ±`] ?? 0);
    replace(
      place,
      points.length > 0 ? chart({ name: MAIN, points, spread }, training.total, "Strength (Elo)", "games") : h("p", { class: "muted thinking" }, "Measuring the beginner"),
      h("p", { class: "small muted" }, `${number(training.step)} of ${number(training.total)} games${training.running ? "" : ": done"}`),
    );
  }

  private async compare(training: Training, lesson: Lesson, game: GameInfo, place: HTMLElement): Promise<void> {
    replace(place, h("p", { class: "muted thinking" }, "Asking both"));
    try {
      const parts: HTMLElement[] = [];
      for (const { moves, task } of lesson.positions) {
        const position = { game: lesson.game, moves };
        const [look, young, old] = await Promise.all([api.look(position), api.lookWhy(position, { mind: `${training.mind}@0` }), api.lookWhy(position, { mind: training.mind })]);
        parts.push(h("p", { class: "task" }, task), h("div", { class: "side-by-side" }, this.answer("The beginner", young, look.view, game), this.answer("After its training", old, look.view, game)));
      }
      if (place.isConnected) replace(place, ...parts);
    } catch (error) {
      replace(place, h("p", { class: "muted" }, (error as Error).message));
    }
  }

  private answer(who: string, explained: Explained, view: View, game: GameInfo): HTMLElement {
    const board: BoardView = makeBoard(view, () => {});
    board.show(view, { interactive: false, last: [], flip: false, animate: false });
    // Who knows nothing finds many moves equally good: then it is chance which one it plays.
    const best = explained.moves.find((move) => move.mv === explained.mv);
    const equal = explained.moves.filter((move) => move.value === best?.value);
    board.light(equal.flatMap((move) => move.cells), "hint");
    const column = game.start.board.layout === "Gravity" ? "column " : "";
    const told = equal.length > 1 ? ` cannot tell ${equal.length} of ${explained.ranked} moves apart` : ` plays ${column}${explained.label}`;
    const reason = equal.length > 1 ? "It would play any of them: it does not see what there is to do." : (explained.said[0] ?? "");
    return h("figure", { class: "answer-board", "data-move": equal.length > 1 ? "" : explained.label }, h("figcaption", {}, h("b", {}, who), told), board.el, h("p", { class: "small" }, reason));
  }

  private async play(training: Training): Promise<void> {
    try {
      await api.games(true);
      const session = await api.begin(training.game, [{ kind: "human" }, { kind: "mind", mind: training.mind }]);
      go(`/play/${session.id}`);
    } catch (error) {
      toast((error as Error).message);
    }
  }
}
