// Round robins of chosen players with a live table.

import { api } from "./api";
import { h, number, replace, toast, uid } from "./dom";
import { glossed, term } from "./glossary";
import { go } from "./go";
import { mindTitle } from "./levels";
import { follow } from "./stream";
import type { GameInfo } from "./types";

interface Share {
  count: number;
  share: number;
}

interface Report {
  games: number;
  distinct_games: number;
  standings: {
    mind: string;
    games: number;
    wins: Share;
    draws: Share;
    losses: Share;
    score: number;
    elo: number;
    elo_plus_minus: number;
    states_per_move: number;
  }[];
  pairings: { a: string; b: string; score: number; score_interval: { low: number; high: number }; los: number }[];
}

interface Match {
  id: string;
  running: boolean;
  game: string;
  minds: string[];
  played: number;
  total: number;
  report: Report | null;
  error: string | null;
}

/** The heads of the table that are explained. */
const HEADS: Record<string, string> = { "Elo, 95 %": "Elo among these", "Positions a move": "state" };
const SHOWN_AT_FIRST = ["random", "depth1", "alphabeta", "uct", "pubeval"];

export async function compareView(main: HTMLElement, id: string | undefined): Promise<() => void> {
  const [games, matches] = await Promise.all([api.games(true), api.get<Match[]>("/api/matches")]);
  const stage = h("section", { class: "stage", "aria-label": "Comparison" });
  const list = h("section", { class: "card", "aria-label": "Comparisons", hidden: matches.length === 0 });
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Compare players"),
      h("p", { class: "lead" }, ...glossed("Everybody meets everybody, in pairs of games that share their opening and their dice and swap the seats.")),
    ),
    h("div", { class: "lab" }, h("div", { class: "side" }, startForm(games), list), stage),
  );
  const chosen = id ?? matches[0]?.id;
  if (!chosen) {
    replace(stage, h("div", { class: "card empty" }, h("p", { class: "muted" }, "Choose at least two players and start: the table fills while they play.")));
    return () => {};
  }
  drawList(list, matches, games, chosen);
  return follow<Match>(`/api/matches/${chosen}`, (match) => {
    drawMatch(stage, match, games);
    const known = matches.findIndex((other) => other.id === match.id);
    if (known >= 0) matches[known] = match;
    drawList(list, matches, games, chosen);
  });
}

function drawList(list: HTMLElement, matches: Match[], games: GameInfo[], current: string | undefined): void {
  const items = matches.map((match) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `#/compare/${match.id}`, "aria-current": match.id === current ? "true" : undefined },
        h("b", {}, games.find((game) => game.id === match.game)?.title ?? match.game),
        h("span", { class: "muted small" }, `${match.minds.length} players`),
        h("span", { class: "small figure" }, match.running ? "running" : `${number(match.played)} games`),
      ),
    ),
  );
  replace(list, h("h2", {}, "Comparisons"), h("ul", { class: "links" }, ...items));
}

function startForm(games: GameInfo[]): HTMLElement {
  const form = h("form", { class: "card setup-form still" });
  const choice = { game: games[0]?.id ?? "", minds: new Set<string>(), games: "40", states: "2000" };
  const preset = (): void => {
    const game = games.find((known) => known.id === choice.game);
    const fitting = game?.minds.filter((mind) => mind.kind !== "classical" || SHOWN_AT_FIRST.includes(mind.name)) ?? [];
    choice.minds = new Set(fitting.slice(-4).map((mind) => mind.name));
  };
  const draw = (): void => {
    const game = games.find((known) => known.id === choice.game)!;
    const ids = { game: uid("g"), games: uid("n"), states: uid("s") };
    const select = h("select", { id: ids.game, onchange: () => {
      choice.game = select.value;
      preset();
      draw();
    } }, ...games.map((known) => h("option", { value: known.id }, known.title)));
    select.value = choice.game;
    const boxes = game.minds.map((mind) => {
      const box = h("input", { type: "checkbox", value: mind.name, onchange: () => {
        if (box.checked) choice.minds.add(mind.name);
        else choice.minds.delete(mind.name);
      } });
      box.checked = choice.minds.has(mind.name);
      return h("label", { class: "check", title: mind.summary }, box, h("span", {}, mind.title));
    });
    const text = (id: string, key: "games" | "states"): HTMLInputElement => {
      const input = h("input", { type: "text", id, inputmode: "numeric", value: choice[key], autocomplete: "off", oninput: () => (choice[key] = input.value.trim()) });
      return input;
    };
    replace(
      form,
      h("h2", {}, "New comparison"),
      h("div", { class: "field" }, h("label", { for: ids.game }, "Game"), select),
      h("fieldset", { class: "field checks" }, h("legend", {}, "Players"), ...boxes),
      h(
        "div",
        { class: "pair" },
        h("div", { class: "field" }, h("label", { for: ids.games }, "Games a pairing"), text(ids.games, "games")),
        h("div", { class: "field" }, h("span", { class: "label-row" }, h("label", { for: ids.states }, "Positions a move"), term("state", "?")), text(ids.states, "states")),
      ),
      h("button", { type: "submit", class: "primary" }, "Start comparing"),
    );
  };
  preset();
  draw();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const states = choice.states ? Number(choice.states.replaceAll(",", "")) : null;
    api
      .post<Match>("/api/matches", { game: choice.game, minds: [...choice.minds], games: Number(choice.games), states })
      .then((match) => go(`/compare/${match.id}`))
      .catch((error: Error) => toast(error.message));
  });
  return form;
}

