// Choosing a game, an opponent, its level and who starts.

import { api } from "./api";
import { makeBoard } from "./boards/board";
import { rulesDrop } from "./rules";
import { h, replace, toast, uid } from "./dom";
import { go } from "./go";
import { LEVELS, levelText, rungName, rungText } from "./levels";
import type { GameInfo, MindInfo, Seat, Setting, View } from "./types";

interface Choice {
  game: string;
  mind: string;
  level: number;
  starts: "me" | "it" | "both" | "watch";
  settings: string;
  /** For a player with a past: which rung of it. */
  rung?: number | undefined;
}

const KEY = "ludens.choice";

function remembered(): Partial<Choice> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choice>;
  } catch {
    return {};
  }
}

export function thumbnail(view: View): Element {
  const board = makeBoard(view, () => {});
  board.show(view, { interactive: false, last: [], flip: false, animate: false });
  return board.el.querySelector("svg")!;
}

export async function setup(main: HTMLElement, extra: HTMLElement | null = null): Promise<void> {
  const games = await api.games(true);
  const old = remembered();
  const game = games.find((known) => known.id === old.game) ?? games[0];
  if (!game) return replace(main, h("p", {}, "No game is registered."));
  const choice: Choice = {
    game: game.id,
    mind: game.minds.some((mind) => mind.name === old.mind) ? old.mind! : strongest(game),
    level: old.level ?? 2,
    starts: old.starts ?? "me",
    settings: "",
  };
  const form = h("div", { class: "card setup-form" });
  const drawForm = (): void => replace(form, ...formParts(games, choice, drawForm));
  drawForm();
  const cards = games.map((known) => gameCard(known, choice, () => drawForm()));
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Play a mind that can say why"),
      h("p", { class: "lead" }, "Every move comes with the ranking of all moves, the reasons, and what they cost."),
    ),
    extra,
    h(
      "div",
      { class: "setup" },
      h("fieldset", { class: "games" }, h("legend", { class: "unseen" }, "Game"), ...cards, rulesDrop((added) => {
        localStorage.setItem(KEY, JSON.stringify({ ...remembered(), game: added.id }));
        void setup(main, extra);
      })),
      form,
    ),
  );
}

/** The trained player with the highest Elo; without one, whoever stands last. */
function strongest(game: GameInfo): string {
  const elo = (mind: MindInfo): number => mind.levels.at(-1)?.elo ?? -Infinity;
  const learnt = game.minds.filter((mind) => mind.kind !== "classical").sort((a, b) => elo(b) - elo(a));
  return (learnt[0] ?? game.minds.at(-1))?.name ?? "random";
}

function gameCard(game: GameInfo, choice: Choice, changed: () => void): HTMLElement {
  const input = h("input", {
    type: "radio",
    name: "game",
    value: game.id,
    onchange: () => {
      choice.game = game.id;
      if (!game.minds.some((mind) => mind.name === choice.mind)) choice.mind = strongest(game);
      choice.settings = "";
      changed();
    },
  });
  input.checked = choice.game === game.id;
  return h(
    "label",
    { class: "game-card" },
    input,
    h("span", { class: "thumb" }, thumbnail(game.start)),
    h("span", { class: "game-title" }, game.title),
    h("span", { class: "game-summary" }, game.summary),
  );
}

const KINDS: [string, string][] = [
  ["learnt", "Learnt players"],
  ["training", "Still learning"],
  ["classical", "Classical minds"],
];

export function mindSelect(minds: MindInfo[], value: string, onchange: (name: string) => void, id: string): HTMLSelectElement {
  const groups = KINDS.flatMap(([kind, title]) => {
    const of = minds.filter((mind) => mind.kind === kind);
    if (of.length === 0) return [];
    const options = of.map((mind) => h("option", { value: mind.name }, mind.title));
    return [h("optgroup", { label: title }, ...options)];
  });
  const select = h("select", { id, onchange: () => onchange(select.value) }, ...groups);
  select.value = value;
  return select;
}

