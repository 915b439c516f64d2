//! A Python object as a mind: `rank(state)` gives every legal move a value, or `step(state)` names a move.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ludens_core::words::{How, What};
use ludens_core::{
    About, Combine, Ctx, Front, Game, Made, Mind, MindError, MindKind, Move, MoveValue, PositionOf, Ranking,
    Reason, Seat, Spec,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::state::State;
use crate::work::Trouble;

/// How far the worths of reasons may be from the value they add up to.
const ROUNDING: f64 = 1e-9;

/// A mind whose decisions are a Python object's.
#[derive(Clone, Debug)]
pub struct OwnMind {
    pub name: String,
    pub trouble: Arc<Trouble>,
    object: Arc<Py<PyAny>>,
    ranks: bool,
}

impl OwnMind {
    /// Takes an object for a mind.
    pub fn new(object: &Bound<'_, PyAny>, trouble: &Arc<Trouble>) -> PyResult<OwnMind> {
        let callable = |name: &str| object.getattr(name).is_ok_and(|found| found.is_callable());
        let ranks = callable("rank");
        if !ranks && !callable("step") {
            return Err(PyTypeError::new_err(
                "a mind is a name, a Model, or an object with rank(state), which gives every legal action a value, or step(state), which names an action",
            ));
        }
        let name = match object.getattr("name") {
            Ok(name) => name.extract::<String>()?,
            Err(_) => object.get_type().name()?.to_string().to_lowercase(),
        };
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(allowed) {
            let problem = format!("{name:?} is no name of a mind: letters, digits and - _ .");
            return Err(PyValueError::new_err(problem));
        }
        Ok(OwnMind { name, trouble: trouble.clone(), object: Arc::new(object.clone().unbind()), ranks })
    }
}

impl MindKind for OwnMind {
    fn about(&self) -> About {
        About::new(&self.name, &self.name, "a mind written in Python")
    }

    fn make<G: Game>(&self, seat: &Seat<G>, _: &mut Spec) -> Made<G> {
        let front = seat.around.open(&seat.game.id()).ok();
        Ok(Box::new(OwnMindOf { kind: self.clone(), game: seat.game.clone(), front }))
    }
}

struct OwnMindOf<G: Game> {
    kind: OwnMind,
    game: Arc<G>,
    front: Option<Arc<dyn Front>>,
}

impl<G: Game> OwnMindOf<G> {
    fn ask(&self, py: Python<'_>, state: &G::State, seen: Arc<AtomicU64>) -> PyResult<Ranking> {
        let position = Box::new(PositionOf::new(self.game.clone(), state.clone()));
        let legal = {
            let mut legal = Vec::new();
            self.game.moves(state, &mut legal);
            legal
        };
        let shown = Py::new(py, State::shown(position, self.front.clone(), &self.kind.trouble, seen))?;
        let object = self.kind.object.bind(py);
        let mut ranking = if self.kind.ranks {
            let answer = object.call_method1("rank", (shown,))?;
            let answer = match answer.cast::<PyDict>() {
                Ok(values) => values.items().into_any(),
                Err(_) => answer,
            };
            ranked(&answer, &legal)?
        } else {
            let chosen: u32 = object.call_method1("step", (shown,))?.extract()?;
            if !legal.contains(&Move(chosen)) {
                return Err(PyValueError::new_err(format!(
                    "step gave {chosen}, which is no legal action here"
                )));
            }
            let value = |mv: Move| if mv.0 == chosen { 1.0 } else { 0.0 };
            Ranking::of(legal.iter().map(|&mv| (mv, value(mv))))
        };
        if let Ok(how) = object.getattr("how").and_then(|how| how.extract::<String>()) {
            ranking.how = How::Own(how);
        }
        Ok(ranking)
    }
}

/// Pairs of an action and its value, with reasons or without: text, worth and cells of each.
fn ranked(answer: &Bound<'_, PyAny>, legal: &[Move]) -> PyResult<Ranking> {
    let mut ranking = Ranking::default();
    for item in answer.try_iter()? {
        let item = item?;
        let (action, value): (u32, f64) = (item.get_item(0)?.extract()?, item.get_item(1)?.extract()?);
        if !value.is_finite() {
            return Err(PyValueError::new_err(format!("rank gave action {action} the value {value}")));
        }
        let mut of_move = MoveValue::new(Move(action), value);
        if item.len()? > 2 {
            for reason in item.get_item(2)?.try_iter()? {
                let reason = reason?;
                let (text, worth): (String, f64) =
                    (reason.get_item(0)?.extract()?, reason.get_item(1)?.extract()?);
                let cells: Vec<u16> =
                    if reason.len()? > 2 { reason.get_item(2)?.extract()? } else { Vec::new() };
                of_move.reasons.push(Reason::term(What::Words { text }, worth, cells));
            }
        }
        ranking.moves.push(of_move);
    }
    let mut given: Vec<Move> = ranking.moves.iter().map(|candidate| candidate.mv).collect();
    let mut wanted = legal.to_vec();
    given.sort_unstable();
    wanted.sort_unstable();
    if given != wanted {
        let [given, wanted] = [given, wanted].map(|moves| moves.iter().map(|mv| mv.0).collect::<Vec<_>>());
        return Err(PyValueError::new_err(format!(
            "rank gave values for {given:?}, the legal actions are {wanted:?}"
        )));
    }
    let sums = |candidate: &MoveValue| {
        let sum: f64 = candidate.reasons.iter().map(|reason| reason.worth).sum();
        !candidate.reasons.is_empty() && (sum - candidate.value).abs() <= ROUNDING
    };
    if ranking.moves.iter().all(sums) {
        ranking.combine = Combine::Sum;
    }
    Ok(ranking)
}

impl<G: Game> Mind<G> for OwnMindOf<G> {
    fn rank(&mut self, _: &G, state: &G::State, ctx: &mut Ctx) -> Result<Ranking, MindError> {
        let stuck = |problem: String| MindError::Stuck { mind: self.kind.name.clone(), problem };
        if self.kind.trouble.is_broken() {
            return Err(stuck("it was broken off".into()));
        }
        let seen = Arc::new(AtomicU64::new(0));
        let answer = Python::attach(|py| {
            self.ask(py, state, seen.clone()).map_err(|error| {
                let problem = error.to_string();
                self.kind.trouble.keep(error);
                problem
            })
        });
        // What it applied to the state it was given was counted: nobody has to trust it.
        ctx.meter.add_states(seen.load(Ordering::Relaxed));
        let mut ranking = answer.map_err(stuck)?;
        if !ctx.explain.is_wanted() {
            ranking.moves.iter_mut().for_each(|candidate| candidate.reasons.clear());
            ranking.combine = Combine::None;
            ranking.how = How::Unsaid;
        }
        Ok(ranking)
    }

    fn new_game(&mut self) {
        let told = Python::attach(|py| -> PyResult<()> {
            let object = self.kind.object.bind(py);
            if object.getattr("new_game").is_ok_and(|found| found.is_callable()) {
                object.call_method0("new_game")?;
            }
            Ok(())
        });
        if let Err(error) = told {
            self.kind.trouble.keep(error);
        }
    }
}

/// Minds as they are named in a call: texts, models, Python objects.
pub struct Named {
    pub names: Vec<String>,
    pub own: Vec<OwnMind>,
    pub models: Arc<Held>,
}

/// Models given by value, under names of ours.
#[derive(Default, Debug)]
pub struct Held(pub Mutex<Vec<(String, Arc<ludens_core::Model>)>>);

impl ludens_core::Models for Held {
    fn find(&self, name: &str) -> Option<Arc<ludens_core::Model>> {
        crate::work::lock(&self.0).iter().find(|(known, _)| known == name).map(|(_, model)| model.clone())
    }

    fn only_lists(&self) -> bool {
        false
    }
}

impl Named {
    /// Reads a list of minds; two of one name get numbers.
    pub fn read(minds: &[Bound<'_, PyAny>], trouble: &Arc<Trouble>) -> PyResult<Named> {
        let mut named = Named { names: Vec::new(), own: Vec::new(), models: Arc::default() };
        for mind in minds {
            if let Ok(name) = mind.extract::<String>() {
                named.names.push(name);
            } else if let Ok(model) = mind.cast::<crate::model::Model>() {
                let model = model.get().inner.clone();
                let name = named.fresh(&format!("{}-model", model.learner));
                crate::work::lock(&named.models.0).push((name.clone(), model));
                named.names.push(name);
            } else if let Ok(mind) = mind.cast::<crate::mind::Mind>() {
                let mind = mind.get();
                named.names.push(mind.name.clone());
                named.own.extend(mind.own.clone().map(|own| OwnMind { trouble: trouble.clone(), ..own }));
                crate::work::lock(&named.models.0).extend(crate::work::lock(&mind.models.0).iter().cloned());
            } else {
                let own = OwnMind::new(mind, trouble)?;
                let own = OwnMind { name: named.fresh(&own.name), ..own };
                named.names.push(own.name.clone());
                named.own.push(own);
            }
        }
        Ok(named)
    }

    fn fresh(&self, name: &str) -> String {
        let taken = |name: &String| self.names.contains(name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        std::iter::once(name.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }
}
