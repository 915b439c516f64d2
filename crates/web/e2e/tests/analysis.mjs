// Looking at games: the way through them, what is tried instead, links, files, clocks, and how a game ends.

import fs from "node:fs";
import { test, begin, check, moved, myTurn, open, quiet, scan, seated, shoot } from "../harness.mjs";

const columns = (page) => page.locator(".cell").evaluateAll((cells) => cells.filter((cell) => !/empty/.test(cell.getAttribute("aria-label"))).length);
const person = { kind: "human" };

test("the end of a game leaves the board in sight: the line that won, You won or You lost, Escape", async ({ browser, address }) => {
  const page = await open(browser, address);
  const ends = [
    { moves: ["4", "1", "4", "1", "4", "2"], seats: [person, { kind: "mind", mind: "random" }], click: 3, text: "You won", won: "3,10,17,24" },
    // The second player has three in column 4 and it is his turn after any other move.
    { moves: ["1", "4", "1", "4", "2", "4"], seats: [person, { kind: "mind", mind: "depth1" }], click: 6, text: "You lost", won: "3,10,17,24" },
  ];
  for (const { moves, seats, click, text, won } of ends) {
    const id = await seated(page, { game: "connect-four", moves, seats, seed: 1 });
    await page.goto(`${address}/#/play/${id}`);
    await page.waitForSelector(".cell.playable");
    await page.locator(`.cell[data-cell="${click}"]`).click();
    await page.waitForSelector(".banner:not([hidden])");
    check((await page.locator(".banner strong").textContent()) === text, `the end says ${await page.locator(".banner strong").textContent()}`);
    const lit = await page.locator(".won").evaluateAll((cells) => cells.map((cell) => cell.dataset.cell).sort((a, b) => a - b).join());
    check(lit === won, `the line that won is ${won}, lit is ${lit}`);
    const [board, banner] = await Promise.all([page.locator(".board").boundingBox(), page.locator(".banner").boundingBox()]);
    check(banner.y >= board.y + board.height, "the result covers the board");
    await scan(page, `an end: ${text}`);
    if (text === "You lost") await shoot(page, "play-lost");
    await page.keyboard.press("Escape");
    check(!(await page.locator(".banner").isVisible()), "Escape does not close the result");
  }
  quiet(page);
});

test("the list of moves and the arrow keys lead through the game; something else can be tried", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "connect-four", moves: ["4", "4", "3", "3", "5"], seats: [person, { kind: "mind", mind: "zoo:nhb-improved-connect-four" }], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await myTurn(page);
  const all = await page.locator(".moves > .plies > li > .ply").count();
  check((await columns(page)) === all, "the board does not show the whole game");
  await page.locator(".ply").nth(2).click();
  await page.waitForFunction(() => document.querySelector('.ply[aria-current="step"]')?.textContent === "3");
  check((await columns(page)) === 3, "a click on a move does not lead the board there");
  await page.locator("body").click({ position: { x: 3, y: 400 } });
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll('.cell:not([aria-label*="empty"])').length === 2);
  await page.keyboard.press("End");
  await page.waitForFunction((count) => document.querySelectorAll('.cell:not([aria-label*="empty"])').length === count, all);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelectorAll('.cell:not([aria-label*="empty"])').length === 0);
  // Both sides are moved; the game itself stays as it is.
  await page.locator('.cell[data-cell="0"]').click();
  await page.waitForSelector(".tried .ply");
  await page.locator('.cell[data-cell="1"]').click();
  await page.waitForFunction(() => document.querySelectorAll(".tried .ply").length === 2);
  await page.waitForSelector(".why h2:has-text('Best here')");
  check((await page.locator(".moves > .plies > li > .ply").count()) === all, "trying something has changed the game");
  await shoot(page, "play-tried");
  await scan(page, "something else that is tried");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.cell:not([aria-label*="empty"])').length === count, all);
  quiet(page);
});

