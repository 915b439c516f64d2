// Inside Homo ludens: when it made which chunk, and the strongest of them, drawn on the board where they lie.

import { drawPiece } from "./boards/pieces";
import { type Child, h, many, number, replace, s, uid } from "./dom";
import { term } from "./glossary";
import type { Inside } from "./mind";
import { card } from "./minds";
import type { Board, GameInfo, Side } from "./types";

interface Spot {
  cell: number | null;
  piece: number | null;
  side: Side | null;
  count: number;
  near: "now" | "next" | null;
  /** For whom a stone there would complete something: the first player, the second. */
  completes: [boolean, boolean] | null;
}

interface Remembered {
  kind: number;
  parts: Spot[][];
  said: string | null;
  log_odds: number;
  /** Whose odds these are; none: of whoever is to move. */
  side: Side | null;
  met: number;
  won: number;
  born: number;
  used: number;
  places: number;
}

export interface Memory {
  kinds: string[];
  /** By round, how many of each kind. */
  made: number[][];
  games: number;
  strongest: Remembered[];
}

const LOOK = 1;
/** What each kind of chunk is, for everybody. */
const KINDS: Record<string, [string, string]> = {
  "always there": ["Always there", "being the first player, or the one to move"],
  look: ["Looks", "what something looks like, wherever on the board it lies"],
  place: ["Places", "something on certain cells; all places that are the same by symmetry are one"],
  pair: ["Pairs", "two things at once that mean more than each alone; made where it had judged wrongly"],
  triple: ["Triples", "a pair and a third thing, all at once; made where it had judged wrongly in spite of the pair"],
};
const SHOWN = 20;

const roundName = (round: number): string => (round === 0 ? "while it watched random games" : `in round ${number(round)}`);

/** A memory whose things were all there from the beginning, each with its odds. */
export function knownChunks(inside: Inside): (HTMLElement | null)[] {
  const all = inside.memory?.strongest ?? [];
  if (all.length === 0) return [];
  const rows = [...all].sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds)).map((chunk) => h("tr", {}, h("th", { scope: "row" }, chunk.said), h("td", { class: "figure" }, `× ${number(Math.exp(chunk.log_odds))}`)));
  return [
    h(
      "div",
      { class: "card scroll", tabindex: 0, role: "region", "aria-label": "What it knows" },
      h("h2", {}, "What it knows, and what each is worth"),
      h("p", { class: "muted small" }, `${many(all.length, "thing")} that a practised player looks at were given to it; what each is worth it learnt in its games. When such a thing is there in full, the `, term("odds"), " of winning are multiplied by this; above 1 it is good for who has it, below 1 bad."),
      h("table", { class: "chunk-table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What it looks at"), h("th", { scope: "col", class: "figure" }, "Odds of winning"))), h("tbody", {}, ...rows)),
    ),
  ];
}

export function chunks(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const memory = inside.memory;
  if (!memory) return [];
  const list = new Strongest(inside.name, memory, game.start.board);
  return [growth(memory, (round) => list.from(round)), list.el];
}

/** How many chunks of each kind were made in every round; ten times as many is one line higher. */
function growth(memory: Memory, choose: (round: number) => void): HTMLElement {
  const total = memory.made.flat().reduce((sum, count) => sum + count, 0);
  const figures = memory.kinds.map((kind, index) => {
    const counts = memory.made.map((round) => round[index] ?? 0);
    return index === 0 || counts.every((count) => count === 0) ? null : kindChart(kind, counts, choose);
  });
  const note = `${many(total, "chunk")} from ${many(memory.games, "game")}. Each bar is a round of games; the first is what it saw while it watched random games. A line higher is ten times as many. Click a bar for the chunks of that round.`;
  return card("How its memory grew", note, h("div", { class: "surfaces growth-row" }, ...figures));
}

const WIDTH = 270;
const HEIGHT = 150;
const PAD = { left: 42, bottom: 34, top: 8 };

