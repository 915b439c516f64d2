//! Where labelled positions come from: those that come with the program, or files that a user names.

use std::borrow::Cow;
use std::path::Path;

use ludens_core::shown::cut;
use ludens_core::{MindError, Model, Rng, Spec};
use ludens_search::connect_four_labels::{self as labels, Labelled};

use super::shipped;

/// The positions of files joined by `+`; without a name those that come with the program.
pub(crate) fn labelled(files: &str) -> Result<Cow<'static, [Labelled]>, MindError> {
    if files.is_empty() {
        return Ok(Cow::Borrowed(shipped::labelled()?));
    }
    let mut all: Vec<Labelled> = Vec::new();
    for file in files.split('+') {
        let wrong = |what: String| {
            MindError::Other(format!("labels={}: {what}; `ludens label` makes such files", cut(file)))
        };
        let (_, labelled) = labels::load(Path::new(file)).map_err(|error| wrong(error.to_string()))?;
        if labelled.is_empty() {
            return Err(wrong("it holds no position".into()));
        }
        all.extend(labelled);
    }
    Ok(Cow::Owned(all))
}

/// What a learner says whose model names files that its user did not.
pub(crate) fn unnamed(files: &str) -> MindError {
    let files = cut(files);
    MindError::Other(format!(
        "the model asks for the labels {files}, which nobody named: train anew with --set labels=FILE"
    ))
}

/// Whether the training that a model says it is of was asked for with these files. A training goes on from a model only if the model's mark
/// is what the user's run says (`ludens_lab::train`); so what the mark names, the user has named.
pub(crate) fn named_in_mark(model: &Model, files: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Mark {
        training: Asked,
    }
    #[derive(serde::Deserialize)]
    struct Asked {
        learner: String,
    }
    let spec =
        model.meta::<Mark>("training").ok().and_then(|mark| mark.training.learner.parse::<Spec>().ok());
    let named = spec.and_then(|mut spec| spec.take::<String>("labels", "files").ok().flatten());
    files.is_empty() || named.as_deref() == Some(files)
}

/// The same positions labelled by somebody who errs: in this share of them another legal move, any as likely, is called the best.
/// The paper's labels are a program's that is not perfect.
pub fn with_noise(examples: &[Labelled], share: f64, rng: &mut Rng) -> Vec<Labelled> {
    let err = |example: &Labelled| {
        let wrong: Vec<usize> =
            example.position.children().map(|(column, _)| column).filter(|&c| !example.is_best(c)).collect();
        // Both are drawn for every position, so that a larger share errs where a smaller one does, and more.
        let (errs, which) = (rng.unit() < share, rng.unit());
        if !errs || wrong.is_empty() {
            return *example;
        }
        let column = wrong[((which * wrong.len() as f64) as usize).min(wrong.len() - 1)];
        Labelled { best: 1 << column, ..*example }
    };
    examples.iter().map(err).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_errs_as_often_as_it_says_and_never_otherwise() {
        let examples = shipped::labelled().unwrap();
        let same = with_noise(examples, 0.0, &mut Rng::new(1));
        assert_eq!(same, examples);
        let noisy = with_noise(examples, 0.1, &mut Rng::new(1));
        let changed: Vec<_> = noisy.iter().zip(examples).filter(|(a, b)| a != b).collect();
        let share = changed.len() as f64 / examples.len() as f64;
        assert!((0.07..0.13).contains(&share), "{share}");
        assert!(
            changed.iter().all(|(noisy, right)| noisy.best & right.best == 0 && noisy.best.count_ones() == 1)
        );
    }
}
