"""How a cluster scales on this machine, and what it costs.

    python python/bench/cluster.py

Units of an experiment on the cores of this machine and on Dask with one, two and four workers of one thread each, all of them processes of this machine; then empty
tasks, for the overhead of each. Writes results/python/cluster.jsonl, overhead.jsonl and outlook.jsonl, which docs/cluster.md shows.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

import ludens
from ludens import cluster
from ludens.cluster.graph import Files, Task, run

RESULTS = Path(__file__).resolve().parents[2] / "results" / "python"
PAPER, SCALE, SEEDS = "nhb", "smoke", 3
EMPTY = 500


class Memory:
    """A store that forgets at the end."""

    def __init__(self) -> None:
        self.files: dict[str, Files] = {}

    def done(self) -> set[str]:
        return set(self.files)

    def load(self, name: str) -> Files:
        return self.files[name]

    def keep(self, name: str, files: Files) -> None:
        self.files[name] = files


def empty(*, needs: list[Files]) -> Files:
    """A task that does nothing."""
    return {}


def reproduce(folder: Path, **where: Any) -> float:
    """Seconds for the whole experiment."""
    began = time.perf_counter()
    cluster.reproduce(PAPER, scale=SCALE, seeds=SEEDS, out=folder / "out", home=folder / "home", **where)
    return time.perf_counter() - began


def times_of(folder: Path) -> dict[str, float]:
    """Processor time of every unit."""
    return {path.stem.replace("~", "/"): float(path.read_text()) for path in (folder / "out/times").glob("*.txt")}


def chain(times: dict[str, float]) -> float:
    """The longest chain of units that need each other, in processor time."""
    units = ludens.units(PAPER, scale=SCALE, seeds=SEEDS)
    longest: dict[str, float] = {}
    for unit in units:
        before = max((longest[need] for need in unit["needs"]), default=0.0)
        longest[unit["unit"]] = before + times.get(unit["unit"], 0.0)
    return max(longest.values())


def overhead(client: Client | None) -> float:
    """Milliseconds for each of many empty tasks."""
    tasks = [Task(f"{number}", empty, ()) for number in range(EMPTY)]
    began = time.perf_counter()
    run(tasks, Memory(), name=f"ludens-bench-{os.urandom(4).hex()}", client=client)
    return 1000 * (time.perf_counter() - began) / EMPTY


def own_overhead() -> float:
    """Milliseconds that a unit takes beside its own work: a folder, files in, files out. The cheapest units, run again."""
    units = [unit["unit"] for unit in ludens.units("contexts", scale="smoke")][:1]
    from ludens.cluster.tasks import unit as run_one

    spent = []
    for _ in range(5):
        began, busy = time.perf_counter(), time.process_time()
        run_one("contexts", "smoke", 1, None, units[0], needs=[])
        del busy
        spent.append(time.perf_counter() - began)
    files = run_one("contexts", "smoke", 1, None, units[0], needs=[])
    seconds = next((float(content) for name, content in files.items() if name.startswith("times/")), 0.0)
    return 1000 * max(min(spent) - seconds, 0.0)


def write(name: str, rows: list[dict[str, Any]]) -> None:
    """One row a line."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    for row in rows:
        print(row, flush=True)


def main() -> None:
    """Measures and writes."""
    rows, costs = [], []
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as scratch:
        alone = reproduce(Path(scratch), workers=1)
        times = times_of(Path(scratch))
    total, longest = sum(times.values()), chain(times)
    rows.append({"where": "one thread, no Dask", "seconds": round(alone, 1), "units": len(times), "times": 1.0})
    costs.append({"what": "a task in threads of this process", "milliseconds": round(overhead(None), 2)})
    for workers in (1, 2, 4):
        began = time.perf_counter()
        with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as local:  # type: ignore[no-untyped-call]
            with Client(local) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(workers)
                started = time.perf_counter() - began
                each = overhead(client)
                with tempfile.TemporaryDirectory() as scratch:
                    seconds = reproduce(Path(scratch), client=client)
        rows.append(
            {"where": f"Dask, {workers} of one thread, {cores} cores", "seconds": round(seconds, 1), "units": len(times),
             "times": round(alone / seconds, 2)}
        )  # fmt: skip
        costs.append({"what": f"starting {workers} workers", "milliseconds": round(1000 * started)})
        costs.append({"what": f"an empty task, {workers} workers", "milliseconds": round(each, 2)})
    costs.append({"what": "files of a unit in and out", "milliseconds": round(own_overhead(), 2)})
    write("cluster.jsonl", rows)
    write("overhead.jsonl", costs)
    each = next(row["milliseconds"] for row in costs if row["what"].startswith("an empty task, 2")) / 1000
    write("outlook.jsonl", [outlook(workers, total, longest, len(times), each) for workers in (1, 10, 100, 1000)])


def outlook(workers: int, total: float, longest: float, units: int, each: float) -> dict[str, Any]:
    """On paper: work in equal shares, never less than the longest chain nor than the scheduler needs for all tasks."""
    seconds = max(total / workers, longest, units * each)
    return {"workers": workers, "seconds": round(seconds, 1), "times": round(total / seconds, 1)}


if __name__ == "__main__":
    sys.exit(main())
