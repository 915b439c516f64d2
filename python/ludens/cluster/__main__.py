"""`python -m ludens.cluster`: the same from the command line."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import ludens
from ludens import cluster

EXAMPLES = """\
examples:
  python -m ludens.cluster reproduce nhb --scale paper --scheduler tcp://host:8786
  python -m ludens.cluster sweep nhb --game connect-four --set depth=1,2 --seeds 3 --against alphabeta:depth=4
  python -m ludens.cluster arena random depth1 uct:sims=200 --game reversi --games 400
  python -m ludens.cluster label --count 30000 --out positions.safetensors
  python -m ludens.cluster forget --scheduler tcp://host:8786     takes away what killed clients have left there
  eval "$(python -m ludens.cluster settings)"; dask worker tcp://host:8786     a worker that looks at itself less often

Without --scheduler the cores of this machine are used."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    whole = argparse.ArgumentParser(
        prog="python -m ludens.cluster",
        description="Experiments, sweeps, tournaments and labellings on more than one machine.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = whole.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--scheduler", help="the address of a Dask scheduler, tcp://host:8786")
    common.add_argument("--workers", type=int, help="tasks at once on this machine, where there is no scheduler")
    common.add_argument("--home", help="the folder of all runs")
    common.add_argument("--quiet", action="store_true", help="no progress")
    common.add_argument("--json", action="store_true", help="print JSON")
    seeded = argparse.ArgumentParser(add_help=False)
    seeded.add_argument("--seed", type=int, default=1)
    reproduce = commands.add_parser("reproduce", parents=[common, seeded], help="a paper's tables")
    reproduce.add_argument("paper")
    reproduce.add_argument("--scale", default="quick")
    reproduce.add_argument("--seeds", type=int)
    reproduce.add_argument("--out")
    sweep = commands.add_parser("sweep", parents=[common, seeded], help="settings × seeds × games, then matches")
    sweep.add_argument("learner")
    sweep.add_argument("--game", action="append", required=True)
    sweep.add_argument("--set", action="append", default=[], metavar="KEY=VALUE,VALUE")
    sweep.add_argument("--seeds", type=int, default=1)
    sweep.add_argument("--steps", type=int)
    sweep.add_argument("--against", action="append")
    sweep.add_argument("--games", type=int, default=100)
    sweep.add_argument("--out")
    arena = commands.add_parser("arena", parents=[common, seeded], help="a tournament")
    arena.add_argument("minds", nargs="+")
    arena.add_argument("--game", required=True)
    arena.add_argument("--games", type=int, default=100)
    label = commands.add_parser("label", parents=[common, seeded], help="positions with the solver's word")
    label.add_argument("--count", type=int, required=True)
    label.add_argument("--out", required=True)
    label.add_argument("--all-scores", action="store_true")
    commands.add_parser("forget", parents=[common], help="take away what killed clients have left on a scheduler")
    commands.add_parser("settings", parents=[common], help="what to set where a scheduler or a worker is started")
    return whole


def _grid(pairs: list[str]) -> dict[str, list[str]]:
    grid = {}
    for pair in pairs:
        key, mark, values = pair.partition("=")
        if not mark or not key or not values:
            raise ludens.LudensError(f"{pair!r} is not of the form key=value,value, as in --set depth=1,2")
        grid[key] = values.split(",")
    return grid


def _told(done: int, total: int) -> None:
    print(f"\r{done}/{total}", end="\n" if done >= total else "", file=sys.stderr, flush=True)


def work(words: argparse.Namespace) -> Any:
    """Does what the command says; returns what there is to print."""
    common = {"scheduler": words.scheduler, "workers": words.workers, "home": words.home}
    common["progress"] = None if words.quiet else _told
    if words.command == "reproduce":
        done = cluster.reproduce(
            words.paper, scale=words.scale, seed=words.seed, seeds=words.seeds, out=words.out, **common
        )
        return done if words.json else f"The report: {done['folder']}/report.html"
    if words.command == "sweep":
        rows = cluster.sweep(
            words.learner, words.game, _grid(words.set), seeds=words.seeds, steps=words.steps,
            against=words.against or ["random"], matches=words.games, seed=words.seed, out=words.out, **common,
        )  # fmt: skip
        return rows if words.json else "\n".join(_row(row) for row in rows)
    if words.command == "arena":
        report = cluster.arena(words.minds, words.game, words.games, seed=words.seed, **common)
        return report if words.json else report["table"]
    if words.command == "label":
        model = cluster.label(words.count, seed=words.seed, all_scores=words.all_scores, out=words.out, **common)
        return model.card() if words.json else f"{words.count} positions in {words.out}"
    if words.command == "settings":
        return cluster.SETTINGS if words.json else "\n".join(f"export {each}={to}" for each, to in cluster.SETTINGS.items())
    if words.scheduler is None:
        raise ludens.LudensError("forget needs --scheduler")
    with cluster.connect(words.scheduler) as client:
        return cluster.forget(client)


def _row(row: dict[str, Any]) -> str:
    score = f"{row['wins']} wins, {row['draws']} draws, {row['losses']} losses"
    return f"{row['game']}  {row['learner']}  seed {row['seed']}  against {row['against']}: {score}"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns the code to exit with."""
    words = parser().parse_args(arguments)
    try:
        told = work(words)
    except (ludens.LudensError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    print(told if isinstance(told, str) else json.dumps(told, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
