"""The rest of the surface, with nonsense: what writes files, trains, serves, runs experiments, and what is beside the library: cluster, environments, program.

Everything is called for real, in homes of its own, with small limits. Only what is documented comes out: `LudensError` (a `ValueError`), Python's own words for
arguments of a wrong type or size, and what the system says of files. No call ends the process (an abort would end pytest), and none hangs: each test has a limit."""

from __future__ import annotations

import contextlib
import faulthandler
import itertools
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from conftest import CATALOGUE, Nim
from hypothesis import given
from hypothesis import strategies as st
from test_fuzz import FUZZ, ODD, SMALL, settings

import ludens
import ludens.gymnasium
import ludens.pettingzoo
from ludens import _core, cluster

pytestmark = pytest.mark.filterwarnings("ignore")

#: What may be raised; by environments, what Gymnasium says of its own arguments.
DOCUMENTED = (ValueError, TypeError, OverflowError, OSError, ImportError, gymnasium.error.Error)
#: Seconds after which a test is taken to hang: it is ended with the place where it was.
LIMIT = 300
NAMES = st.sampled_from(["contexts", "nhb", "nobody", "", "contexts ", "../contexts"])
FOLDERS = st.one_of(st.sampled_from(["a", "a/b", "", ".", "..", "\0", "a" * 300, "/proc/nowhere", "file"]), ODD)
SCALES = st.one_of(st.sampled_from(["smoke", "huge", "", "SMOKE"]), SMALL, st.none(), st.binary(max_size=3))
SEEDS = st.one_of(st.none(), st.integers(-2, 2), st.sampled_from([2**64, -(2**63), 10_001]), st.text(max_size=3), st.floats())
COUNT = itertools.count()


