//! Interning: equal things get one small number.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::borrow::Borrow;

/// Things in the order in which they were first seen, each once.
#[derive(Debug)]
pub struct Interner<T: ?Sized> {
    ids: BTreeMap<Arc<T>, u32>,
    items: Vec<Arc<T>>,
}

impl<T: ?Sized> Clone for Interner<T> {
    fn clone(&self) -> Self {
        Self { ids: self.ids.clone(), items: self.items.clone() }
    }
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Self {
        Self { ids: BTreeMap::new(), items: Vec::new() }
    }
}

impl<T: Ord + ?Sized> Interner<T> {
    /// The number of `item`, which is new if it was not seen before.
    pub fn intern(&mut self, item: &T) -> u32
    where
        Arc<T>: for<'a> From<&'a T>,
    {
        if let Some(&id) = self.ids.get(item) {
            return id;
        }
        self.insert(Arc::from(item))
    }

    /// The number of an item that may have to be kept.
    pub fn intern_owned(&mut self, item: T) -> u32
    where
        T: Sized,
    {
        if let Some(&id) = self.ids.get(&item) {
            return id;
        }
        self.insert(Arc::new(item))
    }

    fn insert(&mut self, item: Arc<T>) -> u32 {
        let id = self.items.len() as u32;
        self.ids.insert(Arc::clone(&item), id);
        self.items.push(item);
        id
    }

    /// The number of `item`, if it was seen.
    pub fn find<Q: Ord + ?Sized>(&self, item: &Q) -> Option<u32>
    where
        Arc<T>: Borrow<Q>,
    {
        self.ids.get(item).copied()
    }

    /// The item of a number.
    pub fn get(&self, id: u32) -> Option<&Arc<T>> {
        self.items.get(id as usize)
    }

    /// How many items there are.
    pub fn count(&self) -> u32 {
        self.items.len() as u32
    }
}
