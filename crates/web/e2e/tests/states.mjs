// The states in between, at four widths, in light and dark: what is open, chosen, going on or found, as people see it on their way.

import { test, check, inspect, open, phoneAt, playOut, quiet, seated, WIDTHS } from "../harness.mjs";

const person = { kind: "human" };
const zoo = (name) => ({ kind: "mind", mind: `zoo:${name}` });

const post = async (page, path, body) => {
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  return page.evaluate(async ([token, path, body]) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: JSON.stringify(body) })).json(), [token, path, body]);
};

/** Started once; every width looks at the same. */
const begun = {};
async function comparison(page) {
  begun.match ??= (await post(page, "/api/matches", { game: "tic-tac-toe", minds: ["random", "depth1", "alphabeta", "uct", "zoo:odds-tic-tac-toe", "zoo:concepts-tic-tac-toe"], games: 4, states: 50, seed: 1 })).id;
  return begun.match;
}

/** Each state: the address where it begins, and the way to it. */
const STATES = {
  "a menu that is open": async (page) => ["#/play/connect-four/4433", async () => {
    await page.locator(".menu summary").click();
    await page.waitForSelector(".menu-list button");
  }],
  "a search that thinks": async (page) => ["#/play/reversi/f5,d6", async () => {
    await page.locator(".menu summary").click();
    await page.getByRole("button", { name: "Watch a search think" }).click();
    await page.waitForFunction(() => Number(document.querySelector(".looked")?.textContent.replace(/\D/g, "")) > 1000);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("Stopped.").waitFor();
  }],
  "every move judged": async (page) => ["#/play/connect-four/44353726", async () => {
    await page.getByRole("button", { name: "Judge every move" }).click();
    await page.locator(".review", { hasText: "First player:" }).waitFor();
  }],
  "something else tried": async (page) => ["#/play/connect-four/4433/2", async () => {
    await page.locator(".cell.playable").nth(1).click();
    await page.locator(".plies .tried").first().waitFor();
    await page.locator(".why .ranking").waitFor();
  }],
  "reasons unfolded": async (page) => [`#/play/${await seated(page, { game: "connect-four", seats: [zoo("nhb-improved-connect-four"), person], seed: 1 })}`, async () => {
    await page.waitForSelector(".why .ranking");
    for (const place of [1, 2]) await page.locator(".why .move-row").nth(place).click();
    await page.waitForFunction(() => document.querySelectorAll(".why .reasons").length > 1);
  }],
  "a man that is chosen": async (page) => [`#/play/${await seated(page, { game: "backgammon", position: "4HPwATDgc/ABMA:31:first", seats: [person, zoo("actr-improved-backgammon")], seed: 1 })}`, async () => {
    await page.locator('.cell.playable[aria-label*="take a man"]').first().click();
    await page.waitForSelector('.cell.playable[aria-label*="move here"]');
  }],
  "a game that is over": async (page) => [`#/play/${await seated(page, { game: "tic-tac-toe", moves: ["b2", "a1", "c3"], seats: [{ kind: "mind", mind: "random" }, person], seed: 1 })}`, async () => {
    await page.waitForSelector(".cell.playable, .banner:not([hidden])");
    await playOut(page);
  }],
  "the settings of a game": async (page) => ["#/play", async () => {
    await page.locator('.game-card input[value="gravity-7x6x4"]').check({ force: true });
    // The form is drawn anew for two players: what is unfolded comes after that.
    await page.locator('.segments input[value="watch"]').check({ force: true });
    await page.getByText("Second player", { exact: true }).waitFor();
    for (const summary of await page.locator(".setup-form summary").all()) await summary.click();
    await page.getByLabel("Columns").fill("99");
    await page.getByRole("button", { name: "Take this size" }).click();
    await page.locator(".field-error", { hasText: "64 cells at most" }).waitFor();
  }],
  "men set up": async (page) => ["#/edit/backgammon", async () => {
    await page.locator(".edit-board .cell").nth(3).click();
    await page.locator(".edit-board .cell").nth(20).click();
  }],
  "a puzzle solved": async (page) => ["#/puzzles/tic-tac-toe/1", async () => {
    await page.waitForSelector(".grade");
    await page.getByRole("button", { name: "Show me" }).click();
    await page.waitForSelector(".answer p");
  }],
  "a comparison with its results": async (page) => [`#/compare/${await comparison(page)}`, async () => {
    await page.getByText("· done").waitFor();
    await page.waitForSelector(".cross");
  }],
  "a training that goes on": async (page) => [`#/learn/${(begun.training = (await post(page, "/api/trainings", { game: "connect-four", learner: "odds", steps: 100000000, seed: 1 })).id)}`, async () => {
    await page.waitForSelector(".chart .curve");
    await page.getByRole("button", { name: "Stop" }).waitFor();
  }],
  "many concepts": async () => ["#/mind/tic-tac-toe/zoo:concepts-selected-tic-tac-toe", null],
  "detectors": async () => ["#/mind/connect-four/zoo:contexts-connect-four", null],
  "hidden nodes": async () => ["#/mind/reversi/zoo:nhb-improved-reversi", null],
  "odds of men": async () => ["#/mind/backgammon/zoo:actr-backgammon", null],
  "a small network": async () => ["#/mind/four-in-a-row/zoo:nhb-improved-four-in-a-row", null],
};

/** Inside a mind everything that can be unfolded is unfolded. */
async function unfolded(page) {
  await page.waitForSelector(".stage .card");
  await page.waitForFunction(() => document.querySelectorAll(".stage > .card").length > 1);
  await page.evaluate(() => document.querySelectorAll(".stage details").forEach((details) => (details.open = true)));
}

for (const width of WIDTHS) {
  test(`states on the way at ${width} pixels: nothing too wide, nothing over something else`, async ({ browser, address }) => {
    const page = await open(browser, address, phoneAt(width));
    for (const [name, state] of Object.entries(STATES)) {
      const [hash, way] = await state(page);
      await page.goto("about:blank");
      await page.goto(`${address}/${hash}`);
      await page.waitForSelector("main h1, main h2, main .board");
      await (way ? way() : unfolded(page));
      await page.mouse.move(1, 1);
      await page.waitForTimeout(200);
      await inspect(page, name.replaceAll(" ", "-"), width);
      if (begun.training) await post(page, `/api/trainings/${begun.training}/stop`, {});
      delete begun.training;
    }
    check(page.problems.every((problem) => !/error/i.test(problem)), page.problems.join());
    quiet(page);
  });
}
