//! The papers, as everything cites them: authors and title.

/// Of `contexts`.
pub const CONTEXTS: &str = "J. Mańdziuk, Towards Cognitively-Plausible Game Playing Systems";
/// Of `nhb`.
pub const NHB: &str =
    "L. Ghignone and R. Cancelliere, Neural Learning of Heuristic Functions for General Game Playing";
/// Of `coevolution`.
pub const COEVOLUTION: &str = "R. Yaakob and H. Mahdin, An Integration of Individual and Social Learning in a \
     Co-evolutionary Approach to the Game of Connect-Four";
/// Of `concepts`; the text at hand names no authors.
pub const CONCEPTS: &str =
    "Extraction of explicit concepts from general games by playouts (authors not named in our copy)";
/// Of `actr`.
pub const ACTR: &str = "S. Sanner, J. R. Anderson, C. Lebiere and M. Lovett, Achieving Efficient and Cognitively \
     Plausible Learning in Backgammon";
