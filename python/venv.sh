#!/usr/bin/env bash
# Makes a virtual environment at $1. Debian keeps a part of Python's own library apart: it is installed as root, or where sudo asks for nothing.
set -euo pipefail
place=$1
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "The Python package needs Python 3.10 or newer; the program itself does not." >&2; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "$python is too old: the Python package needs 3.10 or newer (PYTHON names another)." >&2; exit 1; }
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
  command -v apt-get >/dev/null || { echo "$python cannot make virtual environments (no ensurepip): install that part of it." >&2; exit 1; }
  root=()
  if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
  echo "installing python3-venv from the system's packages" >&2
  "${root[@]}" apt-get update -qq >&2
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2
fi
"$python" -m venv "$place"
