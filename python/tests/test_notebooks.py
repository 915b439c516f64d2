"""The notebooks run from top to bottom, and are committed without what they print."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
# The kernel's own loop and sockets are not ours to close.
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code), "what it prints is not committed"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    if path.stem.startswith(("1", "3")):
        assert "image/svg+xml" in shown and "text/html" in shown, "boards and thoughts show themselves"
