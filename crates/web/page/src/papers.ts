// The reproduction reports: the papers' tables beside ours.

import { api } from "./api";
import { h, replace, when } from "./dom";
import { glossed } from "./glossary";

/** A sentence of a paper, with its test and its verdict. */
interface Claim {
  sentence: string;
  test: string;
  verdict: "holds" | "fails" | "cannot-be-judged";
  figure: string;
  seeds: string;
}

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
  said: Claim[];
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

const WORDS = { holds: "holds", fails: "fails", "cannot-be-judged": "cannot be judged" };

/** Of each paper the result of the largest scale that says something about its claims. */
function judged(papers: Paper[]): Paper[] {
  const saying = papers.filter((paper) => paper.said.length > 0);
  return saying.filter((paper) => paper === (saying.find((other) => other.paper === paper.paper && other.scale === "paper") ?? saying.find((other) => other.paper === paper.paper)));
}

/** Every claim of the papers in one table. */
function claimsTable(papers: Paper[]): HTMLElement {
  const met = new Set<string>();
  const row = (paper: Paper, claim: Claim): HTMLElement =>
    h(
      "tr",
      { class: claim.verdict },
      h("td", {}, h("a", { href: `#/papers/${encodeURIComponent(paper.name)}` }, paper.paper)),
      h("td", {}, ...glossed(claim.sentence, met)),
      h("td", {}, h("b", {}, WORDS[claim.verdict])),
      h("td", { class: "small" }, ...glossed(claim.figure, met), h("br", {}), h("span", { class: "muted" }, ...glossed(`${claim.test}; ${claim.seeds}`, met))),
    );
  const head = ["Paper", "It says", "Here it", "By"].map((word) => h("th", { scope: "col" }, word));
  return h(
    "div",
    { class: "card scroll", tabindex: 0, role: "region", "aria-label": "All claims" },
    h("table", { class: "claims" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...papers.flatMap((paper) => paper.said.map((claim) => row(paper, claim))))),
  );
}

/** How many of all claims hold, fail, cannot be judged. */
function verdicts(papers: Paper[]): string {
  const all = papers.flatMap((paper) => paper.said);
  const count = (verdict: Claim["verdict"]): string => `${all.filter((claim) => claim.verdict === verdict).length} ${verdict === "holds" ? "hold" : verdict === "fails" ? "fail" : "cannot be judged"}`;
  return `Of ${all.length} things that the papers say, ${count("holds")}, ${count("fails")} and ${count("cannot-be-judged")}.`;
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
  const known = judged(papers);
  if (name === "claims" && known.length > 0) {
    replace(main, h("div", { class: "page-head" }, h("p", { class: "small" }, h("a", { href: "#/papers" }, "All papers")), h("h1", {}, "What the papers say"), h("p", { class: "lead" }, ...glossed("A claim is something that a paper says is so. "), verdicts(known))), claimsTable(known));
    return null;
  }
  const cards = papers.map((known) => h("li", {}, card(known)));
  replace(
    main,
    h("div", { class: "page-head" }, h("h1", {}, "Papers"), h("p", { class: "lead" }, ...glossed("Every table of the five papers, beside ours, with seeds, intervals and the deviations listed."), known.length > 0 && h("br", {}), known.length > 0 && h("a", { href: "#/papers/claims" }, verdicts(known)))),
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
