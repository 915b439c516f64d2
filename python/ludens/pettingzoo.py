"""Every game as an environment of PettingZoo, for agents in turn.

    from ludens.pettingzoo import env

    environment = env("reversi")
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, reward, termination, truncation, info = environment.last()
        done = termination or truncation
        action = None if done else environment.action_space(agent).sample(observation["action_mask"])
        environment.step(action)

The observation is a dictionary: `observation` as the agent sees it (own positive, the other's negative), and `action_mask`, 1 for every legal action.
Dice are rolled by the environment, from the seed of `reset`. Nothing is rewarded before the end.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv

from ._core import Game
from ._games import PythonGame, load_game, position_of

#: A game without an end of its own is truncated after so many moves.
LONGEST = 5_000


def env(game: str | Game | PythonGame, render_mode: str | None = None, longest: int = LONGEST) -> AECEnv[str, Any, Any]:
    """The environment of a game, with PettingZoo's own checks around it."""
    checked: AECEnv[str, Any, Any] = raw_env(game, render_mode, longest)
    if render_mode == "ansi":
        checked = wrappers.CaptureStdoutWrapper(checked)
    checked = wrappers.TerminateIllegalWrapper(checked, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv[str, Any, Any], EzPickle):  # noqa: N801  (PettingZoo's own name for it)
    """The environment of a game, without the checks."""

    metadata = {"render_modes": ["human", "ansi"], "name": "ludens_v0", "is_parallelizable": False}

    def __init__(
        self, game: str | Game | PythonGame, render_mode: str | None = None, longest: int = LONGEST
    ) -> None:
        EzPickle.__init__(self, game, render_mode, longest)
        super().__init__()
        self.game = load_game(game)
        self.render_mode = render_mode
        self.longest = longest
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        actions = self.game.num_distinct_actions()
        inputs = self.game.observation_tensor_size()
        shown = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (inputs,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: shown for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._dice = np.random.default_rng()
        self.state_now = self.game.new_initial_state()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as an agent sees it; only who is to move has legal actions."""
        player = self.possible_agents.index(agent)
        return {
            "observation": self.state_now.observation_tensor(player),
            "action_mask": self.state_now.legal_actions_mask(player),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, from the position text `options["position"]` where there is one."""
        if seed is not None or not hasattr(self, "_seeded"):
            self._dice = np.random.default_rng(seed)
            self._seeded = True
        self.state_now = self.game.new_initial_state(position_of(options))
        self._roll()
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._moves = 0
        self._turn()
        self._judge()

    def step(self, action: int | None) -> None:
        """Plays an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {each: 0.0 for each in self.agents}
        self.state_now.apply_action(int(action))  # type: ignore[arg-type]
        self._roll()
        self._moves += 1
        self._turn()
        self._judge()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _roll(self) -> None:
        while self.state_now.is_chance_node():
            outcomes, chances = zip(*self.state_now.chance_outcomes(), strict=True)
            self.state_now.apply_action(int(self._dice.choice(outcomes, p=chances)))

    def _turn(self) -> None:
        player = self.state_now.current_player()
        # Where nobody is to move any more, the agents are led out in turn.
        self.agent_selection = self.possible_agents[player if player >= 0 else 0]

    def _judge(self) -> None:
        if self.state_now.is_terminal():
            for agent, reward in zip(self.possible_agents, self.state_now.returns(), strict=True):
                self.rewards[agent] = reward
                self.terminations[agent] = True
        elif self._moves >= self.longest:
            self.truncations = {agent: True for agent in self.agents}

    def render(self) -> str | None:
        """The board as text."""
        board = str(self.state_now)
        if self.render_mode == "human":
            print(board)
            return None
        return board

    def close(self) -> None:
        """Nothing is held open."""


__all__ = ["LONGEST", "env", "raw_env"]
