"""Work for more than one machine: experiments, sweeps, tournaments and labellings as graphs of tasks.

    import ludens.cluster

    ludens.cluster.reproduce("nhb", scale="quick")                                   # the cores of this machine
    ludens.cluster.reproduce("nhb", scale="paper", scheduler="tcp://host:8786")      # an existing Dask scheduler
    ludens.cluster.sweep("nhb", "connect_four", {"depth": [1, 2]}, seeds=3, client=client)

Workers need nothing but this package. What a task leaves travels as bytes and is kept in the home of Ludens as soon as it is done: a client that
died and comes again runs nothing twice. The result is the same bytes as on one machine.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Game, LudensError, Model
from .._games import load_game
from ..lab import Progress, bar, settings_of
from . import tasks
from .graph import Task, digest, in_order, run
from .scheduler import SETTINGS, at, connect, forget
from .stores import Reproduction, Works, write_whole

if TYPE_CHECKING:
    from distributed import Client

#: Pairs of games and positions of one task: seconds of work, which is what a lost worker costs.
PAIRS_A_TASK = 50
POSITIONS_A_TASK = 1_000
#: More tasks are not made: a list of them would fill the memory before anything runs.
MOST_TASKS = 1_000_000

PathLike = str | os.PathLike[str]


def reproduce(
    paper: str,
    *,
    scale: str = "quick",
    seed: int = 1,
    seeds: int | None = None,
    out: PathLike | None = None,
    home: PathLike | None = None,
    client: Client | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """A paper's tables beside ours: its units run wherever there is room, the reports are written here."""
    folder = Path(out) if out is not None else Path(_core.reproduction_folder(paper, scale, seed, home))
    units = _core.open_reproduction(folder, paper, scale, seed, seeds)
    whole = in_order([unit["unit"] for unit in units], {unit["unit"]: unit["needs"] for unit in units})
    plan = (paper, scale, seed, seeds)
    graph = [Task(name, tasks.unit, (*plan, name), needs) for name, needs in whole.items()]
    name = f"ludens-{digest(['reproduce', *plan, _core.__version__])}"
    with at(client, scheduler) as there:
        run(graph, Reproduction(folder, units), name=name, client=there, workers=workers, progress=bar(progress, paper))
    command = f"ludens reproduce {paper} --scale {scale} --seed {seed}"
    # Everything is there: the program puts it together and keeps it in the store of runs.
    return _core.reproduce(folder, paper, scale, seed, seeds, home, 1, command)


def sweep(
    learner: str,
    games: str | Sequence[str],
    settings: Mapping[str, Sequence[Any]] | None = None,
    *,
    seeds: int = 1,
    steps: int | None = None,
    against: str | Sequence[str] = "random",
    matches: int = 100,
    opening_plies: int = 2,
    seed: int = 1,
    out: PathLike | None = None,
    home: PathLike | None = None,
    client: Client | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = None,
) -> list[dict[str, Any]]:
    """Every setting of a learner with every seed on every game, then matches against everybody named: one row each, in a fixed order."""
    games, against = [[one] if isinstance(one, str) else list(one) for one in (games, against)]
    if settings is not None and not isinstance(settings, Mapping):
        raise LudensError(f"settings are lists of values by their names, as in {{'depth': [1, 2]}}, not {settings!r}")
    grid = {key: list(values) for key, values in (settings or {}).items()}
    what = {
        "learner": learner, "games": [load_game(game).name for game in games], "settings": grid, "seeds": seeds, "steps": steps, "against": against,
        "matches": matches, "opening_plies": opening_plies, "seed": seed, "version": _core.__version__,
    }  # fmt: skip
    match = settings_of(matches, seed, opening_plies, None, None, False, None)
    graph, rows = [], []
    _limited(len(games) * math.prod(map(len, grid.values())) * seeds * (1 + len(against)))
    chosen = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    for game, values, number in itertools.product(games, chosen, range(seeds)):
        spec = _spec(learner, values)
        opened = load_game(game)
        # A wrong setting is said before anything runs.
        opened.check_learner(spec)
        trained = f"train/{digest([spec, opened.name, steps, seed + number])}"
        graph.append(Task(trained, tasks.training, (spec, opened, steps, seed + number)))
        for other in against:
            measured = f"measure/{digest([trained, other, match])}"
            graph.append(Task(measured, tasks.measurement, (opened, other, match), (trained,)))
            rows.append(({"game": game, "learner": spec, **values, "seed": seed + number, "against": other}, measured))
    name = digest(what)
    store = Works("sweep", what, name, home)
    with at(client, scheduler) as there:
        run(graph, store, name=f"ludens-{name}", client=there, workers=workers, progress=bar(progress, "sweep"))
    result = [{**row, **_measures(json.loads(store.load(task)["report"]))} for row, task in rows]
    for path in (store.folder / "result.json", *([Path(out)] if out is not None else [])):
        write_whole(path, json.dumps({"sweep": what, "rows": result}, indent=1, sort_keys=True).encode())
    return result