function kindChart(kind: string, counts: number[], choose: (round: number) => void): HTMLElement {
  const [title, meaning] = KINDS[kind] ?? [kind, ""];
  const tens = Math.max(1, Math.ceil(Math.log10(Math.max(...counts, 1) + 1)));
  const bottom = HEIGHT - PAD.bottom;
  const y = (count: number): number => bottom - ((bottom - PAD.top) * Math.log10(count + 1)) / tens;
  const step = (WIDTH - PAD.left - 4) / counts.length;
  const bars = counts.map((count, round) => {
    const bar = s("rect", { class: "growth-bar", x: PAD.left + round * step + step * 0.1, y: count > 0 ? Math.min(y(count), bottom - 2) : bottom, width: step * 0.8, height: count > 0 ? Math.max(2, bottom - y(count)) : 0 }, s("title", {}, `${number(count)} made ${roundName(round)}`));
    const all = s("rect", { class: "growth-hit", x: PAD.left + round * step, y: PAD.top, width: step, height: bottom - PAD.top }, s("title", {}, `${number(count)} made ${roundName(round)}`));
    all.addEventListener("click", () => choose(round));
    return s("g", {}, bar, all);
  });
  const lines = Array.from({ length: tens + 1 }, (_, ten) => {
    const count = ten === 0 ? 0 : 10 ** ten;
    return s("g", {}, s("line", { class: "growth-line", x1: PAD.left, x2: WIDTH - 4, y1: y(count), y2: y(count) }), s("text", { x: PAD.left - 6, y: y(count) + 4, "text-anchor": "end" }, number(count)));
  });
  const every = Math.max(1, Math.ceil(counts.length / 6));
  const rounds = counts.flatMap((_, round) => (round % every === 0 ? [s("text", { x: PAD.left + (round + 0.5) * step, y: bottom + 14, "text-anchor": "middle" }, number(round))] : []));
  const sum = counts.reduce((all, count) => all + count, 0);
  return h(
    "figure",
    { class: "surface-figure growth" },
    h("figcaption", {}, h("b", {}, title), h("span", { class: "muted small" }, ` ${number(sum)}: ${meaning}`)),
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title} made in each round: ${counts.slice(0, 60).map((count) => number(count)).join(", ")}` }, ...lines, ...bars, ...rounds, s("text", { x: (PAD.left + WIDTH) / 2, y: HEIGHT - 3, "text-anchor": "middle" }, "rounds")),
  );
}

type Key = "odds" | "met" | "won" | "born" | "used";
const COLUMNS: [Key, string][] = [
  ["odds", "Odds"],
  ["met", "Met"],
  ["won", "Won"],
  ["born", "Made in round"],
  ["used", "Last met"],
];

/** How the list was looked at last: while it learns the view is drawn again and again. */
let looked: { name: string; key: Key; down: boolean; shown: number; round: string; kind: string } | null = null;

/** The strongest chunks, in any order, of all rounds or of one. */
class Strongest {
  private readonly rows = h("tbody", {});
  private readonly head = h("tr", {});
  private readonly more = h("p", {});
  private readonly round: HTMLSelectElement;
  private readonly kind: HTMLSelectElement;
  private key: Key = "odds";
  private down = true;
  private shown = SHOWN;
  readonly el: HTMLElement;

  constructor(
    private readonly name: string,
    private readonly memory: Memory,
    private readonly board: Board,
  ) {
    const select = (options: [number, string][]): HTMLSelectElement => {
      const made = h("select", { id: uid("chunks"), onchange: () => this.again() }, ...options.map(([value, text]) => h("option", { value }, text)));
      return made;
    };
    const met = memory.kinds.map((kind, index): [number, string] => [index, (KINDS[kind] ?? [kind])[0]]).filter(([index]) => memory.strongest.some((chunk) => chunk.kind === index));
    this.kind = select([[-1, "of every kind"], ...met]);
    this.round = select([[-1, "of all rounds"], ...memory.made.flatMap((_, round): [number, string][] => (memory.strongest.some((chunk) => chunk.born === round) ? [[round, roundName(round)]] : []))]);
    this.el = h(
      "section",
      { class: "card chunk-list", "aria-label": "Strongest chunks" },
      h("h2", {}, "Its strongest chunks"),
      h("p", { class: "muted small" }, "Each multiplies the ", term("odds"), " of the side it is good for. On the boards: a ring, a move goes there; a dashed ring, one more move and then; a square, a stone there would complete a line for that side; a dot, empty. In a look, who is to move has the first player's colour. The odds are what it adds beside everything else that is there: they can be good where most games were lost."),
      h("div", { class: "tools" }, h("label", { class: "small", for: this.kind.id }, "Show those "), this.kind, h("label", { class: "small", for: this.round.id }, "made "), this.round),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of chunks" }, h("table", { class: "chunk-table" }, h("thead", {}, this.head), this.rows)),
      this.more,
    );
    if (looked?.name === name) {
      [this.key, this.down, this.shown] = [looked.key, looked.down, looked.shown];
      choose(this.round, looked.round);
      choose(this.kind, looked.kind);
    }
    this.draw();
  }

  /** Those that were made in one round. */
  from(round: number): void {
    choose(this.round, String(round));
    this.again();
    this.el.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  private again(): void {
    this.shown = SHOWN;
    this.draw();
  }

  private value(chunk: Remembered): number {
    return this.key === "odds" ? Math.abs(chunk.log_odds) : this.key === "won" ? share(chunk) : chunk[this.key];
  }

  private draw(): void {
    const sorter = ([key, title]: [Key, string]): HTMLElement =>
      h("th", { scope: "col", class: "figure", "aria-sort": key === this.key ? (this.down ? "descending" : "ascending") : undefined }, h("button", { type: "button", class: "quiet sorter", onclick: () => this.sort(key) }, title, key === this.key ? (this.down ? " ↓" : " ↑") : ""));
    const focused = this.head.contains(document.activeElement) ? COLUMNS.findIndex(([key]) => key === this.key) : -1;
    replace(this.head, h("th", { scope: "col" }, "What it remembers"), h("th", { scope: "col" }, "Good for"), ...COLUMNS.map(sorter));
    if (focused >= 0) this.head.querySelectorAll("button")[focused]?.focus();
    looked = { name: this.name, key: this.key, down: this.down, shown: this.shown, round: this.round.value, kind: this.kind.value };
    const [round, kind] = [Number(this.round.value), Number(this.kind.value)];
    const fitting = this.memory.strongest.filter((chunk) => (round < 0 || chunk.born === round) && (kind < 0 || chunk.kind === kind));
    const order = fitting.sort((a, b) => (this.down ? 1 : -1) * (this.value(b) - this.value(a)));
    replace(this.rows, ...order.slice(0, this.shown).map((chunk) => this.row(chunk)));
    const left = order.length - this.shown;
    replace(this.more, left > 0 && h("button", { type: "button", class: "quiet", onclick: () => {
      this.shown += 3 * SHOWN;
      this.draw();
    } }, `Show more (${number(left)})`));
  }

  private sort(key: Key): void {
    this.down = key === this.key ? !this.down : true;
    this.key = key;
    this.again();
  }

  private row(chunk: Remembered): HTMLElement {
    const [odds, won] = [Math.exp(Math.abs(chunk.log_odds)), share(chunk)];
    const figure = (text: string): HTMLElement => h("td", { class: "figure" }, text);
    const parts = chunk.parts.filter((part) => part.length > 0).map((part) => (chunk.kind === LOOK ? lookWords(part, this.board) : part.map((spot) => spotWords(spot, this.board)).join("; ")));
    const words = [...parts, ...(chunk.said ? [chunk.said] : [])].join("; and ");
    const places = chunk.places > 1 ? ` (and in ${many(chunk.places - 1, "other place")} like it)` : "";
    const seen: Child = chunk.kind === LOOK ? line(chunk.parts[0] ?? [], this.board) : this.board.layout === "Points" || chunk.parts.every((part) => part.length === 0) ? null : onBoard(chunk.parts, this.board);
    return h("tr", {}, h("th", { scope: "row" }, h("div", { class: "chunk-seen" }, seen, h("span", { class: "small" }, words, places))), h("td", {}, goodFor(chunk)), figure(`× ${number(odds)}`), figure(number(chunk.met)), figure(`${Math.round(100 * won)} %`), figure(number(chunk.born)), figure(number(chunk.used)));
  }
}

/** What is no option any more chooses all. */
function choose(select: HTMLSelectElement, value: string): void {
  select.value = value;
  if (select.value !== value) select.value = "-1";
}

/** How the positions went in which it was met, for the side it is good for. */
const share = (chunk: Remembered): number => (chunk.log_odds >= 0 ? chunk.won : 1 - chunk.won);

function goodFor(chunk: Remembered): string {
  const good = chunk.log_odds >= 0;
  if (chunk.side === null) return good ? "who is to move" : "the other";
  return good === (chunk.side === "First") ? "first player" : "second player";
}

function cellName(cell: number, board: Board): string {
  if (board.layout !== "Points") return `${board.column_names[cell % board.width]}${board.row_names[Math.floor(cell / board.width)]}`;
  return cell < 24 ? `point ${cell + 1}` : `${cell < 26 ? "white" : "black"}'s ${cell % 2 === 0 ? "bar" : "tray"}`;
}

