//! `Mind`: asks a mind for its decision, and for its reasons in words.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludens_core::words::{Voice, ledger};
use ludens_core::{
    Budget, Decision, Explain, Games, Models, Move, MoveValue, Reason, Rng, Stop, Table, TableError,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::{said, wrong};
use crate::game::Game;
use crate::house;
use crate::own_mind::{Held, Named, OwnMind};
use crate::state::{State, to_python};
use crate::work::{Trouble, lock, quiet};

/// Somebody who can be asked for a move.
#[pyclass(module = "ludens", frozen, subclass)]
pub struct Mind {
    #[pyo3(get)]
    pub name: String,
    #[pyo3(get)]
    game: Py<Game>,
    pub own: Option<OwnMind>,
    pub models: Arc<Held>,
    table: Mutex<Box<dyn Table>>,
    /// What was opened for it knows its surroundings only as long as they are held.
    _games: Arc<Games>,
    trouble: Arc<Trouble>,
}

impl std::fmt::Debug for Mind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a decision may cost.
pub fn budget(states: Option<u64>, milliseconds: Option<u64>) -> PyResult<Budget> {
    match (states, milliseconds) {
        (Some(_), Some(_)) => {
            Err(wrong("give a limit on states or on time, not both: states repeat exactly"))
        }
        (Some(states), None) => Ok(Budget::States(states)),
        (None, Some(time)) => Ok(Budget::Time(Duration::from_millis(time))),
        (None, None) => Ok(Budget::Unlimited),
    }
}

fn voice(to: &str) -> PyResult<Voice> {
    match to {
        "opponent" => Ok(Voice::ToOpponent),
        "mover" => Ok(Voice::ToMover),
        "onlooker" => Ok(Voice::ToOnlooker),
        other => Err(wrong(format!("{other:?} is nobody to speak to: opponent, mover or onlooker"))),
    }
}

/// What is asked of a mind in one position.
struct Question<'a> {
    position: &'a str,
    seed: u64,
    budget: Budget,
    explain: Explain,
    voice: Voice,
}

impl Mind {
    fn thought(
        &self,
        table: &mut dyn Table,
        question: &Question,
        stop: &Stop,
    ) -> Result<Decision, TableError> {
        table.watched(stop.clone());
        table.restart(Some(question.position))?;
        let mut rng = Rng::new(question.seed);
        let mut decision = table.think(&self.name, &mut rng, question.budget, question.explain)?;
        if question.explain.is_wanted() {
            table.speak(&mut decision, question.voice);
        }
        Ok(decision)
    }

    fn text_of(&self, state: &State) -> PyResult<String> {
        let (wanted, found) = (self.game.get().front().id(), state.position().game_id());
        if wanted != found {
            return Err(wrong(format!("this mind plays {wanted}, the state is of {found}")));
        }
        Ok(state.position().text())
    }
}

#[pymethods]
impl Mind {
    /// A mind by its name (`alphabeta:depth=6`, `nhb`, a model's file), a `Model`, or an object with `rank` or `step`, for a game.
    #[new]
    fn new(py: Python<'_>, mind: Bound<'_, PyAny>, game: Py<Game>) -> PyResult<Mind> {
        let trouble = game.get().trouble().clone();
        let Named { names, own, models } = Named::read(&[mind], &trouble)?;
        let opened = house::open(&game.get().origin, &own)?;
        let held: Arc<dyn Models> = models.clone();
        let name = names.into_iter().next().unwrap_or_default();
        let front = opened.front.clone();
        let stop = Stop::new();
        quiet(py, &stop, &trouble, || front.check_mind(&name, &held, &stop))?.map_err(said)?;
        let table = Mutex::new(front.table(held));
        Ok(Mind { name, game, own: own.into_iter().next(), models, table, _games: opened.games, trouble })
    }

