// Inside a learnt player: its ledger, its parameters, what it holds drawn as boards where it fits one, and its value along the last game.

import { api } from "./api";
import { chart } from "./chart";
import { h, many, number, replace, s, toast } from "./dom";
import { term } from "./glossary";
import type { Memory } from "./homo";
import { special } from "./minds";
import { follow } from "./stream";
import type { Cost, GameInfo, MindInfo } from "./types";

export interface TensorView {
  shape: number[];
  count: number;
  low: number;
  high: number;
  mean: number;
  histogram: number[];
  values: number[] | null;
}

export interface Inside {
  name: string;
  title: string;
  summary: string;
  kind: string;
  learner: string;
  game: string;
  ledger: Cost;
  known: string[];
  meta: Record<string, unknown>;
  tensors: Record<string, TensorView>;
  /** Thing by thing, where it remembers so. */
  memory: Memory | null;
}

export async function mindView(main: HTMLElement, game: string | undefined, name: string | undefined): Promise<(() => void) | null> {
  let learnt = await learntPlayers();
  const found = (): [GameInfo, MindInfo] | undefined => learnt.find(([known, mind]) => known.id === game && (mind.name === name || mind.levels.some((rung) => rung.name === name)));
  // A training that has just begun has nothing to show for a moment.
  for (let tries = 0; name?.startsWith("run-") && !found() && tries < 20; tries++) {
    await pause(250);
    learnt = await learntPlayers();
  }
  if (name && !found()) throw new Error(`There is no learnt player ${name} of ${game ?? "this game"} here.`);
  const [chosenGame, chosen] = found() ?? learnt[0] ?? [];
  const stage = h("section", { class: "stage", "aria-label": "Mind" });
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Inside its mind"), h("p", { class: "lead" }, "What a learnt player holds: what it has seen, what it remembers, and how that becomes a move.")),
    h("div", { class: "lab" }, h("div", { class: "side" }, list(learnt, chosen?.name, chosenGame?.id)), stage),
  );
  if (!chosen || !chosenGame) {
    replace(
      stage,
      h("div", { class: "card empty" }, h("div", {}, h("p", { class: "muted" }, "No learnt player yet. Train one and look inside while it learns."), h("p", {}, h("a", { class: "button", href: "#/learn" }, "Start a training")))),
    );
    return null;
  }
  const inside = await lookInside(stage, name ?? chosen.name, chosenGame, chosen);
  void alongLastGame(stage, inside, chosenGame);
  return chosen.kind === "training" ? watch(stage, chosen, chosenGame) : null;
}

const pause = (milliseconds: number): Promise<void> => new Promise((go) => setTimeout(go, milliseconds));

async function learntPlayers(): Promise<[GameInfo, MindInfo][]> {
  const games = await api.games(true);
  return games.flatMap((known) => known.minds.filter((mind) => mind.kind !== "classical").map((mind): [GameInfo, MindInfo] => [known, mind]));
}

async function lookInside(stage: HTMLElement, name: string, game: GameInfo, mind: MindInfo): Promise<Inside> {
  const inside = await api.get<Inside>(`/api/minds/${encodeURIComponent(name)}`);
  const own = special(inside, game);
  replace(stage, head(inside, game, mind), ...own, parameters(inside), tensors(inside, game, own.length === 0));
  return inside;
}

/** While it learns the view follows, one look at a time. */
function watch(stage: HTMLElement, mind: MindInfo, game: GameInfo): () => void {
  const { name } = mind;
  let [newest, seen] = ["", ""];
  let looking = false;
  const look = async (): Promise<void> => {
    looking = true;
    while (seen !== newest && stage.isConnected) {
      seen = newest;
      // Once it has learnt there are levels of its past.
      const now = (await learntPlayers()).find(([known, other]) => known.id === game.id && other.name === name)?.[1];
      await lookInside(stage, name, game, now ?? mind);
      await pause(1500);
    }
    looking = false;
  };
  return follow<{ step: number; running: boolean }>(`/api/trainings/${name.replace("run-", "")}`, (training) => {
    newest = `${training.step} ${training.running}`;
    if (!looking) look().catch((error: Error) => toast(error.message));
  });
}

