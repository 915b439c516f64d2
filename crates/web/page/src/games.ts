// The games that were kept: a list, and the person's own rating against the levels.

import { api } from "./api";
import { h, replace, when } from "./dom";
import { glossed } from "./glossary";
import { mindTitle, strength } from "./levels";
import { ownRatings } from "./rating";
import type { GameInfo, GameLine, Seat } from "./types";

function seatName(seat: Seat, game: GameInfo | undefined): HTMLElement {
  if (seat.kind === "human") return h("span", {}, "You");
  const minds = game?.minds ?? [];
  return h("span", {}, mindTitle(minds, seat.mind), h("span", { class: "muted small block" }, ...glossed(strength(minds, seat))));
}

function resultText(line: GameLine): { text: string; kind: string } {
  if (line.result === null) return { text: "going on", kind: "muted" };
  if (line.result === 0) return { text: "draw", kind: "" };
  const winner = line.result > 0 ? 0 : 1;
  const people = line.seats.filter((seat) => seat.kind === "human").length;
  if (people === 1) return line.seats[winner]!.kind === "human" ? { text: "you won", kind: "concept-good" } : { text: "you lost", kind: "concept-bad" };
  return { text: winner === 0 ? "first won" : "second won", kind: "" };
}

export async function gamesView(main: HTMLElement): Promise<null> {
  const [lines, games] = await Promise.all([api.kept(), api.games()]);
  const played = lines.filter((line) => line.moves > 0);
  const rows = played.map((line) => row(line, games.find((game) => game.id === line.game)));
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Games"),
      h("p", { class: "lead" }, "Every game is kept: who played, the moves, the thinking times and the result."),
    ),
    ownRatings(lines, games),
    rows.length === 0
      ? h("div", { class: "card" }, h("p", { class: "muted" }, "No game yet. "), h("a", { class: "button", href: "#/play" }, "Play one"))
      : h(
          "div",
          { class: "card" },
          h(
            "table",
            { class: "stacked" },
            h("thead", {}, h("tr", {}, ...["Game", "First", "Second", "Moves", "Result", "Played"].map((name) => h("th", { scope: "col" }, name)), h("td", {}))),
            h("tbody", {}, ...rows),
          ),
        ),
    rows.length > 0 && h("p", {}, h("a", { class: "button", href: "/api/games.csv", download: "ludens-games.csv" }, "Export all as CSV")),
  );
  return null;
}

function row(line: GameLine, game: GameInfo | undefined): HTMLElement {
  const result = resultText(line);
  const cell = (name: string, ...content: (Node | string)[]): HTMLElement => h("td", { "data-name": name }, ...content);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: `#/play/${line.id}` }, game?.title ?? line.game)),
    cell("First", seatName(line.seats[0], game)),
    cell("Second", seatName(line.seats[1], game)),
    cell("Moves", String(line.moves)),
    cell("Result", h("span", { class: result.kind }, result.text)),
    cell("Played", h("span", { class: "muted" }, when(line.updated))),
    h("td", {}, h("div", { class: "row-tools" }, h("a", { href: `#/play/${line.id}` }, line.result === null ? "Go on" : "Look back"), h("a", { href: `/api/games/${line.id}/csv`, download: `ludens-${line.id}.csv` }, "CSV"))),
  );
}
