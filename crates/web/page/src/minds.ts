// Views of their own for learners whose memory has a shape worth drawing. What is not here is shown by the general view.

import { chart } from "./chart";
import { h, many, number, s } from "./dom";
import { type Inside, boardOf, heat, histogram } from "./mind";
import { contexts, contextsAny } from "./contexts";
import { chunks, knownChunks } from "./homo";
import { backgammonNetwork } from "./networks";
import { ranker } from "./ranker";
import { drawPiece } from "./boards/pieces";
import type { GameInfo } from "./types";

type Drawer = (inside: Inside, game: GameInfo) => (HTMLElement | null)[];

/** By learner; what goes beyond a published method remembers in the same shape. */
const DRAWERS: Record<string, Drawer> = {
  actr: odds,
  "actr-improved": knownChunks,
  "actr-rehearsed": backgammonNetwork,
  odds: lineOdds,
  coevolution: evolution,
  "coevolution-improved": evolution,
  nhb: hiddenNodes,
  "nhb-improved": hiddenNodes,
  concepts: conceptBoards,
  "concepts-selected": conceptBoards,
  contexts,
  "contexts-any": contextsAny,
  hc: backgammonNetwork,
  homo: chunks,
  ranker,
  td: backgammonNetwork,
};

export function special(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  try {
    return DRAWERS[inside.learner]?.(inside, game) ?? [];
  } catch {
    // A model of another version may lack what a view needs; the general view still shows what is there.
    return [];
  }
}

export function card(title: string, note: string, ...content: (HTMLElement | null)[]): HTMLElement {
  return h("div", { class: "card" }, h("h2", {}, title), h("p", { class: "muted small" }, note), ...content);
}

interface Chunk {
  kind: number;
  slots: number[];
  odds: number;
  met: number;
}

const KINDS = ["attack", "expose", "block"];

