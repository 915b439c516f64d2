// The other views: learning, minds, papers, comparisons, games kept; the dark; a phone.

import { test, begin, check, moved, myTurn, open, quiet, scan, shoot } from "../harness.mjs";

test("a training runs and its curve moves; inside its mind", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/learn`);
  await page.locator(".lab .setup-form select").first().selectOption("backgammon");
  await page.locator(".lab .setup-form select").nth(1).selectOption("actr");
  await page.getByLabel("Steps", { exact: true }).fill("1000000");
  await page.getByRole("button", { name: "Start learning" }).click();
  await page.waitForSelector(".chart .curve");
  const points = () => page.locator(".chart .curve").getAttribute("d").then((path) => path.split("L").length);
  const first = await points();
  await page.waitForFunction((count) => (document.querySelector(".chart .curve")?.getAttribute("d")?.split("L").length ?? 0) > count, first);
  await page.waitForFunction(() => document.querySelector(".chart .curve")?.getAttribute("d")?.split("L").length > 5);
  await shoot(page, "learn");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await scan(page, "learning");
  await page.reload();
  await page.waitForSelector(".chart .curve");
  check((await points()) > first, "the curve is lost after a reload");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  const run = new URL(page.url()).hash.match(/learn\/(\d+)/)[1];
  await page.getByRole("button", { name: "Play it now" }).click();
  await page.waitForSelector(".board svg");
  await myTurn(page);
  // It may have finished by now; if not, it should not slow down the tests after this one.
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  await page.evaluate(([id, token]) => fetch(`/api/trainings/${id}/stop`, { method: "POST", headers: { "x-ludens-token": token } }), [run, token]);
  quiet(page);
});

/** A small training of each learner, and what must be seen inside it. */
const MINDS = [
  ["concepts", "connect-four", 1, "Concepts of the first player"],
  ["concepts-selected", "connect-four", 1, "Concepts of the first player"],
  ["contexts", "connect-four", 1, "Its detectors"],
  ["coevolution:depth=1", "connect-four", 40, "The population"],
  ["nhb:states=20,cycle=2", "tic-tac-toe", 1, "What its hidden nodes look at"],
  ["nhb-improved:states=20", "tic-tac-toe", 1, "Positions it remembers as good"],
  ["actr", "backgammon", 100, "Odds it remembers"],
  ["actr-rehearsed:rehearsals=1,last=1,games=6", "backgammon", 6, "What men on a point are worth to it"],
  ["contexts-any", "tic-tac-toe", 1, "Its judges"],
  ["td:games=1000", "backgammon", 2, "What men on a point are worth to it"],
  ["hc:generations=200", "backgammon", 2, "How it climbed"],
  ["homo:games=100,watched=20,round=10,states=60", "connect-four", 9, "How its memory grew"],
];

/** Those the docs show. */
const PICTURED = ["concepts", "concepts-selected", "contexts", "coevolution", "nhb", "nhb-improved", "actr", "td"];

/** Starts a training; waits where as many run as may. */
async function train(page, game, learner, steps) {
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  const headers = { "content-type": "application/json", "x-ludens-token": token };
  const ask = () => page.evaluate((call) => fetch("/api/trainings", call).then((answer) => answer.json()), { method: "POST", headers, body: JSON.stringify({ game, learner, steps }) });
  let begun = await ask();
  // Those before it may still be measured: there are places for two.
  for (let tries = 0; tries < 60 && begun.error?.code === "full"; tries++) {
    await page.waitForTimeout(1000);
    begun = await ask();
  }
  page.problems = page.problems.filter((problem) => !problem.includes("429"));
  check(begun.mind, `${learner} does not train: ${JSON.stringify(begun)}`);
  return begun.mind;
}

test("inside each mind", async ({ browser, address }) => {
  const page = await open(browser, address);
  for (const [learner, game, steps, heading] of MINDS) {
    const mind = await train(page, game, learner, steps);
    // Opened at once: the view follows the training to its end.
    await page.goto(`${address}/#/mind/${game}/${mind}`);
    await page.getByRole("heading", { name: heading }).waitFor();
    // A picture shows what was learnt, not the beginning.
    if (process.env.PICTURES) await page.locator(".stage", { hasText: "learnt on this machine" }).waitFor();
    await scan(page, `inside ${learner}`);
    for (const width of [390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${learner} is too wide at ${width}`);
    }
    await page.setViewportSize({ width: 1240, height: 860 });
    if (PICTURED.includes(learner.split(":")[0])) await shoot(page, `mind-${learner.split(":")[0]}`);
  }
  quiet(page);
});

test("a memory is looked at: which chunk was made when, in any order, and as it was earlier", async ({ browser, address }) => {
  const page = await open(browser, address);
  const mind = await train(page, "connect-four", "homo:games=100,watched=20,round=10,states=60", 9);
  await page.goto(`${address}/#/mind/connect-four/${mind}`);
  await page.getByRole("heading", { name: "Its strongest chunks" }).waitFor();
  await page.locator(".stage", { hasText: "learnt on this machine" }).waitFor();
  const column = (at) => page.locator(".chunk-table tbody tr").evaluateAll((rows, at) => rows.map((row) => Number(row.cells[at].textContent.replace(/[^\d.]/g, ""))), at);
  const falls = (numbers) => numbers.every((value, index) => index === 0 || value <= numbers[index - 1]);
  check(falls(await column(2)), `the strongest do not stand first: ${await column(2)}`);
  await page.getByRole("button", { name: "Met", exact: true }).click();
  check(falls(await column(3)), "they are not sorted by how often they were met");
  await page.locator(".chunk-list select").last().selectOption("0");
  check((await column(5)).every((round) => round === 0), "chunks of other rounds are shown");
  await page.locator(".chunk-list select").last().selectOption("-1");
  // A click on a round shows what it made.
  await page.locator(".growth .growth-hit").first().click({ force: true });
  await page.waitForFunction(() => document.querySelectorAll(".chunk-list select")[1].value === "0");
  await page.locator(".chunk-list select").first().selectOption("2");
  check((await page.locator(".chunk-board .spot-cell").count()) > 0, "no place is drawn on the board");
  check(!(await page.locator(".chunk-table").textContent()).match(/undefined|NaN|null/), "the table shows what nobody should see");
  await scan(page, "a memory");
  await page.getByRole("heading", { name: "How its memory grew" }).evaluate((heading) => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 90));
  await shoot(page, "mind-homo");
  // Its past, step by step.
  const count = () => page.locator(".growth figcaption").first().textContent();
  const now = await count();
  await page.locator(".past a").first().click();
  await page.waitForFunction((now) => document.querySelector(".growth figcaption")?.textContent !== now, now);
  quiet(page);
});

