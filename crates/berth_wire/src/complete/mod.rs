//! What could stand at a place of a text that somebody is writing.
//!
//! There is no table of fields: the decoders are asked. [`spot`] finds the place from indentation alone, since a text that
//! is being written is rarely valid; [`probe`] makes an object that has nothing but a probe at that place, has it decoded,
//! and notes what the decoder wants there. So what is offered is what is read. Places within `{}` or `[]` are not found.

mod probe;
mod spot;
#[cfg(test)]
mod tests;

pub use probe::{Field, fields_of};
use spot::{Here, Spot};

use crate::manifest::kinds;

/// What could stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Byte offset of what is written there already, and would be replaced.
    pub start: usize,
    /// What could stand there, and begins as what is written: fields first.
    pub offers: Vec<Offer>,
}

/// Something that could stand somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A field that is not there yet.
    Field(Field),
    /// A value.
    Word(String),
}

impl Offer {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Field(field) => &field.name,
            Self::Word(word) => word,
        }
    }
}

/// What could stand at a byte offset of a text.
pub fn complete(text: &str, offset: usize) -> Option<Completion> {
    let spot = Spot::find(text, offset)?;
    let begins = |name: &str| {
        let head = name.get(..spot.written.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(spot.written)) && name != spot.written
    };
    let mut offers: Vec<Offer> = match &spot.here {
        Here::Value(key) => words(&spot, key).into_iter().map(Offer::Word).collect(),
        Here::Key { others } => {
            let mut fields = probe::fields(&spot);
            fields.retain(|field| !others.contains(&&*field.name));
            // What scheduling reads comes first.
            let (read, kept): (Vec<Field>, Vec<Field>) =
                fields.into_iter().partition(Field::is_read);
            read.into_iter().chain(kept).map(Offer::Field).collect()
        }
    };
    offers.retain(|offer| begins(offer.name()));
    Some(Completion { start: spot.start, offers })
}

/// The field at a byte offset of a text: the one whose name or value is there.
pub fn field_at(text: &str, offset: usize) -> Option<Field> {
    let spot = Spot::find(text, offset)?;
    let name = match &spot.here {
        Here::Value(key) => key,
        Here::Key { .. } => spot.word,
    };
    probe::fields(&spot).into_iter().find(|field| field.name == name)
}

/// The values that a field can have.
fn words(spot: &Spot<'_>, key: &str) -> Vec<String> {
    if spot.path.is_empty() {
        match key {
            "kind" => return kinds().map(|(kind, _)| kind.to_owned()).collect(),
            "apiVersion" => {
                let own = kinds().filter(|(kind, _)| spot.kind.is_none_or(|own| own == *kind));
                let mut all: Vec<String> = own.map(|(_, version)| version.to_owned()).collect();
                all.dedup();
                return all;
            }
            _ => {}
        }
    }
    probe::words(spot, key)
}
