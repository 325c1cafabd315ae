//! The priority of a pod from its class.
//!
//! Mirrors `plugin/pkg/admission/priority/admission.go` for pods that are created and for classes. Deviation: of
//! several default classes with the same value the first counts, where the plugin takes them in a map's order.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::api::{ObjectMeta, PodSpec, PreemptionPolicy, PriorityClass};

/// The classes that every cluster has (`SystemPriorityClasses`).
pub fn system_classes() -> [PriorityClass; 2] {
    [("system-node-critical", 2_000_001_000), ("system-cluster-critical", 2_000_000_000)].map(
        |(name, value)| PriorityClass {
            metadata: ObjectMeta { name: name.to_owned(), ..ObjectMeta::default() },
            value,
            preemption_policy: Some(PreemptionPolicy::PreemptLowerPriority),
            ..PriorityClass::default()
        },
    )
}

/// The classes that a pod can have: these, then those that every cluster has and that are not among them.
pub fn with_system_classes(mut classes: Vec<Arc<PriorityClass>>) -> Vec<Arc<PriorityClass>> {
    for class in system_classes() {
        if classes.iter().all(|own| own.metadata.name != class.metadata.name) {
            classes.push(Arc::new(class));
        }
    }
    classes
}

/// Why a pod is refused. `Display` gives the API server's words without the pod's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriorityError {
    /// There is no class of this name.
    NoClass(String),
    /// The pod gives a priority that is not its class's.
    Priority {
        /// The pod's.
        given: i32,
        /// The class's.
        computed: i32,
    },
    /// The pod gives a preemption policy that is not its class's.
    PreemptionPolicy {
        /// The pod's.
        given: PreemptionPolicy,
        /// The class's.
        computed: PreemptionPolicy,
    },
}

impl PriorityError {
    /// The pod's field that it is about. The API server does not say it.
    pub fn field(&self) -> &'static str {
        match self {
            Self::NoClass(_) => "spec.priorityClassName",
            Self::Priority { .. } => "spec.priority",
            Self::PreemptionPolicy { .. } => "spec.preemptionPolicy",
        }
    }
}

impl fmt::Display for PriorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoClass(name) => write!(f, "no PriorityClass with name {name} was found"),
            Self::Priority { given, computed } => write!(
                f,
                "the integer value of priority ({given}) must not be provided in pod spec; priority admission \
                 controller computed {computed} from the given PriorityClass name"
            ),
            Self::PreemptionPolicy { given, computed } => write!(
                f,
                "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; priority admission \
                 controller computed {computed} from the given PriorityClass name"
            ),
        }
    }
}

impl core::error::Error for PriorityError {}

/// Gives a pod the priority and the preemption policy of its class: the class that it names, else the one for pods
/// that name none, else 0. A pod that has the same already stays as it is.
pub fn admit<'c>(
    spec: &mut PodSpec,
    classes: impl Iterator<Item = &'c PriorityClass> + Clone,
) -> Result<(), PriorityError> {
    let (name, priority, policy) = if spec.priority_class_name.is_empty() {
        default_priority(classes)
    } else {
        resolve(&spec.priority_class_name, classes)?
    };
    if let Some(given) = spec.priority.filter(|given| *given != priority) {
        return Err(PriorityError::Priority { given, computed: priority });
    }
    let different = |given: &PreemptionPolicy| policy.is_some_and(|policy| policy != *given);
    if let (Some(given), Some(computed)) = (spec.preemption_policy.filter(different), policy) {
        return Err(PriorityError::PreemptionPolicy { given, computed });
    }
    spec.priority_class_name = name;
    spec.priority = Some(priority);
    spec.preemption_policy = policy.or(spec.preemption_policy);
    Ok(())
}

/// A class for pods that name none, where there is one already. `Display` gives the API server's words without the
/// class's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondDefault(
    /// Name of the class that is there.
    pub String,
);

impl fmt::Display for SecondDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        write!(f, "PriorityClass {name} is already marked as default. Only one default can exist")
    }
}

impl core::error::Error for SecondDefault {}

/// Whether a class may be created, or take the place of the one of its name (`update`), beside these.
pub fn admit_class<'c>(
    class: &PriorityClass,
    update: bool,
    classes: impl Iterator<Item = &'c PriorityClass>,
) -> Result<(), SecondDefault> {
    if !class.global_default {
        return Ok(());
    }
    match default_class(classes) {
        Some(other) if !update || other.metadata.name != class.metadata.name => {
            Err(SecondDefault(other.metadata.name.clone()))
        }
        _ => Ok(()),
    }
}

