// Learning, watched: start a training, see its curve move, play the player while it is still a beginner, stop, resume.

import { api } from "./api";
import { chart } from "./chart";
import { duration, h, number, replace, toast, uid } from "./dom";
import { term } from "./glossary";
import { go } from "./go";
import { settingsList } from "./setup";
import { follow } from "./stream";
import type { GameInfo, Seat } from "./types";

export interface Training {
  id: string;
  running: boolean;
  game: string;
  learner: string;
  seed: number;
  step: number;
  total: number;
  curve: { step: number; values: Record<string, number> }[];
  mind: string;
  seconds: number;
  finished: boolean;
  error: string | null;
}

/** A measure that moves: who beats random moves at once still has this to gain. */
const MAIN_MEASURE = "strength (Elo)";
const SPREAD = " ±";

/** What each measure is, in a sentence. */
const MEASURES: Record<string, string> = {
  "strength (Elo)": "Games against fixed players and against what it was before. A player of random moves has 0; the band is the 95 % interval.",
  "wins against random": "The share of points against a player of random moves. Many learners have all of them at once.",
  "perfect moves": "On positions it never learns from: the share of its moves that give nothing away, by the perfect player.",
  "error on positions it never saw": "How far its judgement is from the truth, squared: 0 is never wrong, 0.25 is knowing nothing.",
  chunks: "How many things it remembers.",
  loss: "What it is still wrong by on what it learns from: lower is better.",
};

const KEY = "ludens.training";

export async function learnView(main: HTMLElement, id: string | undefined): Promise<() => void> {
  const [games, trainings] = await Promise.all([api.games(true), api.get<Training[]>("/api/trainings")]);
  const stage = h("section", { class: "stage", "aria-label": "Training" });
  const list = h("section", { class: "card", "aria-label": "Trainings" });
  const able = games.filter((game) => game.learners.length > 0);
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Watch a player learn"),
      h("p", { class: "lead" }, "Start a training, see its curve move, and play the player while it is still a beginner. ", h("a", { href: "#/teach" }, "New here? Teach a player in five minutes.")),
    ),
    h("div", { class: "lab" }, h("div", { class: "side" }, startForm(able), list), stage),
  );
  drawList(list, trainings, games, id);
  const chosen = id ?? trainings.find((training) => training.running)?.id ?? trainings[0]?.id;
  if (!chosen) {
    replace(stage, h("div", { class: "card empty" }, h("p", { class: "muted" }, "No training yet. Choose a learner and start one: its curve appears here.")));
    return () => {};
  }
  const watching = new Watching(stage, games);
  return follow<Training>(`/api/trainings/${chosen}`, (training) => {
    watching.show(training);
    const known = trainings.findIndex((other) => other.id === training.id);
    if (known >= 0) trainings[known] = training;
    drawList(list, trainings, games, chosen);
  });
}

function learnerTitle(training: Training, games: GameInfo[]): string {
  const name = training.learner.split(":")[0]!;
  const game = games.find((known) => known.id === training.game);
  return game?.learners.find((learner) => learner.name === name)?.title ?? training.learner;
}

function status(training: Training): string {
  if (training.error) return "failed";
  if (training.running) return `${Math.floor((100 * training.step) / Math.max(training.total, 1))} %`;
  return training.finished ? "finished" : "stopped";
}

function drawList(list: HTMLElement, trainings: Training[], games: GameInfo[], current: string | undefined): void {
  const items = trainings.map((training) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `#/learn/${training.id}`, "aria-current": training.id === current ? "true" : undefined },
        h("b", {}, learnerTitle(training, games)),
        h("span", { class: "muted small" }, `${games.find((game) => game.id === training.game)?.title ?? training.game} · run ${training.id}`),
        h("span", { class: "small figure" }, status(training)),
      ),
    ),
  );
  replace(list, h("h2", {}, "Trainings"), items.length ? h("ul", { class: "links" }, ...items) : h("p", { class: "muted" }, "None yet."));
}

