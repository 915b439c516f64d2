//! Inputs that a learner never gets to see, in training or in play: what it loses without them tells what they were good for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The numbers of inputs that are taken away (those of [`ludens_core::Reason::input`]), written `3+17+20`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Without(Vec<u32>);

impl Without {
    /// These, each once.
    pub fn new(inputs: impl IntoIterator<Item = u32>) -> Without {
        let mut inputs: Vec<u32> = inputs.into_iter().collect();
        inputs.sort_unstable();
        inputs.dedup();
        Without(inputs)
    }

    /// Nothing is taken away.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this input is.
    pub fn takes(&self, input: u32) -> bool {
        self.0.binary_search(&input).is_ok()
    }

    /// Those that a network of so many inputs has.
    pub fn places(&self, inputs: usize) -> Vec<usize> {
        self.0.iter().map(|&input| input as usize).filter(|&input| input < inputs).collect()
    }

    /// Sets them to zero in examples of `inputs` numbers each.
    pub fn clear(&self, inputs: usize, examples: &mut [f32]) {
        let places = self.places(inputs);
        if !places.is_empty() {
            for example in examples.chunks_exact_mut(inputs) {
                places.iter().for_each(|&place| example[place] = 0.0);
            }
        }
    }
}

impl fmt::Display for Without {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join("+"))
    }
}

impl FromStr for Without {
    type Err = ();

    fn from_str(text: &str) -> Result<Without, ()> {
        if text == "none" {
            return Ok(Without::default());
        }
        let numbers: Result<Vec<u32>, ()> =
            text.split('+').map(|number| number.parse().map_err(|_| ())).collect();
        Ok(Without::new(numbers?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_it_is_read() {
        for (text, again) in [("none", "none"), ("3", "3"), ("20+3+17+3", "3+17+20")] {
            assert_eq!(text.parse::<Without>().unwrap().to_string(), again);
        }
        for wrong in ["", "3+", "x", "-1", "3,4"] {
            assert!(wrong.parse::<Without>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn examples_lose_what_is_taken_away() {
        let mut examples = vec![1.0; 6];
        Without::new([1, 9]).clear(3, &mut examples);
        assert_eq!(examples, [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    }
}
