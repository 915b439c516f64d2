"""What a worker does: functions of plain arguments that leave files as bytes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from .. import _core
from .._core import Game
from .graph import Files


def write_files(folder: Path, files: Files) -> None:
    """Puts files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def unit(
    paper: str, scale: str, seed: int, seeds: int | None, name: str, *, needs: list[Files]
) -> Files:
    """One unit of an experiment: its outcome, its time and its artefacts."""
    with tempfile.TemporaryDirectory(prefix="ludens-unit-") as scratch:
        folder = Path(scratch)
        for files in needs:
            write_files(folder, files)
        before = {path for part in ("units", "times", "artefacts") for path in (folder / part).glob("*")}
        _core.run_unit(folder, name, paper, scale, seed, seeds)
        made = [path for part in ("artefacts", "times", "units") for path in (folder / part).glob("*")]
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(made)
            if path not in before and path.suffix != ".tmp"
        }


def training(learner: str, game: Game, steps: int | None, seed: int, *, needs: list[Files]) -> Files:
    """A training: the bytes that `ludens train` leaves."""
    del needs
    with tempfile.TemporaryDirectory(prefix="ludens-training-") as scratch:
        # Only the end counts here: no checkpoint is read again.
        trained = _core.Training(learner, game, steps, seed, None, scratch, 1e6).model()
        if trained is None:
            raise RuntimeError("the training was stopped")
        return {"model": trained.to_bytes()}


def measurement(game: Game, against: str, settings: str, *, needs: list[Files]) -> Files:
    """A trained player against somebody: the report of the arena."""
    player = _core.Model.from_bytes(needs[0]["model"])
    report = _core.arena(game, [player, against], settings, 1)
    return {"report": json.dumps(report, sort_keys=True).encode()}


def pairs(game: Game, minds: list[Any], settings: str, units: tuple[int, int], *, needs: list[Files]) -> Files:
    """Some pairs of games of a tournament."""
    del needs
    return {"pairs": _core.pairs(game, minds, settings, units)}


def labels(settings: dict[str, Any], part: tuple[int, int], *, needs: list[Files]) -> Files:
    """Some labelled positions."""
    del needs
    return {"labels": _core.label(**settings, part=part).to_bytes()}
