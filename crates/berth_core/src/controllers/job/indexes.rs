//! The indexes of an indexed Job's pods.
//!
//! Mirrors `pkg/controller/job/indexed_job_utils.go`.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ObjectMeta, Pod};
use crate::collections::Set;

/// The annotation with a pod's index; the label has the same name.
pub(in crate::controllers) const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// The annotation with how often the pods of an index failed before.
pub(super) const FAILURES: &str = "batch.kubernetes.io/job-index-failure-count";
/// The annotation with how many more failures of an index did not count.
pub(super) const IGNORED: &str = "batch.kubernetes.io/job-index-ignored-failure-count";

/// The index of a pod, if it has one (`getCompletionIndex`).
pub(super) fn index_of(pod: &Pod) -> Option<i32> {
    pod.metadata.annotations.get(INDEX)?.parse().ok().filter(|index| *index >= 0)
}

/// How often the pods of a pod's index failed before, as far as failures count.
pub(super) fn failures_of(metadata: &ObjectMeta) -> i32 {
    count(metadata, FAILURES)
}

/// The same with the failures that did not count (`getIndexAbsoluteFailureCount`).
pub(super) fn all_failures_of(metadata: &ObjectMeta) -> i32 {
    failures_of(metadata).saturating_add(ignored_failures_of(metadata))
}

/// How many failures of a pod's index did not count.
pub(super) fn ignored_failures_of(metadata: &ObjectMeta) -> i32 {
    count(metadata, IGNORED)
}

fn count(metadata: &ObjectMeta, annotation: &str) -> i32 {
    let count = metadata.annotations.get(annotation).and_then(|text| text.parse().ok());
    count.filter(|count| *count >= 0).unwrap_or(0)
}

/// The indexes that pods have.
pub(super) fn indexes_of(pods: &[Arc<Pod>]) -> Set<i32> {
    pods.iter().filter_map(|pod| index_of(pod)).collect()
}

/// A set of indexes, as pairs of first and last in order (`orderedIntervals`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intervals(Vec<(i32, i32)>);

impl Intervals {
    /// Reads what [`Intervals::text`] writes, as far as it is below a number (`parseIndexesFromString`).
    pub(super) fn parse(text: &str, completions: i32) -> Self {
        let mut out = Self::default();
        for interval in text.split(',') {
            let (first, last) = interval.split_once('-').unwrap_or((interval, interval));
            let (Ok(first), Ok(last)) = (first.parse::<i32>(), last.parse::<i32>()) else {
                continue;
            };
            if first >= completions {
                break;
            }
            out.push(first, last.min(completions.saturating_sub(1)));
        }
        out
    }

    fn push(&mut self, first: i32, last: i32) {
        match self.0.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => self.0.push((first, last)),
        }
    }

    /// These and others.
    pub(super) fn with(&self, others: &Self) -> Self {
        let mut all: Vec<(i32, i32)> = self.0.iter().chain(&others.0).copied().collect();
        all.sort_unstable();
        let mut out = Self::default();
        for (first, last) in all {
            out.push(first, last);
        }
        out
    }

    /// These and single ones.
    pub(super) fn with_indexes(&self, indexes: impl IntoIterator<Item = i32>) -> Self {
        let indexes: Set<i32> = indexes.into_iter().collect();
        self.with(&Self(indexes.iter().map(|index| (*index, *index)).collect()))
    }

    /// How many indexes there are.
    pub(super) fn total(&self) -> i32 {
        self.0.iter().map(|(first, last)| last.saturating_sub(*first).saturating_add(1)).sum()
    }

    /// Whether an index is among them.
    pub(super) fn has(&self, index: i32) -> bool {
        self.0.iter().any(|(first, last)| *first <= index && index <= *last)
    }

    /// How many indexes are in both.
    pub(super) fn shared(&self, others: &Self) -> i32 {
        let pairs = self.0.iter().flat_map(|own| others.0.iter().map(move |other| (own, other)));
        let overlap = |(own, other): (&(i32, i32), &(i32, i32))| {
            (own.1.min(other.1)).saturating_sub(own.0.max(other.0)).saturating_add(1).max(0)
        };
        pairs.map(overlap).sum()
    }

    /// The first indexes that are missing below a number, so many at most (`firstPendingIndexes`).
    pub(super) fn missing(&self, most: usize, completions: i32) -> Vec<i32> {
        let mut out = Vec::new();
        let mut next = 0;
        for (first, last) in self.0.iter().copied().chain([(completions, completions)]) {
            out.extend((next..first.min(completions)).take(most - out.len()));
            next = next.max(last.saturating_add(1));
        }
        out
    }

    /// The form that a Job's status has: `0,2-4`.
    pub(super) fn text(&self) -> String {
        let words = self.0.iter().map(|(first, last)| match last - first {
            0 => format!("{first}"),
            1 => format!("{first},{last}"),
            _ => format!("{first}-{last}"),
        });
        words.collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_written_and_read() {
        let some = Intervals::default().with_indexes([4, 0, 2, 3, 7, 8]);
        assert_eq!((some.text().as_str(), some.total()), ("0,2-4,7,8", 6));
        assert_eq!(Intervals::parse(&some.text(), 10), some);
        assert_eq!(Intervals::parse("0,2-4,7,8", 4).text(), "0,2,3");
        assert_eq!(Intervals::parse("", 4), Intervals::default());
        assert!(some.has(3) && !some.has(5) && !some.has(9));
    }

    #[test]
    fn the_first_that_are_missing_are_made() {
        let some = Intervals::parse("0,2-4,7,8", 10);
        assert_eq!(some.missing(10, 10), [1, 5, 6, 9]);
        assert_eq!(some.missing(2, 10), [1, 5]);
        assert_eq!(some.missing(10, 3), [1]);
        assert_eq!(Intervals::default().missing(10, 2), [0, 1]);
    }

    #[test]
    fn what_two_share_is_counted() {
        let some = Intervals::parse("0,2-4,7,8", 10);
        assert_eq!(some.shared(&Intervals::parse("1-3,8-9", 10)), 3);
        assert_eq!(some.shared(&some), some.total());
        assert_eq!(some.shared(&Intervals::default()), 0);
    }
}
