// The reproduction reports: the papers' tables beside ours.

import { api } from "./api";
import { h, replace, when } from "./dom";

interface Paper {
  name: string;
  title: string;
  scale: string;
  summary: string;
  updated: number;
}

export async function papersView(main: HTMLElement, name: string | undefined): Promise<null> {
  const papers = await api.get<Paper[]>("/api/papers");
  const paper = papers.find((known) => known.name === name);
  if (paper) {
    replace(
      main,
      h("div", { class: "page-head slim" }, h("p", {}, h("a", { href: "#/papers" }, "All papers")), h("h1", {}, paper.title)),
      h("iframe", { class: "report", src: `/papers/${encodeURIComponent(paper.name)}`, title: `Report: ${paper.title}`, sandbox: "allow-scripts allow-popups" }),
    );
    return null;
  }
  const cards = papers.map((known) =>
    h(
      "li",
      {},
      h(
        "a",
        { class: "card paper", href: `#/papers/${encodeURIComponent(known.name)}` },
        h("h2", {}, known.title),
        known.summary && h("p", { class: "muted" }, known.summary),
        h("p", { class: "small muted" }, `${known.scale ? `${known.scale} scale · ` : ""}${when(known.updated)}`),
      ),
    ),
  );
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Papers"), h("p", { class: "lead" }, "Every table of the five papers, beside ours, with seeds, intervals and the deviations listed.")),
    papers.length > 0
      ? h("ul", { class: "papers" }, ...cards)
      : h(
          "div",
          { class: "card" },
          h("p", {}, "No report yet. Reproduce a paper and its report appears here:"),
          h("pre", { tabindex: 0 }, h("code", {}, "ludens reproduce all --scale quick --out results")),
        ),
  );
  return null;
}
