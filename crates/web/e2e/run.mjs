// Plays Ludens as people do: by clicking, by keys, with a look at every view. Screenshots go to docs/images.

import { begin, browse, check, moved, myTurn, open, quiet, scan, serve, shoot } from "./harness.mjs";

const tests = [];
const test = (name, run) => tests.push([name, run]);

test("the page is there at once", async ({ browser, address }) => {
  const page = await open(browser, address);
  const timing = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation");
    const bytes = performance.getEntriesByType("resource").filter((file) => !file.name.includes("/api/")).reduce((sum, file) => sum + file.decodedBodySize, entry.decodedBodySize);
    return { interactive: entry.domInteractive, bytes };
  });
  check(timing.bytes < 200_000, `the first page is ${timing.bytes} bytes`);
  let ready = Infinity;
  for (let time = 0; time < 3 && ready >= 1000; time++) {
    const begun = Date.now();
    await page.reload();
    await page.waitForSelector(".game-card");
    ready = Math.min(ready, Date.now() - begun);
  }
  console.log(`    ${timing.bytes} bytes, ready to play ${ready} ms after a reload`);
  check(ready < 1000, `it took ${ready} ms until a game could be chosen`);
  await scan(page, "choosing a game");
  await shoot(page, "play-choose");
  quiet(page);
});

test("a whole game of each kind by clicking", async ({ browser, address }) => {
  const page = await open(browser, address);
  const games = await page.evaluate(() => fetch("/api/catalog").then((answer) => answer.json()).then((catalog) => catalog.games.map((game) => [game.id, game.start.board.layout])));
  for (const [game, layout] of games) {
    await begin(page, game, { mind: "random" });
    let turns = 0;
    while (await myTurn(page)) {
      check(++turns < 400, `${game} does not end`);
      const plies = await page.locator(".ply").count();
      if (layout === "Points") await playPoints(page);
      else if ((await page.locator(".cell.playable").count()) > 0) {
        const cells = page.locator(".cell.playable");
        await cells.nth((turns * 7) % (await cells.count())).click();
      } else await page.locator(".choice").first().click();
      await page.waitForFunction((count) => document.querySelectorAll(".ply").length > count, plies);
    }
    console.log(`    ${game}: ${turns} moves of mine`);
    check(await page.locator(".banner strong").isVisible(), `${game} has no result`);
    quiet(page);
  }
});

/** One whole play, man by man. */
async function playPoints(page) {
  const before = await page.locator(".ply").count();
  for (let hop = 0; hop < 5 && (await page.locator(".ply").count()) === before; hop++) {
    const pass = page.locator(".choice", { hasText: "pass" });
    if (await pass.count()) {
      await pass.first().click();
      break;
    }
    await page.locator('.cell.playable[aria-label*="take a man"]').first().click();
    await page.locator('.cell.playable[aria-label*="move here"]').first().click();
    await page.waitForSelector(".board:not([aria-busy])");
  }
  await page.waitForFunction((count) => document.querySelectorAll(".ply").length > count, before);
}

test("the reasons point at the right cells", async ({ browser, address }) => {
  const page = await open(browser, address);
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  // x has two in a row: the one-move mind must take c1 and say so.
  const id = await page.evaluate(async (token) => {
    const seats = [{ kind: "mind", mind: "depth1" }, { kind: "human" }];
    const headers = { "content-type": "application/json", "x-ludens-token": token };
    const answer = await fetch("/api/sessions", { method: "POST", headers, body: JSON.stringify({ game: "tic-tac-toe", position: "xx.oo....", seats, seed: 1 }) });
    return (await answer.json()).id;
  }, token);
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".reason");
  await page.locator(".reason").first().hover();
  const lit = await page.locator(".light").evaluateAll((lights) => lights.map((light) => light.dataset.cell));
  check(lit.join() === "2", `the winning cell is c1 (2), lit are ${lit}`);
  check((await page.locator(".board.previewing").count()) === 1, "the board shows the position before the move");
  await page.mouse.move(5, 5);
  check((await page.locator(".light").count()) === 0, "the light stays on");
  await scan(page, "a finished game");
  quiet(page);
});

