// The shapes of the JSON interface; /api/openapi.json describes them.

export type Side = "First" | "Second";

export interface Square {
  piece: number;
  count: number;
  side: Side | null;
}

export interface Piece {
  name: string;
  glyph: string;
  side: Side | null;
}

export interface Board {
  layout: "Grid" | "Gravity" | "Points";
  width: number;
  height: number;
  squares: Square[];
  pieces: Piece[];
  notes: [string, string][];
  column_names: string[];
  row_names: string[];
}

export interface MoveView {
  mv: number;
  label: string;
  cells: number[];
}

export interface View {
  game: string;
  text: string;
  board: Board;
  to_move: Side | null;
  chance: boolean;
  score: number | null;
  moves: MoveView[];
  history: string[];
}

export interface Level {
  states: number | null;
  temperature: number;
  /** It plays nothing that loses at once while something else does not. */
  careful?: boolean;
}

export type Seat = { kind: "human" } | { kind: "mind"; mind: string; level?: Level };

export interface Ply {
  mv: number;
  label: string;
  by: "human" | "mind" | "chance";
  side: Side | null;
  ms: number;
  cells: number[];
  explained: boolean;
}

export interface Cost {
  states: number;
  games: number;
  chunks: number;
}

export interface Reason {
  kind: "Line" | "Term" | "Chunk" | "Rule";
  text: string;
  worth: number | null;
  /** What it adds, as people read it. */
  shown: string;
  /** The same in the mind's own notation. */
  notation?: string;
  /** What lies where, for a pattern that has no name. */
  pattern?: { cell: number; piece: number }[];
  cells: number[];
  line: string[];
  line_cells: number[][];
}

export interface ExplainedMove {
  mv: number;
  label: string;
  cells: number[];
  value: number | null;
  /** How whoever moves stands after it, by this mind: 0 lost, 1 won. */
  standing: number | null;
  /** The value as people read it. */
  shown: string;
  /** Absent where the value is exact. */
  bound?: "at-most" | "unsettled";
  prior: number | null;
  visits: number | null;
  reasons: Reason[];
  /** Beside the move that was chosen. */
  why_not?: WhyNot;
  /** Its place in the ranking, where moves before it are left out. */
  rank?: number;
}

/** Why another move was not chosen. */
export interface WhyNot {
  said: string[];
  /** The winning chance it loses. */
  loss?: number;
  mark?: "inaccuracy" | "mistake" | "blunder";
  differences: { text: string; worth: string; cells: number[] }[];
  line: string[];
  line_cells: number[][];
}

export interface Explained {
  ply: number;
  mind: string;
  mv: number;
  label: string;
  /** For everyone: one sentence that leads, and at most three more. */
  said: string[];
  summary: string;
  unit: string;
  combine: "Sum" | "Product" | "None";
  /** The first of the ranking, and the chosen one. */
  moves: ExplainedMove[];
  /** How many moves were ranked. */
  ranked: number;
  board: Board;
  cost: Cost;
  ledger: Cost;
  /** What the mind has gone through and what it keeps, in words. */
  known: string[];
  ms: number;
  slipped: boolean;
  /** Its level keeps it from what would have lost at once. */
  spared: boolean;
  /** How whoever moves stands by somebody else, where who was asked proves nothing. */
  opinion?: { mind: string; standing: number };
}

export interface Session {
  id: string;
  seats: [Seat, Seat];
  seed: number;
  version: number;
  start: string | null;
  view: View;
  plies: Ply[];
  last_decision: Explained | null;
  /** The cells of the line that won. */
  won: number[];
  /** Set where it ended before its rules ended it. */
  over: { winner: Side; by: "resignation" | "time" } | null;
  clock: Clocks | null;
}

/** The clocks of a game as the server keeps them: milliseconds left, and whose runs. */
export interface Clocks {
  minutes: number;
  left: [number, number];
  running: Side | null;
}

/** A move of a line, without a game. */
export interface Step {
  mv: number;
  label: string;
  cells: number[];
  /** None: the dice. */
  side: Side | null;
}

/** A position: a start and the moves from it, by number or as people write them. */
export interface Position {
  game: string;
  start?: string | null;
  moves: (number | string)[];
  roll?: number;
}

export interface Look {
  view: View;
  steps: Step[];
  won: number[];
}

export interface Puzzle {
  game: string;
  seed: number;
  steps: Step[];
  view: View;
  answer: number;
  label: string;
  /** Weakest first. */
  tried: { name: string; title: string; level: number; elo: number | null; found: boolean }[];
  missed: number;
}

/** A rung of a trained player's own past. */
export interface Rung {
  name: string;
  level: number;
  step: number;
  elo: number | null;
  elo_plus_minus: number | null;
}

/** A setting of a mind or a learner: what it means, what it is when nothing is said, and what it may be. */
export interface Setting {
  key: string;
  meaning: string;
  default: string;
  limits: string;
}

export interface MindInfo {
  name: string;
  title: string;
  summary: string;
  kind: string;
  settings: Setting[];
  /** Beginner first; empty where the mind has no past. */
  levels: Rung[];
}

export interface GameInfo {
  id: string;
  title: string;
  summary: string;
  position_format: string;
  /** Lines of cells win. */
  lines: boolean;
  start: View;
  minds: MindInfo[];
  learners: MindInfo[];
}

export interface GameLine {
  id: string;
  game: string;
  seats: [Seat, Seat];
  moves: number;
  result: number | null;
  /** It began anywhere but at the start. */
  set_up: boolean;
  created: number;
  updated: number;
}

export interface GameRecord {
  id: string;
  game: string;
  seats: [Seat, Seat];
  seed: number;
  start: string | null;
  plies: Ply[];
  result: number | null;
  created: number;
}

/** What is seen of a move while a search goes on. */
export interface SeenMove {
  mv: number;
  label: string;
  cells: number[];
  standing: number | null;
  shown: string;
  visits: number | null;
}

/** One line of what is seen of a search that goes on. */
export type Glimpse =
  | { kind: "begins"; live: boolean }
  | { kind: "count"; states: number; ms: number }
  | { kind: "thought"; states: number; ms: number; moves: SeenMove[]; line: string[]; line_cells: number[][] }
  | { kind: "answer"; states: number; ms: number; mv: number; label: string }
  | { kind: "error"; code: string; message: string };
