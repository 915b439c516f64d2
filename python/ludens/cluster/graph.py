"""A graph of tasks, run on the cores of this machine or by an existing Dask scheduler: the same tasks, the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .. import _core

if TYPE_CHECKING:
    from distributed import Client

#: What a task leaves: files by their names, as bytes. Nothing else travels, so that workers need no disk in common.
Files: TypeAlias = dict[str, bytes]
#: Hears how many tasks are done and how many there are.
Progress: TypeAlias = Callable[[int, int], object]
#: How often Ctrl-C is looked for.
LOOK = 0.1


@dataclass(frozen=True)
class Task:
    """A function of plain arguments and of what the tasks it needs have left, in their order."""

    name: str
    function: Callable[..., Files]
    arguments: tuple[Any, ...]
    needs: tuple[str, ...] = ()


class Store(Protocol):
    """Where finished tasks are kept, so that none is run twice, whatever dies."""

    def done(self) -> set[str]:
        """The names of the tasks that are kept."""

    def load(self, name: str) -> Files:
        """What a task has left."""

    def keep(self, name: str, files: Files) -> None:
        """Keeps what a task has left, whole or not at all."""


def call(version: str, function: Callable[..., Files], arguments: tuple[Any, ...], needs: list[Files]) -> Files:
    """What a worker does: the task, unless it has another version of the package."""
    if version != _core.__version__:
        raise RuntimeError(
            f"this worker has ludens {_core.__version__}, the client {version}: install the same on all of them"
        )
    return function(*arguments, needs=needs)


def digest(what: Any) -> str:
    """A short name for something that can be written as JSON."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def run(
    tasks: Sequence[Task],
    store: Store,
    *,
    name: str,
    client: Client | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Runs what is not kept yet. `name` is that of the whole: a client that comes again under it finds what is still being worked on."""
    order = {task.name for task in tasks}
    if len(order) != len(tasks):
        raise ValueError("two tasks have one name")
    kept = store.done() & order
    pending = [task for task in tasks if task.name not in kept]
    total = len(tasks)

    def keep(task: str, files: Files) -> None:
        store.keep(task, files)
        kept.add(task)
        if progress is not None:
            progress(len(kept), total)

    if progress is not None:
        progress(len(kept), total)
    if client is not None:
        # It needs this module.
        from .scheduler import run_on

        run_on(client, pending, kept, store, keep, name)
    elif pending:
        _run_here(pending, kept, store, keep, workers or os.cpu_count() or 1)


def _run_here(
    pending: list[Task], kept: set[str], store: Store, keep: Callable[[str, Files], None], workers: int
) -> None:
    """On threads: what a task does runs in Rust, without the interpreter's lock."""
    running: dict[Future[Files], str] = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="ludens-unit") as pool:
        try:
            while pending or running:
                ready = [task for task in pending if kept.issuperset(task.needs)]
                for task in ready[: workers - len(running)]:
                    pending.remove(task)
                    needs = [store.load(need) for need in task.needs]
                    future = pool.submit(call, _core.__version__, task.function, task.arguments, needs)
                    running[future] = task.name
                if not running:
                    raise ValueError(f"nothing can go on: {pending[0].name} needs {pending[0].needs}")
                for future in wait(running, timeout=LOOK, return_when=FIRST_COMPLETED).done:
                    keep(running.pop(future), future.result())
        except BaseException:
            for future in running:
                future.cancel()
            # The threads notice it and end; what they were at is not kept.
            _core.stop_work()
            raise


def in_order(names: Iterable[str], needs: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Everything each one needs, directly or not; `names` has what is needed before what needs it."""
    whole: dict[str, tuple[str, ...]] = {}
    for name in names:
        found: dict[str, None] = {}
        for need in needs[name]:
            found.update(dict.fromkeys(whole[need]))
            found[need] = None
        whole[name] = tuple(found)
    return whole
