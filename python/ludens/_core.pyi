"""
The Rust half of the package `ludens`.
"""

from collections.abc import Callable, Sequence
from types import TracebackType

import numpy as np
import numpy.typing as npt
from os import PathLike
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex, final
from typing_extensions import disjoint_base

__all__ = [
    "Game",
    "LudensError",
    "Mind",
    "Model",
    "Server",
    "State",
    "Training",
    "__version__",
    "arena",
    "collect_labels",
    "collect_pairs",
    "games",
    "home",
    "label",
    "load_game",
    "load_rules",
    "main",
    "metrics",
    "needs",
    "open_reproduction",
    "own_game",
    "pairs",
    "papers",
    "reproduce",
    "reproduction_folder",
    "run_unit",
    "runs",
    "solve",
    "stop_work",
    "units",
]

__version__: str

class LudensError(ValueError):
    """
    Something Ludens cannot do, in the words the program uses, with what to do next.
    """

@final
class Game:
    """
    A game: native, from rules, or written in Python.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, Any]: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def check_learner(self, /, learner: str) -> None:
        """
        Fails, with the reason, unless the learner (`name:key=value,…`) can learn this game.
        """
    def deserialize_state(self, /, text: str) -> State:
        """
        The state that `serialize` wrote, or that a person did.
        """
    def encode_batch(self, /, states: Sequence[State | str], player: SupportsIndex | None = None) -> npt.NDArray[np.float32]:
        """
        The inputs of many positions as rows of one array: of states, or of their texts; as one player sees them, or as whoever is to move does.
        """
    def learners(self, /) -> list[dict[str, Any]]:
        """
        What a list says of the learners that may learn it.
        """
    def max_game_length(self, /) -> int | None:
        """
        An upper bound on the moves of a game, where there is one.
        """
    def minds(self, /) -> list[dict[str, Any]]:
        """
        What a list says of the minds that may play it: names, how they decide, settings.
        """
    @property
    def name(self, /) -> str:
        """
        The name by which models and tournaments know it.
        """
    def new_initial_state(self, /, text: str | None = None) -> State:
        """
        The position in which a game begins, or the one of a text.
        """
    def num_distinct_actions(self, /) -> int:
        """
        Every number of a move is below this.
        """
    def num_players(self, /) -> int:
        """
        Two play.
        """
    def observation_tensor_shape(self, /) -> list[int]:
        """
        The shape of `observation_tensor`.
        """
    def observation_tensor_size(self, /) -> int:
        """
        The length of `observation_tensor`.
        """
    def perft(self, /, depth: SupportsIndex, position: str | None = None) -> int:
        """
        How many move sequences of so many plies there are from the start, or from a position.
        """
    def playouts(self, /, games: SupportsIndex, seed: SupportsIndex = 0, threads: SupportsIndex | None = None, progress: Callable[[int, int], object] | None = None) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
        """
        So many uniformly random games: what the first player won in each, and how many moves it had, dice included. The same seed gives the same
        games, on one thread or eight.
        """
    @property
    def position_format(self, /) -> str:
        """
        What the text of a position looks like.
        """
    @property
    def summary(self, /) -> str:
        """
        One line about it.
        """
    @property
    def title(self, /) -> str:
        """
        As people write it.
        """

@disjoint_base
class Mind:
    """
    Somebody who can be asked for a move.
    """
    def __new__(cls, /, mind: Any, game: Game) -> Mind:
        """
        A mind by its name (`alphabeta:depth=6`, `nhb`, a model's file), a `Model`, or an object with `rank` or `step`, for a game.
        """
    def __repr__(self, /) -> str: ...
    @property
    def game(self, /) -> Game: ...
    @property
    def name(self, /) -> str: ...
    def step(self, /, state: State, seed: SupportsIndex = 1, states: SupportsIndex | None = None, milliseconds: SupportsIndex | None = None) -> int:
        """
        The move it decides on, and no more.
        """
    def think(self, /, state: State, seed: SupportsIndex = 1, states: SupportsIndex | None = None, milliseconds: SupportsIndex | None = None, explain: SupportsIndex = 2, to: str = "opponent") -> Any:
        """
        Its decision here, and why. `explain` is of how many moves the reasons are wanted, the decision first; `to` is whom they are told.
        """
    def why_not(self, /, state: State, action: SupportsIndex, seed: SupportsIndex = 1, to: str = "opponent") -> dict[str, Any] | None:
        """
        Why not this move: what it loses beside the decision, in sentences, with the line that shows it.
        """

@final
class Model:
    """
    A trained player, or whatever else lies in a checksummed safetensors file.
    """
    def __reduce__(self, /) -> tuple[Any, tuple[bytes]]: ...
    def __repr__(self, /) -> str: ...
    def card(self, /) -> dict[str, Any]:
        """
        Learner, game, ledger, shapes and metadata.
        """
    @staticmethod
    def from_bytes(bytes: bytes) -> Model:
        """
        From the bytes of a file.
        """
    @property
    def game(self, /) -> str:
        """
        What it plays.
        """
    @property
    def learner(self, /) -> str:
        """
        Who made it.
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """
        From a file.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Writes its file, whole or not at all.
        """
    def tensors(self, /) -> dict[str, npt.NDArray[Any]]:
        """
        Its arrays by name.
        """
    def to_bytes(self, /) -> bytes:
        """
        The bytes of its file.
        """
    @staticmethod
    def zoo(name: str, level: SupportsIndex | None = None) -> Model:
        """
        One of those inside the program; the last level where none is named.
        """

@final
class Server:
    """
    A server of the page; it serves until `stop` is called.
    """
    def __enter__(self, /) -> Server: ...
    def __exit__(self, /, *_error: type[BaseException] | BaseException | TracebackType | None) -> None: ...
    def __new__(cls, /, minds: Sequence[Any] = ..., games: Sequence[Game] = ..., port: SupportsIndex = 0, host: str = "127.0.0.1", home: str | PathLike[str] | None = None) -> Server:
        """
        Serves the standard house with these minds and games in it. Port 0 is any free one.
        """
    def __repr__(self, /) -> str: ...
    def is_running(self, /) -> bool:
        """
        Whether it still serves.
        """
    def stop(self, /) -> None:
        """
        Ends it.
        """
    @property
    def url(self, /) -> str:
        """
        Where the page is.
        """

@final
class State:
    """
    A position of a game. `apply_action` changes it in place; `clone` and `child` make others.
    """
    def __copy__(self, /) -> State: ...
    def __deepcopy__(self, /, _memo: Any) -> State: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self, /) -> tuple[Any, tuple[str]]:
        """
        A pickled state is its position; the moves that led to it are not kept.
        """
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def action_to_string(self, /, *words: int) -> str:
        """
        The move as people write it: `action_to_string(action)` or, as in OpenSpiel, `action_to_string(player, action)`.
        """
    def apply_action(self, /, action: SupportsIndex) -> None:
        """
        Plays a move or an outcome of the dice.
        """
    def cells(self, /, action: SupportsIndex) -> list[int]:
        """
        The cells a legal move speaks of, as indices of the board.
        """
    def chance_outcomes(self, /) -> list[tuple[int, float]]:
        """
        The outcomes of the dice with their probabilities; none where a player moves.
        """
    def child(self, /, action: SupportsIndex) -> State:
        """
        Another state, the move played.
        """
    def clone(self, /) -> State:
        """
        Another state, the same.
        """
    def current_player(self, /) -> int:
        """
        0 or 1; -1 where dice are to be rolled, -4 where the game is over.
        """
    def get_game(self, /) -> Game:
        """
        The game; a mind that is shown a state of rules from a file sees no more than the state.
        """
    def history(self, /) -> list[int]:
        """
        The moves played since this state was made, dice included.
        """
    def is_chance_node(self, /) -> bool:
        """
        Whether dice are to be rolled.
        """
    def is_terminal(self, /) -> bool:
        """
        Whether the game is over.
        """
    def legal_actions(self, /, player: SupportsIndex | None = None) -> list[int]:
        """
        The numbers of the legal moves, or of the outcomes of the dice.
        """
    def legal_actions_mask(self, /, player: SupportsIndex | None = None) -> npt.NDArray[np.int8]:
        """
        1 for every legal move, 0 for every other number below `num_distinct_actions`.
        """
    def observation_tensor(self, /, player: SupportsIndex | None = None) -> npt.NDArray[np.float32]:
        """
        The inputs of a network as a player sees them: own stones positive, the other's negative.
        """
    def play(self, /, label: str) -> None:
        """
        Plays the move that people write so.
        """
    def returns(self, /) -> list[float]:
        """
        What each player has won: 1, 0 or -1; zeros while the game goes on.
        """
    def roll(self, /, seed: SupportsIndex) -> None:
        """
        Rolls the dice, while there are any to roll, from the stream of this seed.
        """
    def serialize(self, /) -> str:
        """
        The position as text, which `game.deserialize_state` reads.
        """
    def string_to_action(self, /, label: str) -> int:
        """
        The number of the legal move that people write so.
        """
    def to_dict(self, /) -> dict[str, Any]:
        """
        Everything a screen needs: board, whose turn, moves with their labels and cells, result.
        """

