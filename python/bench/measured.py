"""What the docs say of the program that is no paper's table: the Connect Four solver and the ranker on published positions, OS-ELM beside plain
programs, people foretold by other people.

    cargo build --release && python python/bench/measured.py [solver] [ranker] [os-elm] [people] [patterns] [page]

Writes results/measured/*.json, which docs/measured.md shows. `os-elm` needs numpy, `people` and `patterns` the published file of moves (PEOPLE names it),
`page` a browser (crates/web/setup.sh and crates/web/e2e/chromium.sh bring it).
"""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/ludens"
PUBLISHED = ROOT / "oracles/connect_four"
PEOPLE = Path(os.environ.get("PEOPLE", ROOT / "../shared/data/human/four_in_a_row_4x9.csv"))
Row = dict[str, Any]


def told(*words: str | Path) -> Any:
    """What the program says, as JSON."""
    words = (PROGRAM, *words, "--json")
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout)


def solver() -> list[Row]:
    """Pons' published positions: every score, nodes and time."""
    rows = []
    for file in sorted(PUBLISHED.glob("Test_*")):
        [row] = told("bench", "solver", "--file", file)
        whole = {"positions": file.name.removeprefix("Test_"), "scores_equal": int(row["equal"]), "of": int(row["known"])}
        rows.append({**whole, "mean_nodes": round(row["mean_nodes"]), "mean_µs": round(row["mean_us"], 1)})
    return rows


def won(cells: dict[tuple[int, int], int], at: tuple[int, int]) -> bool:
    """Whether the disc there completes four."""
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            column, row = at
            while cells.get((column := column + sign * right, row := row + sign * up)) == cells[at]:
                length += 1
        if length >= 4:
            return True
    return False


def random_position(chance: random.Random, plies: int) -> str:
    """So many random moves, nobody having won; written as columns from 1."""
    while True:
        cells: dict[tuple[int, int], int] = {}
        heights, moves = [0] * 7, ""
        for ply in range(plies):
            column = chance.choice([column for column in range(7) if heights[column] < 6])
            at = (column, heights[column])
            cells[at] = ply % 2
            heights[column] += 1
            moves += str(column + 1)
            if won(cells, at):
                break
        else:
            return moves


def ranker() -> list[Row]:
    """The ranker as shipped on published positions, and on random ones of the paper's plies."""
    chance = random.Random(20261118)
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "random plies 12 to 16"
        drawn.write_text("".join(random_position(chance, chance.randint(12, 16)) + "\n" for _ in range(2000)))
        files = [drawn, *(file for file in sorted(PUBLISHED.glob("Test_*")) if "L1" not in file.name)]
        found = [(file, told("bench", "policy", "--file", file)[0]) for file in files]
    rows = []
    for file, row in found:
        shares = {
            name: f"{row[name]:.3f} [{row[f'{name}_low']:.3f} – {row[f'{name}_high']:.3f}]" for name in ("any_best", "outcome_kept")
        }
        first = {"positions": file.name.removeprefix("Test_"), "labelled_best_first": round(row["best_first"], 4)}
        rows.append({**first, "labelled_best_last": round(row["best_last"], 4), **shares, "not_lost": int(row["not_lost"])})
    return rows


def numpy_rate(inputs: int) -> float:
    """Examples a CPU-second of OS-ELM in numpy: 128 hidden units, chunks of 2,000, information form, double precision."""
    import time

    import numpy as np

    draw = np.random.default_rng(1)
    hidden, chunk = 128, 2000
    x = draw.integers(-1, 2, (chunk, inputs)).astype(float)
    y = draw.uniform(-1, 1, (chunk, 1))
    weights, biases = draw.uniform(-1, 1, (inputs, hidden)), draw.uniform(-1, 1, (1, hidden))
    gram, moment = 1e-3 * np.eye(hidden), np.zeros((hidden, 1))

    def step() -> None:
        nonlocal gram, moment
        h = 1 / (1 + np.exp(-(x @ weights + biases)))
        gram, moment = gram + h.T @ h, moment + h.T @ y
        np.linalg.solve(gram, moment)

    step()
    begun, steps = time.process_time(), 0
    while (spent := time.process_time() - begun) < 1.0:
        step()
        steps += 1
    return steps * chunk / spent


