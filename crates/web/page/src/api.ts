// Calls to the server. Those that change something carry the token the page was served with.

import { lines } from "./stream";
import type { Explained, GameInfo, GameLine, GameRecord, Glimpse, Level, Look, Position, Puzzle, Seat, Session, View } from "./types";

const token = document.querySelector<HTMLMetaElement>('meta[name="ludens-token"]')?.content ?? "";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Asks, and fails in words where the server cannot be reached or refuses. */
async function ask(method: "GET" | "POST", path: string, body?: unknown, type = "application/json", signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method === "POST") {
    headers["x-ludens-token"] = token;
    headers["content-type"] = type;
  }
  let response: Response;
  try {
    const payload = method === "GET" ? null : typeof body === "string" ? body : JSON.stringify(body ?? {});
    response = await fetch(path, { method, headers, body: payload, signal: signal ?? null });
  } catch {
    if (signal?.aborted) throw new Refused(0, "left", "It was stopped.");
    throw new Refused(0, "offline", "The server does not answer. Is Ludens still running?");
  }
  if (response.ok) return response;
  const value: unknown = await response.json().catch(() => null);
  const error = (value as { error?: { code: string; message: string } } | null)?.error;
  throw new Refused(response.status, error?.code ?? "failed", error?.message ?? `the server said ${response.status}`);
}

async function call<T>(method: "GET" | "POST", path: string, body?: unknown, type?: string, signal?: AbortSignal): Promise<T> {
  const text = await (await ask(method, path, body, type, signal)).text();
  return (text ? JSON.parse(text) : null) as T;
}

const at = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

let catalogue: Promise<GameInfo[]> | null = null;

export const api = {
  get: <T>(path: string): Promise<T> => call<T>("GET", path),
  post: <T>(path: string, body?: unknown): Promise<T> => call<T>("POST", path, body),
  postText: <T>(path: string, body: string): Promise<T> => call<T>("POST", path, body, "text/plain"),

  /** The games; asked for once, and again when trainings may have added players. */
  games(fresh = false): Promise<GameInfo[]> {
    if (!catalogue || fresh) {
      catalogue = call<{ games: GameInfo[] }>("GET", "/api/catalog").then((answer) => answer.games);
      catalogue.catch(() => (catalogue = null));
    }
    return catalogue;
  },

  /** One game, also of a family that the list does not show. */
  async game(id: string): Promise<GameInfo | undefined> {
    const known = (await api.games()).find((game) => game.id === id);
    return known ?? call<GameInfo>("GET", `/api/catalog/${encodeURIComponent(id)}`).catch(() => undefined);
  },

  begin: (game: string, seats: [Seat, Seat], position?: string | null, moves: (number | string)[] = [], minutes = 0): Promise<Session> =>
    call("POST", "/api/sessions", { game, seats, position: position ?? null, moves, minutes: minutes || null }),
  look: (position: Position): Promise<Look> => call("POST", "/api/look", position),
  lookWhy: (position: Position, ask: { mind?: string; level?: Level; played?: number } = {}, signal?: AbortSignal): Promise<Explained> =>
    call("POST", "/api/look/why", { position, ...ask }, "application/json", signal),
  /** Watches a mind think; every glimpse is handed to `take`, until it has decided or `signal` ends it. */
  think: async (position: Position, asked: { mind: string; level: Level }, take: (seen: Glimpse) => void, signal: AbortSignal): Promise<void> =>
    lines(await ask("POST", "/api/look/think", { position, ...asked }, "application/json", signal), take),
  puzzle: (game: string, seed: number): Promise<Puzzle> => call("POST", "/api/puzzles", { game, seed }),
  giveUp: (id: string): Promise<Session> => call("POST", `${at(id)}/end`, { by: "resignation" }),
  session: (id: string): Promise<Session> => call("GET", at(id)),
  move: (id: string, mv: number, version: number): Promise<Session> => call("POST", `${at(id)}/move`, { mv, version }),
  reply: (id: string, states?: number, signal?: AbortSignal): Promise<Session> =>
    call("POST", `${at(id)}/reply`, states === undefined ? {} : { states }, "application/json", signal),
  undo: (id: string): Promise<Session> => call("POST", `${at(id)}/undo`),
  position: (id: string, ply: number): Promise<View> => call("GET", `${at(id)}/positions/${ply}`),
  why: (id: string, ask: { ply?: number; mind?: string; level?: Level } = {}): Promise<Explained> =>
    call("POST", `${at(id)}/why`, ask),

  kept: (): Promise<GameLine[]> => call("GET", "/api/games"),
  record: (id: string): Promise<GameRecord> => call("GET", `/api/games/${encodeURIComponent(id)}`),
};