function formParts(games: GameInfo[], choice: Choice, redraw: () => void): Node[] {
  const game = games.find((known) => known.id === choice.game)!;
  const mind = game.minds.find((known) => known.name === choice.mind);
  const opponent = uid("opponent");
  const level = uid("level");
  const rungs = mind?.levels ?? [];
  const steps = rungs.length > 1 ? rungs.length : LEVELS.length;
  const at = (): number => Math.min(rungs.length > 1 ? (choice.rung ?? steps - 1) : choice.level, steps - 1);
  const told = (): { name: string; text: string } =>
    rungs.length > 1
      ? { name: rungName(rungs[at()]!, rungs.length), text: rungText(rungs[at()]!) }
      : { name: LEVELS[at()]!.name, text: levelText(at()) };
  const levelNote = h("p", { class: "muted small" }, told().text);
  const levelName = h("output", { for: level }, told().name);
  const slider = h("input", {
    type: "range",
    id: level,
    min: 0,
    max: steps - 1,
    step: 1,
    value: at(),
    "aria-valuetext": told().name,
    oninput: () => {
      if (rungs.length > 1) choice.rung = Number(slider.value);
      else choice.level = Number(slider.value);
      slider.setAttribute("aria-valuetext", told().name);
      levelName.textContent = told().name;
      levelNote.textContent = told().text;
    },
  });
  const starts = (value: Choice["starts"], text: string): HTMLElement => {
    const input = h("input", { type: "radio", name: "starts", value, onchange: () => (choice.starts = value) });
    input.checked = choice.starts === value;
    return h("label", {}, input, h("span", {}, text));
  };
  const begin = h("button", { type: "button", class: "primary", onclick: () => void start(choice, rungs[at()]?.name, begin) }, "Start the game");
  return [
    h("h2", {}, game.title),
    h("div", { class: "field" }, h("label", { for: opponent }, "Opponent"), mindSelect(game.minds, choice.mind, (name) => {
      choice.mind = name;
      choice.settings = "";
      choice.rung = undefined;
      redraw();
    }, opponent), h("p", { class: "muted small" }, mind?.summary ?? "")),
    settingsPart(mind, choice),
    h("div", { class: "field" }, h("div", { class: "spread" }, h("label", { for: level }, "Level"), levelName), slider, levelNote),
    h(
      "fieldset",
      { class: "field segments" },
      h("legend", {}, "Who starts"),
      h("div", {}, starts("me", "I do"), starts("it", "It does"), starts("both", "Two people"), starts("watch", "Watch it")),
    ),
    begin,
  ];
}

/** Each setting with its default, its meaning and its limits. */
export function settingsList(settings: Setting[]): HTMLElement {
  const item = (setting: Setting): HTMLElement => h("li", {}, h("code", {}, `${setting.key}=${setting.default}`), ` ${setting.meaning} (${setting.limits})`);
  return h("ul", { class: "small muted settings" }, ...settings.map(item));
}

function settingsPart(mind: MindInfo | undefined, choice: Choice): HTMLElement {
  if (!mind || mind.settings.length === 0) return h("span", { hidden: true });
  const id = uid("settings");
  const input = h("input", {
    type: "text",
    id,
    value: choice.settings,
    placeholder: `${mind.settings[0]!.key}=…`,
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => (choice.settings = input.value.trim()),
  });
  return h(
    "details",
    { class: "field" },
    h("summary", {}, "Settings of this mind"),
    h("label", { for: id, class: "small" }, "key=value, separated by commas"),
    input,
    settingsList(mind.settings),
  );
}

async function start(choice: Choice, rung: string | undefined, button: HTMLButtonElement): Promise<void> {
  localStorage.setItem(KEY, JSON.stringify({ ...choice, settings: undefined }));
  button.disabled = true;
  try {
    const mind = choice.settings ? `${choice.mind}:${choice.settings}` : choice.mind;
    const it: Seat = rung ? { kind: "mind", mind: rung } : { kind: "mind", mind, level: LEVELS[choice.level]!.level };
    const me: Seat = { kind: "human" };
    const seats: Record<Choice["starts"], [Seat, Seat]> = {
      me: [me, it],
      it: [it, me],
      both: [me, me],
      watch: [it, it],
    };
    const session = await api.begin(choice.game, seats[choice.starts]);
    go(`/play/${session.id}`);
  } catch (error) {
    toast((error as Error).message);
    button.disabled = false;
  }
}
