// A file of GDL rules dropped on the page, or opened, becomes one more game.

import { api } from "./api";
import { h, replace, say } from "./dom";
import type { GameInfo } from "./types";

const MOST_BYTES = 1_000_000;

async function take(file: File, added: (game: GameInfo) => void): Promise<string | null> {
  try {
    if (file.size > MOST_BYTES) throw new Error("This file is too large for a game's rules.");
    const text = await file.text();
    const name = file.name.replace(/\.[^.]*$/, "").slice(0, 60);
    const game = await api.postText<GameInfo>(`/api/rules?name=${encodeURIComponent(name)}`, text);
    say(`${game.title} can be played now`);
    added(game);
    return null;
  } catch (error) {
    return `${file.name}: ${(error as Error).message}`;
  }
}

/** The place to drop a file of rules, which is also a button that opens one. */
export function rulesDrop(added: (game: GameInfo) => void): HTMLElement {
  const read = async (file: File): Promise<void> => {
    button.classList.add("reading");
    replace(trouble);
    const wrong = await take(file, added);
    button.classList.remove("reading");
    if (wrong) replace(trouble, h("p", { class: "drop-error small" }, wrong));
  };
  const input = h("input", {
    type: "file",
    class: "unseen",
    tabindex: -1,
    "aria-hidden": "true",
    accept: ".kif,.gdl,.txt",
    onchange: () => {
      const file = input.files?.[0];
      if (file) void read(file);
      input.value = "";
    },
  });
  const button = h(
    "button",
    { type: "button", class: "game-card drop", onclick: () => input.click() },
    h("span", { class: "drop-mark", "aria-hidden": "true" }, "+"),
    h("span", { class: "game-title" }, "Your own game"),
    h("span", { class: "game-summary" }, "Drop a file of GDL rules anywhere on this page, or choose one"),
  );
  const trouble = h("div", { class: "drop-trouble", role: "alert" });
  const zone = h("div", { class: "drop-zone" }, button, input, trouble);
  const over = (event: DragEvent): void => {
    if (!zone.isConnected) return forget();
    event.preventDefault();
    button.classList.add("over");
  };
  const leave = (): void => button.classList.remove("over");
  const drop = (event: DragEvent): void => {
    if (!zone.isConnected) return forget();
    event.preventDefault();
    leave();
    const file = event.dataTransfer?.files[0];
    if (file) void read(file);
  };
  const forget = (): void => {
    removeEventListener("dragover", over);
    removeEventListener("dragleave", leave);
    removeEventListener("drop", drop);
  };
  addEventListener("dragover", over);
  addEventListener("dragleave", leave);
  addEventListener("drop", drop);
  return zone;
}
