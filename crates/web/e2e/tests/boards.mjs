// Boards as the people who play on them know them: points counted from one's own side, discs counted, squares checkered, arrows where men walk.

import fs from "node:fs";
import { test, check, open, quiet, seated } from "../harness.mjs";

const person = { kind: "human" };
const random = { kind: "mind", mind: "random" };

test("backgammon: both sides count the points from their own home, and play what they read", async ({ browser, address }) => {
  const page = await open(browser, address);
  const seen = {};
  for (const side of ["first", "second"]) {
    const seats = side === "first" ? [person, random] : [random, person];
    const id = await seated(page, { game: "backgammon", position: `4HPwATDgc/ABMA:31:${side}`, seats, seed: 1 });
    await page.goto("about:blank");
    await page.goto(`${address}/#/play/${id}`);
    const point = (name) => page.locator(`.cell[aria-label^="point ${name},"]`);
    await point(8).waitFor();
    seen[side] = await page.locator(".cell").evaluateAll((cells) => Object.fromEntries(cells.map((cell) => [cell.dataset.cell, cell.getAttribute("aria-label").split(",")[0].replace("point ", "")])));
    // What is read beside the point is what the point is called.
    const written = await page.locator(".points-board text").allTextContents();
    for (let name = 1; name <= 24; name++) check(written.includes(String(name)), `no point is called ${name}`);
    // One's own men lie on 24, 13, 8 and 6; the best known first move closes the fifth point.
    const own = side === "first" ? /white/i : /black/i;
    for (const [name, men] of [[24, 2], [13, 5], [8, 3], [6, 5]]) {
      const label = await point(name).getAttribute("aria-label");
      check(label.includes(`${men} ×`) && own.test(label), `${side}: ${label}`);
    }
    for (const from of [8, 6]) {
      await point(from).click();
      await point(5).click();
    }
    await page.waitForSelector(".ply");
    const label = await page.locator(".ply").first().textContent();
    check(/^8\/5 6\/5/.test(label), `${side}: 8 to 5 and 6 to 5 is written ${label}`);
  }
  for (let cell = 0; cell < 24; cell++) check(Number(seen.first[cell]) + Number(seen.second[cell]) === 25, `cell ${cell} is ${seen.first[cell]} for the one and ${seen.second[cell]} for the other`);
  quiet(page);
});

test("reversi: the discs of both sides are counted, also while looking back", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "reversi", moves: ["f5", "d6"], seats: [person, person], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".counted");
  const discs = async () => (await page.locator(".strip .counted").allTextContents()).map((text) => Number(/^(\d+) discs$/.exec(text)?.[1])).join(" to ");
  const onBoard = async (colour) => page.locator(`.cell[aria-label*="${colour}"]`).count();
  // f5 turns one white disc over, d6 one black: four to one, then three to three.
  check((await discs()) === "3 to 3", `after f5 d6 it says ${await discs()}`);
  check((await onBoard("black")) === 3 && (await onBoard("white")) === 3, "the board holds other discs than are counted");
  await page.locator('.cell.playable[aria-label^="c5"], .cell.playable[aria-label^="c3"], .cell.playable').first().click();
  await page.waitForFunction(() => document.querySelectorAll(".ply").length === 3);
  const [black, white] = [await onBoard("black"), await onBoard("white")];
  check(black + white === 7 && black > 3, `a move puts one disc down and turns others over: ${black} and ${white}`);
  const counts = await discs();
  check([`${white} to ${black}`, `${black} to ${white}`].includes(counts), `the board has ${black} black and ${white} white discs, and it says ${counts}`);
  quiet(page);
});

/** Brings the rules of Breakthrough and begins a game of it. */
async function breakthrough(page, seats) {
  const text = fs.readFileSync(new URL("../../../gdl/rules/breakthrough.kif", import.meta.url), "utf8");
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  const game = await page.evaluate(async ([token, text]) => (await (await fetch("/api/rules?name=Breakthrough", { method: "POST", headers: { "content-type": "text/plain", "x-ludens-token": token }, body: text })).json()).id, [token, text]);
  return seated(page, { game, seats, seed: 1 });
}

const cellOf = (square) => square.charCodeAt(0) - 97 + 8 * (Number(square[1]) - 1);

/** Where the arrows on the board begin and end, as cells of the grid. */
const arrows = (page) =>
  page.locator(".arrow").evaluateAll((marks) => {
    const under = (element, x, y) => {
      const at = new DOMPoint(x, y).matrixTransform(element.getScreenCTM());
      const cell = [...document.querySelectorAll(".cell")].find((known) => {
        const box = known.getBoundingClientRect();
        return at.x >= box.left && at.x <= box.right && at.y >= box.top && at.y <= box.bottom;
      });
      return Number(cell?.dataset.cell);
    };
    return marks.map((mark) => {
      const [line, head] = [mark.querySelector("line"), mark.querySelector("path")];
      const [, x, y] = /M(\S+) (\S+?)L/.exec(head.getAttribute("d"));
      return [under(line, line.x1.baseVal.value, line.y1.baseVal.value), under(head, Number(x), Number(y))];
    });
  });

