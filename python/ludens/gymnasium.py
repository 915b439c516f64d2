"""A game as an environment of Gymnasium: you against a mind.

    from ludens.gymnasium import env

    environment = env("connect_four", against="nhb-improved")
    observation, info = environment.reset(seed=1)
    observation, reward, terminated, truncated, info = environment.step(info["legal_actions"][0])
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._core import Game
from ._games import PythonGame, load_game, position_of
from .thinking import Player, mind

#: A game without an end of its own is truncated after so many moves.
LONGEST = 5_000


class MindEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One player against a mind. `info` has the legal actions and their mask; an illegal action raises."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | Game | PythonGame,
        against: Player = "random",
        player: int = 0,
        states: int | None = None,
        render_mode: str | None = None,
        longest: int = LONGEST,
    ) -> None:
        if player not in (0, 1):
            raise ValueError(f"there is no player {player}: 0 and 1 play")
        self.game = load_game(game)
        self.opponent = mind(against, self.game)
        self.player, self.states, self.longest = player, states, longest
        self.render_mode = render_mode
        inputs = self.game.observation_tensor_size()
        self.observation_space = spaces.Box(-np.inf, np.inf, (inputs,), np.float32)
        self.action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.state = self.game.new_initial_state()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begins a game, from the position text `options["position"]` where there is one; the mind moves first where it is its turn."""
        super().reset(seed=seed)
        self.state = self.game.new_initial_state(position_of(options))
        self._moves = 0
        self._answer()
        return self._observed()

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Plays an action and the mind's answer to it."""
        self.state.apply_action(int(action))
        self._moves += 1
        self._answer()
        reward = self.state.returns()[self.player]
        over = self.state.is_terminal()
        observation, info = self._observed()
        return observation, reward, over, not over and self._moves >= self.longest, info

    def _answer(self) -> None:
        while not self.state.is_terminal() and self.state.current_player() != self.player:
            if self.state.is_chance_node():
                outcomes, chances = zip(*self.state.chance_outcomes(), strict=True)
                self.state.apply_action(int(self.np_random.choice(outcomes, p=chances)))
            else:
                seed = int(self.np_random.integers(2**63))
                self.state.apply_action(self.opponent.step(self.state, seed, self.states))

    def _observed(self) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        info = {
            "legal_actions": self.state.legal_actions(self.player),
            "action_mask": self.state.legal_actions_mask(self.player),
        }
        return self.state.observation_tensor(self.player), info

    def render(self) -> str:
        """The board as text."""
        return str(self.state)


def env(
    game: str | Game | PythonGame,
    against: Player = "random",
    player: int = 0,
    states: int | None = None,
    render_mode: str | None = None,
) -> MindEnv:
    """You, as the first player (0) or the second (1), against a mind."""
    return MindEnv(game, against, player, states, render_mode)


__all__ = ["LONGEST", "MindEnv", "env"]
