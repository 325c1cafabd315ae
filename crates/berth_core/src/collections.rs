//! Small collections that cost few bytes of wasm.
//!
//! A `BTreeMap` costs the page about 7 kB for every pair of types, and a slice's own sort about
//! 5 kB for every type: together they were 310 kB of 1,255 kB. Here a map is a sorted vector, and
//! sorting is compiled once for all types. What may get tens of thousands of entries one by one in
//! any order is an `Index`: inserting into the middle of a vector moves the rest.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;

/// Texts with a number each, in order: the one tree that is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index(BTreeMap<Arc<str>, u32>);

impl Index {
    /// The number of a text.
    pub fn get(&self, text: &str) -> Option<u32> {
        self.0.get(text).copied()
    }

    /// Sets the number of a text, and gives the one before.
    pub fn insert(&mut self, text: Arc<str>, number: u32) -> Option<u32> {
        self.0.insert(text, number)
    }

    /// Takes a text out.
    pub fn remove(&mut self, text: &str) -> Option<u32> {
        self.0.remove(text)
    }

    /// The numbers, in order of text.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.values().copied()
    }
}

/// Keys in order, each with a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Entries in order of key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.iter().map(|(key, _)| key)
    }

    /// Values in order of key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.iter().map(|(_, value)| value)
    }

    /// Values in order of key, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Takes every entry out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the entries of which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }

    /// The last entry.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.last().map(|(key, value)| (key, value))
    }

    /// The first entry.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.0.first().map(|(key, value)| (key, value))
    }
}

/// Entries of a map.
pub type Iter<'a, K, V> =
    core::iter::Map<core::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

impl<K: Ord, V> Map<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Inputs mostly come in order: the end is looked at first.
        match self.0.last().map(|(last, _)| last.borrow().cmp(key)) {
            None | Some(Ordering::Less) => Err(self.0.len()),
            Some(Ordering::Equal) => Ok(self.0.len() - 1),
            Some(Ordering::Greater) => self.0.binary_search_by(|(k, _)| k.borrow().cmp(key)),
        }
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        self.0.get_mut(at).map(|(_, value)| value)
    }

    /// Whether there is an entry of that key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key, and gives the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => self.0.get_mut(at).map(|(_, known)| core::mem::replace(known, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// The value of a key, set by `make` if there is none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let at = match self.find(&key) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (key, make()));
                at
            }
        };
        #[expect(clippy::indexing_slicing, reason = "the entry was found or put there")]
        let (_, value) = &mut self.0[at];
        value
    }

    /// The value of a key, set to `value` if there is none.
    pub fn or_insert(&mut self, key: K, value: V) -> &mut V {
        self.get_or_insert_with(key, || value)
    }

    /// The value of a key, set to its type's default if there is none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }

    /// Takes an entry out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        Some(self.0.remove(at).1)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
            sort_by(&mut entries, |(a, _), (b, _)| a.cmp(b));
            // Of equal keys the last one counts, as when they are inserted one by one.
            entries.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    core::mem::swap(later, earlier);
                }
                same
            });
        }
        Self(entries)
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = alloc::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Keys in order, each once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Map<K, ()>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Set<K> {
    /// A set without keys.
    pub const fn new() -> Self {
        Self(Map::new())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.keys()
    }

    /// The first key.
    pub fn first(&self) -> Option<&K> {
        self.0.first_key_value().map(|(key, ())| key)
    }
}

impl<K: Ord> Set<K> {
    /// Whether a key is there.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Adds a key. False if it was there.
    pub fn insert(&mut self, key: K) -> bool {
        self.0.insert(key, ()).is_none()
    }

    /// Takes a key out. False if it was not there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(key).is_some()
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        Self(keys.into_iter().map(|key| (key, ())).collect())
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for Set<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = core::iter::Map<alloc::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(key, ())| key)
    }
}

impl<'a, K> IntoIterator for &'a Set<K> {
    type Item = &'a K;
    type IntoIter = core::iter::Map<core::slice::Iter<'a, (K, ())>, fn(&'a (K, ())) -> &'a K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.0.iter().map(|(key, ())| key)
    }
}

/// Sorts; equal items keep their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = order_of(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    // Each cycle of moves is gone through once; a place that is done points at itself.
    for start in 0..items.len() {
        let mut at = start;
        while let Some(from) = order.get_mut(at).map(|from| core::mem::replace(from, at)) {
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Sorts.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a key; items with equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The order in which items stand when sorted: the one sort that is compiled. A merge sort takes a tenth of the bytes
/// of the standard library's.
fn order_of(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    // What is in order already needs no merging.
    if (1..count).all(|at| compare(at - 1, at) != Ordering::Greater) {
        return order;
    }
    let mut merged: Vec<usize> = Vec::with_capacity(count);
    let mut width = 1;
    while width < count {
        for pair in order.chunks(width.saturating_mul(2)) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            loop {
                let left_is_next = match (left.first(), right.first()) {
                    (Some(left), Some(right)) => compare(*left, *right).is_le(),
                    (left, _) => left.is_some(),
                };
                let next = if left_is_next { &mut left } else { &mut right };
                let Some((first, rest)) = next.split_first() else { break };
                merged.push(*first);
                *next = rest;
            }
        }
        core::mem::swap(&mut order, &mut merged);
        merged.clear();
        width = width.saturating_mul(2);
    }
    order
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// The same numbers for the same start.
    fn numbers(mut state: u64, count: usize, below: u64) -> Vec<u64> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn a_map_does_what_the_tree_does() {
        for seed in 0..50 {
            let (mut ours, mut tree) = (Map::new(), BTreeMap::new());
            for (i, key) in numbers(seed, 200, 40).into_iter().enumerate() {
                if i % 3 == 0 {
                    assert_eq!(ours.remove(&key), tree.remove(&key));
                } else if i % 7 == 0 {
                    *ours.get_or_insert_with(key, || 0) += 1;
                    *tree.entry(key).or_insert(0) += 1;
                } else {
                    assert_eq!(ours.insert(key, i), tree.insert(key, i));
                }
                assert_eq!(ours.get(&key), tree.get(&key));
            }
            assert!(ours.iter().eq(tree.iter()));
            let pairs: Vec<_> = numbers(seed, 60, 20).into_iter().zip(0..).collect();
            let collected: Map<_, usize> = pairs.iter().copied().collect();
            assert!(collected.iter().eq(pairs.into_iter().collect::<BTreeMap<_, _>>().iter()));
        }
    }

    #[test]
    fn one_small_item_at_the_end_moves_all_others_once() {
        let mut items: Vec<u32> = (1..200_000).chain([0]).collect();
        sort(&mut items);
        assert!(items.into_iter().eq(0..200_000));
    }

    #[test]
    fn sorting_is_stable() {
        for seed in 0..50 {
            for count in [0, 1, 2, 3, 10, 100] {
                let mut items: Vec<_> = numbers(seed, count, 10).into_iter().zip(0..).collect();
                let mut expected: Vec<(u64, usize)> = items.clone();
                expected.sort_by_key(|(key, _)| *key);
                sort_by_key(&mut items, |(key, _)| *key);
                assert_eq!(items, expected);
            }
        }
        let mut words = vec!["b", "a"];
        sort(&mut words);
        assert_eq!(words, ["a", "b"]);
    }
}
