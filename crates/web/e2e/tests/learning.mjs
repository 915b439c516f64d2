// Learning by doing: puzzles, the guided training, own rating, opponents and levels, words and rules.

import fs from "node:fs";
import { test, begin, check, moved, open, playOut, quiet, scan, seated, shoot } from "../harness.mjs";

test("a puzzle has one answer, says how hard it is, and shows why", async ({ browser, address }) => {
  const page = await open(browser, address);
  for (const game of ["tic-tac-toe", "connect-four", "reversi"]) {
    await page.goto(`${address}/#/puzzles/${game}/1`);
    await page.waitForSelector(".grade");
    check(/of our \d+ players? miss it/.test(await page.locator(".grade").textContent()), "it does not say who misses it");
    const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
    const seed = Number((await page.locator(".puzzle h2").textContent()).replace(/\D/g, ""));
    const puzzle = await page.evaluate(([game, seed, token]) => fetch("/api/puzzles", { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: JSON.stringify({ game, seed }) }).then((answer) => answer.json()), [game, seed, token]);
    const cell = (mv) => puzzle.view.moves.find((move) => move.mv === mv).cells.at(-1);
    const wrong = puzzle.view.moves.find((move) => move.mv !== puzzle.answer && move.cells.length > 0);
    await page.locator(`.cell[data-cell="${cell(wrong.mv)}"]`).click();
    await page.waitForSelector(".answer .judgement.bad");
    await page.locator(`.cell[data-cell="${cell(puzzle.answer)}"]`).click();
    await page.waitForSelector(".answer .judgement.good");
    await page.waitForSelector(".answer p:nth-child(2):not(.thinking)");
    console.log(`    ${game}: ${await page.locator(".grade").textContent()}`);
    await scan(page, `a puzzle of ${game}`);
    if (game === "connect-four") await shoot(page, "puzzle");
  }
  quiet(page);
});

test("teach a player in five minutes", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/teach`);
  await page.getByRole("button", { name: "Teach it Tic-tac-toe" }).click();
  await page.waitForSelector(".tour .chart .curve");
  await page.waitForSelector(".side-by-side:nth-of-type(1) .answer-board:nth-child(2)");
  const trained = await page.locator(".side-by-side").first().locator(".answer-board").nth(1).getAttribute("data-move");
  // Crosses stand on a1 and a2: a3 wins.
  check(trained === "a3", `the trained player does not win at once: it plays ${trained}`);
  const points = await page.locator(".tour .point-dot").count();
  check(points > 4, `the curve has only ${points} points`);
  await page.locator(".word", { hasText: "odds" }).hover();
  check(await page.locator(".tip", { hasText: "three wins for one loss" }).isVisible(), "the word is not explained");
  await scan(page, "the guided training");
  await page.mouse.move(2, 2);
  await shoot(page, "teach", { fullPage: true });
  await page.getByRole("button", { name: "Play your player" }).click();
  await page.waitForSelector(".board svg");
  quiet(page);
});

test("a word of the glossary says what it means wherever it is met", async ({ browser, address }) => {
  const page = await open(browser, address);
  const told = async (where, word, means) => {
    const met = page.locator(`${where} .word`, { hasText: word }).first();
    await met.waitFor();
    await met.hover();
    check(await page.locator(`${where} .tip`, { hasText: means }).first().isVisible(), `${word} is not explained in ${where}`);
    await page.mouse.move(2, 2);
  };
  await told(".setup-form", "Elo", "a player of random moves has 0");
  const id = await seated(page, { game: "connect-four", seats: [{ kind: "mind", mind: "alphabeta" }, { kind: "human" }], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".why .ranking");
  await told(".why", "state", "looked at while thinking");
  const words = await page.locator(".why .word").allTextContents();
  check(new Set(words).size === words.length, `a word is explained twice in one panel: ${words}`);
  await page.goto(`${address}/#/papers/claims`);
  await told(".page-head", "claim", "a paper says is so");
  await page.goto(`${address}/#/papers`);
  await told(".page-head", "interval", "95 of 100");
  await page.goto(`${address}/#/compare`);
  await page.waitForSelector(".checks");
  await told(".page-head", "opening", "luck favours nobody");
  // A finished game against a level whose strength was measured gives a rating, in Elo.
  const rung = await page.evaluate(async () => {
    const { games } = await (await fetch("/api/catalog")).json();
    return games.find((game) => game.id === "connect-four").minds.flatMap((mind) => mind.levels).find((level) => level.elo !== null).name;
  });
  const rated = await seated(page, { game: "connect-four", seats: [{ kind: "human" }, { kind: "mind", mind: rung }], seed: 1 });
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  await page.evaluate(async ([token, id]) => {
    const post = (path, body) => fetch(`/api/sessions/${id}/${path}`, { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: JSON.stringify(body) });
    await post("move", { mv: 3 });
    await post("end", { by: "resignation" });
  }, [token, rated]);
  await page.goto(`${address}/#/games`);
  await told(".own-rating", "Elo", "three games of four");
  quiet(page);
});

