// The page's frame: the way between the views.

import { api } from "./api";
import { h, replace } from "./dom";
import { here } from "./go";
import { gamesView, replayView } from "./games";
import { compareView } from "./compare";
import { learnView } from "./learn";
import { mindView } from "./mind";
import { papersView } from "./papers";
import { Play } from "./play";
import { setup } from "./setup";
import { themeButton } from "./theme";

const VIEWS: [string, string][] = [
  ["play", "Play"],
  ["learn", "Learn"],
  ["mind", "Mind"],
  ["compare", "Compare"],
  ["papers", "Papers"],
  ["games", "Games"],
];

const main = document.getElementById("main") as HTMLElement;
const nav = h("nav", { "aria-label": "Views" });
let leave: (() => void) | null = null;
let visit = 0;

function drawNav(current: string): void {
  const links = VIEWS.map(([path, title]) =>
    h("a", { href: `#/${path}`, "aria-current": path === current ? "page" : undefined }, title),
  );
  replace(nav, ...links);
}

async function show(): Promise<void> {
  const mine = ++visit;
  leave?.();
  leave = null;
  const [view = "play", id, second] = here();
  drawNav(view);
  document.title = `${VIEWS.find(([path]) => path === view)?.[1] ?? "Play"} · Ludens`;
  try {
    const left = await open(view, id, second);
    if (mine === visit) leave = left;
    else left?.();
  } catch (error) {
    if (mine === visit) failed(error as Error);
  }
}

async function open(view: string, id: string | undefined, second: string | undefined): Promise<(() => void) | null> {
  if (view === "play" && id) {
    const [session, games] = await Promise.all([api.session(id), api.games()]);
    const play = new Play(main, games.find((game) => game.id === session.view.game), session);
    return () => play.leave();
  }
  if (view === "learn") return learnView(main, id?.split("?")[0]);
  if (view === "mind") return mindView(main, id, second);
  if (view === "papers") return papersView(main, id);
  if (view === "compare") return compareView(main, id);
  if (view === "games") return id ? replayView(main, id) : gamesView(main);
  await setup(main);
  return null;
}

function failed(error: Error): void {
  replace(
    main,
    h(
      "div",
      { class: "page-head" },
      h("h1", {}, "This did not work"),
      h("p", { class: "lead" }, error.message),
      h("a", { class: "button", href: "#/play" }, "Back to the games"),
    ),
  );
}

const brand = h("a", { class: "brand", href: "#/play" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), "Ludens");
document.querySelector("header.top")!.append(h("div", { class: "top-inner" }, brand, nav, themeButton()));
addEventListener("hashchange", () => {
  void show().then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
});
void show();
