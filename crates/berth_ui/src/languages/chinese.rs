//! 简体中文.

use super::{Speaks, tables};
use crate::locale::{Language, Plural};
use crate::parts::late;

late!(chinese, |_| Box::new(Speaks(CHINESE)));

/// 简体中文.
pub const CHINESE: Language =
    Language { tag: "zh-CN", plural: Plural::Other, table: tables!("zh") };
