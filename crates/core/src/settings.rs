//! Settings said once: field, default, limits and help stand together, and the reader, the list that `ludens minds` prints and the
//! check of settings found in a model are made from them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{ModelError, Spec, SpecError};

/// One setting as a list shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SettingAbout {
    /// As it is written: `key=value`.
    pub key: String,
    /// What it means.
    pub help: String,
    /// What it is when nothing is said.
    pub default: String,
    /// What it may be.
    pub limits: String,
}

/// What a setting may be.
pub trait Limit<T> {
    /// As an error says it.
    fn words(&self) -> String;
    /// Whether the value lies within.
    fn holds(&self, value: &T) -> bool;
}

impl<T: PartialOrd + fmt::Display> Limit<T> for RangeInclusive<T> {
    fn words(&self) -> String {
        format!("from {} to {}", self.start(), self.end())
    }

    fn holds(&self, value: &T) -> bool {
        self.contains(value)
    }
}

/// Any value that can be read; these words say which can.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str);

impl<T> Limit<T> for Words {
    fn words(&self) -> String {
        self.0.into()
    }

    fn holds(&self, _: &T) -> bool {
        true
    }
}

/// A setting that may be left open: written as its value, shown as `none`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Maybe<T>(pub Option<T>);

impl<T: fmt::Display> fmt::Display for Maybe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("none"),
        }
    }
}

impl<T: FromStr> FromStr for Maybe<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Maybe<T>, T::Err> {
        if text == "none" { Ok(Maybe(None)) } else { text.parse().map(|value| Maybe(Some(value))) }
    }
}

#[doc(hidden)]
pub use serde;

/// The fields of settings that a file brings.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fields(BTreeMap<String, serde_json::Value>);

impl Fields {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Fields, D::Error> {
        serde::Deserialize::deserialize(from).map(Fields)
    }

    pub fn take<T: serde::de::DeserializeOwned, E: serde::de::Error>(
        &mut self,
        field: &str,
        default: T,
    ) -> Result<T, E> {
        match self.0.remove(field) {
            Some(value) => {
                serde_json::from_value(value).map_err(|error| E::custom(format!("{field}: {error}")))
            }
            None => Ok(default),
        }
    }

    pub fn finish<E: serde::de::Error>(self) -> Result<(), E> {
        match self.0.into_keys().next() {
            Some(unknown) => Err(E::custom(format!("there is no setting {unknown}"))),
            None => Ok(()),
        }
    }
}

/// Gives an enum without data its words: how settings write it and read it.
///
/// ```
/// use ludens_core::words;
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// enum Pace {
///     Slow,
///     Fast,
/// }
/// words!(Pace { Slow = "slow", Fast = "fast" });
///
/// assert_eq!("fast".parse::<Pace>(), Ok(Pace::Fast));
/// assert_eq!(Pace::Slow.to_string(), "slow");
/// ```
#[macro_export]
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$variant => $word),+ })
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(word: &str) -> Result<$name, ()> {
                match word { $($word => Ok($name::$variant),)+ _ => Err(()) }
            }
        }
    };
}

/// `held_out` is written `held-out`.
#[doc(hidden)]
pub fn key(field: &str) -> String {
    field.replace('_', "-")
}

#[doc(hidden)]
pub fn take<T: FromStr + fmt::Display>(
    spec: &mut Spec,
    field: &str,
    default: T,
    limit: &impl Limit<T>,
) -> Result<T, SpecError> {
    let key = key(field);
    let value = spec.take_or(&key, default, &limit.words())?;
    if limit.holds(&value) { Ok(value) } else { Err(spec.wrong(&key, &value.to_string(), &limit.words())) }
}

#[doc(hidden)]
pub fn about<T: fmt::Display>(
    field: &str,
    help: &[&str],
    default: &T,
    limit: &impl Limit<T>,
) -> SettingAbout {
    let help = help.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    SettingAbout { key: key(field), help, default: default.to_string(), limits: limit.words() }
}

#[doc(hidden)]
pub fn check<T: fmt::Display>(field: &str, value: &T, limit: &impl Limit<T>) -> Result<(), ModelError> {
    if limit.holds(value) {
        return Ok(());
    }
    let problem = format!("its setting {} is {value}, which is not {}", key(field), limit.words());
    Err(ModelError::Damaged { problem })
}

