"""Game players that learn the way people do, and can say why they moved.

    import ludens

    game = ludens.load_game("connect_four")
    state = game.new_initial_state("4433")
    thought = ludens.mind("nhb-improved", game).think(state)
    print(state, thought)

Games and states have the names people know from OpenSpiel; minds think and say why; `arena`, `train`, `label` and `playouts` run in Rust without
the interpreter's lock. `ludens.cluster` spreads work over machines, `ludens.pettingzoo` and `ludens.gymnasium` are environments.
"""

from __future__ import annotations

from pathlib import Path as _Path

from . import _processor

_processor.check(_Path(__file__).parent)

from ._core import (  # noqa: E402
    Game,
    LudensError,
    Mind,
    Model,
    Server,
    State,
    Training,
    __version__,
    games,
    load_rules,
    papers,
    solve,
    units,
)
from ._games import PythonGame, load_game  # noqa: E402
from .lab import arena, frame, label, playouts, reproduce, runs, serve, train  # noqa: E402
from .thinking import Candidate, Cost, Player, Reason, Thought, mind  # noqa: E402

#: `State.current_player()` where dice are to be rolled.
CHANCE = -1
#: `State.current_player()` where the game is over.
TERMINAL = -4

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Candidate",
    "Cost",
    "Game",
    "LudensError",
    "Mind",
    "Model",
    "Player",
    "PythonGame",
    "Reason",
    "Server",
    "State",
    "Thought",
    "Training",
    "__version__",
    "arena",
    "frame",
    "games",
    "label",
    "load_game",
    "load_rules",
    "mind",
    "papers",
    "playouts",
    "reproduce",
    "runs",
    "serve",
    "solve",
    "train",
    "units",
]
