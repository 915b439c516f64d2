// The reproduction reports: the papers' tables beside ours.

import { api } from "./api";
import { h, replace, when } from "./dom";

interface Paper {
  name: string;
  paper: string;
  title: string;
  citation: string;
  scale: string;
  summary: string[];
  inside: number;
  compared: number;
  holding: number;
  claims: number;
  command: string;
  updated: number | null;
}

/** How many independent cells of the paper cannot be told from ours, as a bar and in words. */
function agreement(paper: Paper): HTMLElement | null {
  if (paper.compared === 0) return null;
  const bar = h("span", { class: "meter", "aria-hidden": "true" }, h("span", {}));
  (bar.firstChild as HTMLElement).style.width = `${(100 * paper.inside) / paper.compared}%`;
  return h("div", { class: "agreement" }, bar, h("span", { class: "small" }, h("b", {}, `${paper.inside} of ${paper.compared}`), " cells cannot be told from the paper’s"));
}

function card(paper: Paper): HTMLElement {
  const claims = paper.claims > 0 ? ` · ${paper.holding} of ${paper.claims} claims hold` : "";
  const made = paper.updated === null ? "ships with the program" : when(paper.updated);
  return h(
    "a",
    { class: "card paper", href: `#/papers/${encodeURIComponent(paper.name)}` },
    h("div", { class: "spread" }, h("h2", {}, paper.title), h("span", { class: "tag" }, `${paper.scale} scale`)),
    h("p", { class: "muted small" }, paper.citation),
    paper.summary[0] && h("p", { class: "finding" }, paper.summary[0]),
    agreement(paper),
    h("p", { class: "small muted" }, `${made}${claims}`),
  );
}

export async function papersView(main: HTMLElement, name: string | undefined): Promise<null> {
  const papers = await api.get<Paper[]>("/api/papers");
  const paper = papers.find((known) => known.name === name);
  if (paper) {
    replace(
      main,
      h(
        "div",
        { class: "page-head slim wide" },
        h("p", { class: "small" }, h("a", { href: "#/papers" }, "All papers")),
        h("h1", {}, paper.title),
        h("p", { class: "muted small" }, "Make it again: ", h("code", {}, paper.command)),
      ),
      h("iframe", { class: "report", src: `/papers/${encodeURIComponent(paper.name)}`, title: `Report: ${paper.title}`, sandbox: "allow-scripts allow-popups" }),
    );
    return null;
  }
  const cards = papers.map((known) => h("li", {}, card(known)));
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Papers"), h("p", { class: "lead" }, "Every table of the five papers, beside ours, with seeds, intervals and the deviations listed.")),
    papers.length > 0
      ? h("ul", { class: "papers" }, ...cards)
      : h(
          "div",
          { class: "card" },
          h("p", {}, "No report yet. Reproduce a paper and its report appears here:"),
          h("pre", { tabindex: 0 }, h("code", {}, "ludens reproduce all --scale quick")),
        ),
  );
  return null;
}
