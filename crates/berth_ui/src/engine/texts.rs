//! The texts that objects were written as since the cluster was opened.
//!
//! The log of commands says which of them count: the newest that was put and not taken back.

use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::playground::{Command, Playground};
use berth_wire::manifest::{Item, Report};
use std::borrow::Cow;

/// Objects that were put, each with the text that it was written as.
#[derive(Default)]
pub(super) struct Texts(Vec<Item>);

impl Texts {
    pub(super) fn keep(&mut self, object: Object, text: Box<str>) {
        self.0.push(Item { object, text });
    }

    /// What was read, with the texts that count in the place of those that were read.
    pub(super) fn report<'r>(
        &self,
        read: &'r Report,
        playground: Option<&Playground>,
    ) -> Cow<'r, Report> {
        let Some(playground) = playground.filter(|_| !self.0.is_empty()) else {
            return Cow::Borrowed(read);
        };
        let mut report = read.clone();
        for written in &self.0 {
            let (kind, key) = (written.object.kind(), written.object.key());
            let counts = self.newest(playground, kind, &key);
            if !counts.is_some_and(|newest| is_same(&newest.object, &written.object)) {
                continue;
            }
            match report.items.iter_mut().find(|item| is_of(&item.object, kind, &key)) {
                Some(item) => *item = written.clone(),
                None => report.items.push(written.clone()),
            }
        }
        Cow::Owned(report)
    }

    /// The text of an object.
    pub(super) fn of<'t>(
        &'t self,
        read: &'t Report,
        playground: &Playground,
        kind: Kind,
        key: &ObjectKey,
    ) -> Option<&'t str> {
        let read = || read.items.iter().find(|item| is_of(&item.object, kind, key));
        self.newest(playground, kind, key).or_else(read).map(|item| &*item.text)
    }

    fn newest(&self, playground: &Playground, kind: Kind, key: &ObjectKey) -> Option<&Item> {
        let mut own = self.0.iter().filter(|item| is_of(&item.object, kind, key)).peekable();
        own.peek()?;
        playground.log().rev().find_map(|command| self.put_by(command, kind, key))
    }

    /// What of this a command put last.
    fn put_by(&self, command: &Command, kind: Kind, key: &ObjectKey) -> Option<&Item> {
        match command {
            Command::Put(object) if is_of(object, kind, key) => {
                self.0.iter().find(|item| is_same(&item.object, object))
            }
            Command::Batch { commands, .. } => {
                commands.iter().rev().find_map(|command| self.put_by(command, kind, key))
            }
            _ => None,
        }
    }
}

fn is_of(object: &Object, kind: Kind, key: &ObjectKey) -> bool {
    let metadata = object.metadata();
    object.kind() == kind && metadata.name == key.name && metadata.namespace == key.namespace
}

/// Whether it is the very same value: two may be equal and come from different texts.
fn is_same(a: &Object, b: &Object) -> bool {
    std::ptr::eq(a.metadata(), b.metadata())
}
