"""How long it takes until the README's Python example has run: a fresh virtual environment, `pip install .`, the example.

    python python/bench/install.py                          from nothing built, in a folder of its own
    python python/bench/install.py --log LOG COMMIT         what `cargo xtask test` wrote into LOG at COMMIT

The test command does the same after its other steps have built most of it, and says how long it took. Both write their row of
results/python/install.jsonl, which docs/python.md shows.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measured import cpu_seconds, git, processor

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "results/python/install.jsonl"
#: What the test command says: xtask/src/python.rs.
SAID = re.compile(r"^installed in ([0-9.]+) s, the README's example ran in ([0-9.]+) s$", re.MULTILINE)


def from_nothing() -> dict[str, Any]:
    """Times it; the packages come from the registry or from what cargo and pip have kept of it."""
    constraints = str(ROOT / "python/constraints.txt")
    with tempfile.TemporaryDirectory(prefix="ludens-install-") as scratch:
        place = Path(scratch) / "environment"
        environment = {**os.environ, "PIP_CONSTRAINT": constraints, "PIP_BUILD_CONSTRAINT": constraints}
        environment |= {"CARGO_TARGET_DIR": f"{scratch}/target", "LUDENS_HOME": f"{scratch}/home"}
        before, began = cpu_seconds(), time.perf_counter()
        subprocess.run(["bash", "python/venv.sh", place], check=True, cwd=ROOT)
        pip = [place / "bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "."], check=True, cwd=ROOT, env=environment)
        installed, work = time.perf_counter() - began, cpu_seconds() - before
        began = time.perf_counter()
        subprocess.run([place / "bin/python", "-c", example()], check=True, cwd=scratch, env=environment, stdout=subprocess.DEVNULL)
        ran = time.perf_counter() - began
    return {
        "built_before": f"nothing; {work:.0f} s of processor time", "pip_install_seconds": round(installed),
        "example_seconds": round(ran, 1), "command": "python python/bench/install.py", "commit": commit(),
    }  # fmt: skip


def example() -> str:
    """The README's Python."""
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL))


def commit() -> str:
    """Where it was measured, with a + where files differed."""
    return git("rev-parse", "HEAD")[:10] + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def from_log(log: Path, at: str) -> dict[str, Any]:
    """What a run of the test command said."""
    found = SAID.search(log.read_text())
    if found is None:
        raise SystemExit(f"{log} does not say how long the installation took: is it the output of `cargo xtask test python`?")
    return {
        "built_before": "the program and its tests, by the steps before", "pip_install_seconds": round(float(found[1])),
        "example_seconds": float(found[2]), "command": "cargo xtask test", "commit": git("rev-parse", at)[:10],
    }  # fmt: skip


def main() -> None:
    """Measures, and writes its row."""
    if shutil.which("cargo") is None:
        raise SystemExit("cargo is not here: the package is built from its sources")
    words = sys.argv[1:]
    row = from_log(Path(words[1]), words[2]) if words[:1] == ["--log"] else from_nothing()
    row |= {"processor": processor(), "cores": os.cpu_count()}
    rows = [json.loads(line) for line in RESULT.read_text().splitlines()] if RESULT.exists() else []
    rows = [row, *(other for other in rows if other["built_before"].split(";")[0] != row["built_before"].split(";")[0])]
    RESULT.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    print(RESULT.read_text())


if __name__ == "__main__":
    main()
