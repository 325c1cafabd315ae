//! Advice in words.

use berth_core::advice::{Edit, Problem, Verdict};
use berth_core::api::ObjectKey;

use crate::explain::Unit;

/// An edit as an instruction.
pub fn edit(edit: &Edit) -> String {
    let of = |constraint: &u32| format!("topologySpreadConstraints[{constraint}]");
    match edit {
        Edit::MaxSkew { constraint, to } => format!("set maxSkew of {} to {to}", of(constraint)),
        Edit::MinDomains { constraint, to: Some(to) } => {
            format!("set minDomains of {} to {to}", of(constraint))
        }
        Edit::MinDomains { constraint, to: None } => {
            format!("remove minDomains of {}", of(constraint))
        }
        Edit::ScheduleAnyway { constraint } => {
            format!("set whenUnsatisfiable of {} to ScheduleAnyway", of(constraint))
        }
        Edit::DoNotSchedule { constraint } => {
            format!("set whenUnsatisfiable of {} to DoNotSchedule", of(constraint))
        }
        Edit::NodeAffinityPolicy { constraint, to } => {
            format!("set nodeAffinityPolicy of {} to {to}", of(constraint))
        }
        Edit::NodeTaintsPolicy { constraint, to } => {
            format!("set nodeTaintsPolicy of {} to {to}", of(constraint))
        }
        Edit::Tolerate { key, value, effect } => {
            let value = if value.is_empty() { String::new() } else { format!("={value}") };
            format!("tolerate {key}{value}:{effect}")
        }
        Edit::Request { resource, to } => {
            let [amount] = Unit::of(resource).write([*to]);
            format!("ask for {amount} {resource} at most")
        }
        Edit::DropNodeSelector { key } => format!("remove {key} from nodeSelector"),
        Edit::PreferNodeAffinity => "make the required node affinity preferred".to_owned(),
        Edit::PreferPodAffinity { term } => {
            format!("make required pod affinity term {term} preferred")
        }
        Edit::PreferPodAntiAffinity { term } => {
            format!("make required pod anti-affinity term {term} preferred")
        }
        Edit::DropHostPort { port, protocol } => format!("remove host port {port}/{protocol}"),
        Edit::OpenGates => "remove the scheduling gates".to_owned(),
        Edit::Priority { to } => format!("give it a PriorityClass of {to}"),
        Edit::AllowPreemption => "set preemptionPolicy to PreemptLowerPriority".to_owned(),
        Edit::Label { node, key, value } => format!("label node {node} with {key}={value}"),
        Edit::DropTaint { node, key, effect } => {
            format!("remove taint {key}:{effect} from node {node}")
        }
        Edit::Uncordon { node } => format!("uncordon node {node}"),
        Edit::Cordon { node } => format!("cordon node {node}"),
        Edit::Delete { pod } => format!("delete pod {pod}"),
        Edit::Allow { budget, disruptions } => {
            format!("let PodDisruptionBudget {budget} allow {disruptions} disruptions")
        }
    }
}

/// What becomes of a pod.
pub fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fits { nodes, best } => {
            let nodes = counted(u64::from(*nodes), "node");
            let best = best.iter().map(|name| &**name).take(3).collect::<Vec<_>>().join(", ");
            format!("fits {nodes}, best {best}")
        }
        Verdict::Preempts { node, victims, violations } => {
            let victims = victims.iter().map(ObjectKey::to_string).collect::<Vec<_>>().join(", ");
            let broken = match violations {
                0 => String::new(),
                some => format!(", of which {some} break a budget"),
            };
            format!("preempts {victims} on {node}{broken}")
        }
        Verdict::Refused => "waits".to_owned(),
    }
}

