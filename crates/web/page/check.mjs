// The committed files of the page are those that its sources build, and the first page is small.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const page = path.dirname(fileURLToPath(import.meta.url));
const built = fs.mkdtempSync(path.join(os.tmpdir(), "ludens-page-"));
const bin = (name) => path.join(page, "..", "node_modules", ".bin", name);

function files(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

try {
  execFileSync(bin("tsc"), ["--noEmit", "-p", page], { stdio: "inherit" });
  execFileSync(bin("vite"), ["build", page, "--outDir", built, "--emptyOutDir", "--logLevel", "warn"], { stdio: "inherit" });
  const dist = path.join(page, "dist");
  const [fresh, kept] = [files(built), files(dist)];
  const differs = fresh.join() !== kept.join() || fresh.some((name) => !fs.readFileSync(path.join(built, name)).equals(fs.readFileSync(path.join(dist, name))));
  if (differs) {
    console.error("crates/web/page/dist is not what its sources build: run `npm run build` in crates/web and commit it");
    process.exit(1);
  }
  // The first page is what its HTML names; other views are fetched by those who look at them.
  const html = fs.readFileSync(path.join(dist, "index.html"), "utf8");
  const sum = (names) => names.reduce((bytes, name) => bytes + fs.statSync(path.join(dist, name)).size, 0);
  const first = sum(kept.filter((name) => name === "index.html" || html.includes(name)));
  if (first > 200_000) {
    console.error(`the first page is ${first} bytes; it should stay under 200,000`);
    process.exit(1);
  }
  console.log(`page: built files are up to date, the first page has ${(first / 1000).toFixed(0)} KB, all of it ${(sum(kept) / 1000).toFixed(0)} KB`);
} finally {
  fs.rmSync(built, { recursive: true, force: true });
}
