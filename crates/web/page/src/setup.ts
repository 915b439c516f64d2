// Choosing a game, an opponent, its level, who starts and the clock.

import { api } from "./api";
import { makeBoard } from "./boards/board";
import { rulesDrop } from "./rules";
import { h, replace, toast, uid } from "./dom";
import { glossed } from "./glossary";
import { go } from "./go";
import { LEVELS, friendly, levelText, rising, rungName, rungText, seatAt, strongest, usuallyCareful } from "./levels";
import { sizeField } from "./sizes";
import type { GameInfo, MindInfo, Seat, Setting, View } from "./types";

type Starts = "me" | "it" | "lot" | "both" | "watch";

/** Who sits opposite, and how strong. */
interface Opponent {
  mind: string;
  place: number;
  settings: string;
  /** It overlooks nothing that loses at once. */
  careful: boolean;
}

interface Choice {
  game: GameInfo;
  opponent: Opponent;
  /** In a game that is watched, who plays second. */
  second: Opponent;
  starts: Starts;
  minutes: number;
}

/** What was chosen last, each game for itself: an opponent is never carried over to another game. */
interface Kept {
  game?: string;
  starts?: Starts;
  minutes?: number;
  opponents?: Record<string, { mind: string; place: number; careful?: boolean }>;
}

const KEY = "ludens.choices";
const CLOCKS: [number, string][] = [
  [0, "No clock"],
  [1, "1 minute"],
  [3, "3 minutes"],
  [5, "5 minutes"],
  [10, "10 minutes"],
];

function remembered(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Kept;
  } catch {
    return {};
  }
}

function remember(choice: Choice): void {
  const { mind, place, careful } = choice.opponent;
  const kept: Kept = { game: choice.game.id, starts: choice.starts, minutes: choice.minutes, opponents: { ...remembered().opponents, [choice.game.id]: { mind, place, careful } } };
  localStorage.setItem(KEY, JSON.stringify(kept));
}

const mindIn = (game: GameInfo, name: string): MindInfo | undefined => game.minds.find((mind) => mind.name === name);

const newOpponent = (game: GameInfo, mind: string): Opponent => ({ mind, place: friendly(mindIn(game, mind)), settings: "", careful: usuallyCareful(game, mind) });

function usual(game: GameInfo): Opponent {
  const mind = strongest(game);
  return newOpponent(game, mind);
}

function opponentOf(game: GameInfo): Opponent {
  const kept = remembered().opponents?.[game.id];
  return kept && mindIn(game, kept.mind) ? { ...newOpponent(game, kept.mind), ...kept } : usual(game);
}

export function thumbnail(view: View): Element {
  const board = makeBoard(view, () => {});
  board.show(view, { interactive: false, last: [], flip: false, animate: false });
  return board.el.querySelector("svg")!;
}

export async function setup(main: HTMLElement, chosen?: string): Promise<void> {
  const games = await api.games(true);
  const old = remembered();
  const wanted = chosen ?? old.game;
  const game = games.find((known) => known.id === wanted) ?? (wanted ? await api.game(wanted) : undefined) ?? games.find((known) => known.id === "connect-four") ?? games[0];
  if (!game) return replace(main, h("p", {}, "No game is registered."));
  const choice: Choice = { game, opponent: opponentOf(game), second: usual(game), starts: old.starts ?? "me", minutes: old.minutes ?? 0 };
  const form = h("div", { class: "card setup-form" });
  const drawForm = (): void => replace(form, ...formParts(choice, drawForm, choose));
  const choose = (next: GameInfo): void => {
    Object.assign(choice, { game: next, opponent: opponentOf(next), second: usual(next) });
    drawForm();
  };
  drawForm();
  const cards = games.map((known) => gameCard(known, choice.game.id, () => {
    choose(known);
    // On a phone the form lies below the games: whoever has chosen one wants to start.
    if (matchMedia("(max-width: 940px)").matches) form.scrollIntoView({ behavior: "smooth", block: "start" });
  }));
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Play a mind that can say why"),
      h("p", { class: "lead" }, "Choose a game and start. After every move it tells you why it moved."),
      h(
        "p",
        { class: "ways" },
        h("a", { href: "#/puzzles" }, "Solve puzzles"),
        h("a", { href: "#/teach" }, "Teach a player in five minutes"),
        h("a", { href: `#/edit/${encodeURIComponent(game.id)}` }, "Set up a position"),
        h("a", { href: `#/rules/${encodeURIComponent(game.id)}` }, "Rules of the games"),
      ),
    ),
    h(
      "div",
      { class: "setup" },
      h("fieldset", { class: "games" }, h("legend", { class: "unseen" }, "Game"), ...cards, rulesDrop((added) => void setup(main, added.id))),
      form,
    ),
  );
}

