// The page's frame: the way between the views.

import { analysisView } from "./analysis";
import { api } from "./api";
import { h, replace } from "./dom";
import { editView } from "./editor";
import { here } from "./go";
import { gamesView } from "./games";
import { rulesView } from "./gamerules";
import { compareView } from "./compare";
import { learnView } from "./learn";
import { papersView } from "./papers";
import { Play } from "./play";
import { puzzlesView } from "./puzzles";
import { setup } from "./setup";
import { teachView } from "./teach";
import { themeButton } from "./theme";

const VIEWS: [string, string][] = [
  ["play", "Play"],
  ["puzzles", "Puzzles"],
  ["learn", "Learn"],
  ["mind", "Mind"],
  ["compare", "Compare"],
  ["papers", "Papers"],
  ["games", "Games"],
];

/** Views without a place in the navigation, and where they belong. */
const WITHIN: Record<string, string> = { edit: "play", rules: "play", teach: "learn" };

const main = document.getElementById("main") as HTMLElement;
const nav = h("nav", { "aria-label": "Views" });
let leave: (() => void) | null = null;
let visit = 0;
/** The newest visit whose view is drawn. */
let arrived = 0;

function drawNav(view: string): void {
  const current = WITHIN[view] ?? view;
  const links = VIEWS.map(([path, title]) => h("a", { href: `#/${path}`, "aria-current": path === current ? "page" : undefined }, title));
  replace(nav, ...links);
}

async function show(): Promise<void> {
  const mine = ++visit;
  leave?.();
  leave = null;
  // The old view stays to be seen until the new one is here; a click on it would be lost, or move in a game that was left.
  for (const child of main.children) child.setAttribute("inert", "");
  const [view = "play", ...rest] = here();
  drawNav(view);
  const current = WITHIN[view] ?? view;
  document.title = `${VIEWS.find(([path]) => path === current)?.[1] ?? "Play"} · Ludens`;
  try {
    const left = await open(view, rest);
    if (mine === visit) leave = left;
    else late(left);
  } catch (error) {
    if (mine === visit) failed(error as Error);
  }
  arrived = Math.max(arrived, mine);
}

/** A view that came after its time has drawn over the one that was asked for since: that one is shown again. */
function late(left: (() => void) | null): void {
  left?.();
  if (arrived === visit) void show();
}

/** A game that is kept has a number of 32 digits; anything else is the name of a game. */
const isSession = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

async function playView(id: string, second: string | undefined, third: string | undefined): Promise<() => void> {
  if (!isSession(id)) return analysisView(main, id, second, third);
  const session = await api.session(id);
  const play = new Play(main, await api.game(session.view.game), session, second === undefined ? undefined : Number(second));
  return () => play.leave();
}

async function open(view: string, [id, second, third]: string[]): Promise<(() => void) | null> {
  if ((view === "play" || view === "games") && id) return playView(id, second, third);
  if (view === "learn") return learnView(main, id?.split("?")[0]);
  if (view === "teach") return teachView(main, id);
  // What is inside a mind is fetched by those who look there: the first page stays small.
  if (view === "mind") return (await import("./mind")).mindView(main, id, second);
  if (view === "papers") return papersView(main, id);
  if (view === "compare") return compareView(main, id);
  if (view === "puzzles") return puzzlesView(main, id, second);
  if (view === "edit") return editView(main, id);
  if (view === "rules") return rulesView(main, id);
  if (view === "games") return gamesView(main);
  const wanted = localStorage.getItem("ludens.wanted") ?? undefined;
  localStorage.removeItem("ludens.wanted");
  await setup(main, wanted);
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

const brand = h("a", { class: "brand", href: "#/play", "aria-label": "Ludens: to the games" }, h("img", { src: "/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "Ludens"));
document.querySelector("header.top")!.append(h("div", { class: "top-inner" }, brand, nav, themeButton()));
addEventListener("hashchange", () => {
  void show().then(() => main.focus({ preventScroll: true }));
  scrollTo(0, 0);
});
void show();
