//! Reasons in the words of the board, for everyone. What is said is chosen from what is true of a move ([`claims`]) and from the mind's own
//! typed reasons ([`what`]) by what the ranking bears out ([`told`]); how it is said stands in [`say`], [`things`], [`how`] and [`scale`].

mod claims;
mod contrast;
mod how;
mod points;
mod say;
mod scale;
mod things;
mod told;
mod what;

pub use claims::{Claim, Tactics};
pub use contrast::{Contrast, Difference, Mark, continuation, contrast};
pub use how::{How, Judge, ledger};
pub use say::{Voice, sentence};
pub use scale::{Scale, count, percent, signed, unsigned};
pub use things::{Scene, thing};
pub use told::{Told, borne_out, gather, tell, write};
pub use what::{Fate, Lies, Notion, Shows, What, When, Whose};
