"""What the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludens

#: The repository, for tests that hold the package against its files.
ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = [about["id"] for about in ludens.games()]


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the home of whoever runs it, nor the folder it is run in: nonsense is a name of a folder, too."""
    home = tmp_path / "home"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDENS_HOME", str(home))
    return home


class Nim:
    """Five methods: take one to three, who takes the last one wins."""

    name = "nim"

    def __init__(self, sticks: int = 7) -> None:
        self.sticks = sticks

    def new_initial_state(self) -> tuple[int, int]:
        return (self.sticks, 0)

    def current_player(self, state: tuple[int, int]) -> int | None:
        return state[1] if state[0] else None

    def legal_actions(self, state: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def apply_action(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] - action, 1 - state[1])

    def returns(self, state: tuple[int, int]) -> float:
        if state[0]:
            return 0.0
        return -1.0 if state[1] == 0 else 1.0


class Corners:
    """A game with a board, lines and a number of moves: who has two corners of a small board wins."""

    name = "corners"
    num_distinct_actions = 4
    max_game_length = 4
    lines = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]

    def new_initial_state(self) -> str:
        return "...."

    def current_player(self, state: str) -> int | None:
        if any(state.count(stone) == 2 for stone in "xo"):
            return None
        return state.count("x") - state.count("o")

    def legal_actions(self, state: str) -> list[int]:
        return [cell for cell in range(4) if state[cell] == "."]

    def apply_action(self, state: str, action: int) -> str:
        stone = "xo"[state.count("x") - state.count("o")]
        return state[:action] + stone + state[action + 1 :]

    def returns(self, state: str) -> list[float]:
        won = 1.0 if state.count("x") == 2 else -1.0 if state.count("o") == 2 else 0.0
        return [won, -won]

    def board(self, state: str) -> list[str]:
        return [state[2:], state[:2]]

    def action_to_string(self, state: str, action: int) -> str:
        return f"{'ab'[action % 2]}{action // 2 + 1}"


@pytest.fixture
def nim() -> ludens.Game:
    """Nim, without the word that it is slow."""
    with pytest.warns(UserWarning, match="written in Python"):
        return ludens.load_game(Nim())
