//! Filter: which plugins run, and what each says of a node.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::labels::{domain, has_all_keys, label, selects, taint, term_matches, tolerated};
use super::{Code, Verdict, field, flag, list, number, requests, strings, text};

/// Plugins that have nothing to do without volumes, claims and declared features.
const IDLE: [&str; 6] = [
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "DynamicResources",
    "NodeDeclaredFeatures",
];

/// Plugins whose Filter cannot work without their PreFilter.
const NEED_PRE_FILTER: [&str; 4] =
    ["NodePorts", "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity"];

/// Whether nominated pods count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// They do not.
    Plain,
    /// They do.
    WithNominated,
}

/// What PreFilter of each plugin says, where it is not simply fine.
pub(super) fn pre_filter(doc: &Value) -> Map<String, Value> {
    let plugins = strings(field(doc, "profile"), "preFilter").into_iter();
    plugins
        .filter_map(|plugin| {
            let status = if let Some(text) = rejection(doc, plugin) {
                super::status(None, &Verdict::hopeless(text))
            } else if has_nothing_to_do(doc, plugin) {
                json!({ "code": "Skip" })
            } else {
                return None;
            };
            Some((plugin.to_owned(), status))
        })
        .collect()
}

/// The Filter plugins that run, in order.
pub(super) fn plugins(doc: &Value) -> Vec<&str> {
    let idle = |plugin: &str| {
        prepares(doc, plugin)
            && (has_nothing_to_do(doc, plugin) || rejection(doc, plugin).is_some())
    };
    strings(field(doc, "profile"), "filter").into_iter().filter(|plugin| !idle(plugin)).collect()
}

/// Why a plugin refuses every node beforehand, if it does.
pub(super) fn rejection(doc: &Value, plugin: &str) -> Option<String> {
    match plugin {
        "NodeAffinity" => {
            let conflict = named_nodes(doc)?.is_empty();
            conflict.then(|| "pod affinity terms conflict".to_owned())
        }
        "InterPodAffinity" => {
            let problem = field(doc, "podAffinityProblem").as_str()?;
            Some(format!("parsing pod: {problem}"))
        }
        _ => None,
    }
}

/// Whether PreFilter of a plugin runs.
fn prepares(doc: &Value, plugin: &str) -> bool {
    strings(field(doc, "profile"), "preFilter").contains(&plugin)
}

fn has_nothing_to_do(doc: &Value, plugin: &str) -> bool {
    let affinity = field(doc, "nodeAffinity");
    match plugin {
        "NodeAffinity" => {
            field(affinity, "nodeSelector").as_object().is_some_and(Map::is_empty)
                && field(affinity, "required").is_null()
                && field(affinity, "addedRequired").is_null()
        }
        "NodePorts" => list(field(doc, "pod"), "hostPorts").is_empty(),
        "PodTopologySpread" => list(doc, "spreadFilter").is_empty(),
        "InterPodAffinity" => !list(doc, "podAffinity").iter().any(|term| {
            let somewhere = || list(term, "pods").iter().any(|pod| !field(pod, "domain").is_null());
            match text(term, "role") {
                "requiredAffinity" | "requiredAntiAffinity" => true,
                "existingRequiredAntiAffinity" => somewhere(),
                _ => false,
            }
        }),
        other => IDLE.contains(&other),
    }
}

/// The only nodes that can do, if every required term names nodes and the profile asks.
pub(super) fn named_nodes(doc: &Value) -> Option<Vec<String>> {
    if !prepares(doc, "NodeAffinity") {
        return None;
    }
    let terms = field(field(doc, "nodeAffinity"), "required").as_array()?;
    let mut union = BTreeSet::new();
    for term in terms {
        let by_name = list(term, "matchFields").iter().filter(|requirement| {
            text(requirement, "key") == "metadata.name" && text(requirement, "operator") == "In"
        });
        let sets = by_name.map(|requirement| {
            strings(requirement, "values").into_iter().map(str::to_owned).collect::<BTreeSet<_>>()
        });
        union.extend(sets.reduce(|a, b| &a & &b)?);
    }
    (!terms.is_empty()).then(|| union.into_iter().collect())
}

