//! The five published learning methods, one folder each of the same shape; what we invented beside them, in `beyond`; and the
//! lists of who plays what.
//!
//! | file       | what lives there                                          |
//! |------------|-----------------------------------------------------------|
//! | `mod`      | what it is, and a table of its modules                    |
//! | `entry`    | its registration: what the catalogue finds                |
//! | `settings` | what can be set                                           |
//! | `learner`  | learning                                                  |
//! | `player`   | deciding: the ranking                                     |
//! | `reasons`  | explaining                                                |
//!
//! Beside them is what the method needs. A folder of `beyond` that shares a part with the method it goes beyond has no file for it, and says so.

#![warn(missing_docs)]

pub mod actr;
pub mod beyond;
pub mod citations;
pub mod coevolution;
pub mod concepts;
pub mod contexts;
pub mod homo;
pub mod nhb;
pub mod registry;
pub mod rules;
mod search_minds;
pub mod standard;
pub mod without;
