"""How a cluster scales on this machine, and what it costs.

    python python/bench/cluster.py [scaling] [files] [outlook]

All three, or those that are named. `scaling`: units of an experiment on the cores of this machine and on Dask with one, two and four workers of one thread
each, all of them processes of this machine; then empty tasks, for the overhead of each. `files`: what a unit costs beside its own work. `outlook`: the published
size of every experiment, on paper, from the processor times in results/*/paper.json. They write results/python/cluster.jsonl, overhead.jsonl and outlook.jsonl,
which docs/cluster.md shows.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

import ludens
from ludens import cluster
from ludens.cluster.graph import Files, Task, run
from ludens.cluster.tasks import unit

RESULTS = Path(__file__).resolve().parents[2] / "results" / "python"
PAPER, SCALE, SEEDS = "nhb", "smoke", 3
EMPTY, AGAIN = 500, 200
FILES, LEAST = "files of a unit in and out, median", "files of a unit in and out, least"


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


def overhead(client: Client | None) -> float:
    """Milliseconds for each of many empty tasks."""
    tasks = [Task(f"{number}", empty, ()) for number in range(EMPTY)]
    began = time.perf_counter()
    run(tasks, Memory(), name=f"ludens-bench-{os.urandom(4).hex()}", client=client)
    return 1000 * (time.perf_counter() - began) / EMPTY


def own_overhead() -> list[float]:
    """Milliseconds that a unit takes beside its own work, in every run, the least first: a folder, files in, files out."""
    name = ludens.units("contexts", scale="smoke")[0]["unit"]
    spent = []
    for _ in range(AGAIN):
        began = time.perf_counter()
        files = unit("contexts", "smoke", 1, None, name, needs=[])
        took = time.perf_counter() - began
        own = next(float(content) for file, content in files.items() if file.startswith("times/"))
        spent.append(1000 * (took - own))
    return sorted(spent)


def read(name: str) -> list[dict[str, Any]]:
    """The rows that were written."""
    path = RESULTS / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write(name: str, rows: list[dict[str, Any]]) -> None:
    """One row a line."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    for row in rows:
        print(row, flush=True)


def scaling() -> None:
    """The same experiment without Dask and with more and more workers."""
    rows, costs = [], []
    cores = os.cpu_count() or 1
    units = len(ludens.units(PAPER, scale=SCALE, seeds=SEEDS))
    with tempfile.TemporaryDirectory() as scratch:
        alone = reproduce(Path(scratch), workers=1)
    rows.append({"where": "one thread, no Dask", "seconds": round(alone, 1), "units": units, "times": 1.0})
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
            {"where": f"Dask, {workers} of one thread, {cores} cores", "seconds": round(seconds, 1), "units": units,
             "times": round(alone / seconds, 2)}
        )  # fmt: skip
        called = "1 worker" if workers == 1 else f"{workers} workers"
        costs.append({"what": f"starting {called}", "milliseconds": round(1000 * started)})
        costs.append({"what": f"an empty task, {called}", "milliseconds": round(each, 2)})
    write("cluster.jsonl", rows)
    write("overhead.jsonl", costs + [row for row in read("overhead.jsonl") if row["what"] in (FILES, LEAST)])


def files() -> None:
    """The last rows of the costs. Where a machine has other work, the median has a part of that in it."""
    spent = own_overhead()
    costs = [row for row in read("overhead.jsonl") if not row["what"].startswith("files of")]
    rows = {FILES: spent[len(spent) // 2], LEAST: spent[0]}
    write("overhead.jsonl", costs + [{"what": what, "milliseconds": round(each, 2)} for what, each in rows.items()])


def outlook() -> None:
    """On paper, every experiment at its published size."""
    costs = {row["what"]: row["milliseconds"] / 1000 for row in read("overhead.jsonl")}
    paths = sorted(RESULTS.parent.glob("*/paper.json"))
    write("outlook.jsonl", [planned(path, costs["an empty task, 2 workers"], costs[FILES]) for path in paths])


def planned(path: Path, task: float, files: float) -> dict[str, Any]:
    """Work in equal shares, never faster than the longest chain of units that need each other, nor than the scheduler hands out all tasks.

    A result keeps the processor time of units by their kind, so that a unit is taken to last as long as the mean of its kind."""
    result = json.loads(path.read_text())
    units = ludens.units(result["paper"], scale="paper", seed=result["seed"], seeds=result["seeds"])
    kinds = Counter(unit["unit"].split("/")[0] for unit in units)
    mean = {kind: seconds / kinds[kind] for kind, seconds in result["made"]["cpu_seconds"].items() if kinds[kind]}
    longest: dict[str, float] = {}
    for unit in units:
        before = max((longest[need] for need in unit["needs"]), default=0.0)
        longest[unit["unit"]] = before + files + task + mean.get(unit["unit"].split("/")[0], 0.0)
    total, chain = sum(mean[kind] * kinds[kind] for kind in mean), max(longest.values())
    row = {
        "experiment": result["paper"], "units": len(units), "seconds": round(total), "chain": round(chain, 1),
        "cost_percent": round(100 * len(units) * (files + task) / total, 2),
    }  # fmt: skip
    for workers in (10, 100, 1000):
        seconds = max((total + len(units) * (files + task)) / workers, chain, len(units) * task)
        row[f"times_with_{workers}"] = round(total / seconds, 1)
    return row


PARTS = {"scaling": scaling, "files": files, "outlook": outlook}


def main() -> None:
    """Measures and writes."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