function list(learnt: [GameInfo, MindInfo][], current: string | undefined, game: string | undefined): HTMLElement {
  const items = learnt.map(([known, mind]) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `#/mind/${known.id}/${mind.name}`, "aria-current": mind.name === current && known.id === game ? "true" : undefined },
        h("b", {}, mind.title),
        h("span", { class: "muted small" }, known.title),
      ),
    ),
  );
  return h("section", { class: "card", "aria-label": "Learnt players" }, h("h2", {}, "Learnt players"), items.length ? h("ul", { class: "links" }, ...items) : h("p", { class: "muted" }, "None yet."));
}

/** The same player at earlier times: its growth can be looked at step by step. */
function past(inside: Inside, game: GameInfo, mind: MindInfo): HTMLElement | null {
  // The last rung is what it is now.
  const rungs = mind.levels.filter((rung) => rung.name.includes("@")).slice(0, -1);
  if (rungs.length === 0) return null;
  const link = (name: string, text: string): HTMLElement => h("a", { class: "button", href: `#/mind/${game.id}/${name}`, "aria-current": name === inside.name ? "true" : undefined }, text);
  return h("nav", { class: "past", "aria-label": "Its past" }, h("span", { class: "muted small" }, "As it was after"), ...rungs.map((rung) => link(rung.name, many(rung.step, "step"))), link(mind.name, "now"));
}

function head(inside: Inside, game: GameInfo, mind: MindInfo): HTMLElement {
  const entry = (name: string, text: string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, text));
  return h(
    "div",
    { class: "card" },
    h("div", { class: "stage-head" }, h("div", {}, h("h2", {}, inside.title), h("p", { class: "muted" }, inside.summary))),
    h(
      "dl",
      { class: "cost wide" },
      entry("Plays", game.title),
      entry("Knows", inside.known.length > 0 ? inside.known.join(", ") : "nothing learnt"),
      ...(inside.ledger.states > 0 ? [entry("Looked at in training", many(inside.ledger.states, "position"))] : []),
    ),
    past(inside, game, mind),
  );
}

