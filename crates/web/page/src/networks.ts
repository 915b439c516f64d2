// Inside the networks that play backgammon: what a number of men on each point is worth to them, all detectors together and one by one.

import { h, many, number, s } from "./dom";
import { type Inside, heat } from "./mind";
import { card } from "./minds";

const POINTS = 24;
/** Inputs of a side: four a point, then the bar and the tray. */
const OF_SIDE = 98;
const INPUTS = 2 * OF_SIDE;
const MEN = 4;
const SHOWN = 8;

/** What a practised player would count, which the network that rehearses is told beside the men. */
const TOLD = 38;

interface Network {
  members: number;
  told: number;
  hidden: number;
  weight: (input: number, unit: number) => number;
  output: (unit: number) => number;
}

function network(inside: Inside): Network | null {
  const weights = inside.tensors["weights"]?.values;
  // Of several networks that are asked together the first is shown.
  const members = Number((inside.meta["settings"] as { members?: number } | undefined)?.members ?? 1) || 1;
  const told = inside.learner === "actr-rehearsed" ? TOLD : 0;
  // A row of weights for each input and one for the biases, then what each unit counts, then one number more.
  const hidden = weights ? (weights.length / members - 1) / (INPUTS + told + 2) : NaN;
  if (!weights || !Number.isInteger(hidden)) return null;
  return { hidden, members, told, weight: (input, unit) => weights[input * hidden + unit]!, output: (unit) => weights[(INPUTS + told + 1) * hidden + unit]! };
}

/** What so many men (1 to 4) on a point add, by side and point as the player counts his own way home. */
function worths(of: (input: number) => number): number[][][] {
  return [0, 1].map((side) =>
    Array.from({ length: MEN }, (_, men) =>
      Array.from({ length: POINTS }, (_, place) => {
        // The other side counts its points from its own end.
        const point = side === 0 ? place : POINTS - 1 - place;
        // Men are counted one upon the other; of the fourth and each further one half.
        return Array.from({ length: men + 1 }, (_, unit) => of(side * OF_SIDE + 4 * point + unit) * (unit === 3 ? 0.5 : 1)).reduce((sum, part) => sum + part, 0);
      }),
    ),
  );
}

const CELL = 14;
const LEFT = 42;
const GAP = 8;
const ROW = (side: number, men: number): number => (side === 0 ? MEN - 1 - men : MEN + men) * CELL + (side === 0 ? 0 : GAP);

function picture(values: number[][][], label: string, axes: boolean): SVGSVGElement {
  const most = Math.max(...values.flat(2).map(Math.abs), 1e-9);
  const left = axes ? LEFT : 0;
  const height = 2 * MEN * CELL + GAP;
  const cells = values.flatMap((rows, side) =>
    rows.flatMap((row, men) =>
      row.map((value, point) => {
        const { color, share } = heat(value, most);
        const cell = s("rect", { x: left + point * CELL + 0.5, y: ROW(side, men) + 0.5, width: CELL - 1, height: CELL - 1, rx: 2 }, axes && s("title", {}, `${many(men + 1, "man").replace("mans", "men")} of ${side === 0 ? "its own" : "the other"} on point ${point + 1}: ${value >= 0 ? "+" : "−"}${number(Math.abs(value))}`));
        cell.style.fill = color;
        cell.style.fillOpacity = share.toFixed(3);
        return cell;
      }),
    ),
  );
  const middle = height / 2;
  const names = axes
    ? [
        ...[0, 1].flatMap((side) => Array.from({ length: MEN }, (_, men) => s("text", { x: left - 5, y: ROW(side, men) + 11, "text-anchor": "end" }, men === 3 ? "4+" : String(men + 1)))),
        ...[1, 6, 12, 18, 24].map((point) => s("text", { x: left + (point - 0.5) * CELL, y: height + 13, "text-anchor": "middle" }, String(point))),
        s("text", { x: left + 12 * CELL, y: height + 28, "text-anchor": "middle" }, "point, as the player counts them"),
        s("text", { x: 10, y: middle - 30, "text-anchor": "middle", transform: `rotate(-90 10 ${middle - 30})` }, "own men"),
        s("text", { x: 10, y: middle + 32, "text-anchor": "middle", transform: `rotate(-90 10 ${middle + 32})` }, "other's"),
      ]
    : [];
  return s("svg", { viewBox: `0 0 ${left + POINTS * CELL} ${height + (axes ? 32 : 0)}`, role: "img", "aria-label": label }, s("rect", { class: "mini-back", x: left, y: 0, width: POINTS * CELL, height: MEN * CELL }), s("rect", { class: "mini-back", x: left, y: MEN * CELL + GAP, width: POINTS * CELL, height: MEN * CELL }), ...cells, ...names);
}

