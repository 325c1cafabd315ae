//! What a Filter plugin compared on a node.

use berth_core::api::{
    Labels, NodeSelectorRequirement, NodeSelectorTerm, Pod, Taint, Toleration, TolerationOperator,
};
use berth_core::explain::affinity::AffinityRole;
use berth_core::explain::{AffinityExplanation, Explanation, NodeReport, PluginVerdict};
use berth_core::framework::fact::Fact;

use super::{Line, equation};

/// The lines of a plugin's verdict on a node; none where nothing was to compare.
pub fn verdict(explanation: &Explanation, node: &NodeReport, verdict: &PluginVerdict) -> Vec<Line> {
    verdict.facts.iter().flat_map(|fact| lines(explanation, node, fact)).collect()
}

fn lines(explanation: &Explanation, node: &NodeReport, fact: &Fact) -> Vec<Line> {
    let sum = || equation(fact).unwrap_or_default();
    let holds = fact.reason().is_none();
    let constraint = |index: &u32| {
        let found = explanation.spread_filter.iter().find(|spread| spread.index == *index);
        found.map_or("", |spread| &*spread.topology_key)
    };
    vec![match fact {
        Fact::Cordoned { tolerated } => Line::compared(
            "cordoned",
            if *tolerated {
                "node.kubernetes.io/unschedulable:NoSchedule is tolerated"
            } else {
                "node.kubernetes.io/unschedulable:NoSchedule is not tolerated"
            },
            *tolerated,
        ),
        Fact::NodeName { matches } => {
            let wanted = &explanation.object.spec.node_name;
            Line::compared("spec.nodeName", wanted.as_str(), *matches)
        }
        Fact::Taint { index, toleration } => taint(&explanation.object, node, *index, *toleration),
        Fact::AddedNodeAffinity { matches } => {
            let found = if *matches { "matches" } else { "does not match" };
            Line::compared("affinity that the profile adds", found, *matches)
        }
        Fact::NodeAffinity { term, .. } => return node_affinity(explanation, node, *term),
        Fact::HostPort { ip, protocol, port, free, in_use, .. } => {
            let address = ip.as_deref().map(|ip| format!("{ip}:")).unwrap_or_default();
            let holders = in_use.iter().flat_map(|used| &used.pods).map(ToString::to_string);
            let found = if *free {
                "free".to_owned()
            } else {
                format!("taken by {}", holders.collect::<Vec<_>>().join(", "))
            };
            Line::compared(format!("host port {address}{port}/{protocol}"), found, *free)
        }
        Fact::Pods { .. } => Line::compared("pods", sum(), holds),
        Fact::Resource { resource, .. } => Line::compared(&**resource, sum(), holds),
        Fact::SpreadKeyMissing { constraint: index } => {
            Line::compared(constraint(index), "the node has no such label", false)
        }
        Fact::Spread { constraint: index, domain, .. } => {
            Line::compared(format!("{}={domain}", constraint(index)), sum(), holds)
        }
        Fact::Affinity { term, domain, matching } => {
            let role = AffinityRole::RequiredAffinity;
            near(explanation, role, *term, domain.as_deref(), *matching > 0)
        }
        Fact::AntiAffinity { term, domain, matching } => {
            let role = AffinityRole::RequiredAntiAffinity;
            near(explanation, role, *term, domain.as_deref(), *matching == 0)
        }
        Fact::AffinityFirst { allowed } => Line::compared(
            "first of its kind",
            if *allowed {
                "no pod matches anywhere, and the pod matches its own terms"
            } else {
                "no: a pod matches elsewhere, or the pod does not match its own terms"
            },
            *allowed,
        ),
        Fact::ExistingAntiAffinity { key, domain, matching } => {
            let role = AffinityRole::ExistingRequiredAntiAffinity;
            let terms = explanation.affinity.iter();
            let terms = terms.filter(|term| term.role == role && term.topology_key == *key);
            let shunning = pods(terms, Some(domain));
            Line::compared(format!("shunned in {key}={domain}"), shunning, *matching == 0)
        }
        Fact::NoState { error } => Line::compared("error", *error, false),
        // The others belong to scores.
        _ => return Vec::new(),
    }]
}

fn taint(pod: &Pod, node: &NodeReport, index: u32, toleration: Option<u32>) -> Line {
    let taints = node.object.as_ref().map(|node| node.spec.taints.as_slice()).unwrap_or_default();
    let text = taints.get(index as usize).map(Taint::to_string).unwrap_or_default();
    let toleration = toleration.and_then(|i| pod.spec.tolerations.get(i as usize));
    let found = match toleration {
        Some(toleration) => format!("tolerated by {}", toleration_text(toleration)),
        None => "not tolerated".to_owned(),
    };
    Line::compared(format!("taint {text}"), found, toleration.is_some())
}