/// The first refusal: with the nominated pods, if there are any, and then without.
pub(super) fn first_failure<'a>(
    doc: &Value,
    node: &Value,
    plugins: &[&'a str],
) -> Option<(&'a str, Verdict)> {
    let first =
        |pass| plugins.iter().find_map(|plugin| Some((*plugin, verdict(doc, node, plugin, pass)?)));
    let nominated = !list(node, "nominatedPods").is_empty();
    nominated.then(|| first(Pass::WithNominated)).flatten().or_else(|| first(Pass::Plain))
}

/// A plugin's refusal of a node.
pub(super) fn verdict(doc: &Value, node: &Value, plugin: &str, pass: Pass) -> Option<Verdict> {
    if NEED_PRE_FILTER.contains(&plugin) && !prepares(doc, plugin) {
        let error = text(facts(node, plugin, pass).first()?, "error").to_owned();
        return Some(Verdict { code: Code::Error, reasons: vec![error] });
    }
    match plugin {
        "NodeUnschedulable" => node_unschedulable(doc, node),
        "NodeName" => {
            let wanted = text(field(doc, "pod"), "nodeName");
            let refused = !wanted.is_empty() && wanted != text(node, "name");
            refused.then(|| Verdict::hopeless("node(s) didn't match the requested node name"))
        }
        "TaintToleration" => taint_toleration(doc, node),
        "NodeAffinity" => node_affinity(doc, node),
        "NodePorts" => node_ports(doc, facts(node, plugin, pass)),
        "NodeResourcesFit" => node_resources_fit(doc, node, facts(node, plugin, pass), pass),
        "PodTopologySpread" => match pass {
            Pass::Plain => spread(doc, node),
            Pass::WithNominated => spread_facts(facts(node, plugin, pass)),
        },
        "InterPodAffinity" => match pass {
            Pass::Plain => affinity(doc, node),
            Pass::WithNominated => affinity_facts(facts(node, plugin, pass)),
        },
        other => {
            assert!(IDLE.contains(&other), "no plugin {other:?}");
            None
        }
    }
}

fn facts<'a>(node: &'a Value, plugin: &str, pass: Pass) -> &'a [Value] {
    let key = match pass {
        Pass::Plain => "verdicts",
        Pass::WithNominated => "verdictsWithNominatedPods",
    };
    let verdict = list(node, key).iter().find(|verdict| text(verdict, "plugin") == plugin);
    list(verdict.unwrap_or_else(|| panic!("no verdict of {plugin}")), "facts")
}

fn node_unschedulable(doc: &Value, node: &Value) -> Option<Verdict> {
    let tolerations = list(field(doc, "pod"), "tolerations").iter();
    let taint = ("node.kubernetes.io/unschedulable", "", "NoSchedule");
    let refused = flag(node, "unschedulable") && !tolerated(tolerations, taint);
    refused.then(|| Verdict::hopeless("node(s) were unschedulable"))
}

fn taint_toleration(doc: &Value, node: &Value) -> Option<Verdict> {
    let tolerations = list(field(doc, "pod"), "tolerations");
    let mut taints = list(node, "taints").iter().map(taint);
    let refused =
        taints.any(|taint| taint.2 != "PreferNoSchedule" && !tolerated(tolerations.iter(), taint));
    refused.then(|| Verdict::hopeless("node(s) had untolerated taint(s)"))
}

fn node_affinity(doc: &Value, node: &Value) -> Option<Verdict> {
    let affinity = field(doc, "nodeAffinity");
    let added = field(affinity, "addedRequired").as_array();
    if added.is_some_and(|terms| !terms.iter().any(|term| term_matches(term, node))) {
        return Some(Verdict::hopeless("node(s) didn't match scheduler-enforced node affinity"));
    }
    let refused = !own_affinity(doc, node);
    refused.then(|| Verdict::hopeless("node(s) didn't match Pod's node affinity/selector"))
}

/// Whether a node meets the pod's own node selector and required node affinity.
fn own_affinity(doc: &Value, node: &Value) -> bool {
    let affinity = field(doc, "nodeAffinity");
    let selector = field(affinity, "nodeSelector").as_object().expect("a map of labels");
    let terms = field(affinity, "required").as_array();
    selector.iter().all(|(key, value)| domain(node, key) == value.as_str())
        && terms.is_none_or(|terms| terms.iter().any(|term| term_matches(term, node)))
}