/** Where nobody was trained: `ludens arena --game gravity-9x7x5 uct alphabeta --states 500` says who plays better where lines win. */
async function met(page, chosen, lines = true) {
  check(chosen === (lines ? "alphabeta" : "uct"), `where lines ${lines ? "" : "do not "}win and nobody was trained, ${chosen} is met`);
  check((await page.locator(".setup-form output").first().textContent()) === "Casual", "a newcomer meets it at another level than a friendly one");
  check(await page.locator(".setup-form input[type=checkbox]").first().isChecked(), "it overlooks what loses at once");
}

test("falling stones of another size have a search at a friendly level, and so have rules that nobody was trained for", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.locator('.game-card input[value="gravity-7x6x4"]').check({ force: true });
  const chosen = () => page.locator(".setup-form select").first().inputValue();
  await met(page, await chosen());
  await page.getByText("Another size", { exact: true }).click();
  for (const [name, value] of [["Columns", 9], ["Rows", 7], ["In a line", 5]]) await page.getByLabel(name, { exact: true }).fill(String(value));
  await page.getByRole("button", { name: "Take this size" }).click();
  await page.waitForFunction(() => document.querySelector(".setup-form input[type=number]")?.value === "9");
  await met(page, await chosen());
  await page.getByRole("button", { name: "Start the game" }).click();
  await moved(page, () => page.locator(".cell.playable").nth(4).click());
  check((await page.locator(".ply").count()) === 2, "it does not answer");
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  const rules = fs.readFileSync(new URL("../../../gdl/rules/hex-7.kif", import.meta.url), "utf8");
  const game = await page.evaluate(async ([token, text]) => (await fetch("/api/rules?name=Hex", { method: "POST", headers: { "content-type": "text/plain", "x-ludens-token": token }, body: text })).json(), [token, rules]);
  await page.goto("about:blank");
  await page.goto(`${address}/#/play`);
  await page.locator(`.game-card input[value="${game.id}"]`).check({ force: true });
  await met(page, await chosen(), false);
  quiet(page);
});

test("the opponent of each game is a trained one at a friendly level, and never another game's", async ({ browser, address }) => {
  const page = await open(browser, address);
  const { games } = await page.evaluate(() => fetch("/api/catalog").then((answer) => answer.json()));
  for (const game of games) {
    await page.locator(`.game-card input[value="${game.id}"]`).check({ force: true });
    const chosen = await page.locator(".setup-form select").first().inputValue();
    const trained = game.minds.filter((mind) => mind.kind === "learnt");
    const mind = game.minds.find((known) => known.name === chosen);
    check(mind && !/untrained|random/.test(chosen), `${game.id} offers ${chosen}`);
    check(trained.length === 0 || mind.kind === "learnt", `${game.id} has trained players and offers ${chosen}`);
    if (trained.length === 0) await met(page, chosen, game.lines);
    check(game.minds.every((known) => known.title.length <= 28), `${game.id} has a long name: ${game.minds.map((known) => known.title).find((title) => title.length > 28)}`);
    const options = await page.locator(".setup-form select").first().locator("option").allTextContents();
    check(!options.includes("Zoo"), "Zoo is no opponent");
    // The slider is strength: every place is stronger than the one before.
    for (const other of trained.filter((known) => known.name.startsWith("zoo:"))) {
      await page.locator(".setup-form select").first().selectOption(other.name);
      const slider = page.locator(".setup-form input[type=range]").first();
      if ((await slider.count()) === 0) continue;
      let before = -Infinity;
      for (let place = 0; place <= Number(await slider.getAttribute("max")); place++) {
        await slider.fill(String(place));
        const text = await page.locator(".setup-form .field p", { hasText: "Elo" }).first().innerText();
        const elo = Number(/Elo (-?[\d,]+)/.exec(text)[1].replaceAll(",", ""));
        check(elo >= before, `${other.name}: level ${place} has ${elo} after ${before}`);
        before = elo;
      }
    }
  }
  quiet(page);
});

