// The rules of each game on one screen, and what the words of the page mean.

import { api } from "./api";
import { h, replace } from "./dom";
import { glossaryList } from "./glossary";
import { thumbnail } from "./setup";
import type { GameInfo } from "./types";

/** What a game is about, how one moves, and how it ends. Games that people bring are told by their own summary. */
const RULES: Record<string, string[]> = {
  "tic-tac-toe": ["Two players take turns. Each puts one mark on a free cell: the first a cross, the second a ring.", "Whoever has three in a row wins: across, up or slanting.", "Is the board full and nobody has three, it is a draw."],
  "connect-four": ["Two players take turns. Each drops one disc into a column that is not full; it falls onto the discs below.", "Whoever has four in a line wins: across, up or slanting.", "Is the board full and nobody has four, it is a draw."],
  reversi: ["The first player has black discs, the second white ones. A disc is put on a free cell so that a straight row of the other's discs lies between it and another disc of one's own.", "All discs between the two are turned over and belong to whoever moved.", "Who cannot move must wait. Can nobody move, the game is over, and who has more discs wins."],
  backgammon: ["Both sides have fifteen men. White walks from point 24 down to point 1, Black the other way. The dice decide who starts, and later how far men go: one man for each die, or one man for both. Two equal dice count four times.", "A man may go to any point that does not hold two or more men of the other side. Is there just one, it is hit and goes to the bar: it must come in again from the far end before anything else is moved.", "Are all one's men on the last six points, they may be taken off the board. Who has taken off all fifteen first wins."],
  "four-in-a-row": ["Two players take turns and put one stone on any free cell.", "Whoever has four in a line wins: across, up or slanting.", "Other sizes are played in the same way: choose the columns, the rows and how many in a line win."],
};

const FALLING = ["Two players take turns. Each drops a stone into a column that is not full; it falls onto the stones below.", "Whoever has enough in a line wins: across, up or slanting. How many are enough is the last number of the game's name."];
const LINES = ["Two players take turns and put one stone on any free cell.", "Whoever has enough in a line wins: across, up or slanting. How many are enough is the last number of the game's name."];

function rulesOf(game: GameInfo): string[] {
  const family = game.id.startsWith("gravity-") ? FALLING : game.id.startsWith("line-") ? LINES : null;
  return RULES[game.id] ?? family ?? [game.summary || "The rules of this game came in a file; the page knows which moves are legal.", "Cells that can be played have a mark. Every legal move is in the list below the board."];
}

export async function rulesView(main: HTMLElement, id: string | undefined): Promise<null> {
  const games = await api.games();
  const own = id ? await api.game(id) : undefined;
  const shown = own ? [own, ...games.filter((game) => game.id !== own.id)] : games;
  const card = (game: GameInfo): HTMLElement =>
    h(
      "article",
      { class: "card rules-card" },
      h("span", { class: "thumb", "aria-hidden": "true" }, thumbnail(game.start)),
      h("div", {}, h("h2", {}, game.title), ...rulesOf(game).map((text) => h("p", {}, text)), h("p", {}, h("a", { href: "#/play", onclick: () => localStorage.setItem("ludens.wanted", game.id) }, "Play it"))),
    );
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Rules and words"), h("p", { class: "lead" }, "How each game is played, and what the words on this page mean.")),
    h("div", { class: "rules-list" }, ...shown.map(card)),
    h("div", { class: "card" }, h("h2", {}, "Words"), glossaryList()),
  );
  return null;
}
