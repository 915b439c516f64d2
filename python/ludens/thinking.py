"""What a mind thought, as plain objects that show themselves in a notebook."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from . import _board, _core
from ._core import Game, Mind, Model, State
from ._games import PythonGame, load_game

#: Whom the reasons are told: the other player, the one who moves, or somebody who looks on.
Listener: TypeAlias = Literal["opponent", "mover", "onlooker"]


@runtime_checkable
class RankingMind(Protocol):
    """A mind written in Python that gives every legal action a value: a dictionary, or (action, value) or (action, value, reasons) of each, a reason
    being (text, worth) or (text, worth, cells)."""

    def rank(self, state: State) -> Any:
        """The values of all legal actions, higher is better."""


@runtime_checkable
class SteppingMind(Protocol):
    """A mind written in Python that names an action, as the bots of OpenSpiel do."""

    def step(self, state: State) -> int:
        """The number of a legal action."""


#: Whoever can play: a name (`alphabeta:depth=6`, `nhb`, a model's file), a model, a mind, or an object with `rank` or `step`.
Player: TypeAlias = str | Model | Mind | RankingMind | SteppingMind


@dataclass(frozen=True)
class Reason:
    """One thing that speaks for or against a move."""

    kind: str
    text: str
    worth: float
    cells: list[int] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    notation: str = ""
    input: int | None = None


@dataclass(frozen=True)
class Candidate:
    """One legal move as the mind sees it."""

    action: int
    label: str
    value: float
    #: The value as people read it, by the scale of the thought: "62 %", "wins", "+0.4".
    shown: str
    bound: str
    fate: str | None
    prior: float | None
    visits: int | None
    cells: list[int]
    reasons: list[Reason]


@dataclass(frozen=True)
class Cost:
    """What was spent, or held: states examined, games of experience, chunks of memory, labelled positions, weights."""

    states: int = 0
    games: int = 0
    chunks: int = 0
    labels: int = 0
    weights: int = 0


@dataclass(frozen=True)
class Thought:
    """A decision: the move, the ranking of all moves, why, and what it cost."""

    action: int
    label: str
    sentences: list[str]
    how: str
    scale: str
    combine: str
    ranking: list[Candidate]
    cost: Cost
    ledger: Cost
    knows: list[str]
    board: dict[str, Any] = field(repr=False)

    @property
    def value(self) -> float:
        """What the move is worth to the mind."""
        return self.of(self.action).value

    @property
    def reasons(self) -> list[Reason]:
        """What speaks for and against the move."""
        return self.of(self.action).reasons

    @property
    def cells(self) -> list[int]:
        """The cells the move speaks of, as indices of the board."""
        return self.of(self.action).cells

    def of(self, action: int) -> Candidate:
        """What was thought of a move."""
        for candidate in self.ranking:
            if candidate.action == action:
                return candidate
        raise KeyError(action)

    def __str__(self) -> str:
        lines = [f"it plays {self.label}", *self.sentences]
        if self.how:
            lines.append(self.how)
        for reason in self.reasons:
            lines.append(f"  {reason.worth:+.3f}  {reason.text or reason.notation}")
        others = ", ".join(f"{c.label} {c.shown}" for c in self.ranking)
        lines.append(f"({self.scale}: {others}; {self.cost.states} states)")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{html.escape(line)}</p>" for line in [*self.sentences, self.how] if line)
        terms = "".join(
            f"<tr><td style='text-align:right'>{reason.worth:+.3f}</td>"
            f"<td style='text-align:left'>{html.escape(reason.text or reason.notation)}</td></tr>"
            for reason in self.reasons
        )
        moves = "".join(
            f"<tr><td>{html.escape(c.label)}</td><td style='text-align:right'>{html.escape(c.shown)}</td></tr>"
            for c in self.ranking
        )
        picture = _board.svg({"board": self.board}, lit=self.cells)
        return (
            "<div style='display:flex;gap:1.5em;align-items:flex-start;flex-wrap:wrap'>"
            f"<div>{picture}</div><div style='max-width:32em'><b>it plays {html.escape(self.label)}</b>{said}"
            f"<table>{terms}</table></div>"
            f"<table><tr><th>move</th><th>{html.escape(self.scale)}</th></tr>{moves}</table></div>"
        )


class Thinker(Mind):
    """A mind at a game: ask it to think, to step, or why not."""

    def think(  # type: ignore[override]
        self,
        state: State,
        *,
        seed: int = 1,
        states: int | None = None,
        milliseconds: int | None = None,
        explain: int = 2,
        to: Listener = "opponent",
    ) -> Thought:
        """Its decision here, and why; `explain` says of how many moves the reasons are wanted, the decision first."""
        told = super().think(state, seed, states, milliseconds, explain, to)
        ranking = [
            Candidate(**{**of_move, "reasons": [Reason(**reason) for reason in of_move["reasons"]]})
            for of_move in told.pop("ranking")
        ]
        cost, ledger = Cost(**told.pop("cost")), Cost(**told.pop("ledger"))
        return Thought(ranking=ranking, cost=cost, ledger=ledger, **told)


def mind(player: Player, game: str | Game | PythonGame) -> Thinker:
    """A mind for a game: by its name or its settings, from a model or its file, or an object of yours with `rank` or `step`."""
    return Thinker(player, load_game(game))


__all__ = ["Candidate", "Cost", "Listener", "Player", "RankingMind", "Reason", "SteppingMind", "Thinker", "Thought", "mind", "_core"]
