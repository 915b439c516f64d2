"""PettingZoo's own tests for every game of the catalogue, and Gymnasium's."""

from __future__ import annotations

import warnings

import pytest
from conftest import CATALOGUE
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from ludens import gymnasium as gym
from ludens import pettingzoo as zoo


@pytest.mark.parametrize("name", CATALOGUE)
def test_pettingzoo_is_content(name: str) -> None:
    with warnings.catch_warnings():
        # It advises small images as observations; ours are the inputs of networks.
        warnings.simplefilter("ignore")
        api_test(zoo.env(name), num_cycles=200)
        seed_test(lambda: zoo.env(name), num_cycles=20)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_game_ends_with_its_result(name: str) -> None:
    environment = zoo.raw_env(name)
    environment.reset(seed=3)
    rewards = {}
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, _ = environment.last()
        if termination or truncation:
            rewards[agent] = reward
            environment.step(None)
        else:
            environment.step(environment.action_space(agent).sample(observation["action_mask"]))
    assert list(rewards.values()) == environment.state_now.returns()


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "reversi", "backgammon"])
def test_one_player_against_a_mind(name: str) -> None:
    for player in (0, 1):
        environment = gym.env(name, against="depth1", player=player, states=50)
        ends = []
        for _ in range(2):
            _, info = environment.reset(seed=5)
            over = False
            while not over:
                _, reward, over, cut, info = environment.step(info["legal_actions"][0])
                assert not cut
            ends.append((reward, environment.state.serialize()))
        assert ends[0] == ends[1], "the same seed is the same game"


def test_gymnasium_is_content() -> None:
    class Legal(gym.MindEnv):
        """Gymnasium's checker draws from all actions: the nearest legal one is played."""

        def step(self, action: int):  # type: ignore[no-untyped-def]
            legal = self.state.legal_actions()
            return super().step(min(legal, key=lambda one: abs(one - int(action))))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Legal("connect_four"), skip_render_check=True)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ValueError, match="0 and 1 play"):
        gym.env("reversi", player=2)