test("rules from a file: moves as people write them, a checkered board, arrows from square to square", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/play/${await breakthrough(page, [{ kind: "mind", mind: "depth1" }, person])}`);
  await page.waitForSelector(".why .ranking");
  const played = await page.locator(".ply").first().textContent();
  check(/^[a-h]2–[a-h]3$/.test(played), `a move is written ${played}`);
  const labels = await page.locator(".why .move-row .move-label").allTextContents();
  check(labels.length > 5 && labels.every((label) => /^[a-h][1-8]–[a-h][1-8]$/.test(label)), `moves are written ${labels}`);
  // Half of the squares are dark, and no two that touch by a side: a1 is dark, as everybody knows it.
  const dark = await page.locator(".dark-square").evaluateAll((squares) => squares.map((square) => [square.x.baseVal.value, square.y.baseVal.value]));
  const unit = await page.locator(".dark-square").first().evaluate((square) => square.width.baseVal.value);
  check(dark.length === 32, `${dark.length} squares are dark`);
  const touching = dark.some(([x, y], one) => dark.some(([a, b], other) => one < other && Math.abs(x - a) + Math.abs(y - b) < 1.5 * unit));
  check(!touching, "two dark squares lie side by side");
  check((await page.locator(".arrow").count()) === 0, "an arrow stands there before anything is pointed at");
  for (const place of [0, 3]) {
    const row = page.locator(".why .move-row").nth(place);
    const [from, to] = (await row.locator(".move-label").textContent()).split("–").map(cellOf);
    await row.hover();
    const [arrow, ...more] = await arrows(page);
    check(more.length === 0 && arrow?.[0] === from && arrow[1] === to, `${labels[place]} has the arrow ${arrow} instead of ${from},${to}`);
  }
  await page.mouse.move(3, 3);
  check((await page.locator(".arrow").count()) === 0, "the arrow stays");
  // A person plays by two clicks, and reads the same words.
  for (const square of ["c7", "b6"]) await page.locator(`.cell[data-cell="${cellOf(square)}"]`).click();
  await page.waitForFunction(() => document.querySelectorAll(".ply").length > 1);
  const own = await page.locator(".ply").nth(1).textContent();
  check(own.startsWith("c7–b6"), `the move from c7 to b6 is written ${own}`);
  quiet(page);
});

test("backgammon: a play has an arrow for each man", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "backgammon", position: "4HPwATDgc/ABMA:31:first", seats: [person, random], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".cell.playable");
  await page.keyboard.press("h");
  await page.waitForSelector(".why .ranking");
  const label = await page.locator(".why .move-row .move-label").first().textContent();
  const hops = label.split(" ").map((hop) => hop.split("/").map((name) => Number.parseInt(name, 10) - 1));
  await page.locator(".why .move-row").first().hover();
  const drawn = await arrows(page);
  check(hops.length === 2 && drawn.join() === hops.join(), `${label} has the arrows ${JSON.stringify(drawn)}`);
  quiet(page);
});

test("what is stopped says so once, and is no failure", async ({ browser, address }) => {
  const page = await open(browser, address);
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  const post = (path, body) => page.evaluate(async ([token, path, body]) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: JSON.stringify(body) })).json(), [token, path, body]);
  const training = await post("/api/trainings", { game: "reversi", learner: "nhb:states=100000,cycle=1000", seed: 1 });
  const match = await post("/api/matches", { game: "reversi", minds: ["alphabeta:depth=6", "uct:states=20000"], games: 400, seed: 1 });
  for (const [path, work, word] of [["trainings", training, "stopped"], ["matches", match, ""]]) {
    check(work.id, `it does not start: ${JSON.stringify(work)}`);
    await page.goto(`${address}/#/${path === "trainings" ? "learn" : "compare"}/${work.id}`);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForFunction(async ([path, id]) => !(await (await fetch(`/api/${path}/${id}`)).json()).running, [path, work.id]);
    await page.waitForFunction(() => ![...document.querySelectorAll("main button")].some((button) => button.textContent === "Stop"));
    const told = await page.locator("main").innerText();
    check(!/stopped:|: stopped|it was stopped|error:|failed/i.test(told), `it says: ${/.{0,40}(stopped:|: stopped|it was stopped|error:|failed).{0,40}/i.exec(told)}`);
    check(told.toLowerCase().includes(word), `nobody says that the ${path} were ${word}`);
    check((await page.locator(".failure").count()) === 0, "what was stopped is shown as a failure");
  }
  quiet(page);
});
