//! How minds are named: `name:key=value,key=value`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::shown::cut;

/// A parsed name. Getters take a value out, so that [`Spec::finish`] can say which keys nobody knew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name of the mind, before the colon.
    pub name: String,
    values: BTreeMap<String, String>,
}

/// A name of a mind that cannot be read or has settings the mind does not have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// The text has another form.
    #[error("{text:?} is not of the form name:key=value,…; for example alphabeta:depth=6")]
    Form {
        /// The text as it was given.
        text: String,
    },
    /// A value does not fit its setting.
    #[error("{mind}: {key}={value} does not fit, it must be {expected}")]
    Value {
        /// The name of the mind.
        mind: String,
        /// The setting.
        key: String,
        /// The value as it was given.
        value: String,
        /// What it must be.
        expected: String,
    },
    /// Settings the mind does not have.
    #[error("{mind} has no setting {keys}; it has {known}")]
    UnknownKeys {
        /// The name of the mind.
        mind: String,
        /// The settings nobody knew.
        keys: String,
        /// The settings it has.
        known: String,
    },
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let form = || SpecError::Form { text: cut(text).into() };
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() {
            return Err(form());
        }
        let mut values = BTreeMap::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            // A bare word is a variant: `zoo:nhb-reversi` means `zoo:variant=nhb-reversi`.
            let (key, value) = part.split_once('=').unwrap_or(("variant", part));
            let (key, value) = (key.trim(), value.trim());
            // `rate_end` and `rate-end` are one setting.
            let key = key.replace('_', "-");
            if key.is_empty() || value.is_empty() || values.insert(key, value.into()).is_some() {
                return Err(form());
            }
        }
        Ok(Spec { name: name.into(), values })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.values.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl Spec {
    /// A name without settings.
    pub fn new(name: &str) -> Spec {
        Spec { name: name.into(), values: BTreeMap::new() }
    }

    /// The same with one more setting.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Spec {
        self.values.insert(key.into(), value.to_string());
        self
    }

    /// The value of `key`, if given.
    pub fn take<T: FromStr>(&mut self, key: &str, expected: &str) -> Result<Option<T>, SpecError> {
        let Some(value) = self.values.remove(key) else { return Ok(None) };
        match value.parse() {
            Ok(parsed) => Ok(Some(parsed)),
            Err(_) => Err(self.wrong(key, &value, expected)),
        }
    }

    /// The value of `key`, or `default` where it is not given.
    pub fn take_or<T: FromStr>(&mut self, key: &str, default: T, expected: &str) -> Result<T, SpecError> {
        Ok(self.take(key, expected)?.unwrap_or(default))
    }

    /// As [`Spec::take_or`], and the value must lie in the range.
    pub fn take_in<T>(
        &mut self,
        key: &str,
        default: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, SpecError>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let expected = format!("from {} to {}", range.start(), range.end());
        let value = self.take_or(key, default, &expected)?;
        if range.contains(&value) { Ok(value) } else { Err(self.wrong(key, &value.to_string(), &expected)) }
    }

    /// An error about one value, for checks that a parser cannot make.
    pub fn wrong(&self, key: &str, value: &str, expected: &str) -> SpecError {
        SpecError::Value {
            mind: cut(&self.name).into(),
            key: cut(key).into(),
            value: cut(value).into(),
            expected: expected.into(),
        }
    }

    /// Call this after all the getters: an unknown key is an error, never ignored.
    pub fn finish(self, known: &[&str]) -> Result<(), SpecError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let keys: Vec<String> = self.values.into_keys().collect();
        Err(SpecError::UnknownKeys {
            mind: cut(&self.name).into(),
            keys: cut(&keys.join(", ")).into(),
            known: if known.is_empty() { "none".into() } else { known.join(", ") },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_names() {
        let mut spec: Spec = "uct:states=1000,c=1.4".parse().unwrap();
        assert_eq!(spec.to_string(), "uct:c=1.4,states=1000");
        assert_eq!(spec.take::<u64>("states", "a number").unwrap(), Some(1000));
        assert_eq!(spec.take_or("c", 2.0, "a number").unwrap(), 1.4);
        spec.finish(&["states", "c"]).unwrap();
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert_eq!("e\r : a = 1 ".parse::<Spec>().unwrap().to_string(), "e:a=1");
        for text in ["", ":", " :", "x:=3", "x:a=", "x:a=1,a=2"] {
            assert!(text.parse::<Spec>().is_err(), "{text:?}");
        }
        let error = "random:depth=3".parse::<Spec>().unwrap().finish(&[]).unwrap_err();
        assert_eq!(error.to_string(), "random has no setting depth; it has none");
        let mut spec: Spec = "alphabeta:depth=99".parse().unwrap();
        assert!(spec.take_in("depth", 4u32, 1..=64).is_err());
    }

    /// An error repeats enough of what was given to find it, and no more.
    #[test]
    fn echoes_are_cut() {
        let long = "l".repeat(66_000);
        let form = format!("x:{long}=").parse::<Spec>().unwrap_err();
        let unknown = format!("x:{long}=1").parse::<Spec>().unwrap().finish(&[]).unwrap_err();
        let value =
            format!("x:depth={long}").parse::<Spec>().unwrap().take::<u8>("depth", "a number").unwrap_err();
        for error in [form, unknown, value] {
            assert!(error.to_string().len() < 300, "{error}");
        }
    }
}
