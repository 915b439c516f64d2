import { serve, browse, open, begin, moved } from "./harness.mjs";
const { address, stop } = await serve();
const browser = await browse();
try {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1100 } })).newPage();
  page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
  await page.goto(`${address}/`);
  await begin(page, "tic-tac-toe", { mind: process.argv[2] ?? "zoo:concepts-tic-tac-toe", level: 4 });
  await moved(page, () => page.locator('.cell[data-cell="4"]').click());
  await page.waitForTimeout(800);
  await page.screenshot({ path: "/tmp/look1.png" });
  await moved(page, () => page.locator(".cell.playable").first().click());
  await page.waitForTimeout(500);
  const names = await page.locator("button").allTextContents();
  console.log(names.join(" | ").slice(0, 500));
  await page.getByRole("button", { name: /my move|judge|How good/i }).first().click().catch((e) => console.log(String(e).slice(0, 200)));
  await page.waitForTimeout(2500);
  await page.screenshot({ path: "/tmp/look2.png" });
} finally { await browser.close(); stop(); }