type Resolved = (String, i32, Option<PreemptionPolicy>);

/// Of several default classes the lowest counts.
fn default_class<'c>(
    classes: impl Iterator<Item = &'c PriorityClass>,
) -> Option<&'c PriorityClass> {
    let mut lowest: Option<&PriorityClass> = None;
    for class in classes.filter(|class| class.global_default) {
        if lowest.is_none_or(|lowest| lowest.value > class.value) {
            lowest = Some(class);
        }
    }
    lowest
}

fn default_priority<'c>(classes: impl Iterator<Item = &'c PriorityClass>) -> Resolved {
    default_class(classes).map_or_else(
        || (String::new(), 0, Some(PreemptionPolicy::PreemptLowerPriority)),
        |class| (class.metadata.name.clone(), class.value, class.preemption_policy),
    )
}

fn resolve<'c>(
    name: &str,
    mut classes: impl Iterator<Item = &'c PriorityClass>,
) -> Result<Resolved, PriorityError> {
    let class = classes.find(|class| class.metadata.name == name);
    let class = class.ok_or_else(|| PriorityError::NoClass(name.to_owned()))?;
    Ok((name.to_owned(), class.value, class.preemption_policy))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn class(
        name: &str,
        value: i32,
        global_default: bool,
        policy: PreemptionPolicy,
    ) -> PriorityClass {
        PriorityClass {
            metadata: ObjectMeta { name: name.into(), ..ObjectMeta::default() },
            value,
            global_default,
            preemption_policy: Some(policy),
            description: String::new(),
        }
    }

    #[test]
    fn as_the_api_server_admits() {
        use PreemptionPolicy::{Never, PreemptLowerPriority};
        let some =
            [class("high", 100, false, Never), class("low", -5, false, PreemptLowerPriority)];
        let with_default: Vec<_> = some
            .iter()
            .cloned()
            .chain([class("b", 7, true, Never), class("a", 3, true, Never)])
            .collect();
        let wrong = "must not be provided in pod spec; priority admission controller computed";
        let end = "from the given PriorityClass name";
        for (classes, name, priority, policy, want) in [
            (&some[..], "", None, None, Ok(("", 0, PreemptLowerPriority))),
            (&some, "", Some(0), None, Ok(("", 0, PreemptLowerPriority))),
            (&some, "high", None, None, Ok(("high", 100, Never))),
            (&some, "high", Some(100), Some(Never), Ok(("high", 100, Never))),
            (&some, "low", None, None, Ok(("low", -5, PreemptLowerPriority))),
            // The lower of two defaults.
            (&with_default, "", None, None, Ok(("a", 3, Never))),
            (
                &system_classes(),
                "system-node-critical",
                None,
                None,
                Ok(("system-node-critical", 2_000_001_000, PreemptLowerPriority)),
            ),
            (
                &some,
                "none",
                None,
                None,
                Err("no PriorityClass with name none was found".to_string()),
            ),
            (
                &some,
                "high",
                Some(99),
                None,
                Err(alloc::format!("the integer value of priority (99) {wrong} 100 {end}")),
            ),
            (
                &some,
                "",
                Some(1),
                None,
                Err(alloc::format!("the integer value of priority (1) {wrong} 0 {end}")),
            ),
            (
                &some,
                "low",
                None,
                Some(Never),
                Err(alloc::format!(
                    "the string value of PreemptionPolicy (Never) {wrong} PreemptLowerPriority {end}"
                )),
            ),
        ] {
            let mut spec = PodSpec {
                priority_class_name: name.into(),
                priority,
                preemption_policy: policy,
                ..PodSpec::default()
            };
            let before = spec.clone();
            let result = admit(&mut spec, classes.iter());
            match want {
                Ok((name, priority, policy)) => {
                    assert_eq!(result, Ok(()));
                    assert_eq!(
                        (&*spec.priority_class_name, spec.priority, spec.preemption_policy),
                        (name, Some(priority), Some(policy))
                    );
                }
                Err(message) => {
                    assert_eq!(result.map_err(|error| error.to_string()), Err(message));
                    assert_eq!(spec, before);
                }
            }
        }
    }
}