/** ACT-R: each chunk's odds of winning. Attack by point; expose and block as a surface over point and opponents ahead. */
function odds(inside: Inside): (HTMLElement | null)[] {
  const features = inside.tensors["chunks.features"];
  const counts = inside.tensors["chunks.counts"]?.values;
  const games = inside.tensors["games"]?.values;
  if (!features?.values || !counts || !games) return [];
  const width = features.shape[1]!;
  const prior = Number((inside.meta["settings"] as { prior?: number } | undefined)?.prior ?? 1) || 1e-9;
  const base = (games[1]! + prior) / (games[0]! + prior);
  const chunks: Chunk[] = Array.from({ length: features.shape[0]! }, (_, index) => {
    const [wins, losses] = [counts[2 * index]!, counts[2 * index + 1]!];
    const row = features.values!.slice(index * width, (index + 1) * width);
    return { kind: row[0]!, slots: row.slice(1), odds: ((wins + prior) / (losses + prior)) * base, met: wins + losses };
  });
  const most = Math.max(0.2, ...chunks.map((chunk) => Math.abs(Math.log(chunk.odds))));
  const surfaces = KINDS.map((name, kind) => {
    const own = chunks.filter((chunk) => chunk.kind === kind);
    return own.length > 0 ? surface(name, own, most) : null;
  });
  const strongest = [...chunks].sort((a, b) => Math.abs(Math.log(b.odds)) - Math.abs(Math.log(a.odds))).slice(0, 10);
  const rows = strongest.map((chunk) =>
    h("tr", {}, h("th", { scope: "row" }, words(chunk)), h("td", { class: "figure" }, `× ${number(chunk.odds)}`), h("td", { class: "figure" }, number(chunk.met))),
  );
  return [
    card("Odds it remembers", `${many(chunks.length, "chunk")}: what each thing it noticed did to the odds of winning. Across: the point of the board, as it counts them; upwards: how many men of the other side are still ahead. Blue speaks for it, amber against; the stronger the colour, the further from even.`, h("div", { class: "surfaces" }, ...surfaces)),
    h(
      "div",
      { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Strongest chunks" },
      h("h2", {}, "Its strongest chunks"),
      h("table", {}, h("thead", {}, h("tr", {}, ...["What it noticed", "Odds of winning", "Times met"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...rows)),
    ),
  ];
}

/** Odds over the lines of a board: each kind of line drawn as its stones, with what it did to the odds of winning. */
function lineOdds(inside: Inside): (HTMLElement | null)[] {
  const features = inside.tensors["chunks.features"];
  const counts = inside.tensors["chunks.counts"]?.values;
  const settings = inside.meta["settings"] as { features?: string; length?: number } | undefined;
  if (!features?.values || !counts || String(settings?.features ?? "lines").toLowerCase() !== "lines") return [];
  const width = features.shape[1]!;
  const length = Math.max(Number(settings?.length ?? 0), ...Array.from({ length: features.shape[0]! }, (_, index) => features.values![index * width + 1]! + features.values![index * width + 2]!));
  const rows = Array.from({ length: features.shape[0]! }, (_, index) => {
    const [own, other, open] = features.values!.slice(index * width + 1, index * width + 4) as [number, number, number];
    const [wins, losses] = [counts[2 * index]!, counts[2 * index + 1]!];
    return { own, other, open, odds: (wins + 1) / (losses + 1), met: wins + losses };
  });
  const order = rows.filter((row) => row.met > 0).sort((a, b) => b.odds - a.odds);
  const said = (row: (typeof rows)[number]): string => `${many(row.own, "stone")} of its own, ${row.other} of the other's, ${row.open} of the empty cells can be filled at once`;
  const drawn = (row: (typeof rows)[number]): SVGSVGElement => {
    const cells = Array.from({ length }, (_, place) => (place < row.own ? "own" : place < row.own + row.other ? "other" : place < row.own + row.other + row.open ? "open" : "shut"));
    return s("svg", { class: "line-picture", viewBox: `0 0 ${length * 22} 22`, role: "img", "aria-label": said(row) }, ...cells.map((kind, place) => s("circle", { class: `line-cell ${kind}`, cx: place * 22 + 11, cy: 11, r: 9 })));
  };
  const list = (some: typeof rows): HTMLElement =>
    h("table", {}, h("thead", {}, h("tr", {}, ...["A line with", "Odds of winning", "Times met"].map((name, index) => h("th", { scope: "col", class: index > 0 ? "figure" : "" }, name)))), h("tbody", {}, ...some.map((row) => h("tr", {}, h("th", { scope: "row", title: said(row) }, drawn(row)), h("td", { class: "figure" }, `× ${number(row.odds)}`), h("td", { class: "figure" }, number(row.met))))));
  return [
    card("Lines it remembers as good", "Blue: a stone of its own; amber: one of the other's; a ring: an empty cell that the other could fill at once; a dot: one that nobody can reach yet. The odds are how often it won for each loss when such a line was there; they are multiplied over all lines of the board.", list(order.slice(0, 8))),
    card("And as bad", "The same, from the other end.", list(order.slice(-8).reverse())),
  ];
}

function words(chunk: Chunk): string {
  const [point, ahead, size] = chunk.slots;
  if (chunk.kind === 0) return `attack on point ${point}`;
  if (chunk.kind === 1) return `a blot on ${point}, ${ahead} opponents ahead`;
  return `a block of ${size} from ${point}, ${ahead} opponents ahead`;
}

function surface(name: string, chunks: Chunk[], most: number): HTMLElement {
  const flat = chunks.every((chunk) => chunk.kind === 0);
  const rows = flat ? 1 : 16;
  const cells = new Map<string, { sum: number; count: number }>();
  for (const chunk of chunks) {
    const key = `${chunk.slots[0]}:${flat ? 0 : chunk.slots[1]}`;
    const cell = cells.get(key) ?? { sum: 0, count: 0 };
    cell.sum += Math.log(chunk.odds);
    cell.count += 1;
    cells.set(key, cell);
  }
  const squares = [...cells].map(([key, cell]) => {
    const [point, ahead] = key.split(":").map(Number) as [number, number];
    const { color, share } = heat(cell.sum / cell.count, most);
    const square = s("rect", { x: point * 14 + 14, y: (rows - 1 - ahead) * 14 + 1, width: 13, height: 13, rx: 2 }, s("title", {}, `point ${point}${flat ? "" : `, ${ahead} ahead`}: odds × ${number(Math.exp(cell.sum / cell.count))}`));
    square.style.fill = color;
    square.style.fillOpacity = Math.max(0.12, share).toFixed(3);
    return square;
  });
  const points = [1, 6, 12, 18, 24].map((point) => s("text", { x: point * 14 + 20, y: rows * 14 + 14, "text-anchor": "middle" }, String(point)));
  const ahead = flat ? [] : [0, 5, 10, 15].map((count) => s("text", { x: 22, y: (rows - 1 - count) * 14 + 12, "text-anchor": "end" }, String(count)));
  return h(
    "figure",
    { class: "surface-figure" },
    h("figcaption", {}, h("b", {}, name), h("span", { class: "muted small" }, flat ? " by point" : " by point and opponents ahead")),
    s("svg", { viewBox: `0 0 370 ${rows * 14 + 34}`, role: "img", "aria-label": `odds of ${name}` }, s("text", { x: 196, y: rows * 14 + 30, "text-anchor": "middle" }, "point"), flat ? null : s("text", { x: 9, y: rows * 7, "text-anchor": "middle", transform: `rotate(-90 9 ${rows * 7})` }, "men of the other ahead"), s("rect", { class: "mini-back", x: 27, y: 0, width: 338, height: rows * 14 + 1, rx: 3 }), ...squares, ...points, ...ahead),
  );
}

/** Coevolution: the pool of published players over the generations, and what the best one's hidden nodes look at. */
function evolution(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const scores = inside.tensors["pool.scores"]?.values ?? [];
  const born = inside.tensors["pool.generations"]?.values ?? [];
  const parts: (HTMLElement | null)[] = [];
  if (scores.length > 1) {
    const points = born.map((generation, index): [number, number] => [generation, scores[index]!]).sort((a, b) => a[0] - b[0]);
    parts.push(card("The pool", `${many(scores.length, "published player")}; each had to beat the pool to enter it.`, chart({ name: "score", points }, Math.max(...born), "score when published", "generations")));
  }
  parts.push(population(inside, game));
  const pool = inside.tensors["pool.weights"]?.count ? inside.tensors["pool.weights"] : inside.tensors["parents.weights"];
  if (!pool?.values || pool.shape[0] === 0) return parts;
  const best = scores.length > 0 ? scores.indexOf(Math.max(...scores)) : 0;
  const weights = pool.values.slice(best * pool.shape[1]!, (best + 1) * pool.shape[1]!);
  const { width, height } = game.start.board;
  if ((inside.meta["settings"] as { inputs?: string } | undefined)?.inputs === "features") return [...parts, counts(weights)];
  const inputs = width * height;
  const hidden = weights.length / (inputs + 1);
  if (!Number.isInteger(hidden)) return parts;
  parts.push(nodes("What its best player looks at", "A player is a small network of detectors, and each detector looks at the whole board. Blue: it answers to a stone of its own there; amber: to one of the other's. The number is how much the detector counts in the end, the strongest first.", weights, inputs, hidden, weights.slice(inputs * hidden), width, height));
  return parts;
}

/** What the improved one counts instead of looking at cells, in the order of its inputs; the first ones again for both sides together. */
const COUNTED = [
  ...[1, 2, 3, 4, 5, 6].map((row) => `cells in row ${"abcdef"[row - 1]} that complete four`),
  "two such cells one above the other",
  "such cells that can be played now",
  "such cells just above one that can",
  ...["upright", "flat", "slanting"].map((way) => `open ${way} lines with two discs`),
  ...["upright", "flat", "slanting"].map((way) => `open ${way} lines with one disc`),
  "discs in the middle column",
  ...[1, 2, 3].map((far) => `discs ${far} from the middle`),
];
const BOTH = 9;
const COUNTS = [...COUNTED.map((name) => `${name}, less the other's`), ...COUNTED.slice(0, BOTH).map((name) => `${name}, of both sides together`), "a winning cell that the second player must make playable", "a winning cell that the first player must make playable", "only one side has such a cell"];

/** What the best player makes of each count, all its detectors together. */
function counts(weights: number[]): HTMLElement | null {
  const hidden = weights.length / (COUNTS.length + 1);
  if (!Number.isInteger(hidden)) return null;
  const worths = COUNTS.map((name, input) => ({ name, worth: Array.from({ length: hidden }, (_, node) => weights[input * hidden + node]! * weights[COUNTS.length * hidden + node]!).reduce((sum, part) => sum + part, 0) }));
  const order = worths.sort((a, b) => Math.abs(b.worth) - Math.abs(a.worth));
  const most = Math.max(...order.map(({ worth }) => Math.abs(worth)), 1e-9);
  const rows = order.slice(0, 16).map(({ name, worth }) => {
    const bar = h("span", { class: `worth-bar ${worth >= 0 ? "good" : "bad"}` });
    bar.style.width = `${(100 * Math.abs(worth)) / most}%`;
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "worth" }, bar), h("td", { class: "figure" }, `${worth >= 0 ? "+" : "−"}${number(Math.abs(worth))}`));
  });
  return h(
    "div",
    { class: "card scroll", tabindex: 0, role: "region", "aria-label": "What its best player counts" },
    h("h2", {}, "What its best player counts"),
    h("p", { class: "muted small" }, `It does not look at single cells: it is told ${COUNTS.length} counts, and this is what it makes of one more of each, its ${hidden} detectors taken together. Blue is good for the first player, amber bad. A rough picture: a detector that is sure already hears no more.`),
    h("table", { class: "chunk-table" }, h("thead", {}, h("tr", {}, ...["What is counted", "", "Worth"].map((name, index) => h("th", { scope: "col", class: index === 2 ? "figure" : "" }, name || h("span", { class: "unseen" }, "Bar"))))), h("tbody", {}, ...rows)),
  );
}