test("inside the players that ship with it: each has a view of its own, in words", async ({ browser, address }) => {
  const page = await open(browser, address);
  const { games } = await page.evaluate(() => fetch("/api/catalog").then((answer) => answer.json()));
  for (const game of games) {
    for (const mind of game.minds.filter((known) => known.name.startsWith("zoo:"))) {
      await page.goto(`${address}/#/mind/${game.id}/${mind.name}`);
      await page.waitForFunction((summary) => document.querySelector(".stage .stage-head")?.textContent.includes(summary), mind.summary);
      const own = await page.locator(".stage > .card:not(details)").count();
      check(own > 1, `${mind.name} has no view of its own`);
      check(!(await page.locator(".stage > .card:not(details)").allTextContents()).join().match(/undefined|NaN|null|\[object/), `${mind.name} shows what nobody should see`);
    }
  }
  await page.goto(`${address}/#/mind/connect-four/zoo:ranker-connect-four`);
  await page.getByRole("heading", { name: "Lines it likes", exact: true }).waitFor();
  check((await page.locator(".chunk-table .line-picture").count()) >= 10, "no line is drawn");
  for (const [name, heading] of [["connect-four/zoo:ranker-connect-four", "Lines it likes"], ["backgammon/zoo:actr-improved-backgammon", "What it knows, and what each is worth"], ["connect-four/zoo:coevolution-improved-connect-four", "What its best player counts"]]) {
    await page.goto(`${address}/#/mind/${name}`);
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    await scan(page, `inside ${name}`);
    for (const width of [390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide at ${width}`);
    }
    await page.setViewportSize({ width: 1240, height: 860 });
    if (name.includes("ranker")) {
      await page.getByRole("heading", { name: heading, exact: true }).evaluate((found) => scrollTo(0, found.getBoundingClientRect().top + scrollY - 260));
      await shoot(page, "mind-ranker");
    }
  }
  quiet(page);
});

test("the papers' reports", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/papers`);
  await page.waitForSelector(".paper");
  await scan(page, "the papers");
  await shoot(page, "papers");
  await page.getByRole("link", { name: /things that the papers say/ }).click();
  await page.waitForSelector(".claims tbody tr");
  const papers = await page.locator(".claims tbody tr td:first-child").allTextContents();
  check(new Set(papers).size === 5 && papers.length > 30, `claims of ${[...new Set(papers)]}, ${papers.length} in all`);
  check((await page.locator(".claims .holds").count()) > 0 && (await page.locator(".claims .fails").count()) > 0, "every claim has the same verdict");
  await scan(page, "the claims");
  await shoot(page, "claims");
  await page.getByRole("link", { name: "All papers" }).click();
  await page.locator(".paper").first().click();
  await page.frameLocator("iframe.report").locator("h1").first().waitFor();
  await shoot(page, "paper");
  quiet(page);
});

test("a comparison fills its table", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/compare`);
  await page.waitForSelector(".checks");
  await page.locator(".setup-form select").selectOption("connect-four");
  await page.getByLabel("Positions a move").fill("400");
  await page.getByRole("button", { name: "Start comparing" }).click();
  await page.waitForSelector(".standings tbody tr");
  await page.getByText("· done").waitFor();
  await scan(page, "comparing");
  await shoot(page, "compare");
  quiet(page);
});

test("games are listed, replayed and exported", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/games`);
  await page.waitForSelector("tbody tr");
  await scan(page, "the list of games");
  await shoot(page, "games");
  await page.locator("tbody th a", { hasText: "Reversi" }).first().click();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.waitForSelector(".ranking");
  const csv = await page.evaluate(() => fetch("/api/games.csv").then((answer) => answer.text()));
  check(csv.startsWith("game_id,") && csv.split("\n").length > 20, "the export is empty");
  await scan(page, "a replay");
  quiet(page);
});

test("backgammon, dark", async ({ browser, address }) => {
  const page = await open(browser, address, { colorScheme: "dark" });
  await begin(page, "backgammon", { mind: "pubeval" });
  await myTurn(page);
  for (let hop = 0; hop < 4 && (await page.locator(".ply").count()) === 0; hop++) {
    await page.locator('.cell.playable[aria-label*="take a man"]').first().click();
    await page.locator('.cell.playable[aria-label*="move here"]').first().click();
    await page.waitForSelector(".board:not([aria-busy])");
  }
  await page.waitForSelector(".ply.second");
  await myTurn(page);
  await scan(page, "backgammon in the dark");
  await shoot(page, "play-backgammon-dark");
  quiet(page);
});

test("on a phone", async ({ browser, address }) => {
  const page = await open(browser, address, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await scan(page, "choosing on a phone");
  await begin(page, "connect-four", { mind: "uct", level: 1 });
  await moved(page, () => page.locator('.cell[data-cell="3"]').tap());
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `the page is ${wide} pixels too wide for a phone`);
  await shoot(page, "phone");
  await scan(page, "a game on a phone");
  quiet(page);
});
