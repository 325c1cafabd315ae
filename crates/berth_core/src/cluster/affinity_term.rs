//! Pod affinity terms, compiled.
//!
//! Mirrors `AffinityTerm` of `k8s.io/kube-scheduler/framework/types.go` and `PodInfo.Update` of
//! `pkg/scheduler/framework/types.go`.

use crate::collections::Set;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{StrId, Strings};
use crate::api::selector::SelectorError;
use crate::api::{Labels, Pod, PodAffinityTerm, Selector};

/// A term: which pods, in which namespaces, and what counts as near.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AffinityTerm {
    /// Namespaces by name.
    pub namespaces: Set<StrId>,
    /// Namespaces by label.
    pub namespace_selector: Selector,
    /// Pods by label.
    pub selector: Selector,
    /// The label whose value makes a domain.
    pub topology_key: StrId,
}

impl AffinityTerm {
    fn new(
        pod: &Pod,
        term: &PodAffinityTerm,
        strings: &mut Strings,
    ) -> Result<Self, SelectorError> {
        let selector = Selector::from_label_selector(term.label_selector.as_ref())?;
        let namespaces = if term.namespaces.is_empty() && term.namespace_selector.is_none() {
            Set::from([strings.intern(&pod.metadata.namespace)])
        } else {
            term.namespaces.iter().map(|name| strings.intern(name)).collect()
        };
        Ok(Self {
            namespaces,
            namespace_selector: Selector::from_label_selector(term.namespace_selector.as_ref())?,
            selector,
            topology_key: strings.intern(&term.topology_key),
        })
    }

    /// Whether the term means a pod with these labels in that namespace, whose own labels are given.
    pub fn matches(&self, namespace: StrId, namespace_labels: &Labels, labels: &Labels) -> bool {
        (self.namespaces.contains(&namespace) || self.namespace_selector.matches(namespace_labels))
            && self.selector.matches(labels)
    }
}

/// A term with its weight.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WeightedTerm {
    /// The term.
    pub term: AffinityTerm,
    /// 1 to 100.
    pub weight: i32,
}

/// All terms of a pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffinityTerms {
    /// Whether the pod has any pod affinity or anti-affinity section at all.
    pub any: bool,
    /// Required affinity.
    pub required_affinity: Vec<AffinityTerm>,
    /// Required anti-affinity.
    pub required_anti_affinity: Vec<AffinityTerm>,
    /// Preferred affinity.
    pub preferred_affinity: Vec<WeightedTerm>,
    /// Preferred anti-affinity.
    pub preferred_anti_affinity: Vec<WeightedTerm>,
}

/// Why a pod's terms cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermError(Vec<(&'static str, String)>);

impl TermError {
    /// Whether required terms are among those that cannot be used.
    pub fn concerns_required(&self) -> bool {
        self.0.iter().any(|(part, _)| part.starts_with("required"))
    }
}

impl fmt::Display for TermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let many = self.0.len() > 1;
        f.write_str(if many { "[" } else { "" })?;
        for (i, (part, message)) in self.0.iter().enumerate() {
            write!(f, "{}{part}: {message}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(if many { "]" } else { "" })
    }
}

impl core::error::Error for TermError {}

impl AffinityTerms {
    /// Compiles the terms of a pod. Where one of a list cannot be used the whole list is left
    /// empty, and the error tells why; the other lists stand.
    pub fn new(pod: &Pod, strings: &mut Strings) -> (Self, Option<TermError>) {
        let mut terms = Self::default();
        let mut errors = Vec::new();
        let Some(affinity) = &pod.spec.affinity else { return (terms, None) };
        let mut required = |list: &[PodAffinityTerm], part, errors: &mut Vec<_>| {
            list.iter()
                .map(|term| AffinityTerm::new(pod, term, strings))
                .collect::<Result<Vec<_>, _>>()
                .unwrap_or_else(|error| {
                    errors.push((part, alloc::format!("{error}")));
                    Vec::new()
                })
        };
        if let Some(near) = &affinity.pod_affinity {
            terms.any = true;
            terms.required_affinity =
                required(&near.required, "requiredAffinityTerms", &mut errors);
        }
        if let Some(apart) = &affinity.pod_anti_affinity {
            terms.any = true;
            terms.required_anti_affinity =
                required(&apart.required, "requiredAntiAffinityTerms", &mut errors);
        }
        let mut preferred = |list: &[crate::api::WeightedPodAffinityTerm], part| {
            list.iter()
                .map(|weighted| {
                    AffinityTerm::new(pod, &weighted.term, strings)
                        .map(|term| WeightedTerm { term, weight: weighted.weight })
                })
                .collect::<Result<Vec<_>, _>>()
                .unwrap_or_else(|error| {
                    errors.push((part, alloc::format!("{error}")));
                    Vec::new()
                })
        };
        if let Some(near) = &affinity.pod_affinity {
            terms.preferred_affinity = preferred(&near.preferred, "preferredAffinityTerms");
        }
        if let Some(apart) = &affinity.pod_anti_affinity {
            terms.preferred_anti_affinity =
                preferred(&apart.preferred, "preferredAntiAffinityTerms");
        }
        (terms, (!errors.is_empty()).then_some(TermError(errors)))
    }
}