@final
class Training:
    """
    A training: iterate over it for the measures of every step; `model` is there at its end.
    """
    def __iter__(self, /) -> Training: ...
    def __new__(cls, /, learner: str, game: Game, steps: SupportsIndex | None = None, seed: SupportsIndex = 1, out: str | PathLike[str] | None = None, home: str | PathLike[str] | None = None, checkpoint: SupportsFloat | SupportsIndex = 20.0) -> Training:
        """
        Begins a training; the same learner, settings, steps and seed give the same bytes as `ludens train`.
        """
    def __next__(self, /) -> dict[str, float]:
        """
        The measures of the next step: its number under "step", the rest by their names.
        """
    def __repr__(self, /) -> str: ...
    @property
    def folder(self, /) -> Path:
        """
        The folder of the run.
        """
    @property
    def home(self, /) -> Path:
        """
        The folder of the store it is kept in.
        """
    def model(self, /) -> Model | None:
        """
        The trained player; waits for the end of the training. None where it was stopped.
        """
    @property
    def run(self, /) -> int:
        """
        The number of the run in the store.
        """
    @property
    def steps(self, /) -> int:
        """
        How many steps it has at most.
        """
    def stop(self, /) -> None:
        """
        Asks it to end; it stands at a checkpoint then, and `ludens resume` goes on.
        """