function startForm(games: GameInfo[]): HTMLElement {
  const form = h("form", { class: "card setup-form still" });
  const first = games[0];
  if (!first) {
    replace(form, h("h2", {}, "New training"), h("p", { class: "muted" }, "No learner is registered yet."));
    return form;
  }
  const choice = { game: first.id, learner: first.learners[0]!.name, steps: "", seed: "0", settings: "", ...kept() };
  if (!games.some((game) => game.id === choice.game)) choice.game = first.id;
  const draw = (): void => {
    const game = games.find((known) => known.id === choice.game)!;
    const learner = game.learners.find((known) => known.name === choice.learner) ?? game.learners[0]!;
    choice.learner = learner.name;
    const ids = { game: uid("g"), learner: uid("l"), steps: uid("s"), seed: uid("d"), settings: uid("t") };
    const select = (id: string, options: [string, string][], value: string, change: (value: string) => void): HTMLSelectElement => {
      const element = h("select", { id, onchange: () => change(element.value) }, ...options.map(([key, text]) => h("option", { value: key }, text)));
      element.value = value;
      return element;
    };
    const trouble = (key: "steps" | "seed"): HTMLElement => h("p", { class: "field-error small", role: "alert", "data-field": key });
    const text = (id: string, key: "steps" | "seed" | "settings", placeholder: string, mode: string): HTMLInputElement => {
      const input = h("input", { type: "text", id, inputmode: mode, placeholder, value: choice[key], autocomplete: "off", oninput: () => (choice[key] = input.value.trim()) });
      return input;
    };
    replace(
      form,
      h("h2", {}, "New training"),
      h("div", { class: "field" }, h("label", { for: ids.game }, "Game"), select(ids.game, games.map((known) => [known.id, known.title]), choice.game, (value) => {
        choice.game = value;
        draw();
      })),
      h("div", { class: "field" }, h("label", { for: ids.learner }, "Learner"), select(ids.learner, game.learners.map((known) => [known.name, known.title]), choice.learner, (value) => {
        choice.learner = value;
        choice.settings = "";
        draw();
      }), h("p", { class: "muted small" }, learner.summary)),
      h(
        "div",
        { class: "pair" },
        h("div", { class: "field" }, h("span", { class: "label-row" }, h("label", { for: ids.steps }, "Steps"), term("step", "?")), text(ids.steps, "steps", "its own number", "numeric"), trouble("steps")),
        h("div", { class: "field" }, h("span", { class: "label-row" }, h("label", { for: ids.seed }, "Seed"), term("seed", "?")), text(ids.seed, "seed", "0", "numeric"), trouble("seed")),
      ),
      learner.settings.length > 0 &&
        h(
          "details",
          { class: "field" },
          h("summary", {}, "Settings of this learner"),
          h("label", { for: ids.settings, class: "small" }, "key=value, separated by commas"),
          text(ids.settings, "settings", `${learner.settings[0]!.key}=…`, "text"),
          settingsList(learner.settings),
        ),
      h("button", { type: "submit", class: "primary" }, "Start learning"),
    );
  };
  draw();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = wrongFields(choice);
    for (const place of form.querySelectorAll<HTMLElement>(".field-error")) replace(place, wrong[place.dataset["field"] as "steps" | "seed"]);
    const first = Object.keys(wrong)[0];
    if (first) form.querySelector<HTMLElement>(`[data-field="${first}"]`)?.parentElement?.querySelector("input")?.focus();
    else void start(choice);
  });
  return form;
}

type Fields = { game: string; learner: string; steps: string; seed: string; settings: string };

/** What was chosen last: a form that forgets is a nuisance. */
function kept(): Partial<Fields> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Fields>;
  } catch {
    return {};
  }
}

const whole = (text: string): number => (/^\d[\d,]*$/.test(text) ? Number(text.replaceAll(",", "")) : NaN);

/** What is wrong with a field, in a sentence that stands at it. */
export function wrongFields(choice: Fields): Partial<Record<"steps" | "seed", string>> {
  const wrong: Partial<Record<"steps" | "seed", string>> = {};
  if (choice.steps && !(whole(choice.steps) >= 1)) wrong.steps = "Steps are a whole number from 1 up, or nothing for the learner's own number.";
  if (choice.seed && !(whole(choice.seed) <= 4294967295)) wrong.seed = "A seed is a whole number from 0 to 4,294,967,295.";
  return wrong;
}

async function start(choice: { game: string; learner: string; steps: string; seed: string; settings: string }): Promise<void> {
  try {
    localStorage.setItem(KEY, JSON.stringify(choice));
    const learner = choice.settings ? `${choice.learner}:${choice.settings}` : choice.learner;
    const steps = choice.steps ? whole(choice.steps) : null;
    const training = await api.post<Training>("/api/trainings", { game: choice.game, learner, steps, seed: whole(choice.seed || "0") });
    go(`/learn/${training.id}`);
  } catch (error) {
    toast((error as Error).message);
  }
}

class Watching {
  private measure = MAIN_MEASURE;
  private key = "";
  private readonly head = h("div", {});
  private readonly tools = h("div", { class: "tools" });
  private readonly body = h("div", {});
  private readonly card = h("div", { class: "card" }, h("div", { class: "stage-head" }, this.head, this.tools), this.body);

  constructor(
    private readonly stage: HTMLElement,
    private readonly games: GameInfo[],
  ) {}