const signed = (value: number): string => `${value >= 0 ? "+" : "−"}${number(Math.abs(value))}`;

export function backgammonNetwork(inside: Inside): (HTMLElement | null)[] {
  const net = network(inside);
  if (!net) return [climb(inside)];
  const units = Array.from({ length: net.hidden }, (_, unit) => unit);
  const together = (input: number): number => units.reduce((sum, unit) => sum + (net.output(unit) * net.weight(input, unit)) / 4, 0);
  const aside: [string, number][] = [
    ["a man of its own on the bar", together(96) / 2],
    ["a man of the other's on the bar", together(OF_SIDE + 96) / 2],
    ["a man of its own borne off", together(97) / 15],
    ["a man of the other's borne off", together(OF_SIDE + 97) / 15],
  ];
  const order = units.sort((a, b) => Math.abs(net.output(b)) - Math.abs(net.output(a))).slice(0, SHOWN);
  const figures = order.map((unit) => {
    const sign = Math.sign(net.output(unit)) || 1;
    const weight = number(Math.abs(net.output(unit)));
    return h("figure", { class: "mini" }, picture(worths((input) => sign * net.weight(input, unit)), `a detector of weight ${weight}`, false), h("figcaption", { class: "small muted" }, `weight ${weight}`));
  });
  return [
    climb(inside),
    card(
      "What men on a point are worth to it",
      "All detectors of its network taken together. Across: the 24 points, counted on the way home; each row is a number of men on the point, its own above, the other's below. Blue is good for the player, amber bad; the stronger the colour, the more (in log odds of winning, near an even game). A rough picture: a detector that is sure already hears no more.",
      h("div", { class: "surface-figure wide-surface" }, picture(worths(together), "worth of men on each point", true)),
      h("dl", { class: "cost wide" }, ...aside.flatMap(([name, value]) => [h("div", {}, h("dt", {}, name), h("dd", {}, signed(value)))])),
    ),
    card("Its detectors", `${net.members > 1 ? `${many(net.members, "network")} are asked together; this is the first. ` : ""}${net.told > 0 ? `Beside the men it is told ${net.told} things that a practised player would count. ` : ""}${many(net.hidden, "detector")} look at the whole board; these ${SHOWN} count most. Each is drawn as above: 24 points across, its own men above, the other's below. The weight says how much the detector counts in the end.`, h("div", { class: "minis wide-minis" }, ...figures)),
  ];
}

/** How far a hill climber has come. */
function climb(inside: Inside): HTMLElement | null {
  const counts = inside.tensors["counts"]?.values;
  const noise = inside.tensors["noise"]?.values?.[0];
  if (!counts || counts.length !== 3 || noise === undefined) return null;
  const entry = (name: string, text: string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, text));
  const share = Number((inside.meta["settings"] as { share?: number } | undefined)?.share ?? 0.05);
  return card(
    "How it climbed",
    "It began with nothing. Again and again a mutant of itself (every number changed a little, by chance) plays a match against it; towards each mutant that wins it moves a small step.",
    h("dl", { class: "cost wide" }, entry("Mutants met", number(counts[0]!)), entry("Games of those matches", number(counts[1]!)), entry("Mutants that won", number(counts[2]!)), entry("Step towards a winner", `1/${Math.round(1 / share)} of the way`), entry("How different the next mutant is", `±${number(noise)} a weight`)),
  );
}