/** The command line's names of sizes mean nothing here: the form offers them. */
const summaryOf = (game: GameInfo): string => game.summary.replace(/^gravity-WxHxK is K in a line on W×H/, "a line on a board of any size").replace(/; line-WxHxK is K in a line on W×H/, ", or another size");

function gameCard(game: GameInfo, chosen: string, choose: () => void): HTMLElement {
  const input = h("input", { type: "radio", name: "game", value: game.id, onchange: choose });
  input.checked = game.id === chosen;
  const picture = h("span", { class: "thumb", "aria-hidden": "true" }, thumbnail(game.start));
  return h("label", { class: "game-card" }, input, picture, h("span", { class: "game-title" }, game.title), h("span", { class: "game-summary" }, summaryOf(game)));
}

/** Which minds are in which part of the list. */
const GROUPS: [string, (mind: MindInfo) => boolean][] = [
  ["Trained players", (mind) => mind.kind === "learnt"],
  ["Still learning", (mind) => mind.kind === "training"],
  ["Searches and simple players", (mind) => mind.kind === "classical" && !/untrained|-random$/.test(mind.name)],
  ["Before any learning", (mind) => mind.kind === "classical" && /untrained|-random$/.test(mind.name)],
];

export function mindSelect(minds: MindInfo[], value: string, onchange: (name: string) => void, id: string): HTMLSelectElement {
  const groups = GROUPS.map(([title, fits]) => {
    const some = minds.filter(fits);
    return some.length > 0 && h("optgroup", { label: title }, ...some.map((mind) => h("option", { value: mind.name }, mind.title)));
  });
  const select = h("select", { id, onchange: () => onchange(select.value) }, ...groups);
  select.value = value;
  return select;
}

const dice = (game: GameInfo): boolean => game.start.board.layout === "Points";

/** Care against what loses at once, which whoever wants to win by a trap can take away. */
function careField(game: GameInfo, opponent: Opponent): HTMLElement | null {
  if (dice(game)) return null;
  const input = h("input", { type: "checkbox", onchange: () => (opponent.careful = input.checked) });
  input.checked = opponent.careful;
  return h("label", { class: "check" }, input, h("span", {}, "It overlooks nothing that loses at once"));
}

/** Who sits opposite and how strong: a list, a line about it, and a slider whose places are strength. */
function opponentPart(game: GameInfo, opponent: Opponent, label: string, redraw: () => void): (HTMLElement | null)[] {
  const mind = mindIn(game, opponent.mind);
  const [select, level] = [uid("opponent"), uid("level")];
  const rungs = rising(mind);
  const past = rungs.length > 1 && !opponent.settings;
  const steps = past ? rungs.length : LEVELS.length;
  const at = (): number => Math.min(opponent.place, steps - 1);
  const told = (): [string, string] => (past ? [rungName(rungs[at()]!, rungs), rungText(rungs[at()]!)] : [LEVELS[at()]!.name, levelText(at())]);
  const name = h("output", { for: level }, told()[0]);
  const note = h("p", { class: "muted small" }, ...glossed(told()[1]));
  const slider = h("input", {
    type: "range",
    id: level,
    min: 0,
    max: steps - 1,
    step: 1,
    value: at(),
    "aria-valuetext": told()[0],
    oninput: () => {
      opponent.place = Number(slider.value);
      slider.setAttribute("aria-valuetext", told()[0]);
      name.textContent = told()[0];
      replace(note, ...glossed(told()[1]));
    },
  });
  const chooser = mindSelect(game.minds, opponent.mind, (chosen) => {
    Object.assign(opponent, newOpponent(game, chosen));
    redraw();
  }, select);
  const single = mind?.kind === "learnt" && rungs.length === 1;
  return [
    h("div", { class: "field" }, h("label", { for: select }, label), chooser, h("p", { class: "muted small" }, mind?.summary ?? "")),
    settingsPart(mind, opponent),
    single ? h("p", { class: "muted small" }, ...glossed(rungText(rungs[0]!))) : h("div", { class: "field" }, h("div", { class: "spread" }, h("label", { for: level }, "Level"), name), slider, note),
    careField(game, opponent),
  ];
}

