//! How long things take, as it is written.

use berth_core::simulation::{Rule, Times};
use serde::{Deserialize, Deserializer};

use crate::config::duration;

pub(super) const MILLISECOND: i64 = 1_000_000;
/// What is written for a time that does not come.
const NEVER: &str = "never";

/// What differs for pods with a label, or for one of their containers.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct WrittenRule {
    label: String,
    container: String,
    #[serde(flatten)]
    times: WrittenTimes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct WrittenTimes {
    #[serde(rename = "startSeconds")]
    start: Option<f64>,
    #[serde(rename = "exitSeconds")]
    exit: Option<Lasting>,
    #[serde(rename = "preStopSeconds")]
    pre_stop: Option<Lasting>,
    #[serde(rename = "killSeconds")]
    kill: Option<Lasting>,
    #[serde(rename = "runSeconds")]
    run: Option<f64>,
    #[serde(rename = "failSeconds")]
    fail: Option<f64>,
    #[serde(rename = "exitCode")]
    exit_code: Option<i32>,
}

/// How long something lasts, in nanoseconds: seconds as a number, a duration like `1m30s`, or `never`, if it never ends.
#[derive(Clone, Copy)]
struct Lasting(i64);

impl<'de> Deserialize<'de> for Lasting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Seconds::deserialize(from)? {
            Seconds::Number(number) => Ok(Self(nanoseconds(number))),
            Seconds::Text(text) if text == NEVER => Ok(Self(i64::MAX)),
            Seconds::Text(text) => parse_time(&text).map(Self).map_err(serde::de::Error::custom),
        }
    }
}

/// A time: seconds as a number, or a duration like `1m30s`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seconds {
    Number(f64),
    Text(String),
}

pub(super) fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    match Seconds::deserialize(from)? {
        Seconds::Number(number) => Ok(nanoseconds(number)),
        Seconds::Text(text) => parse_time(&text).map_err(serde::de::Error::custom),
    }
}

/// Seconds, to the millisecond, in nanoseconds.
pub(crate) fn nanoseconds(seconds: f64) -> i64 {
    ((seconds * 1000.0).round() as i64).saturating_mul(MILLISECOND)
}

/// A time in nanoseconds: a duration like `1m30s`, or seconds.
pub fn parse_time(text: &str) -> Result<i64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(nanoseconds(seconds)),
        _ => duration::parse(text),
    }
}

impl From<WrittenTimes> for Times {
    fn from(written: WrittenTimes) -> Self {
        Self {
            start: written.start.map(nanoseconds),
            exit: written.exit.map(|lasting| lasting.0),
            pre_stop: written.pre_stop.map(|lasting| lasting.0),
            kill: written.kill.map(|lasting| lasting.0),
            run: written.run.map(nanoseconds),
            fail: written.fail.map(nanoseconds),
            exit_code: written.exit_code,
        }
    }
}

impl From<WrittenRule> for Rule {
    fn from(written: WrittenRule) -> Self {
        let (key, value) = written.label.split_once('=').unwrap_or((&written.label, ""));
        Self {
            key: key.to_owned(),
            value: value.to_owned(),
            container: written.container,
            times: written.times.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_lasts_for_ever() {
        let text = r#"{"label": "app=web", "container": "main", "exitSeconds": "never", "preStopSeconds": "1m", "killSeconds": 1.5}"#;
        let written: WrittenRule = serde_json::from_str(text).expect("it is good");
        let rule = Rule::from(written);
        assert_eq!((&*rule.key, &*rule.value, &*rule.container), ("app", "web", "main"));
        let Times { exit, pre_stop, kill, .. } = rule.times;
        let want = (Some(i64::MAX), Some(60_000 * MILLISECOND), Some(1_500 * MILLISECOND));
        assert_eq!((exit, pre_stop, kill), want);
        assert!(serde_json::from_str::<WrittenRule>(r#"{"exitSeconds": "soon"}"#).is_err());
    }
}
