// Plays Ludens as people do: by clicking, by keys, with a look at every view. With PICTURES=1 the pictures in docs/images are made anew.

import { browse, serve, tests } from "./harness.mjs";
import "./tests/first.mjs";
import "./tests/play.mjs";
import "./tests/analysis.mjs";
import "./tests/learning.mjs";
import "./tests/rules.mjs";
import "./tests/boards.mjs";
import "./tests/views.mjs";
import "./tests/layout.mjs";
import "./tests/states.mjs";

const only = process.argv.slice(2).join(" ");
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
