"""Says what this processor lacks, before anything is loaded that would end with an illegal instruction."""

from __future__ import annotations

import mmap
import platform
from pathlib import Path

_MARK = b"ludens-needs: "
#: What Linux calls an extension where it does not call it as the compiler does.
_LINUX = {"sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "lzcnt": "abm", "sha": "sha_ni"}


def needed(library: Path) -> list[str]:
    """The extensions of the instruction set for which a library was built, read from its file."""
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        place = content.find(_MARK)
        if place < 0:
            return []
        start = place + len(_MARK)
        return content[start : content.find(b";", start)].decode("ascii").split()


def present() -> set[str] | None:
    """The extensions this processor has; None where that cannot be told."""
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "AMD64"):
        return None
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return None
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return set(flags.partition(":")[2].split()) or None


def lacking(needs: list[str], has: set[str] | None) -> list[str]:
    """What is needed and not there."""
    if has is None:
        return []
    return [name for name in needs if _LINUX.get(name, name) not in has]


def check(folder: Path) -> None:
    """Raises ImportError where this processor lacks what the library in `folder` was built for."""
    for library in sorted(folder.glob("_core*.so")):
        missing = lacking(needed(library), present())
        if missing:
            raise ImportError(
                f"this processor lacks {', '.join(missing)}, for which this package was built: "
                "build it here with `pip install .` in the sources of Ludens"
            )
