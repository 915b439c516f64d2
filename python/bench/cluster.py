"""How a cluster scales on this machine, and what it costs.

    python python/bench/cluster.py [scaling] [tasks] [outlook]

All three, or those that are named. `scaling`: units of an experiment on the cores of this machine and on Dask with one, two and four workers of one thread
each, all of them processes of this machine. `tasks`: the processor time of an empty task, in all processes together. `outlook`: the published
size of every experiment, on paper, from the processor times in results/*/paper.json, an empty task's, and what a unit of it is measured to take beside its
work. They write results/python/cluster.jsonl, overhead.jsonl and outlook.jsonl,
which docs/cluster.md shows.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from cost import spent
from distributed import Client, LocalCluster

import ludens
from ludens import cluster
from ludens.cluster.graph import Files, Task, run
from ludens.cluster.scheduler import kind, together
from ludens.cluster.tasks import unit

RESULTS = Path(__file__).resolve().parents[2] / "results" / "python"
PAPER, SCALE, SEEDS = "nhb", "smoke", 3
EMPTY, AGAIN = 500, 3
PLANNED_THREADS = 10


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
    """Milliseconds of processor time for each of many empty tasks, handed over one by one: each has a kind of its own."""
    tasks = [Task(f"{number}", empty, ()) for number in range(EMPTY)]
    began = spent(psutil.Process())
    run(tasks, Memory(), name=f"ludens-bench-{os.urandom(4).hex()}", client=client)
    return 1000 * (spent(psutil.Process()) - began) / EMPTY


def beside(plan: tuple[str, str, int, int | None], name: str) -> float:
    """Seconds of processor time that a unit takes beside its own work, the least of some runs: a folder, files in, files out."""
    found = []
    for _ in range(AGAIN):
        began = time.process_time()
        files = unit(*plan, name, needs=[])
        took = time.process_time() - began
        found.append(took - next(float(content) for file, content in files.items() if file.startswith("times/")))
    return min(found)


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
    rows = []
    cores = os.cpu_count() or 1
    units = len(ludens.units(PAPER, scale=SCALE, seeds=SEEDS))
    with tempfile.TemporaryDirectory() as scratch:
        alone = reproduce(Path(scratch), workers=1)
    rows.append({"where": "one thread, no Dask", "seconds": round(alone, 1), "units": units, "times": 1.0})
    for workers in (1, 2, 4):
        with started(workers) as (client, _), tempfile.TemporaryDirectory() as scratch:
            seconds = reproduce(Path(scratch), client=client)
        rows.append(
            {"where": f"Dask, {workers} of one thread, {cores} cores", "seconds": round(seconds, 1), "units": units,
             "times": round(alone / seconds, 2)}
        )  # fmt: skip
    write("cluster.jsonl", rows)


@contextmanager
def started(workers: int) -> Iterator[tuple[Client, float]]:
    """A cluster of processes of one thread each, and how many seconds it took to start it."""
    began = time.perf_counter()
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as local:  # type: ignore[no-untyped-call]
        with Client(local) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers)
            yield client, time.perf_counter() - began


def tasks() -> None:
    """What is paid for a task, whatever is in it."""
    rows = [{"what": "a task in threads of this process", "milliseconds": round(overhead(None), 2)}]
    for workers in (1, 2, 4):
        with started(workers) as (client, seconds):
            each = overhead(client)
        called = "1 worker" if workers == 1 else f"{workers} workers"
        rows.append({"what": f"starting {called}", "milliseconds": round(1000 * seconds)})
        rows.append({"what": f"an empty task, {called}", "milliseconds": round(each, 2)})
    write("overhead.jsonl", rows)


def outlook() -> None:
    """On paper, every experiment at its published size."""
    costs = {row["what"]: row["milliseconds"] / 1000 for row in read("overhead.jsonl")}
    paths = [path for path in sorted(RESULTS.parent.glob("*/paper.json")) if path.parent.name != "confirmations"]
    write("outlook.jsonl", [planned(path, costs["an empty task, 2 workers"]) for path in paths])


def planned(path: Path, task: float) -> dict[str, Any]:
    """Work in equal shares, never faster than the longest chain of units that need each other, nor than the scheduler hands out all tasks.

    A result keeps the processor time of units by their kind, so that a unit is taken to last as long as the mean of its kind."""
    result = json.loads(path.read_text())
    plan = (result["paper"], "paper", result["seed"], result["seeds"])
    units = ludens.units(*plan)
    kinds = Counter(kind(one["unit"]) for one in units)
    mean = {of: seconds / kinds[of] for of, seconds in result["made"]["cpu_seconds"].items() if kinds[of]}
    free = [one["unit"] for one in units if not one["needs"]]
    each = beside(plan, min(free, key=lambda name: mean.get(kind(name), 0.0)))
    # As they are handed over: short ones together.
    handed = sum(len(together([Task("", empty, ())] * kinds[of], mean.get(of, 0.0), PLANNED_THREADS)) for of in kinds)
    cost = len(units) * each + handed * task
    longest: dict[str, float] = {}
    for one in units:
        before = max((longest[need] for need in one["needs"]), default=0.0)
        longest[one["unit"]] = before + each + task + mean.get(kind(one["unit"]), 0.0)
    total, chain = sum(mean[of] * kinds[of] for of in mean), max(longest.values())
    row = {
        "experiment": result["paper"], "units": len(units), "tasks": handed, "seconds": round(total), "chain": round(chain, 1),
        "milliseconds_a_unit": round(1000 * each, 1), "cost_percent": round(100 * cost / total, 2),
    }  # fmt: skip
    for workers in (10, 100, 1000):
        seconds = max((total + cost) / workers, chain, handed * task)
        row[f"times_with_{workers}"] = round(total / seconds, 1)
    return row


PARTS = {"scaling": scaling, "tasks": tasks, "outlook": outlook}


def main() -> None:
    """Measures and writes."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
