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
    """`game.playouts` on one thread beside what the program says of itself on the same machine."""
    rows = []
    for (ours, _, games, _, _), loop_row in zip(GAMES, loop_rows, strict=True):
        game = ludens.load_game(ours)
        many = games * 100
        game.playouts(games, 0, 1)
        here, there = [], []
        for _ in range(ROUNDS):
            here.append(rate(lambda: game.playouts(many, 1, 1), many))
            there.append(program_rate(ours, many))
        ratio = statistics.median(a / b for a, b in zip(here, there, strict=True))
        rows.append(
            {"game": ours, "Rust_a_second": round(statistics.median(there)),
             "from_Python_a_second": round(statistics.median(here)), "percent_of_Rust": round(100 * ratio, 1),
             "times_OpenSpiel": round(statistics.median(here) / loop_row["OpenSpiel_a_second"])}
        )  # fmt: skip
    return rows


def program_rate(game: str, games: int) -> float:
    """The same playouts by the Rust program of `cargo bench`'s kind: `examples/playouts`, built beside the package."""
    program = Path(__file__).resolve().parents[2] / "target/release/examples/playouts"
    if not program.exists():
        raise FileNotFoundError(f"{program}: `cargo build --release -p ludens --example playouts` makes it")
    told = subprocess.run([program, game, str(games)], check=True, capture_output=True, text=True)
    return float(told.stdout)


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