/** Everybody alive: each player in one board, all its nodes taken together. */
function population(inside: Inside, game: GameInfo): HTMLElement | null {
  const parents = inside.tensors["parents.weights"];
  const { width, height } = game.start.board;
  const [count = 0, weights = 0] = parents?.shape ?? [];
  const hidden = weights / (width * height + 1);
  if (!parents?.values || count === 0 || !Number.isInteger(hidden)) return null;
  const wishes = Array.from({ length: count }, (_, player) => {
    const own = parents.values!.slice(player * weights, (player + 1) * weights);
    return Array.from({ length: width * height }, (_, square) => {
      let sum = 0;
      for (let node = 0; node < hidden; node++) sum += own[square * hidden + node]! * own[width * height * hidden + node]!;
      return sum;
    });
  });
  const origins = inside.tensors["origins"]?.values ?? [];
  const boards = wishes.map((wish, player) => {
    const most = Math.max(...wish.map(Math.abs), 1e-9);
    const copied = (origins[player] ?? -1) >= 0 ? ", from the pool" : "";
    return boardOf(wish, width, height, most, `player ${player + 1}${copied}`);
  });
  return card("The population", `${many(count, "player")} alive, each drawn as one board: where it likes a stone of its own (blue) and where it dislikes the other's (amber). The stronger the colour, the more it counts; each board has its own scale.`, h("div", { class: "minis" }, ...boards));
}

