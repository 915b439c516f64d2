//! NHB, the neural heuristic based player of Ghignone and Cancelliere: alpha-beta search with a heuristic learnt online from the
//! player's own matches. See `docs/learners/nhb.md`.

pub mod hidden_size;
pub mod logistic;
pub mod os_elm;