/** Positions of a line game in which the other side completes a line at just one cell next, and nobody is won yet. */
function threats(width, height, length, falls, count) {
  let seed = 7;
  const draw = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const wins = (board, cell, side) =>
    [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dx, dy]) => {
      const reach = (sign) => {
        let steps = 0;
        for (let x = (cell % width) + sign * dx, y = Math.floor(cell / width) + sign * dy; x >= 0 && x < width && y >= 0 && y < height && board[y * width + x] === side; x += sign * dx, y += sign * dy) steps++;
        return steps;
      };
      return 1 + reach(1) + reach(-1) >= length;
    });
  const open = (board) => board.flatMap((stone, cell) => (stone === 0 && (!falls || cell < width || board[cell - width] !== 0) ? [cell] : []));
  const found = [];
  while (found.length < count) {
    const [board, moves] = [Array(width * height).fill(0), []];
    const plies = 2 + draw(Math.min(16, (width * height) / 2));
    let over = false;
    for (let ply = 0; ply < plies && !over; ply++) {
      const cell = open(board)[draw(open(board).length)];
      over = wins(board, cell, 1 + (ply % 2));
      board[cell] = 1 + (ply % 2);
      moves.push(cell);
    }
    const mover = 1 + (moves.length % 2);
    const at = open(board).filter((cell) => wins(board, cell, 3 - mover));
    if (!over && at.length === 1 && !open(board).some((cell) => wins(board, cell, mover))) found.push({ moves, at: at[0], mover });
  }
  return found;
}

