// What can be done with a game besides playing it: a link, a file, a sheet to print, sounds, going on from here.

import { h, replace, say, toast } from "./dom";
import { download, formats, linkOf } from "./export";
import type { Explorer } from "./explorer";
import { soundOn, switchSound } from "./sound";
import type { GameInfo, Session } from "./types";

export interface MoreOptions {
  session: Session | null;
  explorer: Explorer;
  game: GameInfo | undefined;
  resign: (() => void) | null;
  watch: (() => void) | null;
  playOn: () => void;
}

async function copyLink(explorer: Explorer): Promise<void> {
  const link = `${location.origin}/${linkOf(explorer)}`;
  try {
    await navigator.clipboard.writeText(link);
    toast("The link is copied: it holds the moves and the place in the game.", "good");
  } catch {
    // Without a secure context there is no clipboard; then the address itself is the way.
    location.hash = linkOf(explorer).slice(1);
  }
}

/** A menu that opens below its button and closes when the focus leaves it or on Escape. */
export function more(options: MoreOptions): HTMLElement {
  const { explorer, session } = options;
  const menu = h("details", { class: "menu" });
  const close = (): void => {
    menu.open = false;
  };
  const item = (label: string, act: () => void): HTMLElement =>
    h("li", {}, h("button", { type: "button", onclick: () => {
      close();
      act();
    } }, label));
  const files = formats(explorer, session).map((format) => item(`Save as ${format.title}`, () => download(format)));
  const toggle = h("button", { type: "button", onclick: () => {
    toggle.textContent = switchSound() ? "Sounds: on" : "Sounds: off";
    say(toggle.textContent);
  } }, soundOn() ? "Sounds: on" : "Sounds: off");
  const items = (): HTMLElement[] => [
    ...(options.resign ? [item("Give up", options.resign)] : []),
    item("Play on from here", options.playOn),
    ...(options.watch ? [item("Watch a search think", options.watch)] : []),
    item("Copy a link to this place", () => void copyLink(explorer)),
    ...files,
    item("Print a sheet", () => print()),
    h("li", {}, toggle),
    h("li", {}, h("a", { class: "button", href: `#/rules/${explorer.line.game}` }, "Rules of this game")),
    h("li", {}, h("a", { class: "button", href: "#/play" }, "New game")),
  ];
  const list = h("ul", { class: "menu-list" });
  replace(menu, h("summary", { class: "button" }, "More"), list);
  menu.addEventListener("toggle", () => replace(list, ...(menu.open ? items() : [])));
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains(event.relatedTarget as Node | null) && event.relatedTarget) close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
    menu.querySelector("summary")?.focus();
  });
  return menu;
}
