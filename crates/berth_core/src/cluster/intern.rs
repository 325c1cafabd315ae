//! Interning: equal texts get one small number.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::collections::Index;

/// Texts in the order in which they were first seen, each once.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    ids: Index,
    items: Vec<Arc<str>>,
}

impl Interner {
    /// The number of a text, which is new if it was not seen before.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return id;
        }
        let id = self.items.len() as u32;
        let text: Arc<str> = Arc::from(text);
        self.ids.insert(Arc::clone(&text), id);
        self.items.push(text);
        id
    }

    /// The number of a text, if it was seen.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.ids.get(text)
    }

    /// The text of a number.
    pub fn get(&self, id: u32) -> Option<&Arc<str>> {
        self.items.get(id as usize)
    }
}
