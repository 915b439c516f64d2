"""Matches, trainings, labels and results: what runs in Rust without the interpreter's lock."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Game, Model, Server, Training
from ._games import PythonGame, load_game
from .thinking import Player, RankingMind, SteppingMind

#: Hears how much is done and how much there is.
Progress = Callable[[int, int], object]


class Playouts(NamedTuple):
    """Random games: what the first player won in each, and how many moves it had, dice included."""

    returns: npt.NDArray[np.float32]
    lengths: npt.NDArray[np.uint32]


def bar(progress: bool | Progress | None, what: str) -> Progress | None:
    """`True` is a bar of `tqdm`, where that is installed; a function is called as it is."""
    if progress is not True:
        return progress or None
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: `pip install tqdm`, or give a function of your own") from error
    shown: Any = tqdm(desc=what, leave=False)

    def tell(done: int, total: int) -> None:
        shown.total = total
        shown.update(done - shown.n)
        if done >= total:
            shown.close()

    return tell


def playouts(
    game: str | Game | PythonGame,
    count: int,
    seed: int = 0,
    *,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Playouts:
    """So many uniformly random games; the same seed gives the same games on any number of threads."""
    return Playouts(*load_game(game).playouts(count, seed, threads, bar(progress, "random games")))


def settings_of(
    games: int,
    seed: int,
    opening_plies: int,
    states: int | None,
    milliseconds: int | None,
    gauntlet: bool,
    sprt: Sequence[float] | None,
) -> str:
    """What a tournament is, as the program writes it down."""
    settings: dict[str, Any] = {
        "format": "gauntlet" if gauntlet else "round-robin",
        "pairs": (games + 1) // 2,
        "seed": seed,
        "opening_plies": opening_plies,
    }
    if states is not None:
        settings["states"] = states
    if milliseconds is not None:
        settings["milliseconds"] = milliseconds
    if sprt is not None:
        low, high = sprt
        settings["sprt"] = {"elo0": low, "elo1": high, "alpha": 0.05, "beta": 0.05}
    return json.dumps(settings)


def arena(
    minds: Sequence[Player],
    game: str | Game | PythonGame,
    games: int = 100,
    *,
    seed: int = 0,
    opening_plies: int = 2,
    states: int | None = None,
    milliseconds: int | None = None,
    gauntlet: bool = False,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """Matches between minds, in pairs that share their opening and their dice: standings with Elo and intervals, pairings, and `table` to print."""
    settings = settings_of(games, seed, opening_plies, states, milliseconds, gauntlet, None)
    return _core.arena(load_game(game), list(minds), settings, threads, bar(progress, "games"))


def train(
    learner: str,
    game: str | Game | PythonGame,
    *,
    steps: int | None = None,
    seed: int = 1,
    out: str | os.PathLike[str] | None = None,
    home: str | os.PathLike[str] | None = None,
    checkpoint: float = 20.0,
) -> Training:
    """A training: iterate over it for the measures of every step, then ask it for its `model()`. It is kept as a run, as `ludens train` does."""
    return Training(learner, load_game(game), steps, seed, out, home, checkpoint)


def label(
    count: int,
    *,
    seed: int = 1,
    first_ply: int = 12,
    last_ply: int = 16,
    all_scores: bool = False,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """Distinct positions of Connect Four with the solver's word: arrays boards, score, best and label (and scores of all moves)."""
    return _core.label(count, seed, first_ply, last_ply, all_scores, None, bar(progress, "positions")).tensors()


def reproduce(
    paper: str,
    *,
    scale: str = "quick",
    seed: int = 1,
    seeds: int | None = None,
    out: str | os.PathLike[str] | None = None,
    home: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> dict[str, Any]:
    """A paper's tables beside ours, as `ludens reproduce` makes them; `ludens.cluster.reproduce` spreads them over machines."""
    folder = Path(out) if out is not None else Path(_core.reproduction_folder(paper, scale, seed, home))
    command = f"ludens.reproduce({paper!r}, scale={scale!r}, seed={seed})"
    told = bar(progress, "units")
    done: dict[str, Any] = _core.reproduce(folder, paper, scale, seed, seeds, home, threads, command, told)["result"]
    return done


def runs(home: str | os.PathLike[str] | None = None) -> Any:
    """Everything that was trained and reproduced, as a frame of pandas or polars, whichever is installed; else a list."""
    return _framed(_core.runs(home), required=False)


def frame(run: int | Training, home: str | os.PathLike[str] | None = None) -> Any:
    """The learning curve of a run as a frame, one row a step and one column a measure: of pandas, else of polars."""
    number, home = (run.run, run.home) if isinstance(run, Training) else (run, home)
    rows: dict[int, dict[str, float]] = {}
    for metric in _core.metrics(number, home):
        rows.setdefault(metric["step"], {"step": metric["step"]})[metric["name"]] = metric["value"]
    return _framed([rows[step] for step in sorted(rows)], required=True)


def _framed(rows: list[Any], required: bool) -> Any:
    try:
        import pandas

        return pandas.DataFrame(rows)
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(rows, infer_schema_length=None)
    except ImportError:
        if required:
            raise ImportError("a frame needs pandas or polars: `pip install pandas`") from None
        return rows


def serve(
    minds: Sequence[RankingMind | SteppingMind] = (),
    games: Sequence[Game | PythonGame] = (),
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    home: str | os.PathLike[str] | None = None,
    block: bool = True,
) -> Server:
    """Serves the page with minds and games of yours in it, until Ctrl-C; with `block=False` until `stop()` of what is returned."""
    server = Server(list(minds), [load_game(game) for game in games], port, host, home)
    if block:
        print(f"Ludens is at {server.url} — press Ctrl+C to stop", flush=True)
        try:
            while server.is_running():
                time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        finally:
            server.stop()
    return server


__all__ = ["Model", "Playouts", "arena", "bar", "frame", "label", "playouts", "reproduce", "runs", "serve", "settings_of", "train"]
