// What the words of this page mean, in words everybody knows; shown where a word is pointed at.

import { type Child, h, uid } from "./dom";

const WORDS: Record<string, string> = {
  Elo: "A number for strength. Who has 200 more wins about three games of four. Here a player of random moves has 0.",
  "±": "How sure the number is: the truth lies within this much of it in 95 of 100 cases.",
  step: "One lesson of a training: for some learners a game, for others many games or a whole new generation. Each learner says which.",
  seed: "The number that all chance comes from. The same seed gives the same training again.",
  state: "One position that was looked at while thinking.",
  search: "Trying moves in one’s head, the answers to them, the answers to those, and looking at what comes of it.",
  chunk: "One thing that is remembered, such as “a man alone on point 5, and what came of it”.",
  weight: "How much one thing counts when everything is added up. A large one counts for much; one below zero speaks against.",
  "held-out": "Positions that are kept apart: the player never learns from them, so they show what it can do on its own.",
  "perfect moves": "The share of moves that give nothing away, judged by a player that cannot be wrong.",
  ranking: "All moves in order, the one it likes best first.",
  heuristic: "A quick judgement of a position, without playing it to the end.",
  temperature: "How freely it plays: at 0 always its best move, above that sometimes another one.",
  tensor: "A table of numbers: everything a player has learnt is kept in such tables.",
  concept: "A small picture that the player found by itself, such as “two of mine beside an empty cell”, and what it is worth.",
  odds: "How often one wins for each time one loses: 3 means three wins for one loss, 1 is even.",
  interval: "From where to where the truth lies in 95 of 100 cases. A short one says much, a long one little.",
  "Elo among these": "A number for strength, measured among the players of this table only. Who has 200 more wins about three games of four.",
  "winning chance": "How many of 100 games like this one it expects to win.",
  line: "Moves that follow each other: a move, the answer it expects, its own next move, and so on.",
  claim: "Something that a paper says is so. Here it is tried again, with a test that could show that it is not.",
  opening: "The first moves of a game. Here both players of a pair get the same ones, so that luck favours nobody.",
  pips: "How many points all men of a side have still to go.",
};

/** A word that says what it means when it is pointed at or reached by keys. */
export function term(word: string, shown = word): HTMLElement {
  const text = WORDS[word];
  if (!text) return h("span", {}, shown);
  const id = uid("word");
  const tip = h("span", { role: "tooltip", id, class: "tip" }, text);
  return h("span", { class: "term" }, h("button", { type: "button", class: "word", "aria-describedby": id }, shown), tip);
}

/** How words of the list are met in a sentence. */
const MET: [RegExp, string][] = [
  [/\bElo\b/, "Elo"],
  [/ ± /, "±"],
  [/\bseeds?\b/, "seed"],
  [/\bstates?\b/, "state"],
  [/\bchunks?\b/, "chunk"],
  [/\bweights?\b/, "weight"],
  [/\branking\b/, "ranking"],
  [/\bheuristics?\b/, "heuristic"],
  [/\bconcepts?\b/, "concept"],
  [/\bodds\b/, "odds"],
  [/\bpips\b/, "pips"],
  [/\bintervals?\b/, "interval"],
  [/\bwinning chances?\b/, "winning chance"],
  [/\bsteps? of training\b/, "step"],
  [/\bsearch(?:es)?\b/, "search"],
  [/\bperfect moves?\b/, "perfect moves"],
  [/\bclaims?\b/, "claim"],
  [/\bopening\b/, "opening"],
];

/** A sentence in which every word of the list says what it means, the first time that it is met; `met` are those that were met before. */
export function glossed(text: string, met = new Set<string>()): Child[] {
  const found = MET.flatMap(([pattern, word]) => {
    const match = met.has(word) ? null : pattern.exec(text);
    return match ? [{ at: match.index, shown: match[0], word }] : [];
  }).sort((a, b) => a.at - b.at)[0];
  if (!found) return text ? [text] : [];
  met.add(found.word);
  const after = found.at + found.shown.length;
  // The spaces around a sign stay outside.
  const [shown, before, behind] = [found.shown.trim(), found.shown.startsWith(" ") ? " " : "", found.shown.endsWith(" ") ? " " : ""];
  return [text.slice(0, found.at) + before, term(found.word, shown), ...glossed(behind + text.slice(after), met)];
}

/** All words on one page. */
export function glossaryList(): HTMLElement {
  const entries = Object.entries(WORDS).sort(([a], [b]) => a.localeCompare(b, "en", { sensitivity: "base" }));
  return h("dl", { class: "glossary" }, ...entries.flatMap(([word, text]) => [h("dt", {}, word), h("dd", {}, text)]));
}
