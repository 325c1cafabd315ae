//! What is to happen, and when.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::queue::Instant;

/// Things to come, the earliest first; of one instant, those first that were put in first.
#[derive(Clone, Debug)]
pub struct Agenda<T> {
    /// A binary heap: no entry is before the one at half its place.
    heap: Vec<Entry<T>>,
    /// Counts what was put in, which keeps the order of one instant.
    count: u64,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    at: Instant,
    number: u64,
    item: T,
}

impl<T> Entry<T> {
    fn order(&self, other: &Self) -> Ordering {
        self.at.cmp(&other.at).then(self.number.cmp(&other.number))
    }
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Self { heap: Vec::new(), count: 0 }
    }
}

impl<T> Agenda<T> {
    /// Puts something in.
    pub fn insert(&mut self, at: Instant, item: T) {
        let entry = Entry { at, number: self.count, item };
        self.count += 1;
        self.heap.push(entry);
        let mut place = self.heap.len() - 1;
        while place > 0 {
            let above = (place - 1) / 2;
            if self.compare(above, place) != Ordering::Greater {
                break;
            }
            self.heap.swap(above, place);
            place = above;
        }
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Instant> {
        self.heap.first().map(|entry| entry.at)
    }

    /// Takes the next thing out.
    pub fn pop(&mut self) -> Option<(Instant, T)> {
        if self.heap.is_empty() {
            return None;
        }
        let Entry { at, item, .. } = self.heap.swap_remove(0);
        let mut place = 0;
        loop {
            let left = 2 * place + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let right_first =
                right < self.heap.len() && self.compare(right, left) == Ordering::Less;
            let below = if right_first { right } else { left };
            if self.compare(place, below) != Ordering::Greater {
                break;
            }
            self.heap.swap(place, below);
            place = below;
        }
        Some((at, item))
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        match (self.heap.get(a), self.heap.get(b)) {
            (Some(a), Some(b)) => a.order(b),
            _ => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_order_of_time_and_then_of_coming() {
        let mut agenda = Agenda::default();
        let mut want = Vec::new();
        // A pattern in which many meet.
        for number in 0..500_i64 {
            let at = Instant((number * 37) % 23);
            agenda.insert(at, number);
            want.push((at, number));
        }
        want.sort();
        let mut got = Vec::new();
        while let Some(next) = agenda.pop() {
            got.push(next);
        }
        assert_eq!(got, want);
        assert_eq!(agenda.next_at(), None);
    }
}