/// Declares a struct of settings. Each field says its help (its documentation), its type, its default and its limits, once:
///
/// ```
/// use ludens_core::{Spec, Words, settings};
///
/// settings! {
///     /// How a player is trained.
///     pub struct Settings {
///         /// Plies to look ahead.
///         pub depth: u32 = 4, 1..=12;
///         /// Whom it plays.
///         pub rival: String = "itself".into(), Words("itself or random");
///     }
/// }
///
/// let mut spec: Spec = "player:depth=6".parse().unwrap();
/// let read = Settings::read(&mut spec, &Settings::default()).unwrap();
/// assert_eq!((read.depth, read.rival.as_str()), (6, "itself"));
/// let mut deep: Spec = "player:depth=60".parse().unwrap();
/// assert!(Settings::read(&mut deep, &Settings::default()).is_err());
/// assert_eq!(Settings::default().list()[0].help, "Plies to look ahead.");
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $help:literal])+
                $(#[left_out($left_out:ident)])?
                $field_vis:vis $field:ident : $type:ty = $default:expr $(, $limit:expr)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        $vis struct $name {
            $(
                $(#[doc = $help])+
                $field_vis $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),* }
            }
        }

        impl $crate::settings::serde::Serialize for $name {
            fn serialize<S: $crate::settings::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use $crate::settings::serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $(if !$crate::settings!(@left_out self, $name, $field $(, $left_out)?) {
                    map.serialize_entry(stringify!($field), &self.$field)?;
                })*
                map.end()
            }
        }

        // A field that is not there is as it is by default: it was added later, or left out.
        impl<'de> $crate::settings::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::settings::serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let mut fields = $crate::settings::Fields::deserialize(from)?;
                let default = $name::default();
                let settings = $name { $($field: fields.take(stringify!($field), default.$field)?),* };
                fields.finish()?;
                Ok(settings)
            }
        }

        #[allow(dead_code)]
        impl $name {
            /// Takes what a name sets; the rest is as in `default`.
            $vis fn read(
                spec: &mut $crate::Spec,
                default: &$name,
            ) -> Result<$name, $crate::SpecError> {
                Ok($name { $($field: $crate::settings!(@take spec, default, $field $(, $limit)?)),* })
            }

            /// Every setting, with these values as the defaults.
            #[allow(clippy::vec_init_then_push, reason = "what cannot be set pushes nothing")]
            $vis fn list(&self) -> Vec<$crate::SettingAbout> {
                let mut list = Vec::new();
                $($crate::settings!(@about list, self, $field, [$($help),+] $(, $limit)?);)*
                list
            }

            /// The same limits for settings that a file brings.
            $vis fn check(&self) -> Result<(), $crate::ModelError> {
                $($crate::settings!(@check self, $field $(, $limit)?);)*
                Ok(())
            }
        }
    };
    (@left_out $this:ident, $name:ident, $field:ident) => { false };
    (@left_out $this:ident, $name:ident, $field:ident, usual) => {
        $this.$field == $name::default().$field
    };
    // A field without limits is not for the user to set.
    (@take $spec:ident, $default:ident, $field:ident) => { $default.$field.clone() };
    (@take $spec:ident, $default:ident, $field:ident, $limit:expr) => {
        $crate::settings::take($spec, stringify!($field), $default.$field.clone(), &$limit)?
    };
    (@about $list:ident, $this:ident, $field:ident, $help:expr) => {};
    (@about $list:ident, $this:ident, $field:ident, $help:expr, $limit:expr) => {
        $list.push($crate::settings::about(stringify!($field), &$help, &$this.$field, &$limit))
    };
    (@check $this:ident, $field:ident) => {};
    (@check $this:ident, $field:ident, $limit:expr) => {
        $crate::settings::check(stringify!($field), &$this.$field, &$limit)?
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        /// An example.
        pub struct Example {
            /// How far.
            pub far_away: u32 = 3, 1..=9;
            /// How much,
            /// if at all.
            pub much: Maybe<u64> = Maybe(None), Words("a number");
            /// How bold.
            #[left_out(usual)]
            pub bold: f64 = 0.5, 0.0..=1.0;
            /// Nobody's business.
            pub inner: bool = true;
        }
    }

    #[test]
    fn a_setting_is_said_once() {
        let default = Example::default();
        let mut spec: Spec = "x:far-away=4,much=7".parse().unwrap();
        let read = Example::read(&mut spec, &default).unwrap();
        assert_eq!(read, Example { far_away: 4, much: Maybe(Some(7)), ..default.clone() });
        spec.finish(&[]).unwrap();
        let list = default.list();
        assert_eq!(list.len(), 3, "what cannot be set is not listed");
        assert_eq!(
            (list[1].key.as_str(), list[1].help.as_str(), list[1].default.as_str()),
            ("much", "How much, if at all.", "none")
        );
        assert_eq!((list[0].key.as_str(), list[0].limits.as_str()), ("far-away", "from 1 to 9"));
    }

    #[test]
    fn settings_are_kept_as_they_are_and_what_is_missing_is_usual() {
        let bold = Example { bold: 0.75, ..Example::default() };
        let text = serde_json::to_string(&bold).unwrap();
        assert_eq!(text, r#"{"far_away":3,"much":null,"bold":0.75,"inner":true}"#);
        assert_eq!(serde_json::from_str::<Example>(&text).unwrap(), bold);
        assert!(!serde_json::to_string(&Example::default()).unwrap().contains("bold"));
        assert_eq!(serde_json::from_str::<Example>("{}").unwrap(), Example::default());
        for wrong in [r#"{"far_away":"x"}"#, r#"{"farther":1}"#, "[]"] {
            assert!(serde_json::from_str::<Example>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_hold_for_what_is_typed_and_for_what_is_loaded() {
        for wrong in ["x:far-away=10", "x:bold=NaN", "x:bold=2", "x:much=-1"] {
            assert!(Example::read(&mut wrong.parse().unwrap(), &Example::default()).is_err(), "{wrong}");
        }
        let forged = Example { far_away: 1_000_000, ..Example::default() };
        assert!(forged.check().unwrap_err().to_string().contains("far-away is 1000000"));
        Example::default().check().unwrap();
    }
}
