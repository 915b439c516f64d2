#!/usr/bin/env bash
# Installs GNU Backgammon from the system's packages where it is missing: as root, or where sudo asks for nothing.
set -euo pipefail
installed() { [ -x "${LUDENS_GNUBG:-}" ] || [ -x /usr/games/gnubg ] || command -v gnubg >/dev/null; }

installed && exit 0
if ! command -v apt-get >/dev/null; then
  echo "There is no gnubg and no apt-get to install it with: install it by hand, or name it in LUDENS_GNUBG." >&2
  exit 1
fi
root=()
if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
echo "installing GNU Backgammon from the system's packages" >&2
"${root[@]}" apt-get update -qq >&2
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gnubg >&2
installed
