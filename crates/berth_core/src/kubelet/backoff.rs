//! How long a container that ended waits until it is started again (`CrashLoopBackOff`).
//!
//! Mirrors `doBackOff` (`pkg/kubelet/kuberuntime/kuberuntime_manager.go`) over `Backoff` of
//! `k8s.io/client-go/util/flowcontrol`, with the kubelet's own times. Time is in nanoseconds.

use crate::queue::Instant;
use crate::queue::time::SECOND;

/// The first wait (`initialCrashLoopBackOff`).
const FIRST: i64 = 10 * SECOND;
/// The longest wait (`MaxContainerBackOff`).
const LONGEST: i64 = 300 * SECOND;

/// What is remembered of a container's restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backoff(Option<Entry>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    wait: i64,
    updated: Instant,
}

impl Backoff {
    /// How long the wait is, counted from the end of the container.
    pub fn wait(&self) -> i64 {
        self.0.map_or(0, |entry| entry.wait)
    }

    /// Whether a container that ended at an instant still has to wait.
    pub fn holds(&self, ended: Instant, now: Instant) -> bool {
        self.0.is_some_and(|entry| !entry.is_over(ended) && now.0 - ended.0 < entry.wait)
    }

    /// A container that ended at an instant is started again: next time it waits twice as long.
    pub fn start_again(&mut self, ended: Instant, now: Instant) {
        let wait = match self.0.filter(|entry| !entry.is_over(ended)) {
            Some(entry) => entry.wait.saturating_mul(2).min(LONGEST),
            None => FIRST,
        };
        self.0 = Some(Entry { wait, updated: now });
    }
}

impl Entry {
    /// Whether the container ran for so long that what was before does not count.
    const fn is_over(self, ended: Instant) -> bool {
        ended.0 - self.updated.0 > 2 * LONGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_as_long_until_it_is_five_minutes() {
        let mut backoff = Backoff::default();
        let mut now = Instant::default();
        assert!(!backoff.holds(now, now));
        let mut waits = alloc::vec::Vec::new();
        for _ in 0..7 {
            backoff.start_again(now, now);
            waits.push(backoff.wait() / SECOND);
            assert!(backoff.holds(now, now.after(backoff.wait() - 1)));
            assert!(!backoff.holds(now, now.after(backoff.wait())));
            now = now.after(backoff.wait());
        }
        assert_eq!(waits, [10, 20, 40, 80, 160, 300, 300]);
        // One that ran for ten minutes begins anew.
        let later = now.after(2 * LONGEST + 1);
        assert!(!backoff.holds(later, later));
        backoff.start_again(later, later);
        assert_eq!(backoff.wait(), FIRST);
    }
}
