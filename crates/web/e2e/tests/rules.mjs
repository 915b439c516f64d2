// Games that people bring: a file of rules dropped on the page.

import fs from "node:fs";
import { test, begin, check, open, playOut, quiet, scan, shoot } from "../harness.mjs";

const rules = (name) => fs.readFileSync(new URL(`../../../gdl/rules/${name}.kif`, import.meta.url), "utf8");

/** Drops a file on the page as a person would. */
async function drop(page, name, text) {
  await page.waitForSelector(".drop");
  const files = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: "text/plain" }));
    return transfer;
  }, [name, text]);
  for (const kind of ["dragover", "drop"]) await page.dispatchEvent("main", kind, { dataTransfer: files });
}

test("a file of rules dropped on the page is a game", async ({ browser, address }) => {
  const page = await open(browser, address);
  await drop(page, "rubbish.kif", "(role black");
  const said = await page.locator(".drop-error").textContent();
  check(/bracket|parenthes|\)/i.test(said), `what is wrong is not said: ${said}`);
  check(page.problems.every((problem) => problem.includes("422")), `the console says: ${page.problems}`);
  page.problems.length = 0;
  await drop(page, "Breakthrough.kif", rules("breakthrough"));
  const card = '.game-card input[value^="breakthrough.kif@"]';
  await page.waitForSelector(card, { state: "attached" });
  check(await page.locator(card).isChecked(), "the new game is not the chosen one");
  await scan(page, "a game of one's own");
  await shoot(page, "play-rules");
  const id = await page.locator(card).getAttribute("value");
  await begin(page, id, { mind: "random" });
  await shoot(page, "play-breakthrough");
  console.log(`    ${id}: ${await playOut(page)} clicks`);
  await page.goto(`${address}/#/play`);
  await page.reload();
  await page.waitForSelector(card, { state: "attached" });
  quiet(page);
});
