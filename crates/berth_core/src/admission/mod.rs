//! What the API server does to an object before it keeps it: defaults, and the admission plugins that bear on
//! scheduling.

pub mod defaults;
pub mod priority;
pub mod validation;

use alloc::format;
use alloc::string::String;
use core::fmt::Display;

use crate::api::field_error::quote;

/// The words in which a plugin refuses an object (`admission.NewForbidden`). An object without a name is `Unknown`.
pub fn forbidden(resource: &str, name: &str, why: &dyn Display) -> String {
    let name = if name.is_empty() { "Unknown" } else { name };
    format!("{resource} {} is forbidden: {why}", quote(name))
}
