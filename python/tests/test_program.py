"""The command `ludens`, the processor's check, the page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from conftest import Corners

import ludens
from ludens import _processor


def program(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([Path(sys.executable).parent / "ludens", *words], capture_output=True, text=True)


def test_the_command_is_the_whole_program() -> None:
    assert program("--version").stdout == f"ludens {ludens.__version__}\n"
    games = json.loads(program("games", "--json").stdout)
    assert [game["id"] for game in games] == [game["id"] for game in ludens.games()]
    assert "Usage" in program("sweep", "--help").stdout
    wrong = program("moves", "chess")
    assert wrong.returncode == 2 and "there is no game called" in wrong.stderr
    assert program("--nonsense").returncode == 2


def test_a_sweep_is_handed_over(tmp_path: Path) -> None:
    words = ["odds", "--game", "tic-tac-toe", "--steps", "5", "--games", "4", "--out", str(tmp_path / "sweep.json")]
    done = program("sweep", *words, "--home", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads((tmp_path / "sweep.json").read_text())["rows"]
    wrong = program("sweep", "nobody", "--game", "tic-tac-toe", "--home", str(tmp_path))
    assert wrong.returncode == 1 and "there is no mind called" in wrong.stderr


def test_without_the_package_the_program_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDENS_PYTHON", "/bin/false")
    done = program("reproduce", "nhb", "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 2 and "pip install" in done.stderr


def test_what_a_processor_lacks_is_said_and_not_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = next(Path(ludens.__file__).parent.glob("_core*.so"))
    assert _processor.needed(library) == ludens._core.needs()
    assert _processor.lacking(ludens._core.needs(), _processor.present()) == []
    other = tmp_path / "_core.abi3.so"
    other.write_bytes(b"...ludens-needs: popcnt avx2 lzcnt ;...")
    monkeypatch.setattr(_processor, "present", lambda: {"popcnt", "avx"})
    with pytest.raises(ImportError, match="lacks avx2, lzcnt"):
        _processor.check(tmp_path)
    monkeypatch.setattr(_processor, "present", lambda: {"popcnt", "avx2", "abm"})
    _processor.check(tmp_path)


class Left:
    """A mind of the page."""

    name = "left"
    how = "It goes left."

    def rank(self, state: ludens.State) -> dict[int, float]:
        return {action: float(-action) for action in state.legal_actions()}


def test_the_page_has_minds_and_games_of_ones_own(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="written in Python"):
        corners = ludens.load_game(Corners())
    with ludens.serve([Left()], [corners], home=tmp_path, block=False) as server:

        def ask(path: str, body: object = None) -> Any:
            headers = {"content-type": "application/json", "x-ludens-token": token}
            data = None if body is None else json.dumps(body).encode()
            with urllib.request.urlopen(urllib.request.Request(server.url + path, data, headers), timeout=60) as answer:
                return json.load(answer)

        with urllib.request.urlopen(server.url, timeout=60) as page:
            token = re.search(r'name="ludens-token" content="(\w+)"', page.read().decode())[1]  # type: ignore[index]
        assert "corners" in [game["id"] for game in ask("api/catalog")["games"]]
        for game, first in (("connect-four", 3), ("corners", 2)):
            seats = [{"kind": "human"}, {"kind": "mind", "mind": "left"}]
            session = ask("api/sessions", {"game": game, "seats": seats})
            ask(f"api/sessions/{session['id']}/move", {"mv": first})
            decision = ask(f"api/sessions/{session['id']}/reply", {})["last_decision"]
            assert decision["moves"][0]["mv"] == 0 and decision["summary"] == "It goes left."
    assert not server.is_running()