    /// Its decision here, and why. `explain` is of how many moves the reasons are wanted, the decision first; `to` is whom they are told.
    #[pyo3(signature = (state, seed=1, states=None, milliseconds=None, explain=2, to="opponent"))]
    #[allow(clippy::too_many_arguments)]
    fn think<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        seed: u64,
        states: Option<u64>,
        milliseconds: Option<u64>,
        explain: u32,
        to: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.text_of(state)?;
        let (budget, explain, voice) = (budget(states, milliseconds)?, Explain::best(explain), voice(to)?);
        let question = Question { position: &position, seed, budget, explain, voice };
        let stop = Stop::new();
        let told = quiet(py, &stop, &self.trouble, || {
            let mut table = lock(&self.table);
            let decision = self.thought(&mut **table, &question, &stop)?;
            Ok::<_, TableError>(told(&**table, &decision, &question))
        })?;
        to_python(py, &told.map_err(said)?)
    }

    /// The move it decides on, and no more.
    #[pyo3(signature = (state, seed=1, states=None, milliseconds=None))]
    fn step(
        &self,
        py: Python<'_>,
        state: &State,
        seed: u64,
        states: Option<u64>,
        milliseconds: Option<u64>,
    ) -> PyResult<u32> {
        let position = self.text_of(state)?;
        let (budget, explain) = (budget(states, milliseconds)?, Explain::NOTHING);
        let question = Question { position: &position, seed, budget, explain, voice: Voice::ToOpponent };
        let stop = Stop::new();
        let decided = quiet(py, &stop, &self.trouble, || {
            self.thought(&mut **lock(&self.table), &question, &stop).map(|decision| decision.mv.0)
        })?;
        decided.map_err(said)
    }

    /// Why not this move: what it loses beside the decision, in sentences, with the line that shows it.
    #[pyo3(signature = (state, action, seed=1, to="opponent") -> "dict[str, Any] | None")]
    fn why_not<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        action: u32,
        seed: u64,
        to: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.text_of(state)?;
        let (explain, voice) = (Explain::EVERYTHING, voice(to)?);
        let question = Question { position: &position, seed, budget: Budget::Unlimited, explain, voice };
        let stop = Stop::new();
        let contrasted = quiet(py, &stop, &self.trouble, || {
            let mut table = lock(&self.table);
            let decision = self.thought(&mut **table, &question, &stop)?;
            if !table.moves().contains(&Move(action)) {
                table.play(Move(action))?;
            }
            let contrast = table.contrast(&decision, Move(action), voice);
            Ok::<_, TableError>(contrast.map(|contrast| {
                json!({
                    "action": action,
                    "sentences": contrast.said,
                    "loss": contrast.loss,
                    "mark": contrast.mark,
                    "line": table.line_labels(&contrast.line),
                })
            }))
        })?;
        to_python(py, &contrasted.map_err(said)?)
    }

    fn __repr__(&self) -> String {
        format!("ludens.mind({:?}, {:?})", self.name, self.game.get().front().id())
    }
}

/// A decision as Python sees it: numbers of moves with their labels beside them.
fn told(table: &dyn Table, decision: &Decision, question: &Question) -> Value {
    let view = table.view();
    let label = |mv: Move| view.moves.iter().find(|known| known.mv == mv).map(|known| known.label.clone());
    let cells = |mv: Move| view.moves.iter().find(|known| known.mv == mv).map(|known| known.cells.clone());
    let reason = |reason: &Reason| {
        json!({
            "kind": reason.kind, "text": reason.text, "notation": reason.notation, "worth": reason.worth,
            "cells": reason.cells.as_slice(), "line": table.line_labels(&reason.line), "input": reason.input,
        })
    };
    let of_move = |candidate: &MoveValue| {
        json!({
            "action": candidate.mv.0, "label": label(candidate.mv), "value": candidate.value,
            "shown": decision.why.scale.shown(candidate), "bound": candidate.bound,
            "fate": candidate.fate, "prior": candidate.prior, "visits": candidate.visits,
            "cells": cells(candidate.mv), "reasons": candidate.reasons.iter().map(reason).collect::<Vec<_>>(),
        })
    };
    let sentences = match question.explain.is_wanted() {
        true => table.tell(decision, decision.mv, question.voice),
        false => Vec::new(),
    };
    json!({
        "action": decision.mv.0,
        "label": decision.label,
        "sentences": sentences,
        "how": decision.why.how.sentence(),
        "scale": decision.why.scale.name(),
        "combine": decision.why.combine,
        "ranking": decision.why.moves.iter().map(of_move).collect::<Vec<_>>(),
        "cost": decision.cost,
        "ledger": decision.ledger,
        "knows": ledger(&decision.ledger),
        "board": view.board,
    })
}
