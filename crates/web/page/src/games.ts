// The games that were kept: a list, and each one again, move by move, with its reasons.

import { api } from "./api";
import { makeBoard } from "./boards/board";
import { h, replace, toast, when } from "./dom";
import { levelName, mindOf, mindTitle } from "./levels";
import { moveList, named } from "./moves";
import type { GameInfo, GameLine, Seat, Session, View } from "./types";
import { WhyPanel } from "./why";

function seatName(seat: Seat, game: GameInfo | undefined): string {
  if (seat.kind === "human") return "You";
  const minds = game?.minds ?? [];
  const title = mindTitle(minds, seat.mind);
  return mindOf(minds, seat.mind)?.levels.length ? title : `${title} · ${levelName(seat.level)}`;
}

function resultText(line: { seats: [Seat, Seat]; result: number | null }, game: GameInfo | undefined): string {
  if (line.result === null) return "going on";
  if (line.result === 0) return "draw";
  return `${seatName(line.seats[line.result > 0 ? 0 : 1], game).split(" · ")[0]} won`;
}

export async function gamesView(main: HTMLElement): Promise<null> {
  const [lines, games] = await Promise.all([api.kept(), api.games()]);
  const rows = lines.map((line) => row(line, games.find((game) => game.id === line.game)));
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "Games"),
      h("p", { class: "lead" }, "Every game is kept: who played, the moves, the thinking times and the result."),
    ),
    rows.length === 0
      ? h("div", { class: "card" }, h("p", { class: "muted" }, "No game yet. "), h("a", { class: "button", href: "#/play" }, "Play one"))
      : h(
          "div",
          { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Games played" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h("tr", {}, ...["Game", "First", "Second", "Moves", "Result", "Played"].map((name) => h("th", { scope: "col" }, name)), h("td", {})),
            ),
            h("tbody", {}, ...rows),
          ),
        ),
    rows.length > 0 && h("p", {}, h("a", { class: "button", href: "/api/games.csv", download: "ludens-games.csv" }, "Export all as CSV")),
  );
  return null;
}

function row(line: GameLine, game: GameInfo | undefined): HTMLElement {
  const live = line.result === null;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("a", { href: `#/games/${line.id}` }, game?.title ?? line.game)),
    h("td", {}, seatName(line.seats[0], game)),
    h("td", {}, seatName(line.seats[1], game)),
    h("td", { class: "figure" }, String(line.moves)),
    h("td", {}, resultText(line, game)),
    h("td", { class: "muted" }, when(line.updated)),
    h(
      "td",
      {},
      h(
        "div",
        { class: "row-tools" },
        live && h("a", { href: `#/play/${line.id}` }, "Go on"),
        h("a", { href: `/api/games/${line.id}/csv`, download: `ludens-${line.id}.csv` }, "CSV"),
      ),
    ),
  );
}

export async function replayView(main: HTMLElement, id: string): Promise<() => void> {
  const [session, games] = await Promise.all([api.session(id), api.games()]);
  const game = games.find((known) => known.id === session.view.game);
  const replay = new Replay(main, session, game);
  await replay.to(session.plies.length);
  return () => replay.leave();
}

/** Steps through a game; each position is asked of the server, which knows the rules. */
class Replay {
  private at = 0;
  private views = new Map<number, View>();
  private readonly board;
  private readonly why: WhyPanel;
  private readonly moves = h("section", { class: "card moves", "aria-label": "Moves" });
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Replay" });

  constructor(
    main: HTMLElement,
    private readonly session: Session,
    game: GameInfo | undefined,
  ) {
    this.board = makeBoard(session.view, () => {});
    this.why = new WhyPanel(() => this.board);
    const [first, second] = session.seats;
    replace(
      main,
      h(
        "div",
        { class: "page-head slim" },
        h("h1", {}, `${game?.title ?? session.view.game}: ${seatName(first, game)} against ${seatName(second, game)}`),
        h("p", { class: "lead" }, resultText({ seats: session.seats, result: session.view.score }, game)),
      ),
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: `table ${session.view.board.layout.toLowerCase()}` },
          h("div", { class: "board-frame" }, this.board.el),
          this.tools,
        ),
        h("div", { class: "side" }, this.why.el, this.moves),
      ),
    );
    document.addEventListener("keydown", this.key);
  }

  leave(): void {
    document.removeEventListener("keydown", this.key);
  }

  async to(ply: number): Promise<void> {
    this.at = Math.max(0, Math.min(ply, this.session.plies.length));
    const view = await this.view(this.at);
    const last = this.session.plies[this.at - 1];
    this.board.show(view, { interactive: false, last: last?.cells ?? [], flip: false, animate: false });
    this.drawTools();
    replace(this.moves, ...moveList(this.session.plies, (index) => void this.explain(index), this.at - 1));
    if (last?.by === "mind" || (last && this.hasMind())) await this.reasons(this.at - 1);
    else this.why.empty(last ? "Choose a move to see its reasons." : "The start of the game.");
  }

  private hasMind(): boolean {
    return this.session.seats.some((seat) => seat.kind === "mind") && this.session.plies[this.at - 1]?.by === "human";
  }

  private async view(ply: number): Promise<View> {
    const known = this.views.get(ply);
    if (known) return known;
    const view = ply === this.session.plies.length ? this.session.view : await api.position(this.session.id, ply);
    this.views.set(ply, view);
    return view;
  }

  private async explain(index: number): Promise<void> {
    await this.to(index + 1);
  }

  private async reasons(index: number): Promise<void> {
    const played = this.session.plies[index];
    if (!played || played.by === "chance") return;
    try {
      const explained = await api.why(this.session.id, { ply: index });
      if (this.at !== index + 1) return;
      const own = played.by === "mind" ? {} : { played: played.mv };
      this.why.show(explained, { title: `${played.by === "mind" ? "Why" : "Judged:"} ${named(played.label, explained.board)}${played.by === "mind" ? "?" : ""}`, ...own });
    } catch (error) {
      toast((error as Error).message);
    }
  }

  private drawTools(): void {
    const end = this.session.plies.length;
    const tool = (label: string, to: number, enabled: boolean): HTMLElement =>
      h("button", { type: "button", disabled: !enabled, onclick: () => void this.to(to) }, label);
    replace(
      this.tools,
      tool("Start", 0, this.at > 0),
      tool("Back", this.at - 1, this.at > 0),
      h("span", { class: "muted" }, `${this.at} of ${end}`),
      tool("Forward", this.at + 1, this.at < end),
      tool("End", end, this.at < end),
      this.session.view.score === null && h("a", { class: "button", href: `#/play/${this.session.id}` }, "Go on playing"),
      h("a", { class: "button", href: `/api/games/${this.session.id}/csv`, download: `ludens-${this.session.id}.csv` }, "CSV"),
    );
  }

  private key = (event: KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest(".cells, input, select")) return;
    if (event.key === "ArrowLeft") void this.to(this.at - 1);
    else if (event.key === "ArrowRight") void this.to(this.at + 1);
  };
}
