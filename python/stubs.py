"""Writes python/ludens/_core.pyi from what the compiled library says of itself.

    python python/stubs.py            # anew
    python python/stubs.py --check    # fails where it is another

The signatures, their types and the words are those of the Rust code (`#[pyo3(signature = …)]`, doc comments), which PyO3 keeps in the library and maturin reads. Four
things it cannot know yet are put in here: exceptions, constants, `__all__`, and that a sequence is asked for and not anything with an index.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUB = ROOT / "python/ludens/_core.pyi"
IMPORTS = """\
from collections.abc import Callable, Sequence
from types import TracebackType

import numpy as np
import numpy.typing as npt
"""


def raw() -> str:
    """What maturin reads from the library."""
    with tempfile.TemporaryDirectory() as out:
        words = [sys.executable, "-m", "maturin", "generate-stubs", "--quiet", "--out", out]
        subprocess.run(words, cwd=ROOT, check=True)
        return (Path(out) / "ludens/_core.pyi").read_text()


def mended(text: str) -> str:
    """The stub of what was read."""
    # The package that is installed, not its sources beside this script.
    sys.path[:] = [place for place in sys.path if Path(place).resolve() != ROOT / "python"]
    from ludens import _core

    # Ours to begin with; what is there in whole needs no way out.
    text = text.replace("from _typeshed import Incomplete, SupportsGetItem\n", IMPORTS)
    text = text.replace("def __getattr__(name: str) -> Incomplete: ...\n", "")
    text = text.replace("SupportsGetItem[int, ", "Sequence[")
    # Types that are written by hand stand there as texts.
    text = re.sub(r'(: |-> )"([^"\n]+)"(?=[,:)]| =)', r"\1\2", text)
    text = text.replace("def __next__(self, /) -> dict:", "def __next__(self, /) -> dict[str, float]:")
    names = sorted(_core.__all__)
    listed = "".join(f'    "{name}",\n' for name in names)
    exceptions = "".join(
        f'class {name}({kind.__base__.__name__}):\n    """\n    {kind.__doc__}\n    """\n\n'
        for name in names
        if isinstance(kind := getattr(_core, name), type) and issubclass(kind, Exception)
    )
    head, mark, rest = text.partition("\n@final\n")
    return f"{head}\n__all__ = [\n{listed}]\n\n__version__: str\n\n{exceptions}{mark.lstrip()}{rest.rstrip()}\n"


def main() -> int:
    """Writes it, or says that it is another."""
    made = mended(raw())
    if "--check" not in sys.argv:
        STUB.write_text(made)
    elif STUB.read_text() != made:
        print(f"{STUB} is not what the library says: run `python python/stubs.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