test("hint, judgement, undo, flip and the list of moves", async ({ browser, address }) => {
  const page = await open(browser, address);
  await begin(page, "connect-four", { mind: "uct", level: 2 });
  for (const column of [3, 3, 2]) {
    await moved(page, () => page.locator(`.cell[data-cell="${column}"]`).click());
  }
  await page.keyboard.press("h");
  await page.waitForSelector(".light.hint");
  await shoot(page, "play-hint");
  await page.getByRole("button", { name: "Judge my move" }).click();
  await page.waitForSelector(".tag.own");
  const plies = await page.locator(".ply").count();
  await page.keyboard.press("u");
  await page.waitForFunction((count) => document.querySelectorAll(".ply").length === count - 2, plies);
  await page.keyboard.press("f");
  check((await page.locator(".strip .who").first().textContent()) === "You", "the board is turned round");
  await page.keyboard.press("f");
  await page.locator(".ply.second").first().click();
  await page.waitForSelector(".ranking .chosen .reason");
  await page.locator(".ranking .chosen .reason").first().hover();
  await shoot(page, "play-why");
  await scan(page, "a game of Connect Four");
  quiet(page);
});

test("a reload loses nothing", async ({ browser, address }) => {
  const page = await open(browser, address);
  await begin(page, "reversi", { mind: "alphabeta", level: 2 });
  for (let move = 0; move < 3; move++) {
    await moved(page, () => page.locator(".cell.playable").first().click());
  }
  const seen = () => page.evaluate(() => [...document.querySelectorAll(".ply, .cell, .ranking .move-label")].map((element) => element.getAttribute("aria-label") ?? element.textContent).join("|"));
  const before = await seen();
  await shoot(page, "play-reversi");
  await page.reload();
  await page.waitForSelector(".ranking");
  await myTurn(page);
  check((await seen()) === before, "the page shows something else after a reload");
  quiet(page);
});

test("keyboard only", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.waitForSelector(".game-card");
  await page.locator('.game-card input:checked').focus();
  await page.keyboard.press("Home");
  const reach = async (selector) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`no way to ${selector} by keys`);
  };
  await page.evaluate(() => document.querySelector('.game-card input[value="tic-tac-toe"]').focus());
  await page.keyboard.press("Space");
  await reach(".setup-form select");
  await page.keyboard.type("Random");
  await reach(".segments input");
  await reach(".setup-form .primary");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".board");
  await myTurn(page);
  let moves = 0;
  while (await myTurn(page)) {
    await reach(".cell");
    for (const key of ["ArrowUp", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) {
      if (await page.evaluate(() => document.activeElement.matches(".cell.playable"))) break;
      await page.keyboard.press(key);
    }
    await page.keyboard.press("Enter");
    check(++moves < 10, "the game does not end by keys");
    await page.waitForFunction((count) => document.querySelectorAll(".ply").length >= count, moves);
  }
  await reach(".banner button");
  quiet(page);
});

test("a training runs and its curve moves; inside its mind", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/learn`);
  await page.getByLabel("Steps").fill("6000");
  await page.getByRole("button", { name: "Start learning" }).click();
  await page.waitForSelector(".chart .curve");
  const points = () => page.locator(".chart .curve").getAttribute("d").then((path) => path.split("L").length);
  const first = await points();
  await page.waitForFunction((count) => (document.querySelector(".chart .curve")?.getAttribute("d")?.split("L").length ?? 0) > count, first);
  await page.waitForTimeout(2500);
  await scan(page, "learning");
  await shoot(page, "learn");
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.count()) {
    await stop.click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
  }
  await page.getByRole("button", { name: "Play it now" }).click();
  await page.waitForSelector(".board svg");
  await myTurn(page);
  await page.goto(`${address}/#/mind`);
  await page.waitForSelector(".cost.wide");
  await page.waitForTimeout(300);
  await scan(page, "inside a mind");
  await shoot(page, "mind");
  quiet(page);
});

test("the papers' reports", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/papers`);
  await page.waitForSelector(".paper");
  await scan(page, "the papers");
  await shoot(page, "papers");
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
  await page.getByLabel("States a move").fill("400");
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
  await page.getByRole("button", { name: "Back" }).click();
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
  await playPoints(page);
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

const only = process.argv[2];
const server = await serve();
const browser = await browse();
let failed = 0;
const begun = Date.now();
for (const [name, run] of tests) {
  if (only && !name.includes(only)) continue;
  const start = Date.now();
  try {
    await run({ browser, address: server.address });
    console.log(`  ok    ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`  FAIL  ${name}\n        ${error.stack ?? error}`);
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
server.stop();
console.log(`end to end: ${failed === 0 ? "all well" : `${failed} failed`} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
process.exit(failed === 0 ? 0 : 1);