def _limited(tasks: int) -> None:
    if tasks > MOST_TASKS:
        raise LudensError(f"{tasks} tasks are too many at once: at most {MOST_TASKS}, in parts")


def _spec(learner: str, values: Mapping[str, Any]) -> str:
    if not values:
        return learner
    settings = ",".join(f"{key}={value}" for key, value in values.items())
    return f"{learner}{',' if ':' in learner else ':'}{settings}"


def _measures(report: dict[str, Any]) -> dict[str, Any]:
    first = next(standing for standing in report["standings"] if standing["mind"] == report["tournament"]["minds"][0])
    wins, draws, losses = (first[what]["count"] for what in ("wins", "draws", "losses"))
    return {"score": first["score"], "elo": first["elo"], "wins": wins, "draws": draws, "losses": losses}


def arena(
    minds: Sequence[str | Model | Any],
    game: str | Game,
    games: int = 100,
    *,
    seed: int = 0,
    opening_plies: int = 2,
    states: int | None = None,
    gauntlet: bool = False,
    home: PathLike | None = None,
    client: Client | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """A tournament in parts: the report is the one that `ludens.arena` gives. Minds written in Python travel as pickles."""
    opened = load_game(game)
    settings = settings_of(games, seed, opening_plies, states, None, gauntlet, None)
    count = len(minds)
    pairings = count - 1 if gauntlet else count * (count - 1) // 2
    total = pairings * ((games + 1) // 2)
    _limited(total // PAIRS_A_TASK)
    named = [mind if isinstance(mind, str) else f"<{type(mind).__name__}>" for mind in minds]
    what = {"game": opened.name, "minds": named, "settings": settings, "version": _core.__version__}
    # What has no name cannot be found again: it is played anew.
    unnamed = [] if named == list(minds) else [os.urandom(8).hex()]
    name = digest([what, *unnamed])
    graph = [
        Task(f"pairs/{low}", tasks.pairs, (opened, list(minds), settings, (low, min(low + PAIRS_A_TASK, total))))
        for low in range(0, total, PAIRS_A_TASK)
    ]
    store = Works("arena", what, name, home)
    with at(client, scheduler) as there:
        run(graph, store, name=f"ludens-{name}", client=there, workers=workers, progress=bar(progress, "games"))
    return _core.collect_pairs(opened, list(minds), settings, [store.load(task.name)["pairs"] for task in graph])


def label(
    count: int,
    *,
    seed: int = 1,
    first_ply: int = 12,
    last_ply: int = 16,
    all_scores: bool = False,
    out: PathLike | None = None,
    home: PathLike | None = None,
    client: Client | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = None,
) -> Model:
    """Labelled positions of Connect Four in parts: the file is the one that `ludens label` writes."""
    settings = {
        "count": count, "seed": seed, "first_ply": first_ply, "last_ply": last_ply, "all_scores": all_scores,
    }  # fmt: skip
    what = {**settings, "version": _core.__version__}
    name = digest(what)
    _limited(count // POSITIONS_A_TASK)
    graph = [
        Task(f"labels/{low}", tasks.labels, (settings, (low, min(low + POSITIONS_A_TASK, count))))
        for low in range(0, count, POSITIONS_A_TASK)
    ]
    store = Works("labels", what, name, home)
    with at(client, scheduler) as there:
        run(graph, store, name=f"ludens-{name}", client=there, workers=workers, progress=bar(progress, "positions"))
    joined = _core.collect_labels([Model.from_bytes(store.load(task.name)["labels"]) for task in graph])
    if out is not None:
        joined.save(out)
    return joined


__all__ = ["SETTINGS", "arena", "connect", "forget", "label", "reproduce", "sweep"]
