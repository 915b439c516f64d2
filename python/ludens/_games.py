"""Games by name, by file, or written in Python."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from . import _core
from ._core import Game


@runtime_checkable
class PythonGame(Protocol):
    """What a game written in Python must have. A state is a value made of numbers, strings and tuples, never changed.

    It may have more: `name`, `summary`, `num_distinct_actions` (every action is below it), `max_game_length`, `lines` (sets of cells that win),
    `board(state)` (rows of x, o and ., the top row first: minds that look at cells and people need it), `action_to_string(state, action)`,
    `chance_outcomes(state)` where `current_player` is -1, and `observation_tensor(state, player)`.
    """

    def new_initial_state(self) -> Any:
        """The state in which a game begins."""

    def current_player(self, state: Any) -> int | None:
        """0 or 1; -1 where dice are to be rolled; None where the game is over."""

    def legal_actions(self, state: Any) -> Sequence[int]:
        """The numbers of the legal moves."""

    def apply_action(self, state: Any, action: int) -> Any:
        """The state after a legal move."""

    def returns(self, state: Any) -> float | Sequence[float]:
        """What the first player has won, from -1 to 1; or what both have."""


def load_game(game: str | os.PathLike[str] | Game | PythonGame) -> Game:
    """A game: by its name (`connect_four`, `line-5x5x4`), a file of rules (`.kif`), or an object with the methods of `PythonGame`."""
    if isinstance(game, Game):
        return game
    if isinstance(game, (str, os.PathLike)):
        return _core.load_game(os.fspath(game))
    opened = _core.own_game(game)
    warnings.warn(
        f"{opened.name} is written in Python: every mind plays it, some thousand times slower than a native game",
        stacklevel=2,
    )
    return opened


def position_of(options: Any) -> Any:
    """The position an environment is asked to begin with: `options["position"]`."""
    if options is not None and not isinstance(options, Mapping):
        raise _core.LudensError(f"options are a dictionary, as in {{'position': '4433'}}, not {options!r}")
    return (options or {}).get("position")
