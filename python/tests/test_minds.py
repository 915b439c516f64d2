"""Minds and reasons, and minds written in Python."""

from __future__ import annotations

import math
import shutil
from typing import Any

import pytest

import ludens


class Central:
    """Values the middle columns, and says why."""

    name = "central"
    how = "It likes the middle."

    def rank(self, state: ludens.State) -> list[tuple[int, float, list[tuple[str, float, list[int]]]]]:
        ranked = []
        for action in state.legal_actions():
            child = state.child(action)
            worth = 3.0 - abs(3 - action)
            won = 10.0 if child.is_terminal() and any(child.returns()) else 0.0
            ranked.append((action, worth + won, [("the middle", worth, [action]), ("the game", won, [])]))
        return ranked


class First:
    """Takes the first legal action, as a bot of OpenSpiel would."""

    def step(self, state: ludens.State) -> int:
        return state.legal_actions()[0]


def test_a_thought_is_a_move_a_ranking_words_and_a_cost() -> None:
    game = ludens.load_game("connect_four")
    state = game.new_initial_state("4455")
    thought = ludens.mind("nhb-improved", game).think(state, explain=7)
    assert thought.action in state.legal_actions() and thought.label == state.action_to_string(thought.action)
    assert sorted(c.action for c in thought.ranking) == state.legal_actions()
    assert thought.sentences and thought.how and thought.cost.states > 0 and thought.ledger.games > 0
    assert thought.value == max(c.value for c in thought.ranking if c.bound == "exact")
    assert thought.label in str(thought) and "<svg" in thought._repr_html_()
    assert ludens.mind("nhb-improved", game).think(state, explain=7) == thought


def test_terms_add_up_to_the_value() -> None:
    game = ludens.load_game("connect_four")
    thought = ludens.mind("ranker", game).think(game.new_initial_state("4433"), explain=7)
    assert thought.combine == "Sum"
    for candidate in thought.ranking:
        assert math.isclose(sum(r.worth for r in candidate.reasons), candidate.value, abs_tol=1e-5)


def test_why_not_says_what_a_move_loses() -> None:
    game = ludens.load_game("connect_four")
    state = game.new_initial_state("112233")
    contrast = ludens.mind("solver", game).why_not(state, 0)
    assert contrast is not None and contrast["sentences"][0] == "4 wins: four in a row; 1 does not."
    with pytest.raises(ludens.LudensError, match="not a legal move"):
        ludens.mind("solver", game).why_not(state, 9)


def test_budgets_are_kept_and_not_mixed() -> None:
    game = ludens.load_game("reversi")
    thinker, state = ludens.mind("uct", game), game.new_initial_state()
    assert thinker.think(state, states=500).cost.states <= 500
    with pytest.raises(ludens.LudensError, match="not both"):
        thinker.think(state, states=5, milliseconds=5)
    over = ludens.load_game("tic_tac_toe").new_initial_state("xxxoo....")
    with pytest.raises(ludens.LudensError):
        ludens.mind("random", "tic_tac_toe").think(over)
    with pytest.raises(ludens.LudensError, match="the state is of tic-tac-toe"):
        thinker.think(over)


def test_a_mind_in_python_explains_itself() -> None:
    game = ludens.load_game("connect_four")
    thought = ludens.mind(Central(), game).think(game.new_initial_state("112233"), explain=7)
    assert thought.label == "4" and thought.combine == "Sum"
    assert [reason.worth for reason in thought.reasons] == [3.0, 10.0]
    assert thought.how == "It likes the middle." and thought.cost.states == 7, "its steps were counted"


def test_minds_in_python_meet_others_in_the_arena() -> None:
    report = ludens.arena([Central(), First(), "random", ludens.Model.zoo("nhb-connect-four")], "connect_four", 10, seed=5)
    assert [s["mind"] for s in report["standings"]].count("central") == 1
    assert report == ludens.arena(
        [Central(), First(), "random", ludens.Model.zoo("nhb-connect-four")], "connect_four", 10, seed=5, threads=1
    )
    assert "central" in report["table"]
    two = ludens.arena([First(), First()], "tic_tac_toe", 2)
    assert two["tournament"]["minds"] == ["first", "first-2"]


def test_a_mind_in_python_plays_gnubg() -> None:
    if shutil.which("gnubg") is None and not shutil.which("/usr/games/gnubg"):
        pytest.fail("gnubg is not here: `bash xtask/gnubg.sh` gets it")
    report = ludens.arena([First(), "gnubg"], "backgammon", 2, seed=1, threads=1)
    assert report["games"] == 2


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda state: {}, ValueError, "the legal actions are"),
        (lambda state: {0: 1.0}, ValueError, "the legal actions are"),
        (lambda state: dict.fromkeys(state.legal_actions(), math.nan), ValueError, "the value"),
        (lambda state: 1 / 0, ZeroDivisionError, "division"),
        (lambda state: 3, TypeError, "iterable"),
        (lambda state: [("a", 1.0)], TypeError, "integer"),
    ],
)
def test_what_a_mind_does_wrong_is_raised(answer: Any, error: type[Exception], words: str) -> None:
    class Wrong:
        def rank(self, state: ludens.State) -> Any:
            return answer(state)

    with pytest.raises(error, match=words):
        ludens.arena([Wrong(), "random"], "tic_tac_toe", 4)
    with pytest.raises(error, match=words):
        ludens.mind(Wrong(), "tic_tac_toe").step(ludens.load_game("tic_tac_toe").new_initial_state())


def test_who_is_no_mind_is_refused() -> None:
    with pytest.raises(TypeError, match="rank"):
        ludens.arena([object(), "random"], "tic_tac_toe", 2)  # type: ignore[list-item]


def test_models_are_arrays(tmp_path) -> None:  # type: ignore[no-untyped-def]
    model = ludens.Model.zoo("nhb-connect-four")
    tensors = model.tensors()
    assert tensors and all(array.size for array in tensors.values())
    model.save(tmp_path / "model.safetensors")
    again = ludens.Model.load(tmp_path / "model.safetensors")
    assert again.to_bytes() == model.to_bytes() and again.card()["learner"] == model.learner
    with pytest.raises(ludens.LudensError):
        ludens.Model.from_bytes(model.to_bytes()[:-1])
    with pytest.raises(ludens.LudensError, match="the zoo has no"):
        ludens.Model.zoo("nobody")
