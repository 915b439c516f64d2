"""The types that are written down are those that are there."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import ROOT


def checked(*words: str, **environment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    checked("mypy", "--config-file", "pyproject.toml")


def test_the_stub_is_the_one_that_is_generated() -> None:
    done = subprocess.run([sys.executable, "python/stubs.py", "--check"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_says_what_the_library_has() -> None:
    checked("mypy.stubtest", "ludens._core")


def test_a_program_of_a_user_is_checked(tmp_path) -> None:  # type: ignore[no-untyped-def]
    program = tmp_path / "program.py"
    program.write_text(
        "import ludens\n"
        "game = ludens.load_game('connect_four')\n"
        "thought: ludens.Thought = ludens.mind('nhb', game).think(game.new_initial_state())\n"
        "labels: list[str] = [candidate.label for candidate in thought.ranking]\n"
    )
    checked("mypy", "--strict", "--no-incremental", str(program), MYPYPATH="")
    program.write_text("import ludens\nludens.load_game('reversi').new_initial_state().apply_action('d3')\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=tmp_path)
    assert "incompatible type" in done.stdout, "a mistake is found"
