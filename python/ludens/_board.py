"""Boards as text and as pictures, from what `State.to_dict` says of them."""

from __future__ import annotations

import html
from collections.abc import Collection
from typing import Any

_SIDE = {"First": "#e8b10c", "Second": "#2463b4"}
_CELL = 36


def text(view: dict[str, Any]) -> str:
    """The position as lines of characters."""
    board = view["board"]
    lines = _points(board) if board["layout"] == "Points" else _grid(board)
    lines += [f"{name}: {value}" for name, value in board["notes"]]
    lines.append(_whose(view))
    return "\n".join(line for line in lines if line)


def _whose(view: dict[str, Any]) -> str:
    if view["is_terminal"]:
        first = view["returns"][0]
        return "draw" if first == 0 else f"{'first' if first > 0 else 'second'} wins"
    return "dice" if view["is_chance_node"] else f"{('first', 'second')[view['current_player']]} to move"


def _glyph(board: dict[str, Any], index: int) -> str:
    return str(board["pieces"][board["squares"][index]["piece"]]["glyph"])


def _grid(board: dict[str, Any]) -> list[str]:
    width, names = board["width"], board["row_names"]
    margin = min(max((len(name) for name in names), default=0), 12)
    rows = [
        f"{names[row]:>{margin}} " + " ".join(_glyph(board, row * width + column) for column in range(width))
        for row in reversed(range(board["height"]))
    ]
    return [*rows, " " * (margin + 1) + " ".join(name[:1] for name in board["column_names"])]


def _points(board: dict[str, Any]) -> list[str]:
    def men(index: int) -> str:
        count = board["squares"][index]["count"]
        return f"{_glyph(board, index)}{count}" if count else " ."

    upper = " ".join(f"{men(index):>3}" for index in range(12, 24))
    lower = " ".join(f"{men(index):>3}" for index in range(11, -1, -1))
    numbers = [" ".join(f"{point:>3}" for point in points) for points in (range(13, 25), range(12, 0, -1))]
    beside = ", ".join(
        f"{board['column_names'][index]}: {board['squares'][index]['count']}"
        for index in range(24, 28)
        if board["squares"][index]["count"]
    )
    return [numbers[0], upper, "", lower, numbers[1], beside]


def svg(view: dict[str, Any], lit: Collection[int] = ()) -> str:
    """The position as a picture; the cells in `lit` stand out."""
    board = view["board"]
    return _points_svg(board, lit) if board["layout"] == "Points" else _grid_svg(board, lit)


def _picture(width: float, height: float, body: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="sans-serif" font-size="12" role="img">{"".join(body)}</svg>'
    )


def _disc(x: float, y: float, radius: float, side: str | None) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{_SIDE.get(side or "", "#888")}" stroke="#222"/>'


def _label(x: float, y: float, words: str, colour: str = "#666") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{colour}">{html.escape(words)}</text>'


def _grid_svg(board: dict[str, Any], lit: Collection[int]) -> str:
    width, height, left = board["width"], board["height"], 24
    body = []
    for index, square in enumerate(board["squares"]):
        column, row = index % width, index // width
        x, y = left + column * _CELL, (height - 1 - row) * _CELL
        colour = "#ffe9b0" if index in lit else "#f4f4f0"
        body.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{colour}" stroke="#bbb"/>'
        )
        if square["count"]:
            middle = (x + _CELL / 2, y + _CELL / 2)
            body.append(_disc(*middle, _CELL * 0.38, square["side"]))
            body.append(_label(middle[0], middle[1] + 4, _glyph(board, index), "#fff" if square["side"] == "Second" else "#000"))
    for column, name in enumerate(board["column_names"]):
        body.append(_label(left + (column + 0.5) * _CELL, height * _CELL + 15, name[:3]))
    for row, name in enumerate(board["row_names"]):
        body.append(_label(left / 2, (height - row - 0.5) * _CELL + 4, name[:3]))
    return _picture(left + width * _CELL + 2, height * _CELL + 20, body)


def _points_svg(board: dict[str, Any], lit: Collection[int]) -> str:
    step, tall = 30, 130
    body = [f'<rect x="0" y="0" width="{14 * step}" height="{2 * tall + 40}" fill="#f4f4f0" stroke="#bbb"/>']
    for index, square in enumerate(board["squares"]):
        is_top = 12 <= index < 24 or index in (26, 27)
        if index < 24:
            place = index - 12 if is_top else 11 - index
            place += place >= 6
        else:
            place = 6 if index in (24, 26) else 13
        x, base = place * step + step / 2, 4 if is_top else 2 * tall + 36
        way = 1 if is_top else -1
        if index < 24:
            colour = "#ffe9b0" if index in lit else ("#d9cdb8", "#c0b090")[index % 2]
            tip = base + way * tall * 0.85
            body.append(f'<path d="M{x - 14:g} {base}L{x + 14:g} {base}L{x:g} {tip:g}Z" fill="{colour}"/>')
        for man in range(min(square["count"], 5)):
            body.append(_disc(x, base + way * (12 + 22 * man), 11, square["side"]))
        if square["count"] > 5:
            body.append(_label(x, base + way * 12 + 4, str(square["count"]), "#000"))
    notes = ", ".join(f"{name}: {value}" for name, value in board["notes"])
    body.append(_label(7 * step, tall + 24, notes))
    return _picture(14 * step, 2 * tall + 40, body)