fn counted(count: u64, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// A problem with its consequence in the cluster at hand.
pub fn problem(problem: &Problem) -> String {
    let nodes = |count: &u32| counted(u64::from(*count), "node");
    let pods = |count: &u32| counted(u64::from(*count), "pod");
    let domains = |count: &u32| counted(u64::from(*count), "domain");
    match problem {
        Problem::NoSelector { nodes: all } => format!(
            "no labelSelector: no pod is counted, so that none of {} is ever refused",
            nodes(all)
        ),
        Problem::EmptySelector { pods: left } => format!(
            "an empty labelSelector counts nobody but the pod itself: {} of the namespace do not count",
            pods(left)
        ),
        Problem::NotSelf { pods: others } => format!(
            "the selector counts {}, but not this one: placing it changes no count, so that any number may go to one \
             domain",
            pods(others)
        ),
        Problem::KeyNowhere { key, nodes: all } => {
            format!("no node has the label {key}: {} refuse the pod", nodes(all))
        }
        Problem::SoftKeyNowhere { key, nodes: all } => {
            format!("no node has the label {key}: {} are not scored by it", nodes(all))
        }
        Problem::KeyMissing { key, nodes: few, of, pods: there } => format!(
            "{few} of {} lack the label {key}: they refuse the pod, and {} there are not counted",
            nodes(of),
            pods(there)
        ),
        Problem::SoftKeyMissing { key, nodes: few, of } => format!(
            "{few} of {} lack the label {key}: they get the lowest score, but are not refused",
            nodes(of)
        ),
        Problem::MinDomainsSoft { value } => format!(
            "the API server refuses minDomains {value} with whenUnsatisfiable ScheduleAnyway"
        ),
        Problem::MinDomainsTooMany { value, domains: there, pods: most } => format!(
            "minDomains is {value}, but there are only {}: the minimum counts as 0, so that at most {} can run",
            domains(there),
            counted(most.unsigned_abs(), "pod")
        ),
        Problem::KeysWithoutSelector {} => {
            "the API server refuses matchLabelKeys without labelSelector".to_owned()
        }
        Problem::KeyInSelector { key } => {
            format!("the API server refuses {key} in both matchLabelKeys and labelSelector")
        }
        Problem::KeyNotOnPod { key, pods: all } => format!(
            "the pod has no label {key}: the key narrows nothing, and {} count whatever their value",
            pods(all)
        ),
        Problem::Twice { key } => {
            format!("the API server refuses a second constraint of {key} with the same action")
        }
        Problem::SkewNeverReached { max_skew, pods: all } => format!(
            "maxSkew {max_skew} refuses nothing while there are only {}: all may stand in one domain",
            pods(all)
        ),
        Problem::OneDomain { key, nodes: all } => format!(
            "{} of {key} have the same value: with one domain there is nothing to spread over",
            nodes(all)
        ),
        Problem::UnusableDomains { domains: few, of, fewest, max_skew } => format!(
            "{few} of {} have only nodes with taints that the pod does not tolerate, and count all the same: with {} \
             there, every other one takes at most {max_skew} more",
            domains(of),
            pods(fewest)
        ),
        Problem::NobodyNear { nodes: all } => {
            format!("no running pod is meant, nor the pod itself: {} refuse it", nodes(all))
        }
        Problem::ApartFromNobody {} => "without labelSelector the term means nobody".to_owned(),
        Problem::NearKeyMissing { key, nodes: few, of } => {
            format!("{few} of {} lack the label {key}: they refuse the pod", nodes(of))
        }
        Problem::ApartKeyMissing { key, nodes: few, of } => format!(
            "{few} of {} lack the label {key}: there the term keeps nobody apart",
            nodes(of)
        ),
        Problem::ApartTooMany { key, pods: all, domains: there } => format!(
            "{} are to be apart by {key}, but there are only {}: the rest waits",
            pods(all),
            domains(there)
        ),
        Problem::NoNode { nodes: all } => {
            format!("none of {} has the labels that are asked for", nodes(all))
        }
        Problem::ClassMissing { class } => {
            format!("there is no PriorityClass {class}: a pod like this is not admitted")
        }
        Problem::PriorityDiffers { given, computed } => {
            format!("priority is {given}, but admission computes {computed} from the class")
        }
        Problem::NeverPreempts { pods: lower } => {
            format!("it waits rather than preempt: {} with a lower priority stay", pods(lower))
        }
        Problem::BelowDefault { priority, default, pods: higher } => format!(
            "priority {priority} is below the {default} of pods without a class: {} may preempt it",
            pods(higher)
        ),
        Problem::SecondDefault { value, taken, taken_value } => format!(
            "a second class with globalDefault: pods without a class get {taken_value} of {taken}, not {value}"
        ),
        Problem::DefaultNotTaken { value, pods: some } => format!(
            "{} without a class have another priority than {value}: a default is for new pods only",
            pods(some)
        ),
        Problem::OverlappingBudgets { budgets, pods: some } => format!(
            "{budgets} budgets select it, and {} in all: the API server refuses to evict them",
            pods(some)
        ),
        Problem::BudgetNever { pods: all } => {
            format!(
                "it never allows a disruption: {} cannot be evicted, and drains wait",
                pods(all)
            )
        }
    }
}