const NEAR = { now: "a move goes there", next: "a move goes there after another one" };

/** Wherever it lies a look is seen by who is to move, taken for the first player. */
const WHO = [["the first player", "the second player"], ["who is to move", "the other"]] as const;

function what(spot: Spot, board: Board, look = false): string {
  const near = spot.near ? `, ${NEAR[spot.near]}` : "";
  if (spot.completes) {
    const whom = spot.completes.flatMap((completes, index) => (completes ? [WHO[look ? 1 : 0][index === 0 ? 0 : 1]] : []));
    return whom.length > 0 ? `completes a line for ${whom.join(" and for ")}${near}` : `empty, completes nothing${near}`;
  }
  if (spot.piece === 0) return `empty${near}`;
  const name = spot.piece === null ? (spot.count > 0 ? "a stone" : "anything else") : (board.pieces[spot.piece]?.name ?? "a stone");
  return `${spot.count > 1 ? `${spot.count} ` : ""}${name}${near}`;
}

const spotWords = (spot: Spot, board: Board): string => `${spot.cell === null ? "" : `${cellName(spot.cell, board)} `}${what(spot, board)}`;

/** Lines are counted, runs are read from one end to the other. */
function lookWords(spots: Spot[], board: Board): string {
  const own = spots.filter((spot) => spot.piece === null && spot.side === "First").length;
  const other = spots.filter((spot) => spot.piece === null && spot.side === "Second").length;
  const empty = spots.filter((spot) => spot.piece === 0).length;
  if (spots.length > 2 && own + other + empty === spots.length && !spots.some((spot) => spot.piece !== null && spot.piece > 0) && (own === 0 || other === 0)) {
    const whose = own > 0 ? `a line with ${many(own, "stone")} of who is to move` : other > 0 ? `a line with ${many(other, "stone")} of the other` : "an empty line";
    const now = spots.filter((spot) => spot.near === "now").length;
    const next = spots.filter((spot) => spot.near === "next").length;
    const open = [now > 0 && `${now} can be filled now`, next > 0 && `${next} after another move`].filter(Boolean).join(", ");
    return `${whose}, ${empty} missing${open ? ` (${open})` : ""}`;
  }
  const seen = (spot: Spot): string => {
    const men = spot.count > 1 ? `${spot.count} ` : "";
    return spot.piece && spot.side ? `${men}of ${WHO[1][spot.side === "First" ? 0 : 1]}${spot.near ? `, ${NEAR[spot.near]}` : ""}` : what(spot, board, true);
  };
  return spots.map(seen).join("; next to it: ");
}

