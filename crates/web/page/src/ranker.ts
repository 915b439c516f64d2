// Inside the ranker: where it likes to drop a disc, the lines it likes to touch, what else it weighs, and the pairs it found by itself.

import { h, many, number, s } from "./dom";
import { type Inside, boardOf } from "./mind";
import { card } from "./minds";
import type { GameInfo } from "./types";

const SYMBOLS = 5;
const PATTERNS = SYMBOLS ** 3;
/** Where the numbers of each family of its tokens begin. */
const PLACES = 2 * 4 * 3 * 2 * PATTERNS;
const THREATS = PLACES + 2 * 42 * 2;
const FORKS = THREATS + 2 * 2 * 4 * 2 * 6;
const RISKS = FORKS + 48;
const SHAPES = RISKS + 32;
const DISCS = SHAPES + 64;
const FOLLOW = DISCS + 43;
const TOKENS = FOLLOW + 4;
const [WIDTH, HEIGHT] = [7, 6];
const SHOWN = 10;

const signed = (value: number): string => `${value >= 0 ? "+" : "−"}${number(Math.abs(value))}`;

/** A line token taken apart. */
function lineOf(id: number): { above: boolean; place: number; kind: number; good: boolean; others: number[] } {
  const pattern = id % PATTERNS;
  const rest = Math.floor(id / PATTERNS);
  return { good: rest % 2 === 0, kind: Math.floor(rest / 2) % 3, place: Math.floor(rest / 6) % 4, above: rest >= 24, others: [Math.floor(pattern / 25), Math.floor(pattern / 5) % 5, pattern % 5] };
}

const KINDS = ["flat", "upright", "slanting"];
const EMPTY = ["can be filled now", "can be filled after one disc", "can be filled later"];

function lineWords(id: number): string {
  const { above, kind, others } = lineOf(id);
  const own = others.filter((symbol) => symbol === 0).length;
  const other = others.filter((symbol) => symbol === 1).length;
  const open = others.filter((symbol) => symbol >= 2).map((symbol) => EMPTY[symbol - 2]!);
  const holds = [own > 0 && `${own} of its own`, other > 0 && `${other} of the other's`, open.length > 0 && `${open.length} empty (${[...new Set(open)].join(", ")})`].filter(Boolean).join(", ");
  return `${KINDS[kind]} line through the ${above ? "cell above the disc" : "disc"}: beside it ${holds}`;
}

function threatWords(token: number): string {
  const [row, column, need, owner] = [token % 6, Math.floor(token / 6) % 2, Math.floor(token / 12) % 4, Math.floor(token / 96)];
  const wait = need === 0 ? "that can be played at once" : `that waits for ${need === 3 ? "3 or more discs" : many(need, "disc")}`;
  return `a cell in row ${"abcdef"[row]} that completes four for ${owner === 0 ? "it" : "the other"}, ${wait}${column ? ", in the column of the move" : ""}`;
}

function forkWords(token: number): string {
  const [mine, forcing, theirs] = [Math.floor(token / 12), Math.floor(token / 4) % 3, token % 4];
  const parts = [forcing > 0 && "it threatens to win at once", mine > 0 && `${many(mine, "cell")} where it could make two threats at once`, theirs > 0 && `${many(theirs, "cell")} where the other could make two threats at once`].filter(Boolean);
  return parts.length > 0 ? parts.join("; ") : "no threat, and nobody can make two threats at once";
}

const RISK_WORDS: [number, string][] = [
  [16, "it has two winning cells one above the other"],
  [8, "the other has two winning cells one above the other"],
  [4, "the other can win next"],
  [2, "the cell above the disc wins for the other"],
  [1, "the cell above the disc wins for it"],
];

function riskWords(token: number): string {
  const parts = RISK_WORDS.filter(([bit]) => token & bit).map(([, words]) => words);
  return parts.length > 0 ? parts.join("; ") : "nothing can be won at once, nor above the disc";
}

/** What a token is, for everybody. */
function tokenWords(id: number): string {
  if (id < PLACES) return lineWords(id);
  if (id < THREATS) return "the cell the disc takes";
  if (id < FORKS) return threatWords(id - THREATS);
  if (id < RISKS) return forkWords(id - FORKS);
  if (id < SHAPES) return riskWords(id - RISKS);
  if (id < DISCS) return `${many(Math.floor((id - SHAPES) / 8), "column")} still open, ${(id - SHAPES) % 8} of them with an odd number of cells left`;
  if (id < FOLLOW) return `${many(id - DISCS, "disc")} on the board`;
  return ["if it only answered in the same column, the other could still win", "whoever always answers in the same column cannot lose", "whoever always answers in the same column wins", "whoever always answers in the same column wins"][id - FOLLOW] ?? "";
}

