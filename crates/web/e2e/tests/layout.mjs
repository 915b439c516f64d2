// Every view at four widths, in light and dark: nothing wider than the window, nothing over something else; and how quick it is.

import { test, check, crowding, open, quiet, scan, seated, shootView } from "../harness.mjs";

const WIDTHS = [390, 768, 1280, 1920];
const person = { kind: "human" };

/** Each view: its address, and what must be there before it is looked at. */
const VIEWS = {
  choose: async () => ["#/play", ".game-card"],
  over: async (page) => [`#/play/${await seated(page, { game: "connect-four", moves: [..."4142434"].slice(0, 6).concat("4"), seats: [person, { kind: "mind", mind: "zoo:nhb-improved-connect-four" }], seed: 1 })}`, ".banner:not([hidden]), .cell.playable"],
  backgammon: async (page) => [`#/play/${await seated(page, { game: "backgammon", seats: [person, { kind: "mind", mind: "zoo:actr-improved-backgammon" }], seed: 2 })}`, ".points-board .cell"],
  reversi: async (page) => [`#/play/${await seated(page, { game: "reversi", moves: ["f5", "d6"], seats: [person, { kind: "mind", mind: "zoo:nhb-improved-reversi" }], seed: 2 })}`, ".cell.playable"],
  analysis: async () => ["#/play/connect-four/4433", ".ranking"],
  puzzles: async () => ["#/puzzles/tic-tac-toe/1", ".grade"],
  edit: async () => ["#/edit/reversi", ".edit-board .cell"],
  men: async () => ["#/edit/backgammon", ".edit-board .cell"],
  rules: async () => ["#/rules", ".rules-card"],
  teach: async () => ["#/teach", ".tour-step"],
  learn: async () => ["#/learn", ".setup-form"],
  mind: async () => ["#/mind/connect-four/zoo:odds-connect-four", ".line-picture"],
  ranker: async () => ["#/mind/connect-four/zoo:ranker-connect-four", ".chunk-table"],
  evolved: async () => ["#/mind/connect-four/zoo:coevolution-improved-connect-four", ".worth-bar"],
  compare: async () => ["#/compare", ".checks"],
  papers: async () => ["#/papers", ".paper"],
  claims: async () => ["#/papers/claims", ".claims"],
  games: async () => ["#/games", "table, .card"],
};

/** The pairs of things that are seen and lie over each other, where one is not inside the other. */
function overlaps() {
  const wanted = "button, a, select, input:not([type=radio]), h1, h2, h3, summary, .board, .strip, .banner, .card, .eval-bar";
  const seen = [...document.querySelectorAll(wanted)].filter((element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (!element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })) return false;
    // What is scrolled out of its list is not seen.
    const list = element.closest(".checks, .plies, .all-moves, .links, .scroll")?.getBoundingClientRect();
    if (list && (box.top + box.height / 2 > list.bottom || box.top + box.height / 2 < list.top || box.left + box.width / 2 > list.right)) return false;
    // What is fixed or sticky lies over what passes below it; cells lie on their board.
    return box.width > 2 && box.height > 2 && !element.closest(".cells, .top, .start-row, .unseen, .skip, .tip") && style.position !== "sticky";
  });
  const found = [];
  for (let one = 0; one < seen.length; one++) {
    for (let other = one + 1; other < seen.length; other++) {
      const [a, b] = [seen[one], seen[other]];
      if (a.contains(b) || b.contains(a)) continue;
      const [x, y] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
      const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
      if (wide > 2 && high > 2) found.push(`${a.tagName}.${a.className} "${a.textContent.slice(0, 20)}" over ${b.tagName}.${b.className} "${b.textContent.slice(0, 20)}"`);
    }
  }
  return found;
}

