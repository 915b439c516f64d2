"""Where finished tasks are kept: in the home of Ludens, one file at a time, whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from .. import _core
from .graph import Files


def write_whole(path: Path, content: bytes) -> None:
    """Writes a temporary file, syncs it and renames it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class Reproduction:
    """The folder of a reproduction, as `ludens reproduce` keeps it: what was done there is done here, and the other way round."""

    def __init__(self, folder: Path, units: list[dict[str, Any]]) -> None:
        self.folder = folder
        self.found = {unit["unit"] for unit in units if unit["done"]}

    def _list(self, name: str) -> Path:
        return self.folder / "cluster" / f"{_file(name)}.json"

    def done(self) -> set[str]:
        """The units whose outcomes are in the folder."""
        return self.found

    def load(self, name: str) -> Files:
        """The outcome of a unit and its artefacts; where it is not known which are its own, all there are."""
        names = [f"units/{_file(name)}.json"]
        listed = self._list(name)
        if listed.exists():
            names += json.loads(listed.read_text())
        else:
            names += [f"artefacts/{path.name}" for path in sorted((self.folder / "artefacts").glob("*"))]
        return {name: (self.folder / name).read_bytes() for name in names}

    def keep(self, name: str, files: Files) -> None:
        """The outcome last: a unit that has one is done."""
        artefacts = sorted(file for file in files if file.startswith("artefacts/"))
        outcome = f"units/{_file(name)}.json"
        for file in sorted(files, key=lambda file: file == outcome):
            if file == outcome:
                write_whole(self._list(name), json.dumps(artefacts).encode())
            write_whole(self.folder / file, files[file])
        self.found.add(name)


class Works:
    """The folder of a sweep, a tournament or a labelling in the home of Ludens."""

    def __init__(self, kind: str, what: dict[str, Any], name: str, home: str | os.PathLike[str] | None) -> None:
        self.folder = Path(_core.home(home)) / "works" / f"{kind}-{name}"
        self.folder.mkdir(parents=True, exist_ok=True)
        about = self.folder / "about.json"
        if not about.exists():
            write_whole(about, json.dumps(what, sort_keys=True, indent=1).encode())

    def _path(self, name: str) -> Path:
        return self.folder / f"{_file(name)}.task"

    def done(self) -> set[str]:
        """The tasks that are kept."""
        return {path.stem.replace("~", "/") for path in self.folder.glob("*.task")}

    def load(self, name: str) -> Files:
        """What a task has left."""
        content = self._path(name).read_bytes()
        length = int.from_bytes(content[:8], "little")
        sizes: dict[str, int] = json.loads(content[8 : 8 + length])
        place, files = 8 + length, {}
        for file, size in sizes.items():
            files[file] = content[place : place + size]
            place += size
        return files

    def keep(self, name: str, files: Files) -> None:
        """All files of a task as one: a list of their sizes, then one after the other."""
        sizes = json.dumps({file: len(content) for file, content in files.items()}).encode()
        write_whole(self._path(name), len(sizes).to_bytes(8, "little") + sizes + b"".join(files.values()))


def _file(name: str) -> str:
    return name.replace("/", "~")
