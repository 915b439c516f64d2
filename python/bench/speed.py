"""Random games in a plain Python loop, side by side with OpenSpiel in one run; and in bulk, beside the program's own figures.

    pip install open_spiel && python python/bench/speed.py

Writes results/python/speed.jsonl and results/python/bulk.jsonl, which docs/python.md shows.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel

import ludens

RESULTS = Path(__file__).resolve().parents[2] / "results" / "python"
#: Ours, OpenSpiel's name, games a round; floor and goal of the ratio.
GAMES = [
    ("tic-tac-toe", "tic_tac_toe", 20_000, 1.2, 1.8),
    ("connect-four", "connect_four", 6_000, 1.2, 1.8),
    ("reversi", "othello", 600, 3.0, 5.0),
    ("backgammon", "backgammon", 150, 5.0, 10.0),
]
ROUNDS = 9
BULK_ROUNDS = 5


def play(game: Any, games: int, rng: random.Random) -> None:
    """The loop: the same for both, the dice included."""
    choice = rng.choice
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))


def rate(work: Callable[[], object], games: int) -> float:
    """Games a second of processor time: others may be at work on this machine."""
    began = time.process_time()
    work()
    return games / (time.process_time() - began)


def loops() -> list[dict[str, Any]]:
    """One row a game: the medians of rounds that take turns."""
    rows = []
    for ours, theirs, games, floor, goal in GAMES:
        mine, other = ludens.load_game(ours), pyspiel.load_game(theirs)
        rates: dict[str, list[float]] = {"ludens": [], "openspiel": []}
        for number in range(ROUNDS):
            rates["openspiel"].append(rate(lambda: play(other, games, random.Random(number)), games))
            rates["ludens"].append(rate(lambda: play(mine, games, random.Random(number)), games))
        ludens_rate, openspiel_rate = (statistics.median(rates[who]) for who in ("ludens", "openspiel"))
        ratio = statistics.median(a / b for a, b in zip(rates["ludens"], rates["openspiel"], strict=True))
        word = "goal" if ratio >= goal else "floor" if ratio >= floor else "below"
        rows.append(
            {"game": ours, "OpenSpiel_a_second": round(openspiel_rate), "Ludens_a_second": round(ludens_rate),
             "times": round(ratio, 2), "floor": floor, "goal": goal, "reached": word}
        )  # fmt: skip
    return rows


def bulk(loop_rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`game.playouts` on one thread beside the program's own figures, `ludens bench games`, in turn on the same machine."""
    here: dict[str, list[float]] = {ours: [] for ours, *_ in GAMES}
    there: dict[str, list[float]] = {ours: [] for ours, *_ in GAMES}
    for _ in range(BULK_ROUNDS):
        figures = program_figures()
        for ours, _, games, _, _ in GAMES:
            game, many = ludens.load_game(ours), games * 100
            here[ours].append(rate(lambda: game.playouts(many, 1, 1), many))
            there[ours].append(figures[f"playouts, {ours}"])
    rows = []
    for loop_row in loop_rows:
        ours = loop_row["game"]
        ratio = statistics.median(a / b for a, b in zip(here[ours], there[ours], strict=True))
        rows.append(
            {"game": ours, "Rust_a_second": round(statistics.median(there[ours])),
             "from_Python_a_second": round(statistics.median(here[ours])), "percent_of_Rust": round(100 * ratio, 1),
             "times_OpenSpiel": round(statistics.median(here[ours]) / loop_row["OpenSpiel_a_second"])}
        )  # fmt: skip
    return rows


def program_figures() -> dict[str, float]:
    """What the program says of itself: playouts a second of processor time."""
    words = [sys.executable, "-m", "ludens", "bench", "games", "--json"]
    told = subprocess.run(words, check=True, capture_output=True, text=True)
    return {row["name"]: row["rate"] for row in json.loads(told.stdout)}


def write(name: str, rows: list[dict[str, Any]]) -> None:
    """One row a line."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    for row in rows:
        print(row)


def main() -> int:
    """Measures and writes; fails where a floor is not reached."""
    rows = loops()
    write("speed.jsonl", rows)
    write("bulk.jsonl", bulk(rows))
    return int(any(row["reached"] == "below" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