test("whom a newcomer meets blocks what would lose at once, in every game of lines", async ({ browser, address }) => {
  const page = await open(browser, address);
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  const post = (path, body) => page.evaluate(([path, body, token]) => fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-ludens-token": token }, body: JSON.stringify(body) }).then((answer) => answer.json()), [path, body, token]);
  for (const [game, width, height, length, falls] of [["tic-tac-toe", 3, 3, 3, false], ["connect-four", 7, 6, 4, true], ["four-in-a-row", 9, 4, 4, false], ["gravity-7x6x4", 7, 6, 4, true]]) {
    // Loaded anew, so that nothing of the view before is clicked on.
    await page.goto("about:blank");
    await page.goto(`${address}/#/play`);
    await page.waitForSelector(".game-card");
    await page.locator(`.game-card input[value="${game}"]`).check({ force: true });
    check(await page.getByLabel("It overlooks nothing that loses at once").isChecked(), `${game}: whom a newcomer meets is not careful`);
    await page.getByRole("button", { name: "Start the game" }).click();
    await page.waitForURL(/#\/play\/[0-9a-f]{32}/);
    const id = /[0-9a-f]{32}/.exec(page.url())[0];
    const { seats } = await page.evaluate((id) => fetch(`/api/sessions/${id}`).then((answer) => answer.json()), id);
    const mind = seats.find((seat) => seat.kind === "mind");
    let spared = 0;
    for (const { moves, at, mover } of threats(width, height, length, falls, 12)) {
      const seated = [{ kind: "human" }, { kind: "human" }];
      seated[mover - 1] = mind;
      const begun = await post("/api/sessions", { game, seats: seated, moves: moves.map((cell) => (falls ? cell % width : cell)), seed: 1 });
      const answered = await post(`/api/sessions/${begun.id}/reply`, {});
      const played = answered.plies.at(-1).cells.at(-1);
      check(played === at, `${game}, after ${moves}: ${mind.mind} plays ${played}, not ${at}`);
      if (answered.last_decision.spared) spared++;
    }
    console.log(`    ${game}: ${mind.mind} blocks; ${spared} of 12 times its own ranking did not`);
  }
  await page.goto(`${address}/#/play`);
  await scan(page, "a careful opponent");
  quiet(page);
});

test("line games of another size, with their limits said", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.locator('.game-card input[value="gravity-7x6x4"]').check({ force: true });
  await page.getByText("Another size", { exact: true }).click();
  await page.getByLabel("Columns").fill("9");
  await page.getByLabel("Rows").fill("9");
  await page.getByRole("button", { name: "Take this size" }).click();
  await page.locator(".field-error", { hasText: "64 cells at most" }).waitFor();
  await page.getByLabel("Columns").fill("5");
  await page.getByLabel("Rows").fill("4");
  await page.getByRole("spinbutton", { name: "In a line" }).fill("3");
  await page.getByRole("button", { name: "Take this size" }).click();
  await page.waitForSelector(".setup-form select");
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForSelector(".board .cell");
  check((await page.locator(".cell").count()) === 20, "the board has not the size that was asked for");
  quiet(page);
});

test("own strength from games against known levels; rules and words", async ({ browser, address }) => {
  const page = await open(browser, address);
  await begin(page, "tic-tac-toe", { mind: "zoo:concepts-selected-tic-tac-toe", level: 0 });
  await playOut(page);
  await page.goto(`${address}/#/games`);
  await page.locator(".own-rating dd", { hasText: /^-?\d+ ± \d+$/ }).first().waitFor();
  await scan(page, "the list of games");
  await page.goto(`${address}/#/rules/backgammon`);
  await page.locator(".rules-card h2", { hasText: "Backgammon" }).waitFor();
  check((await page.locator(".glossary dt").count()) > 10, "the words are missing");
  await scan(page, "rules and words");
  await page.emulateMedia({ media: "print" });
  const id = await seated(page, { game: "connect-four", moves: ["4", "4", "3"], seats: [{ kind: "human" }, { kind: "human" }], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".ply");
  check(!(await page.locator(".tools").isVisible()) && (await page.locator(".ply").first().isVisible()) && (await page.locator(".board").isVisible()), "the sheet to print lacks the board or the moves");
  quiet(page);
});

test("learning: a wrong field gets a sentence, the choice is kept", async ({ browser, address }) => {
  const page = await open(browser, address);
  await page.goto(`${address}/#/learn`);
  await page.locator(".lab .setup-form select").first().selectOption("reversi");
  for (const wrong of ["-3", "abc", "1.5"]) {
    await page.getByLabel("Steps", { exact: true }).fill(wrong);
    await page.getByRole("button", { name: "Start learning" }).click();
    await page.locator(".field-error", { hasText: "whole number" }).waitFor();
  }
  await page.getByLabel("Steps", { exact: true }).fill("2");
  await page.locator(".lab .setup-form select").nth(1).selectOption("odds");
  await page.getByRole("button", { name: "Start learning" }).click();
  await page.waitForURL(/#\/learn\/\d+/);
  await page.waitForSelector(".chart .curve");
  check((await page.locator('.measure[aria-pressed="true"]').textContent()) === "strength (Elo)", "the headline is not its strength");
  const measures = await page.locator(".measure").allTextContents();
  for (const wanted of ["wins against random", "error on positions it never saw"]) check(measures.includes(wanted), `${wanted} is not among ${measures}`);
  check((await page.locator(".lab .setup-form select").first().inputValue()) === "reversi", "the form forgets the game");
  check((await page.getByLabel("Steps", { exact: true }).inputValue()) === "2", "the form forgets the steps");
  quiet(page);
});