/** A network whose inputs are the squares: its hidden nodes, strongest first. */
function hiddenNodes(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const weights = inside.tensors["hidden.weights"];
  const output = inside.tensors["output"]?.values;
  const { width, height } = game.start.board;
  if (!weights?.values || !output || weights.shape[0] !== width * height) return remembered(inside, game);
  return [nodes("What its hidden nodes look at", "Each small board is one detector of its network. Blue: a stone of its own there speaks for the position; amber: one of the other's. The number is how much the detector counts, the strongest first.", weights.values, weights.shape[0]!, weights.shape[1]!, output, width, height)];
}

/** A player that keeps positions it has met with what came of them: the best and the worst. */
function remembered(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const inputs = inside.tensors["memory.inputs"]?.values;
  const values = inside.tensors["memory.values"]?.values;
  const { board } = game.start;
  const squares = board.width * board.height;
  if (!inputs || !values?.length || inputs.length !== squares * values.length) return [];
  const [own, other] = (["First", "Second"] as const).map((side) => board.pieces.findIndex((piece) => piece.side === side));
  const order = values.map((_, index) => index).sort((a, b) => values[b]! - values[a]!);
  const drawn = (index: number): HTMLElement => {
    const cells = inputs.slice(index * squares, (index + 1) * squares);
    const marks = cells.flatMap((cell, square) => (cell === 0 ? [] : [{ square, piece: cell > 0 ? own! : other! }]));
    return conceptBoard(marks, values[index]!, game);
  };
  const some = (indices: number[]): HTMLElement => h("div", { class: "minis concept-minis" }, ...indices.map(drawn));
  const parts = [
    card("Positions it remembers as good", `${many(values.length, "position")} of its matches are kept as examples, its own stones drawn as the first player's; these went best. +1 is a game that was won, −1 one that was lost.`, some(order.slice(0, 6))),
    card("And as bad", "These went worst.", some(order.slice(-6).reverse())),
  ];
  const output = inside.tensors["phase.0.output"];
  if (output) parts.push(card("What its patterns are worth", `${many(output.count, "pattern")} of cells in a straight line have a weight of their own, from ${number(output.low).replace("-", "−")} to ${number(output.high)}; most hardly count.`, h("div", {}, histogram(output))));
  return parts;
}

