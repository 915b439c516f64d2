// The first minutes of somebody who has never seen it, click by click, with a stopwatch: docs/first-minutes.md is made from what this writes.

import fs from "node:fs";
import { test, check, open, quiet, shoot } from "../harness.mjs";

const written = new URL("../first-minutes.jsonl", import.meta.url);

test("the first minutes of a new person", async ({ browser, address }) => {
  // What came before the page was timed by `cargo xtask first-minutes`: the same clock goes on.
  const setup = fs.readFileSync(written, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)).filter((row) => row.part === "setup");
  check(setup.length > 0, "the clone and the build are not in the walk: cargo xtask first-minutes");
  const begun = performance.now() - 1000 * setup.at(-1).seconds;
  const page = await open(browser, address);
  const rows = [];
  const note = (does, sees) => {
    rows.push({ does, sees, seconds: Math.round((performance.now() - begun) / 100) / 10 });
  };
  const title = await page.locator("h1").textContent();
  await page.waitForSelector(".setup-form .primary");
  const opponent = await page.locator(".setup-form select").first().evaluate((select) => select.selectedOptions[0].textContent);
  const level = await page.locator(".setup-form output").first().textContent();
  note("opens the address that the program prints", `“${title}”; Connect Four is chosen, against ${opponent}, ${level}`);
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForSelector(".cell.playable");
  note("clicks “Start the game”", "an empty board; “You” are to move");
  let moves = 0;
  let reason = "";
  for (; moves < 21; moves++) {
    const over = await page.locator(".banner:not([hidden])").count();
    if (over > 0) break;
    await page.waitForFunction(() => document.querySelector(".banner:not([hidden])") || (document.querySelector(".strip.active .who")?.textContent === "You" && !document.querySelector(".state.thinking")));
    if ((await page.locator(".banner:not([hidden])").count()) > 0) break;
    // As beginners do: the middle first, then beside it, and column after column where one is full.
    const column = [3, 4, 2, 3, 5, 1, 6, 0][moves % 8];
    const cells = page.locator(`.cell.playable[data-cell="${column}"]`);
    await ((await cells.count()) > 0 ? cells : page.locator(".cell.playable").first()).click();
    await page.waitForFunction((count) => document.querySelectorAll(".ply").length > count || document.querySelector(".banner:not([hidden])"), moves * 2);
    await page.waitForFunction(() => document.querySelector(".banner:not([hidden])") || !document.querySelector(".state.thinking"));
    const said = await page.locator(".said.lead").first().innerText().catch(() => "");
    if (said && said !== reason) {
      reason = said;
      if (rows.length < 8) note(`clicks a column, the ${moves + 1}${["st", "nd", "rd"][moves] ?? "th"} move`, `a disc falls, the answer comes, and beside it: “${said}”`);
    }
  }
  await page.waitForSelector(".banner:not([hidden])");
  const result = await page.locator(".banner strong").textContent();
  check(["You won", "You lost", "A draw"].includes(result), `the game ended with ${result}`);
  note(`plays on, ${moves} moves in all`, `the line that decided is lit, and below the board: “${result}”`);
  await page.getByRole("button", { name: "Look back" }).click();
  await page.getByRole("button", { name: /Find the better move/ }).or(page.getByText("There is nothing to do better")).waitFor();
  note("clicks “Look back”", `the graph of the game, and in the list the moves that were mistakes: ${await page.locator(".sign").count()} have a mark`);
  const find = page.getByRole("button", { name: /Find the better move/ });
  if ((await find.count()) > 0) {
    await find.click();
    await page.getByRole("button", { name: "Show me" }).click();
    await page.waitForSelector(".answer .judgement");
    const told = await page.locator(".why .said").first().innerText();
    note("clicks “Find the better move”, thinks, and clicks “Show me”", `the better move on the board, and why: “${told}”`);
  }
  check(reason !== "", "no reason was given in the whole game");
  await shoot(page, "first-minutes");
  if (process.env.PICTURES) fs.writeFileSync(written, `${[...setup, ...rows].map((row) => JSON.stringify(row)).join("\n")}\n`);
  for (const row of rows) console.log(`    ${row.seconds} s: ${row.does} → ${row.sees}`);
  quiet(page);
});
