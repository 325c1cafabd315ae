//! What a deletion asks of the object that it deletes.
//!
//! Mirrors `metav1.DeleteOptions` and `metav1.Preconditions` as far as deleting pods reads them.

use alloc::string::String;
use core::fmt;

use crate::api::ObjectMeta;
use crate::api::field_error::quote;

/// How an object is to be deleted (`metav1.DeleteOptions`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// Seconds that the pod gets to end; none means what its spec says.
    pub grace_period_seconds: Option<i64>,
    /// Whether only to say what would happen.
    pub dry_run: bool,
    /// What the object has to be.
    pub preconditions: Preconditions,
    /// What becomes of the objects that it owns.
    pub propagation_policy: Option<String>,
    /// The same in old words.
    pub orphan_dependents: Option<bool>,
}

/// What an object has to be for something to be done to it (`metav1.Preconditions`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preconditions {
    /// Its identity.
    pub uid: Option<String>,
    /// Its resource version.
    pub resource_version: Option<String>,
}

/// Which precondition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precondition {
    /// The identity.
    Uid,
    /// The resource version.
    ResourceVersion,
}

/// A precondition that does not hold. `Display` gives the API server's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Name of the pod.
    pub pod: String,
    /// Which precondition.
    pub precondition: Precondition,
    /// What was asked for.
    pub wanted: String,
    /// What there is.
    pub found: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pod, precondition, wanted, found } = self;
        let (what, so) = match precondition {
            Precondition::Uid => ("UID", "deleted and then recreated"),
            Precondition::ResourceVersion => ("ResourceVersion", "modified"),
        };
        write!(
            f,
            "Operation cannot be fulfilled on Pod {}: the {what} in the precondition ({wanted}) does not match the \
             {what} in record ({found}). The object might have been {so}",
            quote(pod)
        )
    }
}

impl core::error::Error for Conflict {}

impl Preconditions {
    /// Whether a pod is what is asked for.
    pub fn check(&self, pod: &ObjectMeta) -> Result<(), Conflict> {
        compare(pod, Precondition::Uid, self.uid.as_deref(), &pod.uid)?;
        let version = self.resource_version.as_deref();
        compare(pod, Precondition::ResourceVersion, version, &pod.resource_version)
    }

    /// The same without what is asked for by an empty text.
    #[must_use]
    pub fn without_empty(&self) -> Self {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Self { uid: filled(&self.uid), resource_version: filled(&self.resource_version) }
    }
}

fn compare(
    pod: &ObjectMeta,
    precondition: Precondition,
    wanted: Option<&str>,
    found: &str,
) -> Result<(), Conflict> {
    match wanted {
        Some(wanted) if wanted != found => Err(Conflict {
            pod: pod.name.clone(),
            precondition,
            wanted: wanted.into(),
            found: found.into(),
        }),
        _ => Ok(()),
    }
}
