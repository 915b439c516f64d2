// Games as text: the move text, column digits, JSON, CSV, and the files of other programs where they are usual. And the way back.

import type { Explorer } from "./explorer";
import type { GameInfo, Session, Step } from "./types";

export interface Format {
  title: string;
  name: string;
  type: string;
  text: () => string;
}

const people = (steps: Step[]): Step[] => steps.filter((step) => step.side !== null);

/** The moves as one text: column digits where moves are bare digits, else what people write, dice included where there are any. */
export function moveText(steps: Step[]): string {
  const moves = people(steps);
  if (moves.length === steps.length && moves.every((step) => /^\d$/.test(step.label))) return moves.map((step) => step.label).join("");
  const text = steps.map((step) => step.label.replaceAll(" ", "_")).join(",");
  // One move of two digits is no two columns.
  return /^\d+$/.test(text) ? `${text},` : text;
}

/** The move text, and where the game began if that was set up. */
const wholeText = ({ line }: Explorer): string => `${moveText(line.steps)}${line.start ? `@${line.start}` : ""}`;

/** The other way round. */
export function readMoves(text: string): string[] {
  const plain = text.trim();
  if (/^\d+$/.test(plain)) return [...plain];
  return plain.split(/[,;\s]+/).filter(Boolean).map((label) => label.replaceAll("_", " "));
}

/** A link that holds the game and the place in it. */
export function linkOf(explorer: Explorer): string {
  const steps = [...explorer.line.steps.slice(0, explorer.at), ...(explorer.tried.length > 0 ? explorer.tried : explorer.line.steps.slice(explorer.at))];
  const at = explorer.at + explorer.triedAt;
  const start = explorer.line.start ? `@${explorer.line.start}` : "";
  return `#/play/${encodeURIComponent(explorer.line.game)}/${encodeURIComponent(moveText(steps) + start) || "-"}/${at}`;
}

function csv(steps: Step[], start: string | null): string {
  const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const begin = start ? [["0", "start", start, ""].map(cell).join(",")] : [];
  const rows = steps.map((step, index) => [String(index + 1), step.side ?? "dice", step.label, String(step.mv)].map(cell).join(","));
  return `ply,side,move,number\n${[...begin, ...rows].join("\n")}\n`;
}

function json(explorer: Explorer, session: Session | null): string {
  const { line } = explorer;
  const plies = line.steps.map((step) => ({ side: step.side, mv: step.mv, label: step.label }));
  return `${JSON.stringify({ game: line.game, start: line.start, result: line.view.score, seats: session?.seats ?? null, seed: session?.seed ?? null, plies }, null, 2)}\n`;
}

const GGF_START = "8 ---------------------------O*------*O--------------------------- *";

/** Reversi as its servers write it. */
function ggf(explorer: Explorer): string {
  const moves = people(explorer.line.steps).map((step) => `${step.side === "First" ? "B" : "W"}[${step.label === "pass" ? "PA" : step.label.toUpperCase()}]`);
  return `(;GM[Othello]PC[Ludens]TY[8]BO[${GGF_START}]${moves.join("")};)\n`;
}

/** Line games and Reversi as smart game format, cells as letters from the top left. */
function sgf(explorer: Explorer): string {
  const { board } = explorer.line.view;
  const letter = (index: number): string => String.fromCharCode(97 + index);
  const cell = (step: Step): string => {
    const square = step.cells.at(-1);
    return square === undefined ? "" : letter(square % board.width) + letter(board.height - 1 - Math.floor(square / board.width));
  };
  const moves = people(explorer.line.steps).map((step) => `;${step.side === "First" ? "B" : "W"}[${cell(step)}]`);
  return `(;FF[4]CA[UTF-8]AP[Ludens]GN[${explorer.line.game}]SZ[${board.width}:${board.height}]${moves.join("")})\n`;
}

/** Backgammon as match programs write it: a numbered line for both, each with its dice. */
function mat(explorer: Explorer): string {
  const cells: { side: string; text: string }[] = [];
  let roll = "";
  for (const step of explorer.line.steps) {
    if (step.side === null) roll = step.label.replace(/\D/g, "");
    else cells.push({ side: step.side, text: `${roll}: ${step.label === "pass" ? "" : step.label}` });
  }
  const rows: string[] = [];
  let pending = cells[0]?.side === "Second" ? [""] : [];
  for (const cell of cells) {
    pending.push(cell.text);
    if (pending.length === 2) {
      rows.push(`${String(rows.length + 1).padStart(3)}) ${pending[0]!.padEnd(28)}${pending[1]}`);
      pending = [];
    }
  }
  if (pending.length > 0) rows.push(`${String(rows.length + 1).padStart(3)}) ${pending[0]}`);
  return ` 1 point match\n\n Game 1\n First : 0${" ".repeat(21)}Second : 0\n${rows.join("\n")}\n`;
}

const gnuId = ({ line }: Explorer, name: string): Format => ({ title: "GNU position ID", name: `${name}-position.txt`, type: "text/plain", text: () => `${line.view.text}\n` });

