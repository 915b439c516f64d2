"""What runs in Rust: random games, labels, matches, trainings; Ctrl-C, progress, threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import CATALOGUE, ROOT

import ludens


@pytest.mark.parametrize("name", CATALOGUE)
def test_random_games_are_the_same_on_any_number_of_threads(name: str) -> None:
    game = ludens.load_game(name)
    one, two = ludens.playouts(game, 3000, seed=4, threads=1), ludens.playouts(game, 3000, seed=4, threads=3)
    assert (one.returns == two.returns).all() and (one.lengths == two.lengths).all()
    assert one.returns.dtype == np.float32 and one.lengths.dtype == np.uint32
    other = ludens.playouts(game, 3000, seed=5)
    assert (one.lengths != other.lengths).any()


def test_random_games_in_bulk_are_those_of_the_rules() -> None:
    returns = ludens.playouts("tic_tac_toe", 100_000, seed=1).returns
    share = [(returns == value).mean() for value in (1, 0, -1)]
    # Known exactly: 737/1260, 8/63, 121/420.
    assert np.allclose(share, [737 / 1260, 8 / 63, 121 / 420], atol=0.006)


def test_batches_are_rows_of_single_observations() -> None:
    game = ludens.load_game("backgammon")
    state, states = game.new_initial_state(), []
    for seed in range(20):
        state.roll(seed)
        states.append(state.clone())
        state.apply_action(state.legal_actions()[0])
    batch = game.encode_batch(states)
    assert batch.shape == (20, 198)
    for row, one in zip(batch, states, strict=True):
        assert (row == one.observation_tensor()).all()
    texts = game.encode_batch([one.serialize() for one in states])
    assert (texts == batch).all()
    assert game.encode_batch([]).shape == (0, 198)
    with pytest.raises(ludens.LudensError, match="is no state of"):
        game.encode_batch([ludens.load_game("reversi").new_initial_state()])


def test_labels_are_the_solvers(tmp_path) -> None:  # type: ignore[no-untyped-def]
    labels = ludens.label(60, seed=3, first_ply=22, last_ply=26, all_scores=True)
    assert labels["boards"].shape == (60, 6, 7) and labels["scores"].shape == (60, 7)
    assert (labels["scores"].max(axis=1) == labels["score"]).all()
    assert labels["best"][np.arange(60), labels["label"]].all()
    scores = ludens.solve("112233")
    assert len(scores) == 7 and scores[3] == max(scores), "the fourth in the row wins at once"
    with pytest.raises(ludens.LudensError):
        ludens.solve("44444444")


def test_a_training_is_that_of_the_program(tmp_path, own_home) -> None:  # type: ignore[no-untyped-def]
    training = ludens.train("odds", "tic_tac_toe", steps=40, seed=9)
    steps = [measures["step"] for measures in training]
    assert steps == list(range(1, 41)) == list(range(1, training.steps + 1))
    model = training.model()
    assert model is not None
    out = tmp_path / "program.safetensors"
    words = ["train", "odds", "--game", "tic-tac-toe", "--steps", "40", "--seed", "9", "--out", str(out)]
    subprocess.run([sys.executable, "-m", "ludens", *words], check=True, capture_output=True)
    assert out.read_bytes() == model.to_bytes()
    curve = ludens.frame(training)
    assert len(curve) and "step" in curve.columns
    assert len(ludens.runs()) == 2


def test_frames_are_of_what_is_installed(own_home, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    training = ludens.train("odds", "tic_tac_toe", steps=5)
    assert training.model() is not None
    assert type(ludens.frame(training)).__module__.startswith("pandas")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert type(ludens.frame(training)).__module__.startswith("polars")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        ludens.frame(training)
    assert isinstance(ludens.runs(), list)


def test_a_training_that_is_left_ends_at_a_checkpoint(own_home) -> None:  # type: ignore[no-untyped-def]
    training = ludens.train("nhb", "connect_four", steps=100_000)
    next(training)
    training.stop()
    assert training.model() is None
    assert (training.folder / "checkpoint.safetensors").exists()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    ludens.playouts("reversi", 20_000, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (20_000, 20_000) and told == sorted(told)
    told.clear()
    ludens.arena(["random", "random"], "reversi", 200, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (200, 200)
    ludens.playouts("reversi", 1_000, progress=True)


def test_what_progress_raises_ends_the_work() -> None:
    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ludens.playouts("backgammon", 5_000_000, progress=refuse)


def test_the_lock_is_released() -> None:
    count, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    began = time.perf_counter()
    ludens.playouts("backgammon", 20_000, threads=1)
    took = time.perf_counter() - began
    stop.set()
    ticker.join()
    assert took < 0.05 or count > 100 * took, f"{count} ticks in {took:.2f} s"


ENDLESS = {
    "playouts": "ludens.playouts('backgammon', 2**29)",
    "arena": "ludens.arena(['uct:sims=2000', 'uct:sims=2000'], 'reversi', 10000)",
    "think": "ludens.mind('uct:sims=100000000', 'reversi').think(ludens.load_game('reversi').new_initial_state())",
    "train": "list(ludens.train('coevolution', 'connect_four', steps=100000))",
    "label": "ludens.label(1000000, first_ply=8, last_ply=10)",
    "cluster": "__import__('ludens.cluster').cluster.arena(['uct:sims=5000', 'uct:sims=5000'], 'reversi', 10000)",
    "serve": "ludens.serve()",
}


@pytest.mark.parametrize("what", sorted(ENDLESS))
def test_ctrl_c_stops(what: str, own_home) -> None:  # type: ignore[no-untyped-def]
    code = f"import ludens; print('begun', flush=True); {ENDLESS[what]}"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ, cwd=ROOT
    )
    assert process.stdout is not None and process.stdout.readline() == b"begun\n"
    time.sleep(1.0)
    assert process.poll() is None, "it is still at work"
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    took = time.perf_counter() - began
    assert took < 10, f"it took {took:.1f} s to stop"
    if what == "serve":
        assert process.returncode == 0
    else:
        assert process.returncode in (-signal.SIGINT, 130, 1) and b"KeyboardInterrupt" in told