test("several variations, also from one another: a tree in the list that leads through it", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/play/connect-four/4433/2`);
  await page.waitForSelector(".ply");
  const discs = async (count) => page.waitForFunction((count) => document.querySelectorAll('.cell:not([aria-label*="empty"])').length === count, count);
  const play = async (column, count) => {
    await page.locator(`.cell[data-cell="${column}"]`).click();
    await discs(count);
  };
  // After two moves: column 1 then 2; then, instead of that 2, column 6; and instead of all that column 7.
  await play(0, 3);
  await play(1, 4);
  await page.keyboard.press("Escape");
  await page.locator("h1").evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("ArrowLeft");
  await discs(3);
  await play(5, 4);
  await page.locator(".moves > .plies > li > .ply").nth(1).click();
  await discs(2);
  await play(6, 3);
  const boxes = await page.locator(".moves > .plies > li.tried").count();
  check(boxes === 2, `${boxes} variations begin after the second move, not 2`);
  check((await page.locator(".tried .tried .ply").allTextContents()).join() === "6", "the variation of the variation is not in its box");
  check((await page.locator(".tried .ply").allTextContents()).join() === "1,2,6,7", `the tree is ${await page.locator(".tried .ply").allTextContents()}`);
  check((await page.locator(".moves > .plies > li > .ply").allTextContents()).join() === "4,4,3,3", "the game has changed");
  // A click leads there, the keys go on from there and to the one beside it.
  await page.locator(".tried .ply", { hasText: "2" }).click();
  await discs(4);
  check((await page.locator('.cell[data-cell="1"]').getAttribute("aria-label")).includes("empty") === false, "a click on a tried move does not lead there");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector('.tried .ply[aria-current]')?.textContent === "6");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.querySelector('.tried .ply[aria-current]')?.textContent === "2");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector('.tried .ply[aria-current]')?.textContent === "1");
  // The same move again is no new variation.
  await play(1, 4);
  check((await page.locator(".tried .ply").count()) === 4, "the same move is in the tree twice");
  await page.waitForSelector(".why h2:has-text('Best here')");
  // The perfect player proves nothing so early: a trained one says how the sides stand.
  check(/first player \d+ %/.test(await page.locator(".eval-bar").getAttribute("aria-label")), "the bar says nothing");
  check((await page.locator(".light.hint").count()) === 1, "the best move is not lit on the board");
  await scan(page, "several variations");
  await shoot(page, "play-variations");
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the tree is too wide at ${width}`);
  }
  await page.getByRole("button", { name: "Forget" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".tried .ply").length === 3);
  check((await page.locator(".tried .ply").allTextContents()).join() === "1,6,7", "something else was forgotten");
  quiet(page);
});