function nodes(title: string, note: string, weights: number[], inputs: number, hidden: number, output: number[], width: number, height: number): HTMLElement {
  const order = Array.from({ length: hidden }, (_, node) => node).sort((a, b) => Math.abs(output[b]!) - Math.abs(output[a]!));
  const boards = order.slice(0, 16).map((node) => {
    const sign = Math.sign(output[node]!) || 1;
    return { node, values: Array.from({ length: inputs }, (_, input) => sign * weights[input * hidden + node]!) };
  });
  const most = Math.max(...boards.flatMap((board) => board.values.map(Math.abs)));
  return card(title, note, h("div", { class: "minis" }, ...boards.map((board) => boardOf(board.values, width, height, most, `weight ${number(Math.abs(output[board.node]!))}`))));
}

/** Concepts: each rule is a set of marks on cells and what it is worth; drawn as a small board with only those marks. */
function conceptBoards(inside: Inside, game: GameInfo): (HTMLElement | null)[] {
  const kind = String((inside.meta["parameters"] as { kind?: string } | undefined)?.kind ?? "").toLowerCase();
  const { board } = game.start;
  // Only our own kinds of concepts speak of empty cells; that mark stands last.
  const marks = board.pieces.length - 1 + (["selected", "wide"].includes(kind) ? 1 : 0);
  return (["first", "second"] as const).map((side) => {
    const [sizes, bodies, values] = ["sizes", "bodies", "values"].map((name) => inside.tensors[`${side}.${name}`]?.values ?? []) as [number[], number[], number[]];
    if (sizes.length === 0) return null;
    let at = 0;
    const rules = sizes.map((size, index) => ({ facts: bodies.slice(at, (at += size)), value: values[index]! }));
    // One concept has the same value wherever on the board it lies.
    const concepts = new Map<string, typeof rules>();
    for (const rule of rules) {
      const key = `${rule.value}:${rule.facts.map((fact) => fact % marks).sort().join()}`;
      concepts.set(key, [...(concepts.get(key) ?? []), rule]);
    }
    const strongest = [...concepts.values()].sort((a, b) => Math.abs(b[0]!.value) - Math.abs(a[0]!.value)).slice(0, 18);
    const minis = strongest.map((places) => {
      const rule = places[places.length >> 1]!;
      const squares = rule.facts.map((fact) => ({ square: Math.floor(fact / marks), piece: (fact % marks) + 1 }));
      return conceptBoard(squares, rule.value, game, places.length);
    });
    return card(
      `Concepts of the ${side} player`,
      `${many(concepts.size, "concept")} in ${many(rules.length, "place")}, the strongest first, each in one of its places. A positive value is good for this side; a dashed square must be empty.`,
      h("div", { class: "minis concept-minis" }, ...minis),
    );
  });
}

function conceptBoard(marks: { square: number; piece: number }[], value: number, game: GameInfo, places = 1): HTMLElement {
  const { board } = game.start;
  const cells = Array.from({ length: board.width * board.height }, (_, index) =>
    s("rect", { class: "mini-cell", x: (index % board.width) * 100 + 4, y: (board.height - 1 - Math.floor(index / board.width)) * 100 + 4, width: 92, height: 92, rx: 12 }),
  );
  const drawn = marks.map(({ square, piece }) => {
    const x = (square % board.width) * 100 + 50;
    const y = (board.height - 1 - Math.floor(square / board.width)) * 100 + 50;
    const known = board.pieces[piece];
    const mark = known ? drawPiece(board, { piece, count: 1, side: known.side }) : s("rect", { class: "must-be-empty", x: -18, y: -18, width: 36, height: 36, rx: 6 });
    return s("g", { transform: `translate(${x} ${y})` }, mark);
  });
  const worth = `${value >= 0 ? "+" : "−"}${number(Math.abs(value))}`;
  return h(
    "figure",
    { class: "mini" },
    s("svg", { viewBox: `0 0 ${board.width * 100} ${board.height * 100}`, role: "img", "aria-label": `a concept worth ${worth}` }, ...cells, ...drawn),
    h("figcaption", { class: "small" }, h("span", { class: value >= 0 ? "concept-good" : "concept-bad" }, worth), places > 1 && h("span", { class: "muted" }, ` · ${places} places`)),
  );
}
