"""What a cluster costs beside the work, in processor time: others may be at work on this machine.

    python python/bench/cost.py [EXPERIMENT:KIND:COUNT …]

Units of one kind of an experiment at its published size, on Dask with two workers of one thread each and `ludens.cluster.SETTINGS`, all of them processes of this
machine: the shortest units there are, and longer ones. What is counted as cost: the processor time of scheduler, client and workers from the first unit to
the last, without what the units say they took themselves. A unit counts all that its process spends meanwhile, so that the time of Dask's own threads in the
workers is added: some of it is counted twice, none is left out. What an idle cluster spends in as many seconds is taken off, because others make the run
last longer, and given beside it as a share of the workers' time, with the settings and without. `waited` is the share of the workers' time between
their tasks. Writes results/python/cost.jsonl, which docs/cluster.md shows.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask
import psutil
from distributed import Client, LocalCluster, get_task_stream

from ludens import _core, cluster
from ludens.cluster.graph import Task, run
from ludens.cluster.scheduler import kind
from ludens.cluster.stores import Reproduction
from ludens.cluster.tasks import unit

RESULTS = Path(__file__).resolve().parents[2] / "results" / "python"
WORKERS = 2
STANDARD = ["actr:reading:60", "nhb:hidden:30", "concepts:tic-tac-toe:6"]
IDLE_SECONDS = 8.0


def own_threads() -> float:
    """Seconds of processor time of the threads that Python knows in this process: those of the units are Rust's, and end with them."""
    spent = 0.0
    for thread in threading.enumerate():
        if thread.ident is not None:
            spent += time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return spent


@contextmanager
def settings(wanted: bool) -> Iterator[None]:
    """Our settings of Dask, for this process and those it starts."""
    if not wanted:
        yield
        return
    os.environ.update(cluster.SETTINGS)
    dask.config.refresh()
    try:
        yield
    finally:
        for name in cluster.SETTINGS:
            del os.environ[name]
        dask.config.refresh()


def spent(process: psutil.Process) -> float:
    """Seconds of processor time of a process and of all it has started."""
    whole = 0.0
    for one in (process, *process.children(recursive=True)):
        times = one.cpu_times()
        whole += times.user + times.system
    return whole


def waited(stream: list[dict[str, Any]]) -> float:
    """The share of the time between a worker's first task and its last that it spent on none."""
    spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for task in stream:
        if task["key"].startswith("ludens-"):
            for span in task["startstops"]:
                if span["action"] == "compute":
                    spans[task["worker"]].append((span["start"], span["stop"]))
    whole = sum(max(stop for _, stop in of) - min(start for start, _ in of) for of in spans.values())
    return 1 - sum(stop - start for of in spans.values() for start, stop in of) / whole


def graph(folder: Path, paper: str, of: str, count: int) -> tuple[list[Task], Reproduction]:
    """The first units of a kind, as `ludens.cluster.reproduce` has them, and where they are kept."""
    plan = (paper, "paper", 1, None)
    units = _core.open_reproduction(folder, *plan)
    names = [unit["unit"] for unit in units if kind(unit["unit"]) == of and not unit["needs"]][:count]
    return [Task(name, unit, (*plan, name)) for name in names], Reproduction(folder, units)


@contextmanager
def started(with_settings: bool) -> Iterator[tuple[Client, float]]:
    """A cluster, and the seconds of processor time that it spends in a second in which it is idle."""
    with (
        settings(with_settings),
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None) as local,  # type: ignore[no-untyped-call]
        Client(local) as client,  # type: ignore[no-untyped-call]
    ):
        client.wait_for_workers(WORKERS)
        # The first call in a worker loads the library.
        client.run(lambda: __import__("ludens"))
        idle = spent(psutil.Process())
        time.sleep(IDLE_SECONDS)
        yield client, (spent(psutil.Process()) - idle) / IDLE_SECONDS


def measure(paper: str, of: str, count: int, without: float) -> dict[str, Any]:
    """One row."""
    me = psutil.Process()
    with tempfile.TemporaryDirectory() as scratch, started(True) as (client, idle):
        tasks, store = graph(Path(scratch), paper, of, count)
        threads, began, clock = sum(client.run(own_threads).values()), spent(me), time.perf_counter()
        with get_task_stream(client) as stream:  # type: ignore[no-untyped-call]
            run(tasks, store, name=f"ludens-bench-{os.urandom(4).hex()}", client=client)
        whole, dask = spent(me) - began, sum(client.run(own_threads).values()) - threads
        lasted = time.perf_counter() - clock
        units = sum(float(path.read_text()) for path in (Path(scratch) / "times").glob("*"))
    own, beside = units - dask, whole - units + dask - idle * lasted
    return {
        "units": f"{count} of {paper}, {of}", "seconds_a_unit": round(own / count, 2),
        "tasks": sum(task["key"].startswith("ludens-") for task in stream.data),
        "cost_milliseconds_a_unit": round(1000 * beside / count, 1), "cost_percent": round(100 * beside / own, 2),
        "idle_percent": round(100 * idle / WORKERS, 2), "idle_percent_without_settings": round(100 * without / WORKERS, 2),
        "waited_percent": round(100 * waited(stream.data), 2), "times_as_long_as_alone": round(lasted * WORKERS / own, 1),
    }  # fmt: skip


def main() -> None:
    """Measures and writes."""
    with started(False) as (_, without):
        pass
    rows = []
    for words in sys.argv[1:] or STANDARD:
        paper, of, count = words.split(":")
        rows.append(measure(paper, of, int(count), without))
        print(rows[-1], flush=True)
    (RESULTS / "cost.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))


if __name__ == "__main__":
    main()