def arena(game: Game, minds: Sequence[Any], settings: str, threads: SupportsIndex | None = None, progress: Callable[[int, int], object] | None = None) -> dict[str, Any]:
    """
    Plays a whole tournament and reports it; `progress` hears games played and all games.
    """

def collect_labels(parts: Sequence[Model]) -> Model:
    """
    The parts of a labelling, in their order, as one.
    """

def collect_pairs(game: Game, minds: Sequence[Any], settings: str, parts: Sequence[bytes]) -> dict[str, Any]:
    """
    The report of a tournament whose pairs were played in parts, in their order: the same as if it had been played here.
    """

def games() -> list[dict[str, Any]]:
    """
    The games of the catalogue: name, title, summary and form of a position of each.
    """

def home(named: str | PathLike[str] | None = None) -> Path:
    """
    The folder of all runs.
    """

def label(count: SupportsIndex, seed: SupportsIndex = 1, first_ply: SupportsIndex = 12, last_ply: SupportsIndex = 16, all_scores: bool = False, part: tuple[SupportsIndex, SupportsIndex] | None = None, progress: Callable[[int, int], object] | None = None) -> Model:
    """
    Distinct positions from random play with their exact score and all their best moves: arrays boards, score, best, label (and scores). `part` labels
    some of them, by their places; `collect` puts parts together.
    """

def load_game(name: str) -> Game:
    """
    The game called `name` (`connect_four` is `connect-four`), one whose name says its size, or a file of rules (.kif).
    """

def load_rules(text: str, name: str = "rules") -> Game:
    """
    The game of a text of rules in GDL.
    """

def main(words: Sequence[str]) -> int:
    """
    The whole program on these words, the name of the program first; returns the code to exit with.
    """

def metrics(run: SupportsIndex, home: str | PathLike[str] | None = None) -> list[dict[str, Any]]:
    """
    The learning curve of a run: step, name and value of every measure.
    """

def needs() -> list[str]:
    """
    The extensions of the instruction set that this build uses.
    """

def open_reproduction(folder: str | PathLike[str], paper: str, scale: str = "quick", seed: SupportsIndex = 1, seeds: SupportsIndex | None = None) -> list[dict[str, Any]]:
    """
    Makes the folder of a reproduction, or finds it, and lists its units with whether they are done.
    """

def own_game(object: Any) -> Game:
    """
    A game written in Python: an object with new_initial_state, current_player, legal_actions, apply_action and returns.
    """

def pairs(game: Game, minds: Sequence[Any], settings: str, units: tuple[SupportsIndex, SupportsIndex]) -> bytes:
    """
    Some pairs of a tournament, as bytes that [`collect_pairs`] puts together.
    """

def papers() -> list[dict[str, str]]:
    """
    The experiments: name, title and citation of each.
    """

def reproduce(folder: str | PathLike[str], paper: str, scale: str = "quick", seed: SupportsIndex = 1, seeds: SupportsIndex | None = None, home: str | PathLike[str] | None = None, threads: SupportsIndex | None = None, command: str = "", progress: Callable[[int, int], object] | None = None) -> dict[str, Any]:
    """
    Runs what is not done yet, writes the reports once everything is there, and keeps it in the store of runs, as `ludens reproduce` does.
    """

def reproduction_folder(paper: str, scale: str = "quick", seed: SupportsIndex = 1, home: str | PathLike[str] | None = None) -> Path:
    """
    Where a reproduction goes when nobody says otherwise.
    """

def run_unit(folder: str | PathLike[str], unit: str, paper: str, scale: str = "quick", seed: SupportsIndex = 1, seeds: SupportsIndex | None = None) -> None:
    """
    Runs one unit in a folder that holds what it needs, on one thread; its outcome and its artefacts are files there afterwards. The folder is one
    that is taken away: nothing in it waits for the disk.
    """

def runs(home: str | PathLike[str] | None = None) -> list[dict[str, Any]]:
    """
    Everything that was trained and reproduced.
    """

def solve(moves: str) -> list[int | None]:
    """
    The exact score of every move in a position of Connect Four (column digits): None where the column is full.
    """

def stop_work() -> None:
    """
    Asks everything that is going on to end: Ctrl-C reaches the first thread of Python alone, and others may be at work.
    """

def units(paper: str, scale: str = "quick", seed: SupportsIndex = 1, seeds: SupportsIndex | None = None) -> list[dict[str, Any]]:
    """
    The units of an experiment, and what each needs.
    """
