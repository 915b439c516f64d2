"""A game written in Python is a game for every mind."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from conftest import Corners, Nim

import ludens


@pytest.fixture
def corners() -> ludens.Game:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ludens.load_game(Corners())


def test_searches_play_it_perfectly(nim: ludens.Game) -> None:
    thinker = ludens.mind("alphabeta:depth=10", nim)
    state = nim.new_initial_state()
    thought = thinker.think(state)
    assert thought.label == "3", "leave four, and whatever is taken, the rest is won"
    assert thought.cost.states > 0
    while not state.is_terminal():
        state.apply_action(thinker.step(state))
    assert state.returns() == [1.0, -1.0]


def test_it_meets_in_the_arena_and_is_the_same_with_every_seed(nim: ludens.Game) -> None:
    reports = [ludens.arena(["alphabeta:depth=8", "random", "uct:sims=50"], nim, 20, seed=3, threads=n) for n in (1, 3)]
    assert reports[0] == reports[1]
    assert reports[0]["standings"][0]["mind"] == "alphabeta:depth=8"


def test_learners_learn_it(corners: ludens.Game) -> None:
    training = ludens.train("nhb", corners, steps=2)
    measures = list(training)
    assert [measure["step"] for measure in measures] == [1, 2]
    model = training.model()
    assert model is not None and model.game == "corners"
    assert ludens.mind(model, corners).think(corners.new_initial_state()).ranking


def test_bulk_works_too(corners: ludens.Game) -> None:
    random_games = ludens.playouts(corners, 50, seed=1)
    assert set(np.unique(random_games.returns)) <= {-1.0, 0.0, 1.0}
    assert random_games.lengths.min() >= 3
    states = [corners.new_initial_state().child(cell) for cell in range(4)]
    assert corners.encode_batch(states, 0).tolist() == np.eye(4).tolist()
    assert (corners.encode_batch(states) == -np.eye(4)).all(), "as whoever is to move sees it"


def test_it_travels(nim: ludens.Game) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        state = pickle.loads(pickle.dumps(nim.new_initial_state().child(2)))
    assert state.serialize() == "(5, 1)" and state.legal_actions() == [1, 2, 3]


@pytest.mark.parametrize("method", ["new_initial_state", "current_player", "legal_actions", "apply_action", "returns"])
def test_what_it_raises_is_raised(method: str) -> None:
    class Broken(Nim):
        """Works until it is told not to."""

        broken = False

    def fail(*_: object) -> None:
        raise ZeroDivisionError(method)

    whole = Broken()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = ludens.load_game(whole)
    setattr(whole, method, fail)
    for use in (
        lambda: game.playouts(20),
        lambda: ludens.arena(["alphabeta:depth=4", "random"], game, 4),
        lambda: ludens.mind("uct:sims=20", game).think(game.new_initial_state()),
        lambda: game.perft(9),
    ):
        with pytest.raises(ZeroDivisionError, match=method):
            use()
    delattr(whole, method)
    assert game.playouts(5)[0].shape == (5,), "and afterwards it works again"


def test_a_game_without_an_end_is_ended() -> None:
    class Endless(Nim):
        def apply_action(self, state: tuple[int, int], action: int) -> tuple[int, int]:
            return (state[0], 1 - state[1])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = ludens.load_game(Endless())
    with pytest.raises(ValueError, match="did not end"):
        game.playouts(1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"legal_actions": None}, "needs a method legal_actions"),
        ({"name": "No Name"}, "is no name of a game"),
        ({"new_initial_state": lambda self: frozenset([1]), "current_player": lambda self, state: 0}, "cannot be read back"),
        ({"returns": lambda self, state: [1.0, 1.0], "current_player": lambda self, state: None}, "the other loses"),
        ({"board": lambda self, state: ["x", "xx"]}, "rows of one length"),
        ({"board": lambda self, state: ["q"]}, "x is the first player's"),
        ({"lines": [[0, 99]], "board": lambda self, state: [".."]}, "lines names cell 99"),
    ],
)
def test_what_is_no_game_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        ludens.load_game(type("Nim", (Nim,), change)())


class Coin:
    """Guess a coin that is thrown after the guess; heads is three times as likely."""

    name = "coin"
    num_distinct_actions = 2

    def new_initial_state(self) -> str:
        return ""

    def current_player(self, state: str) -> int | None:
        return [0, -1, None][len(state)]

    def legal_actions(self, state: str) -> list[int]:
        return [0, 1]

    def apply_action(self, state: str, action: int) -> str:
        return state + str(action)

    def returns(self, state: str) -> float:
        return 1.0 if state[0] == state[1] else -1.0

    def chance_outcomes(self, state: str) -> list[tuple[int, float]]:
        return [(0, 0.75), (1, 0.25)]


def test_dice_are_part_of_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = ludens.load_game(Coin())
    thought = ludens.mind("expectimax:depth=2", game).think(game.new_initial_state(), explain=2)
    assert {c.action: round(c.value, 6) for c in thought.ranking} == {0: 0.5, 1: -0.5}
    thrown = game.new_initial_state().child(0)
    assert thrown.is_chance_node() and thrown.chance_outcomes() == [(0, 0.75), (1, 0.25)]
    share = (ludens.playouts(game, 4000, seed=2).returns == 1).mean()
    assert abs(share - 0.5) < 0.05, "a random guess is right half the time"
