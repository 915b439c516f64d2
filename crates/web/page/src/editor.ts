// Setting up any position: by clicks on the board, by its text, or from a game that somebody brings.

import { api } from "./api";
import { h, replace, uid } from "./dom";
import { readGame } from "./export";
import { go } from "./go";
import { type Setter, setterOf } from "./setters";
import type { GameInfo } from "./types";

export async function editView(main: HTMLElement, id: string | undefined): Promise<null> {
  const games = await api.games();
  const game = (id ? await api.game(id) : undefined) ?? games.find((known) => known.id === "connect-four") ?? games[0]!;
  const select = h("select", { id: uid("g"), onchange: () => go(`/edit/${encodeURIComponent(select.value)}`) }, ...games.map((known) => h("option", { value: known.id }, known.title)));
  if (!games.some((known) => known.id === game.id)) select.append(h("option", { value: game.id }, game.title));
  select.value = game.id;
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Set up a position"), h("p", { class: "lead" }, "Put stones on the board, or paste a position or a whole game. Then look at it, or play from it.")),
    h("div", { class: "setup" }, h("div", { class: "card edit-board" }), h("div", { class: "card setup-form" }, h("div", { class: "field" }, h("label", { for: select.id }, "Game"), select))),
  );
  new Editor(main.querySelector<HTMLElement>(".edit-board")!, main.querySelector<HTMLElement>(".setup-form")!, game);
  return null;
}

class Editor {
  private readonly setter: Setter | null;
  private readonly text: HTMLTextAreaElement;
  private readonly trouble = h("p", { class: "field-error", role: "alert" });

  constructor(place: HTMLElement, form: HTMLElement, private readonly game: GameInfo) {
    const id = uid("text");
    this.text = h("textarea", { id, rows: 4, spellcheck: "false", autocomplete: "off", onchange: () => void this.read() });
    const setter = (this.setter = setterOf(game, () => this.write()));
    replace(place, setter?.el ?? h("p", { class: "muted" }, "This board is set up by its text: paste a position beside it."));
    form.append(
      ...(setter?.controls ?? []),
      h("div", { class: "field" }, h("label", { for: id }, "Position or game"), this.text, h("p", { class: "muted small" }, `A position: ${game.position_format}. Or moves, column digits, JSON, CSV, SGF, GGF or .mat.`), this.trouble),
      h("div", { class: "tools" }, h("button", { type: "button", class: "primary", onclick: () => void this.open() }, "Look at it"), setter && h("button", { type: "button", onclick: () => setter.clear() }, "Empty the board")),
    );
    if (setter) this.write();
    else this.text.value = game.start.text;
  }

  private write(): void {
    replace(this.trouble);
    this.text.value = this.setter?.text() ?? "";
  }

  /** What was typed or pasted, on the board. */
  private async read(): Promise<void> {
    const text = this.text.value;
    try {
      const { view } = await api.look({ game: this.game.id, ...readGame(text, this.game) });
      if (text !== this.text.value) return;
      replace(this.trouble);
      this.setter?.take(view);
    } catch (error) {
      replace(this.trouble, (error as Error).message);
    }
  }

  private async open(): Promise<void> {
    try {
      const { start, moves } = readGame(this.text.value, this.game);
      // The server says what is wrong before anything is opened.
      const look = await api.look({ game: this.game.id, start, moves });
      const labels = look.steps.map((step) => step.label.replaceAll(" ", "_"));
      const joined = labels.every((label) => /^\d$/.test(label)) ? labels.join("") : labels.join(",");
      go(`/play/${encodeURIComponent(this.game.id)}/${encodeURIComponent(joined + (start ? `@${start}` : "")) || "-"}`);
    } catch (error) {
      replace(this.trouble, (error as Error).message);
    }
  }
}