for (const width of WIDTHS) {
  test(`every view at ${width} pixels: nothing too wide, nothing over something else`, async ({ browser, address }) => {
    const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
    const page = await open(browser, address, { viewport: { width, height: width < 500 ? 844 : 900 }, ...phone });
    for (const [name, view] of Object.entries(VIEWS)) {
      const [hash, ready] = await view(page);
      await page.goto(`${address}/${hash}`);
      await page.waitForSelector(ready);
      await page.waitForTimeout(150);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${name} is ${wide} pixels too wide at ${width}`);
      const over = await page.evaluate(overlaps);
      check(over.length === 0, `${name} at ${width}: ${over.slice(0, 3).join("; ")}`);
      const shown = await page.locator("nav a").evaluateAll((links) => links.filter((link) => link.getBoundingClientRect().right > innerWidth || link.getBoundingClientRect().left < 0).length);
      check(shown === 0, `the navigation hides ${shown} views at ${width}`);
      await scan(page, `${name} at ${width}`);
      await shootView(page, `${name}-${width}`);
    }
    if (width < 500) {
      await page.goto(`${address}/#/play`);
      const start = await page.getByRole("button", { name: "Start the game" }).boundingBox();
      check(start.y + start.height <= 844, "Start lies below the screen of a phone");
    }
    quiet(page);
  });
}

test("a comparison of many players fits", async ({ browser, address }) => {
  for (const width of [390, 1280]) {
    const page = await open(browser, address, { viewport: { width, height: 900 } });
    await page.goto(`${address}/#/compare`);
    await page.waitForSelector(".checks");
    await page.locator(".setup-form select").selectOption("tic-tac-toe");
    await page.getByLabel("Games a pairing").fill("4");
    for (const box of (await page.locator(".check input").all()).slice(0, 8)) await box.check();
    for (const box of (await page.locator(".check input").all()).slice(8)) await box.uncheck();
    await page.getByLabel("Positions a move").fill("50");
    await page.getByRole("button", { name: "Start comparing" }).click();
    await page.getByText("· done").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `the table of eight is ${wide} pixels too wide at ${width}`);
    await scan(page, `a comparison at ${width}`);
    quiet(page);
  }
});

test("a move is answered within 50 ms, and discs fall at 60 frames a second", async ({ browser, address }) => {
  const page = await open(browser, address, { reducedMotion: "no-preference" });
  const id = await seated(page, { game: "connect-four", seats: [person, { kind: "mind", mind: "random" }], seed: 1 });
  await page.goto(`${address}/#/play/${id}`);
  await page.waitForSelector(".cell.playable");
  const measured = await page.evaluate(async () => {
    const times = [];
    const frames = [];
    for (let move = 0; move < 4; move++) {
      const before = document.querySelectorAll(".ply").length;
      const cell = document.querySelectorAll(".cell.playable")[(move * 3) % 7];
      const begun = performance.now();
      cell.click();
      while (document.querySelectorAll(".ply").length <= before) await new Promise((next) => setTimeout(next, 1));
      times.push(performance.now() - begun);
      // The disc falls: every frame until its animation is over.
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      let last = performance.now();
      while (document.getAnimations().some((animation) => animation.playState === "running" && animation.effect?.target?.closest?.(".pieces"))) {
        const now = await new Promise((next) => requestAnimationFrame(next));
        frames.push(now - last);
        last = now;
      }
      while (document.querySelectorAll(".ply").length < before + 2 && !document.querySelector(".banner:not([hidden])")) await new Promise((next) => setTimeout(next, 5));
      await new Promise((next) => setTimeout(next, 700));
    }
    const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
    return { answer: Math.min(...times), frame: middle(frames), frames: frames.length };
  });
  const limit = crowding();
  console.log(`    answered in ${measured.answer.toFixed(0)} ms, ${(1000 / measured.frame).toFixed(0)} frames a second over ${measured.frames} frames (the machine is ${limit.toFixed(1)} times taken)`);
  check(measured.answer < 50 * limit, `a move took ${measured.answer.toFixed(0)} ms`);
  check(measured.frames > 10, "nothing falls");
  check(measured.frame < 17.5 * Math.max(1, limit / 2), `a frame took ${measured.frame.toFixed(1)} ms`);
  quiet(page);
});
