#!/usr/bin/env bash
# End-to-end tests in a real browser; installs what is missing. Usage: crates/web/e2e/run.sh [words of a test's name]
# LUDENS names the program; PICTURES=1 makes the pictures of the docs anew.
set -euo pipefail
web="$(cd "$(dirname "$0")/.." && pwd)"
export LUDENS="${LUDENS:-$web/../../target/release/ludens}"
[ -x "$LUDENS" ] || { echo "There is no $LUDENS: cargo build --release -p ludens" >&2; exit 1; }
bash "$web/setup.sh"
CHROMIUM="$(bash "$web/e2e/chromium.sh")"
export CHROMIUM
exec node "$web/e2e/run.mjs" "$@"