function plain(value: unknown): string {
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return value;
  if (value === null) return "none";
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

function parameters(inside: Inside): HTMLElement | null {
  const rows = Object.entries(inside.meta).flatMap(([key, value]) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.entries(value).map(([inner, deep]): [string, string] => [`${key}.${inner}`, plain(deep)])
      : [[key, plain(value)] as [string, string]],
  );
  if (rows.length === 0) return null;
  return h(
    "details",
    { class: "card" },
    h("summary", {}, `Parameters (${rows.length})`),
    h("dl", { class: "parameters" }, ...rows.map(([key, text]) => h("div", {}, h("dt", {}, key), h("dd", {}, text)))),
  );
}

/** A colour between the second player's and the first player's, through nothing at zero. */
export function heat(value: number, most: number): { color: string; share: number } {
  const share = most > 0 ? Math.min(1, Math.abs(value) / most) : 0;
  return { color: value >= 0 ? "var(--first)" : "var(--second)", share };
}

/** A small picture of numbers lying as the squares of a board do. */
export function boardOf(values: number[], width: number, height: number, most: number, label: string): HTMLElement {
  const cells = values.map((value, index) => {
    const { color, share } = heat(value, most);
    const row = height - 1 - Math.floor(index / width);
    const cell = s("rect", { x: (index % width) * 10 + 0.5, y: row * 10 + 0.5, width: 9, height: 9, rx: 1.5 });
    cell.style.fill = color;
    cell.style.fillOpacity = share.toFixed(3);
    return cell;
  });
  return h(
    "figure",
    { class: "mini" },
    s("svg", { viewBox: `0 0 ${width * 10} ${height * 10}`, role: "img", "aria-label": label }, s("rect", { class: "mini-back", width: width * 10, height: height * 10, rx: 2 }), ...cells),
    h("figcaption", { class: "small muted" }, label),
  );
}

export function histogram(view: TensorView): SVGSVGElement {
  const most = Math.max(...view.histogram, 1);
  const bars = view.histogram.map((count, index) => s("rect", { x: index * 10 + 1, y: 60 - (58 * count) / most, width: 8, height: Math.max(count > 0 ? 1.5 : 0, (58 * count) / most) }));
  return s("svg", { class: "histogram", viewBox: `0 0 ${view.histogram.length * 10} 62`, preserveAspectRatio: "none", role: "img", "aria-label": `from ${number(view.low)} to ${number(view.high)}` }, ...bars);
}

/** Every tensor: as boards where it has one number a square, else as a histogram. */
function tensors(inside: Inside, game: GameInfo, open: boolean): HTMLElement | null {
  const entries = Object.entries(inside.tensors);
  if (entries.length === 0) return null;
  const { width, height } = game.start.board;
  const squares = width * height;
  const parts = entries.map(([name, view]) => {
    const head = h("div", { class: "spread" }, h("h3", {}, name), h("span", { class: "muted small" }, `${view.shape.join(" × ") || "1"} · mean ${number(view.mean)}`));
    const rows = boards(view, squares);
    const low = h("span", {}, number(view.low).replace("-", "−"));
    if (!rows) return h("div", { class: "tensor" }, head, histogram(view), h("div", { class: "spread small muted" }, low, h("span", {}, "how large its numbers are; the higher a bar, the more of them"), h("span", {}, number(view.high))));
    const most = Math.max(...rows.flat().map(Math.abs));
    const minis = rows.slice(0, 24).map((row, index) => boardOf(row, width, height, most, String(index + 1)));
    return h("div", { class: "tensor" }, head, h("div", { class: "minis" }, ...minis), rows.length > 24 && h("p", { class: "muted small" }, `and ${rows.length - 24} more`));
  });
  const note = h("p", { class: "muted small" }, "Everything it has learnt is kept in tables of numbers (", term("tensor", "tensors"), "). Where a table has one number a cell it is drawn as boards: blue speaks for a stone of its own there, amber against; paler means less. Else it is counted how many numbers are how large.");
  return h("details", { class: "card", open: open || undefined }, h("summary", {}, `Numbers it holds (${many(entries.length, "table")})`), note, h("div", { class: "tensors" }, ...parts));
}

/** The tensor as rows of one number a square, if it can be read so. */
function boards(view: TensorView, squares: number): number[][] | null {
  const last = view.shape.at(-1) ?? 0;
  if (!view.values || squares < 4 || last === 0) return null;
  if (last === squares || last === squares + 1) {
    return Array.from({ length: view.count / last }, (_, row) => view.values!.slice(row * last, row * last + squares));
  }
  if (view.shape.length === 2 && view.shape[0] === squares) {
    return Array.from({ length: last }, (_, column) => Array.from({ length: squares }, (_, square) => view.values![square * last + column]!));
  }
  return null;
}

/** The value the player gave its own move, at each of its moves of the last game it played here. */
async function alongLastGame(stage: HTMLElement, inside: Inside, game: GameInfo): Promise<void> {
  const kept = await api.kept();
  const last = kept.find((line) => line.game === game.id && line.moves > 2 && line.seats.some((seat) => seat.kind === "mind" && seat.mind === inside.name));
  if (!last || !stage.isConnected) return;
  const session = await api.session(last.id);
  const points: [number, number][] = [];
  let unit = "value";
  for (const [index, ply] of session.plies.entries()) {
    const seat = ply.side && session.seats[ply.side === "First" ? 0 : 1];
    if (points.length >= 60 || !stage.isConnected) break;
    if (!seat || seat.kind !== "mind" || seat.mind !== inside.name) continue;
    const why = await api.why(last.id, { ply: index, mind: inside.name });
    const best = why.moves.find((move) => move.mv === ply.mv)?.value;
    if (typeof best === "number") points.push([index + 1, best]);
    unit = why.unit || unit;
  }
  if (points.length < 2 || !stage.isConnected) return;
  const card = h("div", { class: "card" }, h("h2", {}, "Its value along the last game"), h("p", { class: "muted small" }, "What it thought of its own moves, as the game went on."), chart({ name: unit, points }, session.plies.length, unit.charAt(0).toUpperCase() + unit.slice(1), "moves of the game"), h("p", {}, h("a", { href: `#/games/${last.id}` }, "Look back at this game")));
  stage.children[0]?.after(card);
}