/** A stone as this board has them, or what is known of an empty cell, around the origin. */
function drawn(spot: Spot, board: Board): SVGElement[] {
  const parts: SVGElement[] = [];
  const piece = spot.piece ?? (spot.side ? board.pieces.findIndex((known) => known.side === spot.side) : -1);
  if (spot.near) parts.push(s("circle", { class: `spot-near ${spot.near}`, r: 34 }));
  if (spot.completes) {
    for (const [index, completes] of spot.completes.entries()) {
      if (completes) parts.push(s("rect", { class: `spot-completes ${index === 0 ? "first" : "second"}`, x: index === 0 ? -24 : -2, y: index === 0 ? -24 : -2, width: 26, height: 26, rx: 4 }));
    }
    if (!spot.completes.includes(true)) parts.push(s("circle", { class: "mini-empty", r: 9 }));
  } else if (piece > 0) {
    const man = drawPiece(board, { piece, count: Math.max(1, spot.count), side: spot.side });
    if (man) parts.push(man);
  } else if (piece === 0) parts.push(s("circle", { class: "mini-empty", r: 9 }));
  else parts.push(s("text", { class: "spot-any", y: 14, "text-anchor": "middle" }, "?"));
  return parts;
}

/** The whole board with the cells of the chunk; those of the second of a pair have another frame. */
function onBoard(parts: Spot[][], board: Board): SVGSVGElement {
  const { width, height } = board;
  const middle = (cell: number): [number, number] => [(cell % width) * 100 + 50, (height - 1 - Math.floor(cell / width)) * 100 + 50];
  const cells = board.squares.map((_, cell) => {
    const [x, y] = middle(cell);
    return s("rect", { class: "mini-cell", x: x - 46, y: y - 46, width: 92, height: 92, rx: 12 });
  });
  const spots = parts.flatMap((part, index) =>
    part.flatMap((spot) => {
      if (spot.cell === null) return [];
      const [x, y] = middle(spot.cell);
      return [s("g", { transform: `translate(${x} ${y})` }, s("rect", { class: `spot-cell part${index}`, x: -46, y: -46, width: 92, height: 92, rx: 12 }), ...drawn(spot, board))];
    }),
  );
  const svg = s("svg", { class: "chunk-board", viewBox: `0 0 ${width * 100} ${height * 100}`, "aria-hidden": "true" }, ...cells, ...spots);
  return svg;
}

function line(spots: Spot[], board: Board): SVGSVGElement | null {
  if (spots.length === 0) return null;
  const cells = spots.map((spot, place) => s("g", { transform: `translate(${place * 100 + 50} 50)` }, s("rect", { class: "mini-cell", x: -46, y: -46, width: 92, height: 92, rx: 12 }), ...drawn(spot, board)));
  const svg = s("svg", { class: "chunk-line", viewBox: `0 0 ${spots.length * 100} 100`, "aria-hidden": "true" }, ...cells);
  svg.style.width = `${Math.min(spots.length, 8) * 22}px`;
  return svg;
}
