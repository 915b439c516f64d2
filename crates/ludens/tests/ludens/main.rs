//! The program as a user meets it: each test reads as a sentence.

mod arena;
mod bad_input;
mod commands;
mod gdl;
mod homes;
mod lab;
mod outside;
mod play;
mod run;