fn node_ports(doc: &Value, facts: &[Value]) -> Option<Verdict> {
    let taken = |fact: &Value| {
        let (ip, protocol) = (field(fact, "ip").as_str(), text(fact, "protocol"));
        list(fact, "inUse").iter().any(|used| {
            let other = field(used, "ip").as_str();
            text(used, "protocol") == protocol && (ip.is_none() || other.is_none() || ip == other)
        })
    };
    if facts.iter().any(taken) {
        let reason = "node(s) didn't have free ports for the requested pod ports";
        return Some(Verdict::unschedulable(reason));
    }
    let wanted = list(field(doc, "pod"), "hostPorts");
    let looked_at = |(wanted, fact): (&Value, &Value)| {
        ["ip", "protocol", "port"].iter().all(|key| field(wanted, key) == field(fact, key))
    };
    assert!(wanted.len() == facts.len() && wanted.iter().zip(facts).all(looked_at));
    None
}

/// What the pods on a node ask for of a resource.
pub(super) fn used(node: &Value, resource: &str, requests: &str, pass: Pass) -> i64 {
    let nominated = match pass {
        Pass::Plain => &[][..],
        Pass::WithNominated => list(node, "nominatedPods"),
    };
    let pods = list(node, "pods").iter().chain(nominated);
    let amounts = pods.flat_map(|pod| list(pod, requests));
    amounts.filter(|a| text(a, "resource") == resource).map(|a| number(a, "amount")).sum()
}

fn node_resources_fit(doc: &Value, node: &Value, facts: &[Value], pass: Pass) -> Option<Verdict> {
    check_requests(doc, facts);
    let mut refusal = Verdict { code: Code::Unschedulable, reasons: Vec::new() };
    for fact in facts {
        let (requested, capacity) = (number(fact, "requested"), number(fact, "capacity"));
        let (used, reason) = if text(fact, "kind") == "pods" {
            let nominated = list(node, "nominatedPods").len();
            let nominated = if pass == Pass::Plain { 0 } else { nominated };
            let pods = list(node, "pods").len() + nominated;
            (i64::try_from(pods).expect("a small number"), "Too many pods".to_owned())
        } else {
            let resource = text(fact, "resource");
            (used(node, resource, "requests", pass), format!("Insufficient {resource}"))
        };
        assert_eq!(used, number(fact, "used"), "{fact}");
        if used + requested > capacity {
            if text(fact, "kind") == "resource" && requested > capacity {
                refusal.code = Code::UnschedulableAndUnresolvable;
            }
            refusal.reasons.push(reason);
        }
    }
    (!refusal.reasons.is_empty()).then_some(refusal)
}

/// Everything that the pod asks for is compared, but for what the arguments ignore.
fn check_requests(doc: &Value, facts: &[Value]) {
    let compared: BTreeMap<&str, i64> = facts
        .iter()
        .filter(|fact| text(fact, "kind") == "resource")
        .map(|fact| (text(fact, "resource"), number(fact, "requested")))
        .collect();
    let args = field(field(field(doc, "profile"), "args"), "NodeResourcesFit");
    let ignored = |resource: &str| {
        let Some((group, _)) = resource.split_once('/') else { return false };
        strings(args, "ignoredResources").contains(&resource)
            || strings(args, "ignoredResourceGroups").contains(&group)
    };
    let mut asked = requests::total(doc, false);
    asked.retain(|name, amount| *amount > 0 && requests::is_counted(name) && !ignored(name));
    assert_eq!(compared, asked);
}

const UNLABELLED: &str =
    "node(s) didn't match pod topology spread constraints (missing required label)";
const SKEWED: &str = "node(s) didn't match pod topology spread constraints";

fn spread(doc: &Value, node: &Value) -> Option<Verdict> {
    let constraints = list(doc, "spreadFilter");
    for constraint in constraints {
        let counted: BTreeSet<&str> = list(doc, "nodes")
            .iter()
            .filter(|node| has_all_keys(constraints, node) && included(doc, constraint, node))
            .map(|node| text(node, "name"))
            .collect();
        assert_eq!(counted, nodes_of(constraint), "{constraint}");
        let Some(value) = domain(node, text(constraint, "topologyKey")) else {
            return Some(Verdict::hopeless(UNLABELLED));
        };
        let counts: BTreeMap<&str, i64> =
            list(constraint, "domains").iter().map(|d| (text(d, "value"), pods(d))).collect();
        let domains = i64::try_from(counts.len()).expect("a small number");
        let minimum = if domains < number(constraint, "minDomains") {
            0
        } else {
            counts.values().copied().min().unwrap_or(i64::from(i32::MAX))
        };
        let own = selects(field(constraint, "selector"), field(field(doc, "pod"), "labels"));
        let skew = counts.get(value).unwrap_or(&0) + i64::from(own) - minimum;
        if skew > number(constraint, "maxSkew") {
            return Some(Verdict::unschedulable(SKEWED));
        }
    }
    None
}

