#!/usr/bin/env bash
# What the page's checks need from npm, as the lock file says; nothing is done where it is there already.
set -euo pipefail
cd "$(dirname "$0")"
command -v npm >/dev/null || { echo "The page's tests need Node 20 or newer with npm; the program itself does not." >&2; exit 1; }
if [ ! -f node_modules/.ludens ] || ! cmp -s package-lock.json node_modules/.ludens; then
  for try in 1 2 3; do
    # Not `npm ci`: it refuses a lock without the packages of other platforms, which not every registry has.
    npm install --no-save --no-audit --no-fund --silent && break
    [ "$try" = 3 ] && { echo "npm install failed: can this machine reach its package registry?" >&2; exit 1; }
    sleep 5
  done
  cp package-lock.json node_modules/.ludens
fi
