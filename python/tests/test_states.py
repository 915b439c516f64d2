"""Games and states: OpenSpiel's names, our rules."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from conftest import CATALOGUE, ROOT, Corners

import ludens


def walk(state: ludens.State, rng: random.Random) -> list[ludens.State]:
    """All positions of a random game."""
    seen = [state.clone()]
    while not state.is_terminal() and len(seen) < 400:
        state.apply_action(rng.choice(state.legal_actions()))
        seen.append(state.clone())
    return seen


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_keeps_its_word_along_random_games(name: str) -> None:
    game = ludens.load_game(name)
    for seed in range(3):
        for state in walk(game.new_initial_state(), random.Random(seed)):
            actions = state.legal_actions()
            assert state.is_terminal() == (not actions)
            assert len(set(actions)) == len(actions)
            assert state.is_terminal() == (state.current_player() == ludens.TERMINAL)
            assert state.is_chance_node() == (state.current_player() == ludens.CHANCE)
            assert sum(state.returns()) == 0
            mask = state.legal_actions_mask()
            assert mask.dtype == np.int8 and mask.shape == (game.num_distinct_actions(),)
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                assert list(outcomes) == actions and abs(sum(chances) - 1) < 1e-12
                assert mask.sum() == 0
            else:
                assert np.flatnonzero(mask).tolist() == sorted(actions)
                assert state.chance_outcomes() == []
            tensor = state.observation_tensor(0)
            assert tensor.dtype == np.float32 and list(tensor.shape) == game.observation_tensor_shape()
            again = game.deserialize_state(state.serialize())
            assert again == state and again.legal_actions() == actions
            assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("name", CATALOGUE)
def test_labels_find_their_actions_and_boards_show_themselves(name: str) -> None:
    for state in walk(ludens.load_game(name).new_initial_state(), random.Random(7))[:30]:
        view = state.to_dict()
        assert [move["action"] for move in view["moves"]] == state.legal_actions()
        for action in state.legal_actions():
            label = state.action_to_string(action)
            assert label == state.action_to_string(0, action)
            if not state.is_chance_node():
                assert state.string_to_action(label) == action
        assert state._repr_svg_().startswith("<svg") and str(state)


def test_clones_are_apart_and_children_leave_their_parent_alone() -> None:
    state = ludens.load_game("connect_four").new_initial_state()
    twin, copied, child = state.clone(), copy.deepcopy(state), state.child(3)
    state.apply_action(0)
    assert twin == copied != state and child.history() == [3] and twin.history() == []
    assert child.get_game() == state.get_game()


def test_play_takes_what_people_write() -> None:
    state = ludens.load_game("connect-four").new_initial_state()
    for label in "4433":
        state.play(label)
    assert state == state.get_game().new_initial_state("4433") and state.history() == [3, 3, 2, 2]
    assert "first to move" in str(state)


def test_dice_follow_the_seed() -> None:
    game = ludens.load_game("backgammon")
    rolled = []
    for seed in (1, 1, 2):
        state = game.new_initial_state()
        state.roll(seed)
        assert not state.is_chance_node()
        rolled.append(state.serialize())
    assert rolled[0] == rolled[1] != rolled[2]


def test_rules_from_a_file_and_from_text(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rules = sorted((ROOT / "crates/gdl/rules").glob("*.kif"))
    assert rules, "there are rules in the repository"
    tried = 0
    for path in rules:
        try:
            game = ludens.load_game(path)
        except ludens.LudensError:
            continue
        tried += 1
        state = walk(game.new_initial_state(), random.Random(1))[-1]
        assert pickle.loads(pickle.dumps(state)) == state
        assert ludens.load_rules(path.read_text(), path.name).name == game.name
    assert tried


def test_perft_is_the_published_count() -> None:
    assert ludens.load_game("reversi").perft(6) == 8200
    assert ludens.load_game("tic_tac_toe").perft(9) == 255168


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: ludens.load_game("chess"), "there is no game called \"chess\""),
        (lambda: ludens.load_game("connect_four").new_initial_state("9"), "cannot read the position"),
        (lambda: ludens.load_game("connect_four").new_initial_state().apply_action(7), "is not a legal move here"),
        (lambda: ludens.load_game("connect_four").new_initial_state().play("x"), "is not a legal move here"),
        (lambda: ludens.load_rules("(role", "broken"), "broken"),
        (lambda: ludens.mind("nobody", "reversi"), "there is no mind called"),
        (lambda: ludens.mind("contexts", "reversi"), "does not play reversi"),
        (lambda: ludens.mind("alphabeta:depth=x", "reversi"), "does not fit"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_program(wrong, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ludens.LudensError) as caught:
        wrong()
    assert words in str(caught.value)


def test_numbers_that_are_none_are_refused() -> None:
    state = ludens.load_game("reversi").new_initial_state()
    for action in (-1, 2**40, "3", None, 1.5):
        with pytest.raises((TypeError, OverflowError)):
            state.apply_action(action)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        state.observation_tensor(2)


def test_a_game_in_python_says_that_it_is_slow() -> None:
    with pytest.warns(UserWarning, match="slower than a native game"):
        game = ludens.load_game(Corners())
    assert "slow" in game.summary
