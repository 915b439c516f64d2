"""A graph of tasks on an existing Dask scheduler. Short tasks are handed over together: what Dask takes for one is milliseconds, whatever is in it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from .. import _core
from .graph import Files, Store, Task, call

if TYPE_CHECKING:
    from distributed import Client

#: How long what is handed over together should take: long beside what Dask takes for it, short enough to be lost with a worker.
SECONDS_A_BATCH = 5.0
#: Batches of one kind for every thread of the cluster, where there are tasks enough: the threads shall end together.
BATCHES_A_THREAD = 2
#: What Dask does all the time in each of its processes, whatever they work at (it looks at its memory, its threads and itself many times a second), is
#: more than it does for our tasks. With these it looks less often; they are read where a scheduler or a worker starts.
SETTINGS = {
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "2s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}


#: How the address of a scheduler looks.
ADDRESS = re.compile(r"inproc://[!-~]+|([a-z]+://)?([\w.-]+|\[[0-9a-fA-F:.%\w]+\]):(?P<port>[0-9]{1,5})/?", re.ASCII)


class Done(TypedDict):
    """What a batch leaves."""

    #: What each of its tasks has left.
    files: dict[str, Files]
    #: Why it has not gone to its end: what was done before is not lost.
    error: Exception | None
    #: How long a task of it has taken.
    seconds: float


def batch(version: str, tasks: list[Task], sources: list[Done]) -> Done:
    """What a worker does: these tasks, one after the other. `sources` have what they need: batches, and files that were kept before."""
    found: dict[str, Files] = {}
    for source in sources:
        if source["error"] is not None:
            raise source["error"]
        found.update(source["files"])
    done: dict[str, Files] = {}
    began, spent = time.perf_counter(), time.process_time()
    for task in tasks:
        try:
            done[task.name] = call(version, task.function, task.arguments, [found[need] for need in task.needs])
        except Exception as error:
            if not done:
                raise
            return Done(files=done, error=error, seconds=0.0)
    lasted, spent = time.perf_counter() - began, time.process_time() - spent
    # Where others are at work, too, the first tasks last longer than they are long; where a program of others does the work, it is not ours to see.
    return Done(files=done, error=None, seconds=min(lasted, max(spent, lasted / 4)) / len(tasks))


def kind(task: str) -> str:
    """Tasks of one kind are taken to last about as long as each other."""
    return task.partition("/")[0]


def together(tasks: list[Task], seconds: float, threads: int) -> list[list[Task]]:
    """Tasks of one kind in batches: of some seconds each, and enough of them for all threads."""
    share = -(-len(tasks) // (BATCHES_A_THREAD * threads))
    size = max(1, min(share, int(SECONDS_A_BATCH / max(seconds, 1e-6))))
    return [tasks[low : low + size] for low in range(0, len(tasks), size)]


@dataclass
class Handed:
    """A batch on the scheduler. It is published there, so that it outlives this client and the next one finds it."""

    names: list[str]
    future: Any
    #: The keys of the batches it needs.
    needs: list[str]


@dataclass
class Desk:
    """What one client hands over."""

    client: Client
    name: str
    threads: int
    store: Store
    kept: set[str]
    #: What nobody has been given yet, in order.
    waiting: list[Task]
    #: Where the files of a task will be: a batch, or what was sent there because it had been kept before.
    places: dict[str, Any] = field(default_factory=dict)
    handed: dict[str, Handed] = field(default_factory=dict)
    #: How long a task of this kind takes, and how many were sent to find out.
    seconds: dict[str, float] = field(default_factory=dict)
    tried: dict[str, int] = field(default_factory=dict)
    #: How often something was published.
    times: int = 0
    #: What the keys of this client end in: those of one that was killed may still be going away.
    own: str = field(default_factory=lambda: os.urandom(4).hex())

    def adopt(self) -> None:
        """Takes over what a client that was killed has left there, unless some of it is kept already and would be run again."""
        wanted = {task.name for task in self.waiting}
        datasets = published(self.client, self.name)
        for dataset in datasets:
            self.times = int(dataset.rpartition(".")[2]) + 1
            for key, names, future, needs in self.client.get_dataset(dataset):
                fresh = wanted.issuperset(names) and all(need in self.handed for need in needs)
                useful = not wanted.isdisjoint(names) and future.status not in ("error", "cancelled", "lost")
                # What has its result is not run: the rest of it is worth having.
                if useful and (fresh or any(self.client.who_has([future]).values())):
                    self.handed[key] = Handed(names, future, needs)
                    self.places.update(dict.fromkeys(names, future))
        if self.handed:
            self._publish(list(self.handed))
        # What nobody holds any more ends there.
        for dataset in datasets:
            self.client.unpublish_dataset(dataset)
        self.waiting = [task for task in self.waiting if task.name not in self.places]

    def hand_over(self) -> list[Any]:
        """Hands over whatever can be said how long it takes, and of every other kind one task a thread."""
        ready: dict[str, list[Task]] = {}
        for task in self.waiting:
            if all(need in self.places or need in self.kept for need in task.needs):
                ready.setdefault(kind(task.name), []).append(task)
        batches: list[list[Task]] = []
        for each, tasks in ready.items():
            if each in self.seconds:
                batches += together(tasks, self.seconds[each], self.threads)
            else:
                some = max(0, self.threads - self.tried.get(each, 0))
                self.tried[each] = self.tried.get(each, 0) + len(tasks[:some])
                batches += [[task] for task in tasks[:some]]
        if not batches:
            return []
        given = {task.name for tasks in batches for task in tasks}
        self._send({need for tasks in batches for task in tasks for need in task.needs})
        self.waiting = [task for task in self.waiting if task.name not in given]
        return self._publish([self._submit(tasks) for tasks in batches])

    def _send(self, needs: set[str]) -> None:
        """Sends there what is kept here, all of it at once."""
        missing = sorted(needs - self.places.keys())
        if missing:
            bundles = [Done(files={need: self.store.load(need)}, error=None, seconds=0.0) for need in missing]
            self.places.update(zip(missing, self.client.scatter(bundles, hash=False), strict=True))

    def _submit(self, tasks: list[Task]) -> str:
        names = [task.name for task in tasks]
        sources = {self.places[need].key: self.places[need] for task in tasks for need in task.needs}
        more = f"+{len(names) - 1}" if len(names) > 1 else ""
        key = f"{self.name}-{names[0]}{more}-{self.own}"
        future = self.client.submit(batch, _core.__version__, tasks, list(sources.values()), key=key, pure=True)
        self.handed[key] = Handed(names, future, [need for need in sources if need in self.handed])
        # Only now: no task of a batch may need another one of it.
        self.places.update(dict.fromkeys(names, future))
        return key

    def _publish(self, keys: list[str]) -> list[Any]:
        fresh = [(key, self.handed[key]) for key in keys]
        told = [(key, one.names, one.future, one.needs) for key, one in fresh]
        self.client.publish_dataset(told, name=f"{self.name}.{self.times}", override=True)
        self.times += 1
        return [one.future for _, one in fresh]

    def hear(self, key: str, done: Done, keep: Callable[[str, Files], None]) -> None:
        """Keeps what a batch has left, and knows how long such tasks take."""
        for task, files in done["files"].items():
            if task not in self.kept:
                keep(task, files)
        if done["error"] is not None:
            raise done["error"]
        for each in {kind(task) for task in self.handed[key].names}:
            self.seconds[each] = done["seconds"]


def run_on(
    client: Client, pending: list[Task], kept: set[str], store: Store, keep: Callable[[str, Files], None], name: str
) -> None:
    """Runs these tasks on a scheduler."""
    from distributed import as_completed

    threads = max(1, sum(client.nthreads().values())) if pending else 1
    desk = Desk(client, name, threads, store, kept, list(pending))
    with client.as_current():
        if pending:
            desk.adopt()
        try:
            coming = as_completed([one.future for one in desk.handed.values()] + desk.hand_over(), with_results=True)
            for future, done in coming:
                desk.hear(future.key, done, keep)
                for fresh in desk.hand_over():
                    coming.add(fresh)
            if desk.waiting:
                raise ValueError(f"nothing can go on: {desk.waiting[0].name} needs {desk.waiting[0].needs}")
        except BaseException as error:
            # A client that was killed cannot say good-bye, and its tasks go on; one that leaves by itself takes them along.
            _unpublish(client, name)
            client.cancel([one.future for one in desk.handed.values()])
            raise error
        _unpublish(client, name)


def published(client: Client, name: str) -> list[str]:
    """What is published of a whole, in the order in which it was."""
    found = [str(dataset) for dataset in client.list_datasets() if str(dataset).startswith(f"{name}.")]
    return sorted(found, key=lambda dataset: int(dataset.rpartition(".")[2]))


def _unpublish(client: Client, name: str) -> None:
    for dataset in published(client, name):
        client.unpublish_dataset(dataset)


def forget(client: Client) -> list[str]:
    """Takes everything of Ludens off a scheduler that killed clients have left there; returns the names."""
    names: Iterable[str] = (str(name) for name in client.list_datasets())
    found = [name for name in names if name.startswith("ludens-")]
    for name in found:
        client.unpublish_dataset(name)
    return sorted({name.rpartition(".")[0] for name in found})


def connect(scheduler: str) -> Client:
    """A client of the scheduler at this address."""
    # Without one, Dask would begin a cluster of its own here.
    address = ADDRESS.fullmatch(scheduler) if isinstance(scheduler, str) else None
    if address is None or int(address["port"] or 0) > 65535:
        raise _core.LudensError(f"{scheduler!r} is no address of a scheduler: they look like tcp://host:8786")
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError("--scheduler needs Dask: `pip install distributed`, here and on the workers") from error
    try:
        return Client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError, OverflowError) as error:
        raise _core.LudensError(f"there is no Dask scheduler at {scheduler}: {error}") from error


@contextmanager
def at(client: Client | None, scheduler: str | None) -> Iterator[Client | None]:
    """The client that was given, or one of the scheduler that is closed afterwards; None is this machine alone."""
    if client is not None and not hasattr(client, "publish_dataset"):
        raise _core.LudensError(f"client is a client of Dask (distributed.Client), not {client!r}")
    if client is not None or scheduler is None:
        yield client
        return
    with connect(scheduler) as own:
        yield own
