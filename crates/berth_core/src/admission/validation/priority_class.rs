//! Priority classes.
//!
//! Mirrors `pkg/apis/scheduling/validation/validation.go` and `IsKnownSystemPriorityClass`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{immutable, object_meta, object_meta_update};
use crate::admission::priority::system_classes;
use crate::api::names::dns_subdomain_errors;
use crate::api::{BadValue, FieldError, PreemptionPolicy, PriorityClass};

/// The highest priority of a class that is not the system's (`HighestUserDefinablePriority`).
const HIGHEST: i32 = 1_000_000_000;

/// What is wrong with a class that is to be created (`ValidatePriorityClass`). `policy` is its preemption policy as it
/// was written, the default if it was not.
pub fn priority_class(class: &PriorityClass, policy: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    object_meta(&mut errors, &class.metadata, false, dns_subdomain_errors);
    if class.metadata.name.starts_with("system-") {
        if let Some(why) = not_of_the_system(class) {
            errors.push(FieldError::forbidden(
                "metadata.name".to_owned(),
                &format!(
                    "priority class names with 'system-' prefix are reserved for system use only. error: {why}"
                ),
            ));
        }
    } else if class.value > HIGHEST {
        let detail = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        errors.push(FieldError::forbidden("value".to_owned(), &detail));
    }
    let field = || "preemptionPolicy".to_owned();
    let words = PreemptionPolicy::ALL;
    if policy.is_empty() {
        errors.push(FieldError::required(field(), ""));
    } else if !words.iter().any(|word| word.as_str() == policy) {
        let words: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
        errors.push(FieldError::not_supported(field(), policy, &words));
    }
    errors
}

/// What is wrong with a class that is to take the place of another (`ValidatePriorityClassUpdate`), each with its
/// preemption policy as it was written.
pub fn priority_class_update(
    new: (&PriorityClass, &str),
    old: (&PriorityClass, &str),
) -> Vec<FieldError> {
    let mut errors = Vec::new();
    object_meta_update(&mut errors, &new.0.metadata, &old.0.metadata);
    if new.0.value != old.0.value {
        let detail = "may not be changed in an update.";
        errors.push(FieldError::forbidden("value".to_owned(), detail));
    }
    if new.1 != old.1 {
        errors.push(immutable("preemptionPolicy", BadValue::word(new.1)));
    }
    errors
}

/// Why a class with a name of the system's is not the system's.
fn not_of_the_system(class: &PriorityClass) -> Option<String> {
    let name = &class.metadata.name;
    let Some(own) = system_classes().into_iter().find(|own| own.metadata.name == *name) else {
        return Some(format!("{name} is not a known system priority class"));
    };
    if own.value != class.value {
        return Some(format!("value of {name} PriorityClass must be {}", own.value));
    }
    if own.global_default != class.global_default {
        return Some(format!(
            "globalDefault of {name} PriorityClass must be {}",
            own.global_default
        ));
    }
    None
}
