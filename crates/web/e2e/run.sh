#!/usr/bin/env bash
# End-to-end tests in a real browser. Installs what is missing, then plays. Usage: crates/web/e2e/run.sh [--build]
set -euo pipefail
web="$(cd "$(dirname "$0")/.." && pwd)"
root="$(cd "$web/../.." && pwd)"

if ! command -v chromium >/dev/null; then
  apt-get update -qq && apt-get install -y -qq chromium >/dev/null
fi
if ! fc-list 2>/dev/null | grep -qi "inter"; then
  # The font of the screenshots; the page itself takes what the system has.
  apt-get install -y -qq fonts-inter >/dev/null || true
fi
if [ ! -d "$web/node_modules/playwright-core" ] || [ ! -d "$web/node_modules/vite" ]; then
  (cd "$web" && npm ci --no-audit --no-fund --silent)
fi
if [ "${1:-}" = "--build" ] || [ ! -x "${LUDENS:-$root/target/release/ludens}" ]; then
  (cd "$root" && cargo build --release -p ludens)
fi
(cd "$web" && node page/check.mjs)
LUDENS="${LUDENS:-$root/target/release/ludens}" node "$web/e2e/run.mjs"