/** The line as its four cells; the one the move takes (or the one above it) has a frame. */
function linePicture(id: number): SVGSVGElement {
  const { above, place, others } = lineOf(id);
  const cells = [...others.slice(0, place), -1, ...others.slice(place)];
  const kind = (symbol: number): string => (symbol === -1 ? (above ? "open" : "own") : symbol === 0 ? "own" : symbol === 1 ? "other" : symbol === 2 ? "open" : "shut");
  return s(
    "svg",
    { class: "line-picture", viewBox: "0 0 88 22", "aria-hidden": "true" },
    ...cells.flatMap((symbol, at) => [s("circle", { class: `line-cell ${kind(symbol)}`, cx: at * 22 + 11, cy: 11, r: 8 }), symbol === -1 ? s("rect", { class: "line-move", x: at * 22 + 1, y: 1, width: 20, height: 20, rx: 5 }) : null]),
  );
}

function table(title: string, note: string, head: string, rows: [HTMLElement | SVGElement | null, string, number][]): HTMLElement | null {
  if (rows.length === 0) return null;
  const body = rows.map(([seen, words, worth]) => h("tr", {}, h("th", { scope: "row" }, h("div", { class: "chunk-seen" }, seen, h("span", { class: "small" }, words))), h("td", { class: "figure" }, signed(worth)), h("td", { class: "figure" }, `× ${number(Math.exp(worth))}`)));
  return h(
    "div",
    { class: "card scroll", tabindex: 0, role: "region", "aria-label": title },
    h("h2", {}, title),
    h("p", { class: "muted small" }, note),
    h("table", { class: "chunk-table" }, h("thead", {}, h("tr", {}, ...[head, "Worth", "Odds of the move"].map((name, index) => h("th", { scope: "col", class: index > 0 ? "figure" : "" }, name)))), h("tbody", {}, ...body)),
  );
}

/** Where a disc is liked for its own sake: a cell, and the same with its mirror image, are tokens of their own. */
function cells(worth: number[]): HTMLElement {
  const boards = [0, 1].map((mover) =>
    Array.from({ length: WIDTH * HEIGHT }, (_, cell) => {
      const [row, column] = [Math.floor(cell / WIDTH), cell % WIDTH];
      return worth[PLACES + (row * 7 + Math.min(column, 6 - column)) * 2 + mover]! + worth[PLACES + 84 + (row * 7 + column) * 2 + mover]!;
    }),
  );
  const most = Math.max(...boards.flat().map(Math.abs), 1e-9);
  const minis = boards.map((values, mover) => boardOf(values, WIDTH, HEIGHT, most, `the ${mover === 0 ? "first" : "second"} player's disc, at most ${signed(values.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0))}`));
  return card("Where it likes a disc", "The worth of each cell by itself, whatever else stands on the board. Blue: it likes to play there; amber: it does not; the stronger the colour, the more.", h("div", { class: "minis concept-minis" }, ...minis));
}

export function ranker(inside: Inside, _game: GameInfo): (HTMLElement | null)[] {
  const worth = inside.tensors["worth"]?.values;
  if (!worth || worth.length < TOKENS) return [];
  const strongest = (from: number, to: number, sign: number): number[] =>
    Array.from({ length: to - from }, (_, at) => from + at)
      .filter((id) => sign * worth[id]! > 0)
      .sort((a, b) => sign * (worth[b]! - worth[a]!))
      .slice(0, SHOWN);
  const lines = (sign: number): [SVGSVGElement, string, number][] => strongest(0, PLACES, sign).map((id) => [linePicture(id), lineWords(id), worth[id]!]);
  const others = [...strongest(THREATS, TOKENS, 1), ...strongest(THREATS, TOKENS, -1)].sort((a, b) => Math.abs(worth[b]!) - Math.abs(worth[a]!));
  const pairs = (inside.meta["chunks"] as [number, number][] | undefined) ?? [];
  const found = pairs.map((pair, at): [null, string, number] => [null, pair.map(tokenWords).join(" — and "), worth[TOKENS + at] ?? 0]).filter(([, , value]) => value !== 0);
  const used = worth.filter((value) => value !== 0).length;
  const note = "Blue: a disc of its own; amber: one of the other's; a ring: an empty cell that can be filled now; a dot: one that cannot yet; the frame: the cell the move takes, or the one above it.";
  return [
    card("How it judges a move", `It never looks ahead. It takes a move apart into about forty small things (of ${number(TOKENS)} it can tell apart it has met ${number(used)}) and adds up what each is worth; the worth of 1 makes a move 2.7 times as likely to be its choice. Sixteen small judges then weigh the things together; what they add is not in these lists.`),
    cells(worth),
    table("Lines it likes", note, "A line through the move", lines(1)),
    table("Lines it does not like", note, "A line through the move", lines(-1)),
    table("Threats, two threats at once, and who must move", "What is so after the move, wherever on the board.", "After the move", others.map((id) => [null, tokenWords(id), worth[id]!])),
    table("Pairs it found by itself", `${many(found.length, "pair")} of things that mean something else together than each alone: where it erred again and again, it made them one.`, "Both at once", found.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2])).slice(0, SHOWN)),
  ];
}
