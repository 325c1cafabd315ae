//! What pod affinity and anti-affinity refuse.

use super::{Edits, Reason, Source, labels};
use crate::advice::edit::Edit;
use crate::explain::affinity::AffinityRole;
use crate::explain::{AffinityExplanation, NodeReport};
use crate::framework::fact::Fact;

/// With more pods than this that a pod wants to be near, none of them is proposed for deletion: only when the last is
/// gone may the pod be the first.
const FEW: usize = 3;

fn terms<'a>(
    source: &Source<'a>,
    role: AffinityRole,
) -> impl Iterator<Item = &'a AffinityExplanation> {
    source.explanation.affinity.iter().filter(move |found| found.role == role)
}

pub(super) fn refused(source: &Source<'_>, report: &NodeReport, fact: &Fact, edits: &mut Edits) {
    match fact {
        Fact::Affinity { term, .. } => {
            edits.insert(Edit::PreferPodAffinity { term: *term });
            let own = terms(source, AffinityRole::RequiredAffinity);
            for found in own.filter(|found| found.term == Some(*term)) {
                labels(source, &report.name, &found.topology_key, edits);
            }
        }
        Fact::AffinityFirst { .. } => nobody_near(source, edits),
        Fact::AntiAffinity { term, domain: Some(domain), .. } => {
            if !edits.is_new(Reason::Apart, (*term).into(), domain) {
                return;
            }
            edits.insert(Edit::PreferPodAntiAffinity { term: *term });
            let own = terms(source, AffinityRole::RequiredAntiAffinity);
            for found in own.filter(|found| found.term == Some(*term)) {
                let near = found.pods.iter().filter(|pod| pod.domain.as_ref() == Some(domain));
                edits.extend(near.map(|pod| Edit::Delete { pod: pod.pod.clone() }));
            }
        }
        Fact::ExistingAntiAffinity { key, domain, .. } => {
            let keys = source.explanation.affinity.iter().map(|found| &found.topology_key);
            let number = keys.take_while(|other| *other != key).count() as i64;
            if !edits.is_new(Reason::Shunned, number, domain) {
                return;
            }
            let others = terms(source, AffinityRole::ExistingRequiredAntiAffinity);
            for found in others.filter(|found| found.topology_key == *key) {
                let near = found.pods.iter().filter(|pod| pod.domain.as_ref() == Some(domain));
                edits.extend(near.map(|pod| Edit::Delete { pod: pod.pod.clone() }));
            }
        }
        _ => {}
    }
}

/// The node has every label, but nobody is there whom the pod wants to be near.
fn nobody_near(source: &Source<'_>, edits: &mut Edits) {
    for found in terms(source, AffinityRole::RequiredAffinity) {
        if let Some(term) = found.term {
            edits.insert(Edit::PreferPodAffinity { term });
        }
        if found.pods.len() <= FEW {
            edits.extend(found.pods.iter().map(|pod| Edit::Delete { pod: pod.pod.clone() }));
        }
        // Pods on a node without the label are near nobody.
        let lost = found.pods.iter().filter(|pod| pod.domain.is_none());
        for pod in lost {
            labels(source, &pod.node, &found.topology_key, edits);
        }
    }
}