  show(training: Training): void {
    const rank = (name: string): number => Object.keys(MEASURES).indexOf(name) >>> 0;
    const all = [...new Set(training.curve.flatMap((point) => Object.keys(point.values)))].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    const measures = all.filter((name) => !name.endsWith(SPREAD));
    if (measures.length > 0 && !measures.includes(this.measure)) this.measure = measures[0]!;
    const focus = document.activeElement?.getAttribute("data-keep");
    const share = Math.min(1, training.step / Math.max(training.total, 1));
    const bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Progress", "aria-valuenow": Math.round(share * 100), "aria-valuemin": 0, "aria-valuemax": 100 }, h("span", {}));
    (bar.firstChild as HTMLElement).style.width = `${share * 100}%`;
    const measured = training.curve.filter((point) => this.measure in point.values);
    const points = measured.map((point): [number, number] => [point.step, point.values[this.measure]!]);
    const spread = all.includes(this.measure + SPREAD) ? measured.map((point) => point.values[this.measure + SPREAD] ?? 0) : undefined;
    // The buttons stay what they are while the curve moves, so that a press is never lost.
    const key = [training.id, training.running, training.finished].join();
    if (key !== this.key || !this.card.isConnected) {
      this.key = key;
      replace(this.tools, ...this.acts(training));
      replace(this.stage, this.card);
    }
    replace(this.head, h("h2", {}, `${learnerTitle(training, this.games)} learns ${this.gameTitle(training)}`), h("p", { class: "muted small" }, this.line(training)));
    replace(
      this.body,
      bar,
      training.error && h("p", { class: "failure" }, training.error),
      measures.length > 1 && this.measures(measures, training),
      points.length > 0
        ? chart({ name: this.measure, points, ...(spread ? { spread } : {}) }, training.running ? training.step : training.total, this.measure.charAt(0).toUpperCase() + this.measure.slice(1))
        : h("p", { class: "muted" }, training.running ? "The first point is on its way." : "This training left no measures."),
    );
    this.body.append(h("p", { class: "muted small" }, MEASURES[this.measure] ?? "A measure of this learner's own.", " ", this.stepNote(training)));
    if (focus) this.stage.querySelector<HTMLElement>(`[data-keep="${focus}"]`)?.focus();
  }

  private stepNote(training: Training): string {
    const summary = this.games.find((game) => game.id === training.game)?.learners.find((learner) => learner.name === training.learner.split(":")[0])?.summary;
    return summary ? `This learner: ${summary}.` : "";
  }

  private gameTitle(training: Training): string {
    return this.games.find((game) => game.id === training.game)?.title ?? training.game;
  }

  private line(training: Training): string {
    const steps = `${number(training.step)} of ${number(training.total)} steps`;
    const rate = training.seconds > 0 ? `, ${number(training.step / training.seconds)} a second` : "";
    const time = training.seconds > 0 ? ` · ${training.running ? "learning for" : "learnt for"} ${duration(training.seconds * 1000)}` : "";
    if (training.running && training.step >= training.total) return `Run ${training.id} · ${steps} · its past is being measured`;
    return `Run ${training.id} · ${steps}${rate} · seed ${training.seed}${time}`;
  }

  private measures(measures: string[], training: Training): HTMLElement {
    const buttons = measures.map((name) =>
      h(
        "button",
        {
          type: "button",
          class: "measure",
          "data-keep": `m-${name}`,
          "aria-pressed": String(name === this.measure),
          onclick: () => {
            this.measure = name;
            this.show(training);
          },
        },
        name,
      ),
    );
    return h("div", { class: "measures", role: "group", "aria-label": "Measure" }, ...buttons);
  }

  private acts(training: Training): HTMLElement[] {
    const act = (path: string) => async (): Promise<void> => {
      try {
        await api.post(`/api/trainings/${training.id}/${path}`);
        if (path === "resume") go(`/learn/${training.id}?${Date.now()}`);
      } catch (error) {
        toast((error as Error).message);
      }
    };
    const tool = (label: string, keep: string, run: () => Promise<void>): HTMLElement =>
      h("button", { type: "button", "data-keep": keep, onclick: () => void run() }, label);
    const tools = [tool("Play it now", "play", () => this.play(training))];
    if (training.running) tools.push(tool("Stop", "stop", act("stop")));
    else if (!training.finished) tools.push(tool("Resume", "resume", act("resume")));
    tools.push(h("a", { class: "button", href: `#/mind/${training.game}/${training.mind}`, "data-keep": "mind" }, "Inside its mind"));
    return tools;
  }

  private async play(training: Training): Promise<void> {
    try {
      const seats: [Seat, Seat] = [{ kind: "human" }, { kind: "mind", mind: training.mind }];
      const session = await api.begin(training.game, seats);
      await api.games(true);
      go(`/play/${session.id}`);
    } catch (error) {
      toast((error as Error).message);
    }
  }
}