/// `key=value:effect`, with `*` for every key and every effect.
fn toleration_text(toleration: &Toleration) -> String {
    let Toleration { key, operator, value, effect, .. } = toleration;
    let key = if key.is_empty() { "*" } else { key };
    let effect = effect.map_or("*", |effect| effect.as_str());
    match operator {
        TolerationOperator::Exists => format!("{key}:{effect}"),
        _ => format!("{key}={value}:{effect}"),
    }
}

fn node_affinity(explanation: &Explanation, node: &NodeReport, hit: Option<u32>) -> Vec<Line> {
    let pod = &explanation.object;
    let empty = Labels::new();
    let labels = node.object.as_ref().map_or(&empty, |node| &node.metadata.labels);
    let mut lines: Vec<Line> = Vec::new();
    for (key, value) in &pod.spec.node_selector {
        let holds = labels.get(key) == Some(value);
        lines.push(Line::compared(format!("nodeSelector {key}={value}"), own(labels, key), holds));
    }
    let affinity = pod.spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_ref());
    let required = affinity.and_then(|affinity| affinity.required.as_ref());
    let terms = required.map(|required| required.node_selector_terms.as_slice());
    for (i, term) in terms.unwrap_or_default().iter().enumerate() {
        let holds = hit == Some(i as u32);
        // One term is enough, so the others do not matter then.
        if hit.is_none() || holds {
            let about = format!("term {}: {}", i + 1, term_text(term));
            lines.push(Line::compared(about, owns(labels, &node.name, term), holds));
        }
    }
    lines
}

/// A term in words: `disk In (ssd, nvme), cores Gt (4)`.
pub(super) fn term_text(term: &NodeSelectorTerm) -> String {
    let one = |requirement: &NodeSelectorRequirement| {
        let NodeSelectorRequirement { key, operator, values } = requirement;
        if values.is_empty() {
            format!("{key} {operator}")
        } else {
            format!("{key} {operator} ({})", values.join(", "))
        }
    };
    let all: Vec<String> =
        term.match_expressions.iter().chain(&term.match_fields).map(one).collect();
    if all.is_empty() { "no requirements, so no node".to_owned() } else { all.join(", ") }
}

/// The node's own values of what a term asks for.
pub(super) fn owns(labels: &Labels, name: &str, term: &NodeSelectorTerm) -> String {
    let mut found: Vec<String> = Vec::new();
    for requirement in &term.match_expressions {
        found.push(own(labels, &requirement.key));
    }
    if !term.match_fields.is_empty() {
        found.push(format!("metadata.name={name}"));
    }
    found.dedup();
    found.join(", ")
}

/// The node's own value of a label.
fn own(labels: &Labels, key: &str) -> String {
    labels.get(key).map_or_else(|| format!("no {key}"), |value| format!("{key}={value}"))
}

fn near(
    explanation: &Explanation,
    role: AffinityRole,
    index: u32,
    domain: Option<&str>,
    holds: bool,
) -> Line {
    let word = if role == AffinityRole::RequiredAffinity { "affinity" } else { "anti-affinity" };
    let mut terms = explanation.affinity.iter();
    let Some(term) = terms.find(|term| term.role == role && term.term == Some(index)) else {
        return Line::compared(word, "", holds);
    };
    let key = &term.topology_key;
    let (place, found) = match domain {
        Some(domain) => (format!("{key}={domain}"), pods(core::iter::once(term), Some(domain))),
        None => (key.to_string(), "the node has no such label".to_owned()),
    };
    let holds = holds && (domain.is_some() || role == AffinityRole::RequiredAntiAffinity);
    Line::compared(format!("{word} {} in {place}", term.selector), found, holds)
}

/// The pods of terms in a domain, with their nodes.
fn pods<'a>(terms: impl Iterator<Item = &'a AffinityExplanation>, domain: Option<&str>) -> String {
    let pods = terms.flat_map(|term| &term.pods);
    let here: Vec<String> = pods
        .filter(|pod| pod.domain.as_deref() == domain)
        .map(|pod| format!("{} on {}", pod.pod, pod.node))
        .collect();
    if here.is_empty() { "no pod".to_owned() } else { here.join(", ") }
}