test("looking back: the bar, the graph, the marks, and the better move found by oneself", async ({ browser, address }) => {
  const page = await open(browser, address);
  // `ludens solve connect-four 474737 --all`: everything but 7 loses at once; column 1 was played.
  const id = await seated(page, { game: "connect-four", moves: ["4", "7", "4", "7", "3", "7", "1", "7"], seats: [person, { kind: "mind", mind: "random" }], seed: 2 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".banner:not([hidden])");
  check(/first player 0 %/.test(await page.locator(".eval-bar").getAttribute("aria-label")), "the bar does not show that the game is lost");
  await page.getByRole("button", { name: "Look back" }).click();
  const find = page.getByRole("button", { name: /Find the better move/ });
  await find.waitFor();
  check((await page.locator(".sign.blunder").count()) > 0, "the blunder has no mark in the list");
  await page.waitForSelector(".game-graph .graph-mark.blunder");
  await shoot(page, "play-look-back");
  await scan(page, "looking back");
  await find.click();
  const asked = page.locator(".review p", { hasText: "Here you played column 1" });
  for (let number = 1; ; number++) {
    await page.locator(".review h2", { hasText: `Find the better move ${number} of` }).waitFor();
    if ((await asked.count()) > 0) break;
    await page.locator(".review").getByRole("button", { name: "Next" }).click();
  }
  await page.locator('.cell[data-cell="4"]').click();
  await page.waitForSelector(".answer .judgement.bad");
  await page.locator('.cell[data-cell="6"]').click();
  await page.waitForSelector(".answer .judgement.good");
  quiet(page);
});

test("a link holds the game and the place; files lead out and in again", async ({ browser, address }) => {
  const page = await open(browser, address, { acceptDownloads: true });
  await page.goto(`${address}/#/play/connect-four/4433/2`);
  await page.waitForSelector(".ply");
  check((await page.locator(".ply").count()) === 4 && (await columns(page)) === 2, "the link does not show ply 2 of 4433");
  const saved = {};
  for (const format of ["move text", "JSON", "CSV", "SGF"]) {
    await page.locator(".menu summary").click();
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save as ${format}`, exact: true }).click()]);
    saved[format] = fs.readFileSync(await file.path(), "utf8");
  }
  check(saved["move text"].trim() === "4433", `the move text is ${saved["move text"]}`);
  check(/"mv": 3/.test(saved.JSON) && /"label": "4"/.test(saved.JSON), "the JSON lacks numbers or labels");
  for (const [format, text] of Object.entries(saved)) {
    await page.goto(`${address}/#/edit/connect-four`);
    await page.getByLabel("Position or game").fill(text);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.waitForURL(/#\/play\/connect-four\/4433/);
    await page.waitForSelector(".ply:nth-child(1)");
    check((await columns(page)) === 4, `${format} does not come back as the same game`);
  }
  // What is usual elsewhere: GGF for Reversi, match files for backgammon, dice and all.
  const others = [
    ["reversi", "f5,d6,c3,d3", ["GGF", "SGF", "CSV"]],
    ["backgammon", "31_second_starts,8/5_6/5,64,24/14", [".mat", "JSON", "move text"]],
  ];
  for (const [game, moves, kinds] of others) {
    const link = `${address}/#/play/${game}/${encodeURIComponent(moves)}/${moves.split(",").length}`;
    for (const kind of kinds) {
      await page.goto(link);
      // Of the line only the players' moves are in the list as buttons.
      const plies = moves.split(",").map((move) => move.replaceAll("_", " ")).filter((move) => !/^\d\d( |$)/.test(move));
      await page.waitForFunction((plies) => [...document.querySelectorAll(".ply")].map((ply) => ply.textContent).join() === plies, plies.join());
      await page.locator(".menu summary").click();
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save as ${kind}`, exact: true }).click()]);
      const text = fs.readFileSync(await file.path(), "utf8");
      await page.goto(`${address}/#/edit/${game}`);
      await page.getByLabel("Position or game").fill(text);
      await page.getByRole("button", { name: "Look at it" }).click();
      await page.waitForSelector(".moves .ply");
      const back = await page.locator(".ply").allTextContents();
      check(back.join() === plies.join(), `${kind} of ${game} comes back as ${back}, not ${plies}: ${text}`);
    }
  }
  await page.goto(`${address}/#/edit/connect-four`);
  await page.getByLabel("Position or game").fill("44x");
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.locator(".field-error", { hasText: /legal|move/ }).waitFor();
  page.problems.length = 0;
  await page.goto(`${address}/#/play/connect-four/4433`);
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.waitForURL(/#\/play\/[0-9a-f]{32}/);
  check(await myTurn(page), "the game from a link is over at once");
  quiet(page);
});

test("a game that began from a position comes back from its files with it", async ({ browser, address }) => {
  const page = await open(browser, address, { acceptDownloads: true });
  const link = `${address}/#/play/tic-tac-toe/${encodeURIComponent("b1,c1@x...o....")}/2`;
  for (const kind of ["move text", "JSON", "CSV"]) {
    await page.goto(link);
    await page.waitForSelector(".ply");
    await page.locator(".menu summary").click();
    check((await page.getByRole("button", { name: "Save as SGF" }).count()) === 0, "a file that cannot hold the start is offered");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save as ${kind}`, exact: true }).click()]);
    const text = fs.readFileSync(await file.path(), "utf8");
    await page.goto(`${address}/#/edit/tic-tac-toe`);
    await page.getByLabel("Position or game").fill(text);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.waitForSelector(".moves .ply");
    const back = await page.locator(".ply").allTextContents();
    check(back.join() === "b1,c1" && decodeURIComponent(page.url()).includes("@x...o...."), `${kind} comes back as ${back} at ${page.url()}: ${text}`);
  }
  await page.goto(`${address}/#/edit/tic-tac-toe`);
  await page.getByLabel("Position or game").fill("(;FF[4]AB[aa]AW[bb];B[ba])");
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.locator(".field-error", { hasText: "set up" }).waitFor();
  page.problems.length = 0;
  quiet(page);
});

test("any position can be set up and played from", async ({ browser, address }) => {
  const page = await open(browser, address);
  const games = await page.evaluate(() => fetch("/api/catalog").then((answer) => answer.json()));
  for (const id of ["tic-tac-toe", "connect-four", "reversi", "four-in-a-row", "backgammon"]) {
    await page.goto(`${address}/#/edit/${id}`);
    await page.waitForSelector(".edit-board .cell");
    const start = games.games.find((game) => game.id === id).start;
    const text = await page.getByLabel("Position or game").inputValue();
    const own = start.text === "" ? ".".repeat(start.board.squares.length) : start.text;
    check(text === own, `the editor writes ${text} for the start of ${id}, which is ${own}`);
  }
  await page.goto(`${address}/#/edit/tic-tac-toe`);
  await page.waitForSelector(".edit-board .cell");
  for (const [cell, clicks] of [[0, 1], [1, 1], [3, 2], [4, 2]]) for (let click = 0; click < clicks; click++) await page.locator(`.cell[data-cell="${cell}"]`).click();
  check((await page.getByLabel("Position or game").inputValue()) === "xx.oo....", "clicks do not set stones");
  await scan(page, "setting up a position");
  await shoot(page, "edit");
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.waitForSelector(".why h2:has-text('Best here: c1')");
  // A GNU ID with its roll: everybody makes point 5 with a three and a one.
  await page.goto(`${address}/#/edit/backgammon`);
  await page.getByLabel("Position or game").fill("4HPwATDgc/ABMA:31");
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.waitForSelector(".points-board");
  await page.waitForSelector(".why h2:has-text('Best here')");
  check((await page.locator(".die").count()) === 2, "the roll of the GNU ID is lost");
  quiet(page);
});

test("backgammon is set up by clicks: points, bar, tray, who is on roll, the dice", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/edit/backgammon`);
  await page.waitForSelector(".edit-board .cell");
  const text = () => page.getByLabel("Position or game").inputValue();
  const cell = (name) => page.locator(`.cell[data-cell="${name}"]`);
  await cell(5).click();
  check(/All 15 men of White/.test(await page.locator(".setup-form").textContent()), "a sixteenth man is put");
  await page.getByRole("button", { name: "Empty the board" }).click();
  check((await page.locator(".borne").count()) === 30, "the men of an empty board do not lie in the trays");
  for (const point of [0, 0, 5]) await cell(point).click();
  await page.getByText("Black man").click();
  for (const point of [18, 18, 26]) await cell(point).click();
  // A man too many is taken away, and one of the other side gives way.
  await page.getByText("Takes away").click();
  await cell(18).click();
  check((await cell(18).getAttribute("aria-label")).includes("1 ×"), "no man was taken away");
  await page.getByText("Black", { exact: true }).click();
  await page.getByLabel("Dice").selectOption("31");
  check((await page.locator(".die").count()) === 2, "the dice are not shown");
  const made = await text();
  check(/^[A-Za-z0-9+/]{14}:31:second$/.test(made), `the position is written ${made}`);
  await scan(page, "setting up backgammon");
  await shoot(page, "edit-backgammon");
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `the editor is too wide at ${width}`);
  }
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.locator(".turn-note", { hasText: "Second player to move" }).waitFor();
  const seen = await page.locator(".cell").evaluateAll((cells) => cells.flatMap((cell) => (/empty/.test(cell.getAttribute("aria-label")) ? [] : [`${cell.dataset.cell}:${/(\d+) × (\w+)/.exec(cell.getAttribute("aria-label")).slice(1).join(" ")}`])).join());
  check(/^0:2 white,5:1 white,18:1 black,25:12 white,26:1 black,27:13 black$/.test(seen), `the server reads ${seen}`);
  // A text that is pasted is shown, and clicks go on from it.
  await page.goto(`${address}/#/edit/backgammon`);
  await page.getByLabel("Position or game").fill(made);
  await page.getByLabel("Position or game").blur();
  await page.waitForFunction(() => document.querySelectorAll(".borne").length === 25);
  check((await page.getByLabel("Dice").inputValue()) === "31" && (await page.locator('.segments input[value="Second"]').last().isChecked()), "the roll of the text is lost");
  await page.getByText("White man").click();
  await cell(0).click();
  check((await text()) !== made && (await text()).endsWith(":31:second"), "a click does not go on from the text");
  quiet(page);
});

test("the clock is the server's: a reload gives nothing back, and the game ends though nobody looks", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "connect-four", seats: [person, person], seed: 1, minutes: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.locator('.cell[data-cell="3"]').click();
  await page.waitForFunction(() => document.querySelector(".strip.active .clock")?.textContent === "0:58");
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.waitForSelector(".clock");
  const [, seconds] = (await page.locator(".strip.active .clock").textContent()).split(":").map(Number);
  check(seconds <= 58 && seconds > 30, `after a reload the clock says ${seconds}`);
  // Three seconds: the one who waits has lost, on the page and on the server.
  const short = await seated(page, { game: "connect-four", seats: [person, person], seed: 1, minutes: 0.05 });
  await page.goto(`${address}/#/play/${short}`);
  await page.locator('.cell[data-cell="3"]').click();
  await page.locator(".banner", { hasText: "on time" }).waitFor();
  check((await page.locator(".banner strong").textContent()) === "Player 1 won", "the wrong one has lost on time");
  check(!(await page.locator(".cell.playable").first().isVisible()) || (await page.getByRole("button", { name: "Undo" }).count()) > 0, "the game goes on");
  await scan(page, "a game lost on time");
  // Nobody looks at this one.
  const unseen = await seated(page, { game: "connect-four", seats: [person, person], seed: 1, minutes: 0.02 });
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  await page.evaluate(([id, token]) => fetch(`/api/sessions/${id}/move`, { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: '{"mv":3}' }), [unseen, token]);
  await page.waitForTimeout(3500);
  const kept = await page.evaluate((id) => fetch(`/api/games/${id}`).then((answer) => answer.json()), unseen);
  check(kept.over?.by === "time" && kept.result === 1, `the game is kept as ${JSON.stringify(kept.over)}`);
  quiet(page);
});

test("a clock, giving up, moving now, two minds, sounds off", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.getByLabel("Clock").selectOption("1");
  await page.locator('.segments input[value="me"]').check({ force: true });
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForSelector(".clock");
  await moved(page, () => page.locator('.cell[data-cell="3"]').click());
  await page.waitForFunction(() => document.querySelector(".strip.active .clock")?.textContent === "0:58");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Sounds: on" }).click();
  check((await page.evaluate(() => localStorage.getItem("ludens.sound"))) === "off", "sounds cannot be off");
  await page.getByRole("button", { name: "Give up" }).click();
  await page.waitForSelector(".banner.bad");
  check(/You gave up/.test(await page.locator(".banner").textContent()), "giving up is not said");
  // A search without a limit of its own thinks long; asked to move now, it moves.
  const id = await seated(page, { game: "reversi", seats: [{ kind: "mind", mind: "uct:sims=1000000" }, person], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.getByRole("button", { name: "Move now" }).click();
  const begun = Date.now();
  await page.waitForSelector(".ply.first");
  check(Date.now() - begun < 5000, "it does not move when it is asked to");
  await page.goto(`${address}/#/play`);
  await page.locator('.segments input[value="watch"]').check({ force: true });
  await page.locator(".setup-form select").first().selectOption("random");
  await page.locator(".setup-form select").nth(1).selectOption("depth1");
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForSelector(".banner:not([hidden])");
  const names = await page.locator(".who").allTextContents();
  check(names.sort().join() === "One move ahead,Random", `the two seats hold ${names}`);
  quiet(page);
});

const watchSearch = async (page) => {
  await page.waitForSelector(".menu");
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Watch a search think" }).click();
};
const looked = (page) => page.locator(".looked").textContent().then((text) => Number(text.replace(/\D/g, "")));

test("a search is watched while it thinks: one search, live, and it ends when nobody looks", async ({ browser, address }) => {
  const page = await open(browser, address);
  const asked = [];
  const over = [];
  page.on("request", (request) => request.url().includes("/api/look/") && asked.push(request.url().split("/").at(-1)));
  page.on("requestfailed", (request) => request.url().endsWith("/think") && over.push(request.url()));
  await page.goto(`${address}/#/play/connect-four/4433`);
  await page.waitForSelector(".ranking");
  asked.length = 0;
  await watchSearch(page);
  await page.getByText("shown while it goes on").waitFor();
  await page.waitForFunction(() => Number(document.querySelector(".looked")?.textContent.replace(/\D/g, "")) > 2000);
  // `ludens solve connect-four 4433 --all`: column 5 makes two threats at once.
  await page.locator(".thoughts b", { hasText: /^[25]$/ }).last().waitFor();
  const counts = [await looked(page)];
  for (let look = 0; look < 4; look++) {
    await page.waitForFunction((before) => Number(document.querySelector(".looked").textContent.replace(/\D/g, "")) > before, counts.at(-1));
    counts.push(await looked(page));
  }
  check(asked.join() === "think", `one question is asked, not ${asked.join()}`);
  check((await page.locator(".thought .bar").count()) === 7, "not every move has its bar");
  await scan(page, "a search that thinks");
  await shoot(page, "play-think");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText(/Stopped. It would play [25]./).waitFor();
  check(over.length === 1, "the stream goes on after Stop");
  // Going elsewhere ends it, too.
  await watchSearch(page);
  await page.getByText("shown while it goes on").waitFor();
  await page.goto(`${address}/#/rules`);
  for (let wait = 0; over.length < 2 && wait < 40; wait++) await page.waitForTimeout(100);
  check(over.length === 2, "the search goes on although nobody looks");
  quiet(page);
});

test("a player that shows nothing before it is done is asked again and again, and the page says so", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "connect-four", seats: [person, { kind: "mind", mind: "zoo:nhb-improved-connect-four" }], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await watchSearch(page);
  await page.getByText("each time with twice the positions").waitFor();
  await page.locator(".thoughts", { hasText: /It plays [1-7]\./ }).waitFor();
  check((await looked(page)) > 100, "it looked at nothing");
  quiet(page);
});

test("backgammon: who starts, half a move and its undo, no move, bearing off and the end", async ({ browser, address }) => {
  const page = await open(browser, address);
  const bg = (start, seed = 1) => seated(page, { game: "backgammon", ...(start ? { position: start } : {}), seats: [person, person], seed });
  await page.goto(`${address}/#/play/${await bg(null)}`);
  await page.locator(".note", { hasText: "The dice decided who starts" }).waitFor();
  const pips = () => page.locator(".counted").allTextContents();
  const before = (await pips()).join();
  await page.locator('.cell.playable[aria-label*="take a man"]').first().click();
  await page.locator('.cell.playable[aria-label*="move here"]').first().click();
  await page.waitForSelector(".die.used");
  check((await pips()).join() !== before, "half a move does not count in the pips");
  await page.keyboard.press("u");
  await page.waitForFunction(() => !document.querySelector(".die.used"));
  check((await pips()).join() === before, "the half move is not taken back");
  check((await page.locator(".ply").count()) === 0, "the undo took back more than half a move");
  await page.goto(`${address}/#/play/${await bg("2XkABRV/iA8AQQ:66:second")}`);
  await page.locator(".choices", { hasText: "You cannot move." }).waitFor();
  await page.locator(".choices").getByRole("button", { name: "Go on" }).click();
  await page.locator(".ply", { hasText: "no move" }).waitFor();
  // Two men are left on the last point, and any dice take them off.
  await page.goto(`${address}/#/play/${await bg("/wAAAAYAAAAAAA:21:second")}`);
  for (let man = 0; man < 2; man++) {
    await page.locator('.cell.playable[aria-label*="take a man"]').first().click();
    await page.locator('.cell.playable[aria-label^="tray"]').click();
  }
  await page.waitForSelector(".banner:not([hidden])");
  check((await page.locator(".banner strong").textContent()) === "Player 2 won", "bearing off the last man does not win");
  check((await page.locator(".borne.black").count()) === 15, "not all men lie in the tray");
  await page.locator("body").press("f");
  const below = await page.locator(".points-board .names text").evaluateAll((names) => names.sort((a, b) => b.getBoundingClientRect().y - a.getBoundingClientRect().y || b.getBoundingClientRect().x - a.getBoundingClientRect().x)[0].textContent);
  check(below === "1" || below === "24", `the corner is point ${below}`);
  quiet(page);
});

test("a view that is left takes no clicks, and one that comes late does not stay", async ({ browser, address }) => {
  const page = await open(browser, address);
  const [old, next] = [await seated(page, { game: "tic-tac-toe", seats: [person, person], seed: 1 }), await seated(page, { game: "connect-four", seats: [person, person], seed: 1 })];
  await page.goto(`${address}/#/play/${old}`);
  await page.waitForSelector('.cell[data-cell="8"].playable');
  await page.route(`**/api/sessions/${next}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.goto(`${address}/#/play/${next}`);
  // The old board is still there; the click waits for the new one.
  await page.locator(".cell.playable").first().click();
  await page.waitForSelector(".ply");
  check((await page.locator("main h1").textContent()) === "Connect Four", "the click fell on the game that was left");
  await page.goto(`${address}/#/play/${old}`);
  await page.waitForFunction(() => document.querySelector("main h1").textContent === "Tic-tac-toe");
  check((await page.locator(".ply").count()) === 0, "a move was made in the game that was left");
  // To a view that takes long, and back before it is there.
  await page.goto(`${address}/#/play/${next}`);
  const slow = page.waitForResponse((answer) => answer.url().endsWith(next));
  await page.goto(`${address}/#/play/${old}`);
  await slow;
  await page.waitForTimeout(200);
  await page.waitForFunction(() => document.querySelector("main h1").textContent === "Tic-tac-toe");
  await page.locator('.cell[data-cell="4"]').click();
  await page.waitForSelector(".ply");
  quiet(page);
});

test("the pattern that weighed most lights up when the opponent has moved", async ({ browser, address }) => {
  const page = await open(browser, address, { reducedMotion: "no-preference" });
  const id = await seated(page, { game: "tic-tac-toe", position: "xx.oo....", seats: [{ kind: "mind", mind: "zoo:concepts-selected-tic-tac-toe" }, person], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".light.reason");
  check((await page.locator(".board.previewing").count()) === 0, "the board shows another position");
  await page.waitForFunction(() => !document.querySelector(".light"));
  quiet(page);
});

test("two tabs of one game: the other one follows, and an old move is refused in words", async ({ browser, address }) => {
  const page = await open(browser, address);
  const id = await seated(page, { game: "tic-tac-toe", seats: [person, person], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".cell.playable");
  const other = await open(browser, address);
  await other.goto(`${address}/#/play/${id}`);
  await other.waitForSelector(".cell.playable");
  await page.locator('.cell[data-cell="4"]').click();
  await page.waitForSelector(".ply");
  // The other tab has not looked yet: its move is for a position that is gone.
  await other.locator('.cell[data-cell="0"]').click();
  await other.locator(".toast", { hasText: "moved on" }).waitFor();
  await other.waitForSelector(".ply");
  check((await other.locator('.cell[data-cell="4"]').getAttribute("aria-label")).includes("x"), "the other tab does not show the move");
  const [toast, tools] = await Promise.all([other.locator(".toast").first().boundingBox(), other.locator(".tools").boundingBox()]);
  check(toast.y + toast.height <= tools.y || toast.y >= tools.y + tools.height, "the message lies over the tools");
  other.problems.length = 0;
  await page.locator('.cell[data-cell="1"]').click();
  await page.waitForFunction(() => document.querySelectorAll(".ply").length === 2);
  await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await other.waitForFunction(() => document.querySelectorAll(".ply").length === 2);
  quiet(page);
  quiet(other);
});
