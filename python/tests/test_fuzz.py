"""Whatever is passed, the answer is a value or an exception of Python: never the end of the process, never a panic."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CATALOGUE, Corners, Nim
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ludens
from ludens import _core

# Threads of other libraries may draw random numbers meanwhile, which Hypothesis takes for ours.
pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")

#: What serves, trains, or writes where it is told to needs limits: test_fuzz_surface.py calls it.
LEFT_OUT = {"main", "Server", "Training", "stop_work", "home", "reproduce", "run_unit", "open_reproduction", "runs", "metrics"}

SMALL = st.integers(-3, 70)
ODD = st.one_of(
    st.none(), st.booleans(), SMALL, st.integers(), st.floats(), st.text(max_size=12), st.binary(max_size=12),
    st.sampled_from(["reversi", "4433", "random", "nhb", "alphabeta:depth=1", "x" * 300, "quick", "contexts", "opponent"]),
    st.lists(SMALL, max_size=3), st.dictionaries(st.text(max_size=3), SMALL, max_size=2),
    st.builds(object), st.just(Nim), st.just(np.zeros(3)), st.sampled_from([float("nan"), 2**64, -(2**63)]),
)  # fmt: skip


def things() -> list[Any]:
    """One of each class of the library, of every game."""
    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        games = [ludens.load_game(name) for name in CATALOGUE] + [ludens.load_game(Nim()), ludens.load_game(Corners())]
    for game in games:
        found += [game, game.new_initial_state()]
    found += [ludens.mind("alphabeta:depth=2", "tic_tac_toe"), ludens.Model.zoo("nhb-connect-four")]
    return found


THINGS = things()
CALLS = sorted(
    {
        (number, name)
        for number, thing in enumerate(THINGS)
        for name in dir(thing)
        if callable(getattr(thing, name)) and name not in ("__class__", "__init_subclass__", "__subclasshook__")
    }
)
FUNCTIONS = sorted(
    name
    for name, thing in vars(_core).items()
    if callable(thing) and name not in LEFT_OUT and not name.startswith("_") and not inspect.isclass(thing)
) + ["Game", "State", "Mind", "Model"]


def survives(call: Any, arguments: list[Any]) -> None:
    try:
        call(*arguments)
    except Exception as error:
        # A panic is no Exception, and would come through; a bug that was caught says so.
        assert "this is a bug" not in str(error), error


FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(FUZZ, max_examples=600)
@given(st.sampled_from(FUNCTIONS), st.lists(ODD, max_size=5))
def test_functions(name: str, arguments: list[Any]) -> None:
    if name == "label" and arguments and isinstance(arguments[0], int) and arguments[0] > 100:
        arguments[0] = 20  # it would only take long
    survives(getattr(_core, name), arguments)


@settings(FUZZ, max_examples=1500)
@given(st.sampled_from(CALLS), st.lists(ODD, max_size=4))
def test_methods(call: tuple[int, str], arguments: list[Any]) -> None:
    number, name = call
    bounded = [min(a, 3) if isinstance(a, int) and name == "perft" else a for a in arguments]
    bounded = [min(a, 500) if isinstance(a, int) and name == "playouts" else a for a in bounded]
    if name == "save":
        return
    survives(getattr(THINGS[number], name), bounded)


@settings(FUZZ, max_examples=200)
@given(st.sampled_from(CATALOGUE), st.lists(SMALL, max_size=60), st.integers(0, 2**63))
def test_games_of_any_numbers(name: str, numbers: list[int], seed: int) -> None:
    state = ludens.load_game(name).new_initial_state()
    for number in numbers:
        legal = state.legal_actions()
        try:
            state.apply_action(number)
            assert number in legal, "what is not legal is not played"
        except (ludens.LudensError, OverflowError):
            assert number not in legal
            if state.is_chance_node():
                state.roll(seed)
            elif legal:
                state.apply_action(legal[number % len(legal)])
    assert sum(state.returns()) == 0 and str(state)


@settings(FUZZ, max_examples=150)
@given(st.sampled_from(CATALOGUE), st.text(max_size=90))
def test_any_text_is_a_position_or_an_error(name: str, text: str) -> None:
    game = ludens.load_game(name)
    try:
        state = game.deserialize_state(text)
    except ludens.LudensError:
        return
    assert game.deserialize_state(state.serialize()) == state


@settings(FUZZ, max_examples=150)
@given(
    st.fixed_dictionaries({}, optional={name: st.one_of(ODD, st.just(lambda *_: 0)) for name in (
        "name", "summary", "lines", "num_distinct_actions", "max_game_length", "board", "observation_tensor",
        "new_initial_state", "current_player", "legal_actions", "apply_action", "returns", "action_to_string", "chance_outcomes",
    )})
)  # fmt: skip
def test_any_object_as_a_game(change: dict[str, Any]) -> None:
    def use() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            game = ludens.load_game(type("Odd", (Nim,), {"name": "odd", **change})())
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 30:
            state.apply_action(state.legal_actions()[0])
        str(state)
        game.encode_batch([state])
        ludens.mind("alphabeta:depth=2", game).step(game.new_initial_state())

    survives(use, [])


@settings(FUZZ, max_examples=150)
@given(ODD, ODD)
def test_any_answer_of_a_mind(answer: Any, how: Any) -> None:
    odd = type("Odd", (), {"rank": lambda self, state: answer, "how": how})()
    survives(lambda: ludens.arena([odd, "random"], "tic_tac_toe", 2), [])


@settings(FUZZ, max_examples=40)
@given(st.lists(ODD, max_size=3), st.lists(ODD, max_size=2))
def test_any_arena_and_training(arguments: list[Any], more: list[Any]) -> None:
    survives(ludens.arena, [arguments, *more])
    survives(lambda: ludens.train(*arguments, steps=1).model(), [])
    survives(lambda: ludens.frame(*more), [])


def test_any_file_as_a_model(tmp_path: Path) -> None:
    path = tmp_path / "odd.safetensors"
    whole = ludens.Model.zoo("nhb-connect-four").to_bytes()
    rng = np.random.default_rng(1)
    for _ in range(300):
        content = bytearray(whole[: rng.integers(len(whole))] if rng.random() < 0.5 else whole)
        for _ in range(rng.integers(4)):
            content[rng.integers(max(len(content), 1)) % max(len(content), 1) : 1] = bytes([rng.integers(256)])
        path.write_bytes(bytes(content))
        survives(ludens.Model.load, [path])
        survives(ludens.Model.from_bytes, [bytes(content)])
