"""The program's bench as built for this processor and for the baseline, side by side.

    cargo xtask test baseline && python python/bench/processors.py

Writes results/python/processors.jsonl, which docs/python.md shows.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {which: ROOT / f"target/environments/{which}/bin/ludens" for which in ("native", "baseline")}
GROUPS = ["games", "search"]
ROUNDS = 2


def bench(program: Path, group: str) -> dict[str, float]:
    """The rows of a group: what is done a second."""
    told = subprocess.run([program, "bench", group, "--seconds", "0.5", "--json"], check=True, capture_output=True, text=True)
    return {f"{group}: {row['name']}": row["rate"] for row in rows_of(json.loads(told.stdout))}


def rows_of(told: Any) -> list[dict[str, Any]]:
    """Rows with a name and a rate."""
    return [row for row in told if "rate" in row]


def main() -> None:
    """Measures both in turn and writes."""
    rates: dict[str, dict[str, list[float]]] = {}
    for _ in range(ROUNDS):
        for group in GROUPS:
            for which, program in PROGRAMS.items():
                for name, rate in bench(program, group).items():
                    rates.setdefault(name, {}).setdefault(which, []).append(rate)
    lines = []
    for name, both in rates.items():
        native, baseline = (statistics.median(both[which]) for which in ("native", "baseline"))
        row = {"bench": name, "native": round(native), "baseline": round(baseline)}
        lines.append({**row, "percent_of_native": round(100 * baseline / native, 1)})
    path = ROOT / "results/python/processors.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    print(path.read_text())


if __name__ == "__main__":
    sys.exit(main())