/// Whether a constraint's policies let it look at a node.
pub(super) fn included(doc: &Value, constraint: &Value, node: &Value) -> bool {
    let honors = |policy: &str| text(constraint, policy) == "Honor";
    (!honors("nodeAffinityPolicy") || own_affinity(doc, node))
        && (!honors("nodeTaintsPolicy") || taint_toleration(doc, node).is_none())
}

/// The nodes whose pods a constraint counts.
pub(super) fn nodes_of(constraint: &Value) -> BTreeSet<&str> {
    list(constraint, "domains").iter().flat_map(|domain| strings(domain, "nodes")).collect()
}

/// How many pods a domain lists.
pub(super) fn pods(domain: &Value) -> i64 {
    i64::try_from(list(domain, "pods").len()).expect("a small number")
}

fn spread_facts(facts: &[Value]) -> Option<Verdict> {
    facts.iter().find_map(|fact| {
        if text(fact, "kind") == "spreadKeyMissing" {
            return Some(Verdict::hopeless(UNLABELLED));
        }
        let skew = number(fact, "matching") + number(fact, "selfMatch") - number(fact, "minimum");
        (skew > number(fact, "maxSkew")).then(|| Verdict::unschedulable(SKEWED))
    })
}

const NOT_NEAR: &str = "node(s) didn't match pod affinity rules";
const NOT_APART: &str = "node(s) didn't match pod anti-affinity rules";
const SHUNNED: &str = "node(s) didn't satisfy existing pods anti-affinity rules";

/// The pods of a term in the node's domain.
pub(super) fn near(term: &Value, node: &Value) -> i64 {
    let Some(value) = domain(node, text(term, "topologyKey")) else { return 0 };
    let pods = list(term, "pods").iter();
    let near = pods.filter(|pod| field(pod, "domain").as_str() == Some(value));
    i64::try_from(near.count()).expect("a small number")
}

fn affinity(doc: &Value, node: &Value) -> Option<Verdict> {
    let of = |role: &'static str| {
        list(doc, "podAffinity").iter().filter(move |term| text(term, "role") == role)
    };
    let mut required = of("requiredAffinity");
    if required.any(|term| domain(node, text(term, "topologyKey")).is_none()) {
        return Some(Verdict::hopeless(NOT_NEAR));
    }
    if of("requiredAffinity").any(|term| near(term, node) == 0) {
        let nobody = of("requiredAffinity")
            .flat_map(|term| list(term, "pods"))
            .all(|pod| field(pod, "domain").is_null());
        let means_itself = of("requiredAffinity").all(|term| means(term, field(doc, "pod")));
        if !(nobody && means_itself) {
            return Some(Verdict::hopeless(NOT_NEAR));
        }
    }
    if of("requiredAntiAffinity").any(|term| near(term, node) > 0) {
        return Some(Verdict::unschedulable(NOT_APART));
    }
    let shunned = of("existingRequiredAntiAffinity").any(|term| near(term, node) > 0);
    shunned.then(|| Verdict::unschedulable(SHUNNED))
}

/// Whether a term of the pod means the pod itself.
fn means(term: &Value, pod: &Value) -> bool {
    let namespaces = field(term, "namespaces").as_array();
    let there = namespaces.is_none_or(|names| names.contains(field(pod, "namespace")));
    assert!(label(field(pod, "labels"), "").is_none());
    there && selects(field(term, "selector"), field(pod, "labels"))
}

fn affinity_facts(facts: &[Value]) -> Option<Verdict> {
    let of = |kind: &'static str| facts.iter().filter(move |fact| text(fact, "kind") == kind);
    let first = of("affinityFirst").any(|fact| flag(fact, "allowed"));
    let lonely = of("affinity").any(|f| field(f, "domain").is_null() || number(f, "matching") == 0);
    if lonely && !first {
        return Some(Verdict::hopeless(NOT_NEAR));
    }
    let some = |kind| of(kind).any(|fact| number(fact, "matching") > 0);
    if some("antiAffinity") {
        Some(Verdict::unschedulable(NOT_APART))
    } else {
        some("existingAntiAffinity").then(|| Verdict::unschedulable(SHUNNED))
    }
}
