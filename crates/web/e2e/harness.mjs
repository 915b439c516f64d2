// The server, the browser, and the few helpers the tests share.

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { smaller } from "./png.mjs";

/** Every test, in the order of the files. */
export const tests = [];
export const test = (name, run) => tests.push([name, run]);

/** Generous: a machine that is busy with trainings starves the browser first. */
const PATIENCE = 120_000;

const here = path.dirname(fileURLToPath(import.meta.url));
export const images = path.join(here, "..", "..", "..", "docs", "images");
const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts `ludens serve` on a free port and waits for the address it prints. */
export async function serve() {
  const program = process.env.LUDENS;
  if (!program) throw new Error("LUDENS must name the ludens program; run crates/web/e2e/run.sh");
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "ludens-e2e-"));
  const child = spawn(path.resolve(program), ["serve", "--port", "0"], { cwd: home, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, LUDENS_HOME: home } });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/\S+?:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`ludens serve ended with ${code}`)));
  });
  return {
    address,
    stop: () => {
      child.kill();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function browse() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** A page that fails the test on any error in the console. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1240, height: 860 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.problems.push(message.text());
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  if (process.env.LUDENS_PAGE) await overlay(page, address, process.env.LUDENS_PAGE);
  await page.goto(`${address}/`);
  await page.waitForSelector("main h1");
  return page;
}

/** While working on the page: its files from a folder instead of those inside the program. */
async function overlay(page, address, folder) {
  const served = await (await fetch(`${address}/`)).text();
  const token = /ludens-token" content="([0-9a-f]+)"/.exec(served)[1];
  const types = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html" };
  await page.route((url) => url.pathname === "/" || url.pathname.startsWith("/assets/"), (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    const body = fs.readFileSync(path.join(folder, name), "utf8").replace("__LUDENS_TOKEN__", token);
    return route.fulfill({ body, contentType: types[path.extname(name)] });
  });
}

export function check(condition, text) {
  if (!condition) throw new Error(text);
}

export function quiet(page) {
  check(page.problems.length === 0, `the console says: ${page.problems.join(" | ")}`);
}

/** An accessibility scan in light and in dark; any finding fails. */
export async function scan(page, what) {
  // A view that is being left is inert: what comes after it is to be looked at.
  await page.waitForFunction(() => !document.querySelector("main > [inert]"));
  // The page's policy allows no inline script, so axe is put in by the debugger.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const own = await page.evaluate(() => document.documentElement.dataset.theme);
  for (const theme of ["light", "dark"]) {
    const found = await page.evaluate(async (theme) => {
      document.documentElement.dataset.theme = theme;
      // Colours that fade from one theme to the other would be read halfway.
      await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
      const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`);
    }, theme);
    check(found.length === 0, `axe finds in ${what}, ${theme}:\n  ${found.join("\n  ")}`);
  }
  await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), own);
}

/** With VIEWS=FOLDER, a picture of every view at every width, to be looked at; they are too many to keep. */
export async function shootView(page, name) {
  if (!process.env.VIEWS) return;
  fs.mkdirSync(process.env.VIEWS, { recursive: true });
  await page.screenshot({ path: path.join(process.env.VIEWS, `${name}.png`) });
}

export async function shoot(page, name, options = {}) {
  if (!process.env.PICTURES) return;
  fs.mkdirSync(images, { recursive: true });
  await page.waitForTimeout(120);
  fs.writeFileSync(path.join(images, `${name}.png`), smaller(await page.screenshot(options)));
}

/** Begins a game as the page would, from a position; its number. */
export async function seated(page, session) {
  const token = await page.locator('meta[name="ludens-token"]').getAttribute("content");
  return page.evaluate(
    async ([token, session]) => {
      const headers = { "content-type": "application/json", "x-ludens-token": token };
      const answer = await fetch("/api/sessions", { method: "POST", headers, body: JSON.stringify(session) });
      return (await answer.json()).id;
    },
    [token, session],
  );
}

/** Chooses on the first screen and starts a game. */
export async function begin(page, game, { mind = "random", level = 4, starts = "me" } = {}) {
  const { origin } = new URL(page.url());
  // Loaded anew, so that nothing of an earlier view is clicked on.
  await page.goto("about:blank");
  await page.goto(`${origin}/#/play`);
  await page.waitForSelector(".game-card");
  await page.locator(`.game-card input[value="${game}"]`).check({ force: true });
  await page.locator(`.segments input[value="${starts}"]`).check({ force: true });
  await page.locator(".setup-form select").first().selectOption(mind);
  const slider = page.locator(".setup-form input[type=range]").first();
  if ((await slider.count()) > 0) await slider.fill(String(Math.min(level, Number(await slider.getAttribute("max")))));
  await page.getByRole("button", { name: "Start the game" }).click();
  await page.waitForSelector(".board svg");
}

/** Waits until it is the person's turn or the game is over; says which. */
export async function myTurn(page) {
  await page.waitForFunction(() => {
    const over = document.querySelector(".banner:not([hidden])");
    const who = document.querySelector(".strip.active .who")?.textContent;
    return over || (who === "You" && !document.querySelector(".board[aria-busy], .state.thinking"));
  });
  return (await page.locator(".banner:not([hidden])").count()) === 0;
}

/** Makes a move and waits for the answer to it. */
export async function moved(page, act) {
  const plies = await page.locator(".ply").count();
  await act();
  await page.waitForFunction((count) => document.querySelectorAll(".ply").length > count, plies);
  return myTurn(page);
}

/** Where to click next, in one look at the page: a cell that takes a move, or a button for what no cell can do. Waits for its turn. */
function nextClick([pick, plies]) {
  const over = document.querySelector(".banner:not([hidden])");
  if (over) return { over: true };
  const busy = document.querySelector(".board[aria-busy], .state.thinking");
  const mine = document.querySelector(".strip.active .who")?.textContent === "You";
  if (busy || !mine || document.querySelectorAll(".ply").length < plies) return null;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const [targets, sources] = [all('.cell.playable[aria-label*="move here"]'), all('.cell.playable:not([aria-selected="true"])')];
  const choices = targets.length > 0 ? targets : sources.length > 0 ? sources : all(".choices > .choice");
  const chosen = choices[pick % choices.length];
  if (!chosen) return null;
  chosen.scrollIntoView({ block: "nearest" });
  const box = chosen.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  return { x, y, plies: document.querySelectorAll(".ply").length, hidden: !chosen.contains(hit), what: chosen.getAttribute("aria-label") ?? chosen.textContent };
}

/** Plays a game to its end with real clicks of the mouse; returns how many it took. */
export async function playOut(page) {
  for (let clicks = 0, plies = 0; clicks < 1500; clicks++) {
    const seen = await page.waitForFunction(nextClick, [clicks * 7, plies], { polling: 25 });
    const next = await seen.jsonValue();
    await seen.dispose();
    if (next.over) return clicks;
    check(!next.hidden, `${next.what} lies under something else`);
    await page.mouse.click(next.x, next.y);
    plies = next.plies;
  }
  throw new Error("the game does not end");
}

/** How many times over the machine's cores are wanted; what is timed must allow for it. */
export const crowding = () => Math.max(1, os.loadavg()[0] / os.cpus().length);

/** The widths every view is looked at. */
export const WIDTHS = [390, 768, 1280, 1920];

/** How a window of a width is opened: the narrowest is a phone. */
export const phoneAt = (width) => ({ viewport: { width, height: width < 500 ? 844 : 900 }, ...(width < 500 ? { hasTouch: true, isMobile: true } : {}) });

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
    // What is fixed or sticky lies over what passes below it, and so does an open menu; cells lie on their board.
    return box.width > 2 && box.height > 2 && !element.closest(".cells, .top, .start-row, .unseen, .skip, .tip, .menu-list") && style.position !== "sticky";
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

/** What is seen now: nothing wider than the window, nothing over something else, every view within reach, axe content. */
export async function inspect(page, name, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${name} is ${wide} pixels too wide at ${width}`);
  const over = await page.evaluate(overlaps);
  check(over.length === 0, `${name} at ${width}: ${over.slice(0, 3).join("; ")}`);
  const hidden = await page.locator("nav a").evaluateAll((links) => links.filter((link) => link.getBoundingClientRect().right > innerWidth || link.getBoundingClientRect().left < 0).length);
  check(hidden === 0, `the navigation hides ${hidden} views at ${width}`);
  await scan(page, `${name} at ${width}`);
  await shootView(page, `${name}-${width}`);
}

/** Keeps a figure in the file that MEASURED names: one line of JSON each, with how many times over the machine was taken meanwhile. */
export function measured(row) {
  if (process.env.MEASURED) fs.appendFileSync(process.env.MEASURED, `${JSON.stringify({ ...row, machine_taken_times: Number(crowding().toFixed(1)) })}\n`);
}