function drawMatch(stage: HTMLElement, match: Match, games: GameInfo[]): void {
  const game = games.find((known) => known.id === match.game);
  const title = (mind: string): string => mindTitle(game?.minds ?? [], mind);
  const share = match.played / Math.max(match.total, 1);
  const bar = h("div", { class: "progress", role: "progressbar", "aria-label": "Progress", "aria-valuenow": Math.round(share * 100), "aria-valuemin": 0, "aria-valuemax": 100 }, h("span", {}));
  (bar.firstChild as HTMLElement).style.width = `${share * 100}%`;
  const stop = h("button", { type: "button", onclick: () => void api.post(`/api/matches/${match.id}/stop`).catch((error: Error) => toast(error.message)) }, "Stop");
  replace(
    stage,
    h(
      "div",
      { class: "card" },
      h(
        "div",
        { class: "stage-head" },
        h("div", {}, h("h2", {}, game?.title ?? match.game), h("p", { class: "muted small" }, `${number(match.played)} of ${number(match.total)} games${match.running ? "" : " · done"}`)),
        h("div", { class: "tools" }, match.running && stop),
      ),
      bar,
      match.error && h("p", { class: "failure" }, match.error),
      match.report ? standings(match.report, title) : h("p", { class: "muted" }, "The first games are being played."),
    ),
    match.report && match.report.standings.length > 1 && crossTable(match.report, title),
  );
}

function standings(report: Report, title: (mind: string) => string): HTMLElement {
  const spread = Math.max(...report.standings.map((row) => Math.abs(row.elo) + row.elo_plus_minus), 50);
  const rows = report.standings.map((row, rank) => {
    const range = h("span", { class: "range" }, h("span", {}), h("i", {}));
    const place = (elo: number): number => 50 + (50 * elo) / spread;
    const [band, dot] = [range.children[0] as HTMLElement, range.children[1] as HTMLElement];
    band.style.left = `${Math.max(0, place(row.elo - row.elo_plus_minus))}%`;
    band.style.right = `${Math.max(0, 100 - place(row.elo + row.elo_plus_minus))}%`;
    dot.style.left = `${place(row.elo)}%`;
    return h(
      "tr",
      {},
      h("td", { class: "figure muted" }, String(rank + 1)),
      h("th", { scope: "row", class: "player-name" }, title(row.mind)),
      h("td", { class: "figure" }, `${(100 * row.score).toFixed(1)} %`),
      h("td", { class: "figure" }, `${row.wins.count} / ${row.draws.count} / ${row.losses.count}`),
      h("td", { class: "figure" }, `${row.elo >= 0 ? "+" : "−"}${Math.abs(row.elo).toFixed(0)} ± ${row.elo_plus_minus.toFixed(0)}`),
      h("td", { class: "range-cell", "aria-hidden": "true" }, range),
      h("td", { class: "figure" }, number(Math.round(row.states_per_move))),
    );
  });
  const heads = ["#", "Player", "Score", "Won / drawn / lost", "Elo, 95 %", "", "Positions a move"];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Standings" },
    h("table", { class: "standings" }, h("thead", {}, h("tr", {}, ...heads.map((name) => (name ? h("th", { scope: "col", class: name === "Player" ? "" : "figure" }, HEADS[name] ? term(HEADS[name], name) : name) : h("td", {}))))), h("tbody", {}, ...rows)),
  );
}

function crossTable(report: Report, title: (mind: string) => string): HTMLElement {
  const minds = report.standings.map((row) => row.mind);
  const cell = (a: string, b: string): HTMLElement => {
    if (a === b) return h("td", { class: "self" });
    const found = report.pairings.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
    if (!found) return h("td", {}, "–");
    const mine = found.a === a;
    const score = mine ? found.score : 1 - found.score;
    const [low, high] = mine ? [found.score_interval.low, found.score_interval.high] : [1 - found.score_interval.high, 1 - found.score_interval.low];
    const filled = h("td", { class: "figure heat", title: `95 %: ${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %` }, `${(100 * score).toFixed(0)} %`);
    filled.style.setProperty("--heat", `${Math.round(Math.abs(score - 0.5) * 60)}%`);
    if (score < 0.5) filled.classList.add("lower");
    return filled;
  };
  return h(
    "div",
    { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Every pairing" },
    h("h2", {}, "Every pairing"),
    h("p", { class: "muted small" }, "The row's share of the points against the column."),
    h(
      "table",
      { class: "cross" },
      // Numbers head the columns: names would burst the page.
      h("thead", {}, h("tr", {}, h("td", {}), ...minds.map((mind, index) => h("th", { scope: "col", class: "figure", title: title(mind), "aria-label": title(mind) }, String(index + 1))))),
      h("tbody", {}, ...minds.map((a, index) => h("tr", {}, h("th", { scope: "row", class: "player-name" }, `${index + 1} `, title(a)), ...minds.map((b) => cell(a, b))))),
    ),
  );
}