def os_elm() -> list[Row]:
    """Ours, plain loops in Rust and numpy on the same work, in turn; the best of three rounds each."""
    rates: dict[int, dict[str, float]] = {42: {}, 64: {}}
    for _ in range(3):
        rows = {row["name"]: row["rate"] for row in told("bench", "nhb", "--seconds", "1")}
        for inputs, best in rates.items():
            work = f"{inputs}–128–1, chunks of 2000"
            fresh = {"ours": rows[f"OS-ELM {work}"], "plain_loops": rows[f"plain loops {work}"], "numpy": numpy_rate(inputs)}
            best.update({who: max(rate, best.get(who, 0.0)) for who, rate in fresh.items()})
    return [
        {
            "network": f"{inputs}–128–1, chunks of 2,000",
            **{f"{who}_examples_a_second": round(rate) for who, rate in best.items()},
            "times_plain_loops": round(best["ours"] / best["plain_loops"], 2),
            "times_numpy": round(best["ours"] / best["numpy"], 2),
        }
        for inputs, best in rates.items()
    ]


def people() -> list[Row]:
    """Each half of the people foretold from the other half, and the published folds."""
    lines = list(csv.reader(PEOPLE.open()))
    head, moves = lines[0], lines[1:]
    player = head.index("player")
    known = sorted({line[player] for line in moves}, key=int)

    def row(tested: str, fitted: str, told: Any) -> Row:
        def nats(of: str) -> str:
            mean = told[of]
            return f"{mean['mean']:.3f} [{mean['interval']['low']:.3f} – {mean['interval']['high']:.3f}]"

        numbers = {"foretold": tested, "from": fitted, "people": told["people"], "moves": told["moves"], "chance": nats("chance")}
        own = nats("personal") if fitted == "the other folds" else "–"
        return {**numbers, "same_for_everybody": nats("shared"), "with_personal_deviations": own, "likeliest_played": round(told["first_choice"], 4)}

    rows = [row("each published fold", "the other folds", told("humans", PEOPLE))]
    with tempfile.TemporaryDirectory() as folder:
        halves = []
        for parity in (0, 1):
            those = {one for number, one in enumerate(known) if number % 2 == parity}
            half = Path(folder) / f"half-{parity}.csv"
            with half.open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([head, *(line for line in moves if line[player] in those)])
            halves.append(half)
        for parity, name, other in ((0, "one half of the people", "the other half"), (1, "the other half", "the one half")):
            rows.append(row(name, other, told("humans", halves[1 - parity], "--test", halves[parity])))
    return rows


def patterns() -> list[Row]:
    """What moves people, strongest first, in nats of preference."""
    found = told("humans", PEOPLE, "--patterns", "10")["weights"]
    return [{"what_moves_people": words, "nats_of_preference": round(weight, 2)} for words, weight in found]


def page() -> list[Row]:
    """How quick the web page is, in a real browser: written by its own end-to-end tests, one after the other."""
    runner = ROOT / "crates/web/e2e/run.mjs"
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.jsonl"
        around = {**os.environ, "LUDENS": str(PROGRAM), "MEASURED": str(figures)}
        for test in ("the page is there at once", "a move is answered within 50 ms"):
            subprocess.run(["node", runner, test], check=True, env=around, cwd=ROOT)
        return [json.loads(line) for line in figures.read_text().splitlines()]


MEASUREMENTS: dict[str, Callable[[], list[Row]]] = {
    "solver": solver,
    "ranker": ranker,
    "os-elm": os_elm,
    "people": people,
    "patterns": patterns,
    "page": page,
}


def git(*words: str) -> str:
    """What git says of this folder."""
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def processor() -> str | None:
    """The model of the processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return None


def cpu_seconds() -> float:
    """Of this process and those it waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> None:
    """Measures what is asked for, or all."""
    # Before anything is written: the results themselves are no change.
    commit = git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    for name in sys.argv[1:] or MEASUREMENTS:
        before = cpu_seconds()
        rows = MEASUREMENTS[name]()
        made = {
            "commit": commit,
            "command": f"python python/bench/measured.py {name}",
            "processor": processor(),
            "cores": os.cpu_count(),
            "cpu_seconds": {name: round(cpu_seconds() - before, 2)},
        }
        path = ROOT / f"results/measured/{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"made": made, "rows": rows}, indent=2, ensure_ascii=False) + "\n")
        print(path.read_text())


if __name__ == "__main__":
    sys.exit(main())
