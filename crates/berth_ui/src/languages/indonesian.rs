//! Bahasa Indonesia.

use super::{Speaks, tables};
use crate::locale::{Language, Plural};
use crate::parts::late;

late!(indonesian, |_| Box::new(Speaks(INDONESIAN)));

/// Bahasa Indonesia.
pub const INDONESIAN: Language =
    Language { tag: "id", plural: Plural::Other, table: tables!("id") };
