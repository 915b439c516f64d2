#!/usr/bin/env bash
# Prints the path of a Chromium, and gets one where there is none: from Debian's packages, with root or without, else from Playwright.
set -euo pipefail
web="$(cd "$(dirname "$0")/.." && pwd)"
kept="${LUDENS_BROWSERS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ludens-browsers}"

say() { echo "$*" >&2; }

works() { [ -x "$1" ] && "$1" --version >/dev/null 2>&1; }

installed() {
  local name path
  for path in "${CHROMIUM:-}" "$kept/chromium"; do
    if [ -n "$path" ] && works "$path"; then echo "$path"; return 0; fi
  done
  [ -n "${LUDENS_OWN_BROWSER:-}" ] && return 1
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    path="$(command -v "$name" 2>/dev/null)" || continue
    if works "$path"; then echo "$path"; return 0; fi
  done
  return 1
}

# As root, or where sudo asks for nothing: the machine's own package manager.
from_apt() {
  command -v apt-get >/dev/null || return 1
  local root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || return 1
    root=(sudo -n)
  fi
  say "installing Chromium from the system's packages"
  "${root[@]}" apt-get update -qq >&2
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >&2
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends fonts-inter >&2 || true
}

# Without root: the same packages, fetched with lists of our own and unpacked in a folder.
from_packages() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  say "unpacking Chromium from the system's packages into $kept"
  local apt="$kept/apt" package
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  local own=(-o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
    -o Debug::NoLocking=true -o APT::Sandbox::User= -o "Dir::Etc::Parts=$apt/none")
  apt-get "${own[@]}" update -qq >&2
  apt-get "${own[@]}" install -y -qq --no-install-recommends --download-only --reinstall chromium chromium-common >&2
  for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$kept/root"; done
  rm -rf "$apt"
  # The launcher of the package looks for its files under /; ours says where they are.
  printf '#!/bin/sh\nhere="%s/root"\nexport LD_LIBRARY_PATH="$here/usr/lib/%s:$here/usr/lib:$here/lib/%s"\nexec "$here/usr/lib/chromium/chromium" "$@"\n' \
    "$kept" "$(uname -m)-linux-gnu" "$(uname -m)-linux-gnu" > "$kept/chromium"
  chmod +x "$kept/chromium"
  works "$kept/chromium"
}

from_playwright() {
  say "installing Playwright's Chromium into $kept"
  mkdir -p "$kept"
  (cd "$web" && PLAYWRIGHT_BROWSERS_PATH="$kept" node node_modules/playwright-core/cli.js install chromium-headless-shell >&2) || return 1
  local found
  found="$(find "$kept" -type f \( -name headless_shell -o -name chrome-headless-shell \) -perm -u+x | head -n 1)"
  [ -n "$found" ] && ln -sf "$found" "$kept/chromium" && works "$kept/chromium"
}

if path="$(installed)"; then echo "$path"; exit 0; fi
for way in from_apt from_packages from_playwright; do
  if ("$way") && path="$(installed)"; then echo "$path"; exit 0; fi
done
say "There is no Chromium, and none could be installed. Install one (Debian: apt-get install chromium) or name it in CHROMIUM."
exit 1