function formParts(choice: Choice, redraw: () => void, choose: (game: GameInfo) => void): (Node | null | false)[] {
  const { game } = choice;
  const clock = uid("clock");
  const withDice = dice(game);
  const starts = (value: Starts, text: string): HTMLElement => {
    const input = h("input", { type: "radio", name: "starts", value, onchange: () => {
      choice.starts = value;
      redraw();
    } });
    input.checked = choice.starts === value || (withDice && value === "me" && choice.starts === "lot");
    return h("label", {}, input, h("span", {}, text));
  };
  const minutes = h("select", { id: clock, onchange: () => (choice.minutes = Number(minutes.value)) }, ...CLOCKS.map(([value, text]) => h("option", { value }, text)));
  minutes.value = String(choice.minutes);
  const begin = h("button", { type: "button", class: "primary", onclick: () => void start(choice, begin) }, "Start the game");
  const watch = choice.starts === "watch";
  return [
    h("h2", {}, game.title),
    ...(choice.starts === "both" ? [] : opponentPart(game, choice.opponent, watch ? "First player" : "Opponent", redraw)),
    ...(watch ? opponentPart(game, choice.second, "Second player", redraw) : []),
    ...sizeField(game, choose),
    h(
      "fieldset",
      { class: "field segments" },
      h("legend", {}, withDice ? "Your men" : "Who starts"),
      h("div", {}, starts("me", withDice ? "White" : "I do"), starts("it", withDice ? "Black" : "It does"), !withDice && starts("lot", "By lot"), starts("both", "Two people"), starts("watch", "Watch two minds")),
      withDice && h("p", { class: "muted small" }, "The dice decide who starts."),
    ),
    h("div", { class: "field" }, h("label", { for: clock }, "Clock"), minutes),
    h("div", { class: "start-row" }, begin),
  ];
}

/** Each setting with its default, its meaning and its limits. */
export function settingsList(settings: Setting[]): HTMLElement {
  const item = (setting: Setting): HTMLElement => h("li", {}, h("code", {}, `${setting.key}=${setting.default}`), ` ${setting.meaning} (${setting.limits})`);
  return h("ul", { class: "small muted settings" }, ...settings.map(item));
}

function settingsPart(mind: MindInfo | undefined, opponent: Opponent): HTMLElement {
  if (!mind || mind.settings.length === 0) return h("span", { hidden: true });
  const id = uid("settings");
  const input = h("input", {
    type: "text",
    id,
    value: opponent.settings,
    placeholder: `${mind.settings[0]!.key}=…`,
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => (opponent.settings = input.value.trim()),
  });
  return h("details", { class: "field" }, h("summary", {}, "Settings of this mind"), h("label", { for: id, class: "small" }, "key=value, separated by commas"), input, settingsList(mind.settings));
}

function seatOf(game: GameInfo, opponent: Opponent): Seat {
  return seatAt(mindIn(game, opponent.mind), opponent.mind, opponent.place, opponent.settings, opponent.careful && !dice(game));
}

async function start(choice: Choice, button: HTMLButtonElement): Promise<void> {
  remember(choice);
  button.disabled = true;
  try {
    const [it, other] = [seatOf(choice.game, choice.opponent), seatOf(choice.game, choice.second)];
    const me: Seat = { kind: "human" };
    const first = choice.starts === "me" || (choice.starts === "lot" && Math.random() < 0.5);
    const alone: [Seat, Seat] = first ? [me, it] : [it, me];
    const seats = choice.starts === "both" ? ([me, me] as [Seat, Seat]) : choice.starts === "watch" ? ([it, other] as [Seat, Seat]) : alone;
    const session = await api.begin(choice.game.id, seats, null, [], choice.minutes);
    go(`/play/${session.id}`);
  } catch (error) {
    toast((error as Error).message);
    button.disabled = false;
  }
}
