//! Go's `sort.Slice`, step by step.
//!
//! Mirrors `pdqsort_func` and what it calls in `sort/zsortfunc.go`. The sort is not stable, and
//! with an order that contradicts itself its result hangs on every comparison that it makes.

/// Up to this many items are sorted by insertion (`maxInsertion`).
const MAX_INSERTION: usize = 12;
/// So many pairs are put right in the hope that the rest is sorted (`maxSteps`).
const MAX_STEPS: usize = 5;
/// Fewer items are not worth that (`shortestShifting`).
const SHORTEST_SHIFTING: usize = 50;
/// From so many items on the pivot is found among nine (`shortestNinther`).
const SHORTEST_NINTHER: usize = 50;
/// If every comparison for the pivot swapped, the items go down (`maxSwaps`).
const MAX_SWAPS: usize = 12;

/// Sorts as Go does; `less` says whether an item comes before another.
pub(crate) fn sort_slice<T: Copy>(items: &mut [T], less: fn(T, T) -> bool) {
    let end = items.len();
    let limit = usize::BITS - end.leading_zeros();
    Sorter { items, less }.quick(0, end, limit);
}

/// How the items seem to stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

struct Sorter<'a, T> {
    items: &'a mut [T],
    less: fn(T, T) -> bool,
}

impl<T: Copy> Sorter<'_, T> {
    fn less(&self, a: usize, b: usize) -> bool {
        match (self.items.get(a), self.items.get(b)) {
            (Some(a), Some(b)) => (self.less)(*a, *b),
            _ => false,
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a < self.items.len() && b < self.items.len() {
            self.items.swap(a, b);
        }
    }

    fn insertion(&mut self, a: usize, b: usize) {
        for i in a + 1..b {
            let mut j = i;
            while j > a && self.less(j, j - 1) {
                self.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    fn quick(&mut self, mut a: usize, mut b: usize, mut limit: u32) {
        let mut balanced = true;
        let mut partitioned = true;
        loop {
            let length = b - a;
            if length <= MAX_INSERTION {
                return self.insertion(a, b);
            }
            if limit == 0 {
                return self.heap(a, b);
            }
            if !balanced {
                self.break_patterns(a, b);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.choose_pivot(a, b);
            if hint == Hint::Decreasing {
                self.reverse(a, b);
                pivot = (b - 1) - (pivot - a);
                hint = Hint::Increasing;
            }
            if balanced && partitioned && hint == Hint::Increasing && self.partial_insertion(a, b) {
                return;
            }
            if a > 0 && !self.less(a - 1, pivot) {
                a = self.partition_equal(a, b, pivot);
                continue;
            }
            let (mid, already) = self.partition(a, b, pivot);
            partitioned = already;
            let (left, right) = (mid - a, b - mid);
            // The shorter side first: so the stack stays small.
            if left < right {
                balanced = left >= length / 8;
                self.quick(a, mid, limit);
                a = mid + 1;
            } else {
                balanced = right >= length / 8;
                self.quick(mid + 1, b, limit);
                b = mid;
            }
        }
    }

    /// Moves the items before the pivot to the left of it.
    ///
    /// Go's right index may come to lie before the first item, where it is not looked at again;
    /// here it is one more than Go's.
    fn partition(&mut self, a: usize, b: usize, pivot: usize) -> (usize, bool) {
        self.swap(a, pivot);
        let (mut i, mut after) = (a + 1, b);
        let mut first = true;
        loop {
            while i < after && self.less(i, a) {
                i += 1;
            }
            while i < after && !self.less(after - 1, a) {
                after -= 1;
            }
            if i >= after {
                self.swap(after - 1, a);
                return (after - 1, first);
            }
            first = false;
            self.swap(i, after - 1);
            i += 1;
            after -= 1;
        }
    }

    /// Moves the items equal to the pivot to the left; gives where the rest begins.
    fn partition_equal(&mut self, a: usize, b: usize, pivot: usize) -> usize {
        self.swap(a, pivot);
        let (mut i, mut after) = (a + 1, b);
        loop {
            while i < after && !self.less(a, i) {
                i += 1;
            }
            while i < after && self.less(a, after - 1) {
                after -= 1;
            }
            if i >= after {
                return i;
            }
            self.swap(i, after - 1);
            i += 1;
            after -= 1;
        }
    }

    /// Puts a few pairs right; true if that sorted everything.
    fn partial_insertion(&mut self, a: usize, b: usize) -> bool {
        let mut i = a + 1;
        for _ in 0..MAX_STEPS {
            while i < b && !self.less(i, i - 1) {
                i += 1;
            }
            if i == b {
                return true;
            }
            if b - a < SHORTEST_SHIFTING {
                return false;
            }
            self.swap(i, i - 1);
            if i - a >= 2 {
                // Not bounded by `a`, in Go neither.
                for j in (1..i).rev() {
                    if !self.less(j, j - 1) {
                        break;
                    }
                    self.swap(j, j - 1);
                }
            }
            if b - i >= 2 {
                for j in i + 1..b {
                    if !self.less(j, j - 1) {
                        break;
                    }
                    self.swap(j, j - 1);
                }
            }
        }
        false
    }

    /// Scatters three items in the middle, always the same way for the same length.
    fn break_patterns(&mut self, a: usize, b: usize) {
        let length = b - a;
        if length < 8 {
            return;
        }
        let mut random = length as u64;
        let mask = (1_usize << (usize::BITS - length.leading_zeros())) - 1;
        let middle = a + (length / 4) * 2;
        for at in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = (random as usize) & mask;
            if other >= length {
                other -= length;
            }
            self.swap(at, a + other);
        }
    }

    fn choose_pivot(&self, a: usize, b: usize) -> (usize, Hint) {
        let length = b - a;
        let mut at = [1, 2, 3].map(|quarters| a + length / 4 * quarters);
        let mut swaps = 0;
        if length >= 8 {
            if length >= SHORTEST_NINTHER {
                for at in &mut at {
                    *at = self.median([*at - 1, *at, *at + 1], &mut swaps);
                }
            }
            at[1] = self.median(at, &mut swaps);
        }
        let hint = match swaps {
            0 => Hint::Increasing,
            MAX_SWAPS => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (at[1], hint)
    }

    fn median(&self, mut of: [usize; 3], swaps: &mut usize) -> usize {
        for (left, right) in [(0, 1), (1, 2), (0, 1)] {
            if self.less(of[right], of[left]) {
                *swaps += 1;
                of.swap(left, right);
            }
        }
        of[1]
    }

    fn reverse(&mut self, a: usize, b: usize) {
        if let Some(range) = self.items.get_mut(a..b) {
            range.reverse();
        }
    }

    fn heap(&mut self, a: usize, b: usize) {
        let end = b - a;
        for root in (0..=(end - 1) / 2).rev() {
            self.sift_down(root, end, a);
        }
        for end in (0..end).rev() {
            self.swap(a, a + end);
            self.sift_down(0, end, a);
        }
    }

    fn sift_down(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }
}

#[cfg(test)]
mod tests;