export function formats(explorer: Explorer, session: Session | null): Format[] {
  const { line } = explorer;
  const name = `ludens-${line.game}`;
  const { layout } = line.view.board;
  const all: Format[] = [
    { title: "move text", name: `${name}.txt`, type: "text/plain", text: () => `${wholeText(explorer)}\n` },
    { title: "JSON", name: `${name}.json`, type: "application/json", text: () => json(explorer, session) },
    { title: "CSV", name: `${name}.csv`, type: "text/csv", text: () => csv(line.steps, line.start) },
  ];
  // The files of other programs begin at the usual start.
  if (line.start) return layout === "Points" ? [...all, gnuId(explorer, name)] : all;
  const reversi = line.view.board.pieces.some((piece) => /\bblack\b/i.test(piece.name)) && layout === "Grid" && line.view.board.width === 8;
  if (reversi && line.game === "reversi") all.push({ title: "GGF", name: `${name}.ggf`, type: "text/plain", text: () => ggf(explorer) });
  if (layout !== "Points") all.push({ title: "SGF", name: `${name}.sgf`, type: "text/plain", text: () => sgf(explorer) });
  else all.push({ title: ".mat", name: `${name}.mat`, type: "text/plain", text: () => mat(explorer) }, gnuId(explorer, name));
  return all;
}

export function download(format: Format): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([format.text()], { type: format.type }));
  link.download = format.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** What a text that somebody brings says: a start and moves. Throws, in words, what cannot be read. */
export function readGame(text: string, game: GameInfo): { start: string | null; moves: string[] } {
  const plain = text.trim();
  if (plain.startsWith("{")) return fromJson(plain, game);
  if (/^ply,side,move/.test(plain)) return fromTable(plain);
  if (plain.startsWith("(;")) return { start: null, moves: fromTree(plain, game) };
  if (/^\s*\d+\)/m.test(plain)) return { start: null, moves: fromMat(plain) };
  if (isPosition(plain, game)) return { start: plain, moves: [] };
  const at = plain.indexOf("@");
  return at < 0 ? { start: null, moves: readMoves(plain) } : { start: plain.slice(at + 1), moves: readMoves(plain.slice(0, at)) };
}

/** The rows of our own table; the first may say where the game began. */
function fromTable(text: string): { start: string | null; moves: string[] } {
  const rows = text.split(/\r?\n/).slice(1).map((row) => row.split(","));
  const began = rows[0]?.[1] === "start" ? rows.shift() : undefined;
  return { start: began?.[2] ?? null, moves: rows.map((row) => row[2] ?? "").filter(Boolean) };
}

/** A whole position rather than moves: as long as the game's own, or a GNU ID. */
function isPosition(text: string, game: GameInfo): boolean {
  const squares = game.start.board.squares.length;
  if (game.start.board.layout === "Points") return /^[A-Za-z0-9+/]{14}/.test(text);
  return new RegExp(`^[xXoO.\\-*]{${squares}}( [xXoO])?$`).test(text);
}

function fromJson(text: string, game: GameInfo): { start: string | null; moves: string[] } {
  const read = JSON.parse(text) as { game?: string; start?: string | null; plies?: { label?: string; move?: string }[] };
  if (read.game && read.game !== game.id) throw new Error(`This is a game of ${read.game}, not of ${game.id}.`);
  // Files of before called the label a move.
  return { start: read.start ?? null, moves: (read.plies ?? []).map((ply) => ply.label ?? ply.move ?? "") };
}

/** SGF has cells as letters from the top left, GGF names them. */
function fromTree(text: string, game: GameInfo): string[] {
  const { board } = game.start;
  const begin = /\bBO\[([^\]]*)\]/.exec(text)?.[1];
  const usual = begin === undefined || begin.replace(/\s/g, "") === GGF_START.replace(/\s/g, "");
  if (!usual || /\bA[BWE]\[/.test(text)) throw new Error("This game begins from a position that was set up; such a file cannot be read here.");
  const body = text.slice(text.indexOf("BO[") >= 0 ? text.indexOf("]", text.indexOf("BO[")) : 0);
  return [...body.matchAll(/(?<![A-Z])[BW]\[([^\]]*)\]/g)].map(([, cell = ""]) => {
    if (/^(pa|pass)?$/i.test(cell)) return "pass";
    if (/^[A-Ha-h][1-8]/.test(cell)) return cell.slice(0, 2).toLowerCase();
    const [column, row] = [cell.charCodeAt(0) - 97, board.height - 1 - (cell.charCodeAt(1) - 97)];
    return board.layout === "Gravity" ? board.column_names[column]! : `${board.column_names[column]}${board.row_names[row]}`;
  });
}

/** Match files: a line has the first player's play at its beginning and the second's in its middle. */
function fromMat(text: string): string[] {
  const moves: string[] = [];
  // Of a match the first game.
  const next = /^\s*Game 2\b/m.exec(text);
  if (next) text = text.slice(0, next.index);
  const starts = /^\s*1\)\s{0,4}\d\d:/m.test(text) ? "first" : "second";
  for (const [, dice = "", play = ""] of text.matchAll(/(\d\d):[^\S\n]*((?:[\dbarof]+\/[\w/*()]+[^\S\n]*)*)/g)) {
    const written = play.trim().replaceAll(/\b25\//g, "bar/").replaceAll(/\/0\b/g, "/off");
    moves.push(moves.length === 0 ? `${dice} ${starts} starts` : dice, written || "pass");
  }
  return moves;
}
