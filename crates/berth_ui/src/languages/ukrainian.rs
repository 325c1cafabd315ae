//! Українська.

use super::{Speaks, tables};
use crate::locale::{Language, Plural};
use crate::parts::late;

late!(ukrainian, |_| Box::new(Speaks(UKRAINIAN)));

/// Українська.
pub const UKRAINIAN: Language =
    Language { tag: "uk", plural: Plural::OneFewMany, table: tables!("uk") };
