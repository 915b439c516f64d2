"""The command `ludens`: the whole program."""

from __future__ import annotations

import os
import sys

from . import _core


def main() -> int:
    """Runs the program on the words of the command line; returns the code to exit with."""
    # What the program hands over to Python comes back to this one.
    os.environ.setdefault("LUDENS_PYTHON", sys.executable)
    # What Python has not written yet comes before what the program writes.
    sys.stdout.flush()
    return _core.main(["ludens", *sys.argv[1:]])