@pytest.fixture(autouse=True)
def no_hang(own_home: Path) -> Iterator[None]:
    """Ends the process, and says where it was, if a test hangs. `file` is a file where folders are meant."""
    (own_home.parent / "file").write_text("no folder")
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def refuses(call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Calls it: the value, or None where it is refused in a documented way."""
    try:
        return call(*arguments, **named)
    except DOCUMENTED as error:
        assert "this is a bug" not in str(error), error
        return None


@settings(FUZZ, max_examples=150)
@given(FOLDERS, ODD)
def test_the_home_and_its_runs(home: Any, run: Any) -> None:
    refuses(_core.home, home)
    refuses(_core.runs, home)
    refuses(_core.metrics, run, home)
    refuses(ludens.runs, home)
    refuses(ludens.frame, run, home)


@settings(FUZZ, max_examples=150)
@given(FOLDERS, st.one_of(NAMES, ODD), st.one_of(NAMES, ODD), SCALES, SEEDS, SEEDS)
def test_experiments(folder: Any, paper: Any, unit: Any, scale: Any, seed: Any, seeds: Any) -> None:
    # At the smallest scale, and of the experiments the shortest.
    paper = "contexts" if isinstance(paper, str) and paper == "nhb" else paper
    refuses(_core.reproduction_folder, paper, scale, seed, folder)
    refuses(_core.open_reproduction, folder, paper, scale, seed, seeds)
    for name in (unit, "labels", "S1/set-0", "C/set-0"):
        refuses(_core.run_unit, folder, name, paper, scale, seed, seeds)
    refuses(_core.reproduce, folder, paper, scale, seed, seeds, folder)
    refuses(_core.main, ["ludens", "merge", str(folder), "file", "--out", str(folder), "--home", "home"])


@settings(FUZZ, max_examples=60)
@given(st.one_of(NAMES, ODD), SEEDS, SEEDS, st.one_of(st.just(2), ODD), st.one_of(ODD, st.just(lambda *_: 1 / 0)))
def test_whole_reproductions(paper: Any, seed: Any, seeds: Any, threads: Any, progress: Any) -> None:
    paper = "contexts" if isinstance(paper, str) and paper == "nhb" else paper
    settings: dict[str, Any] = {"scale": "smoke", "seed": seed, "seeds": seeds, "progress": progress}
    place: dict[str, Any] = {"out": f"out-{next(COUNT)}", "home": "home"}
    # What the user's own function raises comes back to him.
    with contextlib.suppress(ZeroDivisionError):
        refuses(ludens.reproduce, paper, **settings, **place, threads=threads)
    with contextlib.suppress(ZeroDivisionError):
        refuses(cluster.reproduce, paper, **settings, **place, workers=threads)


@settings(FUZZ, max_examples=60)
@given(st.lists(ODD, max_size=2), st.lists(ODD, max_size=2), ODD, ODD, FOLDERS)
def test_servers(minds: Any, games: Any, port: Any, host: Any, home: Any) -> None:
    for arguments in ((minds, games, port, host, home), ([], [], 0, "127.0.0.1", home), (minds, [], 0), ([], games), (host, games)):
        server = refuses(ludens.Server, *arguments)
        if server is not None:
            assert server.is_running() and repr(server)
            server.stop()
            server.stop()
            assert not server.is_running()
    served = refuses(ludens.serve, minds, games, port=0, host="127.0.0.1", home=home, block=False)
    if served is not None:
        with served:
            assert served.is_running()


@settings(FUZZ, max_examples=60)
@given(ODD, st.sampled_from(["nhb", "odds", "nobody"]), st.one_of(st.integers(-1, 2), ODD), ODD, FOLDERS, ODD)
def test_trainings(odd: Any, learner: str, steps: Any, seed: Any, place: Any, checkpoint: Any) -> None:
    steps = min(steps, 2) if isinstance(steps, (int, float)) else 1 if steps is None else steps
    game = ludens.load_game("tic_tac_toe")
    for arguments in ((learner, game, steps, seed, place, place, checkpoint), (learner, odd, steps), (odd, game, steps)):
        training = refuses(ludens.Training, *arguments)
        if training is not None:
            refuses(lambda: list(itertools.islice(training, 3)))
            training.stop()
            refuses(training.model)
            refuses(ludens.frame, training)
            assert repr(training)
    _core.stop_work()


@settings(FUZZ, max_examples=80)
@given(ODD, ODD, ODD, SEEDS, SEEDS, FOLDERS)
def test_work_for_clusters(one: Any, other: Any, third: Any, count: Any, seed: Any, home: Any) -> None:
    place: dict[str, Any] = {"home": home, "workers": 2}
    refuses(cluster.sweep, "nhb", "tic_tac_toe", one, steps=1, matches=2, **place)
    refuses(cluster.sweep, "odds", "tic_tac_toe", {"states": [1]}, seeds=count, steps=1, against=other, matches=2, seed=seed, **place)
    refuses(cluster.sweep, one, other, steps=1, matches=2, **place)
    refuses(cluster.arena, ["random", one], "tic_tac_toe", count, seed=seed, **place)
    refuses(cluster.arena, one, other, 2, opening_plies=third, states=count, **place)
    refuses(cluster.label, count, seed=seed, first_ply=30, last_ply=30, all_scores=one, out=home, **place)
    refuses(cluster.label, 2, first_ply=one, last_ply=other, **place)
    for workers in (one, 0, -1):
        refuses(cluster.arena, ["random", "random"], "tic_tac_toe", 2, home="home", workers=workers)
    # Anything but None is to be a client.
    if one is not None:
        with pytest.raises(ludens.LudensError, match="client of Dask"):
            cluster.arena(["random", "depth1"], "tic_tac_toe", 2, home="home", client=one)


#: No address of a scheduler, or one where there is none.
NOWHERE = ["", "x", "tcp://", "nonsense://a", "tcp://127.0.0.1:99999999", "\0", "x" * 300, "tcp://[::", 3, b"x", float("nan"), [1], object()]


@pytest.mark.parametrize("scheduler", NOWHERE, ids=lambda scheduler: repr(scheduler)[:20])
def test_no_scheduler(scheduler: Any) -> None:
    with pytest.raises(ludens.LudensError):
        cluster.connect(scheduler)
    with pytest.raises(ludens.LudensError):
        cluster.label(2, scheduler=scheduler, home="home")


def test_without_a_scheduler_no_cluster_begins() -> None:
    with pytest.raises(ludens.LudensError, match="no address"):
        cluster.connect(None)  # type: ignore[arg-type]
    with pytest.raises(ludens.LudensError, match="too many"):
        cluster.label(2**62, home="home")
    with pytest.raises(ludens.LudensError, match="too many"):
        cluster.sweep("nhb", "tic_tac_toe", seeds=2**62, home="home")


#: Everything but what waits for a person or for others (`play` and `answer` read what is typed, `serve`, `ggp` and `ggp-server` serve until they are
#: stopped) or works for as long as it is told to (`bench`): those are called with what they refuse, below.
COMMANDS = ["games", "minds", "moves", "perft", "arena", "replay", "concepts", "explain", "train", "resume", "runs", "zoo", "reproduce", "units"]
COMMANDS += ["merge", "sweep", "report", "solve", "label", "describe", "gdl", "completions", "help", "humans", "faithfulness", "nothing"]
WAITING = ["play", "answer", "serve", "ggp", "ggp-server", "bench"]
WORDS = st.one_of(
    st.text(max_size=8).filter(lambda text: text != "--"),
    st.sampled_from([
        "--help", "--json", "tic-tac-toe", "4433", "random", "nhb", "contexts", "file", "nowhere", "--depth", "1", "-1", "--game", "--out", "\0", "x" * 300,
        "--home", "--seed", "show", "check", "[", "--unit", "labels", "\ud800", "0", "99999999999999999999",
    ]),
)  # fmt: skip
#: So that what is understood ends soon.
BOUNDS = {
    "train": ["--steps", "1"], "reproduce": ["--scale", "smoke", "--seeds", "1", "--unit", "labels"], "arena": ["--games", "2"], "units": ["--scale", "smoke"],
    "sweep": ["--steps", "1", "--games", "2"], "faithfulness": ["--positions", "1"], "label": ["--count", "2"], "perft": ["--depth", "1"], "concepts": ["--home", "\0"],
    "zoo": ["--nonsense"], "resume": ["--steps", "1"],
}  # fmt: skip


@settings(FUZZ, max_examples=250)
@given(st.sampled_from(COMMANDS), st.lists(WORDS, max_size=4))
def test_the_program(command: str, words: list[str]) -> None:
    code = refuses(_core.main, ["ludens", command, *words, *BOUNDS.get(command, [])])
    assert code is None or isinstance(code, int)


@settings(FUZZ, max_examples=40)
@given(st.sampled_from(WAITING), ODD)
def test_the_program_refuses(command: str, odd: Any) -> None:
    assert refuses(_core.main, ["ludens", command, "--no-such-option"]) != 0
    # No words, or the name of the program alone, serve the page until Ctrl-C: empty bytes are no words, too.
    refuses(_core.main, ["ludens", "help", *odd] if isinstance(odd, (list, bytes)) else odd)
    refuses(_core.main, ["ludens", "help", odd])


@settings(FUZZ, max_examples=100)
@given(st.sampled_from(["reproduce", "sweep", "arena", "label", "forget", "settings", "nothing"]), st.lists(WORDS, max_size=4))
def test_the_program_of_clusters(command: str, words: list[str]) -> None:
    from ludens.cluster.__main__ import main

    bounds = {"reproduce": ["--scale", "smoke", "--seeds", "1"], "sweep": ["--steps", "1", "--games", "2"], "arena": ["--games", "2"], "label": ["--count", "2"]}
    with contextlib.suppress(SystemExit):
        # argparse ends so after it has said what is wrong with the words.
        assert refuses(main, [command, *words, *bounds.get(command, [])]) in (0, 1, None)


@settings(FUZZ, max_examples=80)
@given(st.sampled_from([*CATALOGUE, None]), ODD, ODD, st.lists(st.one_of(SMALL, ODD), max_size=6), ODD)
def test_environments(game: Any, one: Any, other: Any, actions: list[Any], seed: Any) -> None:
    refuses(ludens.pettingzoo.env, one, other)
    refuses(ludens.gymnasium.env, one, other)
    refuses(ludens.gymnasium.env, "tic_tac_toe", one, other)
    refuses(ludens.gymnasium.env, "tic_tac_toe", "random", 0, states=one, render_mode=other)
    agents = refuses(ludens.pettingzoo.raw_env, game, None, 20)
    alone = refuses(ludens.gymnasium.env, game)
    for environment in (agents, alone):
        if environment is None:
            continue
        refuses(environment.reset, seed=seed, options=one)
        refuses(environment.reset, options={"position": other})
        environment.reset(seed=1)
        for action in actions:
            refuses(environment.step, action)
        environment.render()


@settings(FUZZ, max_examples=100)
@given(ODD, ODD)
def test_what_is_beside(one: Any, other: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refuses(ludens.load_game, one)
        refuses(ludens.mind, one, other)
        refuses(ludens.mind, "random", one)
        refuses(ludens.mind, one, Nim())
        refuses(ludens.playouts, "tic_tac_toe", min(one, 50) if isinstance(one, (int, float)) else one, other)
        refuses(ludens.label, 2, seed=one, first_ply=30, last_ply=30, progress=other)
    with tempfile.TemporaryDirectory() as folder:
        store = cluster.Works("fuzz", {"what": "odd"}, "one", folder)
        store.keep("part/1", {"file": b"content"})
        assert store.load("part/1") == {"file": b"content"} and store.done() == {"part/1"}
