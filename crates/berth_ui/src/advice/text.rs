//! Edits, verdicts and problems in words.

use super::words::{AdviceMsg, AdviceWords};
use crate::locale::{Locale, Msg};
use berth_core::advice::{Edit, Problem, Verdict};
use berth_core::api::Pod;
use berth_wire::explain::Unit;
use yew::AttrValue;

/// The words of this part and those of the page.
#[derive(Clone)]
pub(super) struct Words {
    pub(super) own: AdviceWords,
    pub(super) page: Locale,
}

impl Words {
    pub(super) fn text(&self, msg: AdviceMsg) -> AttrValue {
        self.own.text(msg)
    }

    pub(super) fn fill(&self, msg: AdviceMsg, blanks: &[(&str, &str)]) -> AttrValue {
        self.own.fill(msg, blanks)
    }

    fn nodes(&self, count: u32) -> AttrValue {
        self.page.count(Msg::Nodes, count)
    }

    fn pods(&self, count: u32) -> AttrValue {
        self.page.count(Msg::Pods, count)
    }

    fn domains(&self, count: u32) -> AttrValue {
        self.own.count(AdviceMsg::Domains, count)
    }

    /// Edits as one instruction.
    pub(super) fn edits(&self, edits: &[Edit], pod: &Pod) -> AttrValue {
        let each: Vec<AttrValue> = edits.iter().map(|edit| self.edit(edit, pod)).collect();
        each.join(" · ").into()
    }

    /// An edit as an instruction. Constraints are told by their key.
    fn edit(&self, edit: &Edit, pod: &Pod) -> AttrValue {
        let key = |constraint: &u32| topology_key(pod, *constraint);
        let of = |msg, constraint: &u32| self.fill(msg, &[("key", key(constraint))]);
        let number = |n: i64| n.to_string();
        match edit {
            Edit::MaxSkew { constraint, to } => {
                let n = number((*to).into());
                self.fill(AdviceMsg::MaxSkew, &[("n", &n), ("key", key(constraint))])
            }
            Edit::MinDomains { constraint, to: Some(to) } => {
                let n = number((*to).into());
                self.fill(AdviceMsg::MinDomains, &[("n", &n), ("key", key(constraint))])
            }
            Edit::MinDomains { constraint, to: None } => of(AdviceMsg::MinDomainsNone, constraint),
            Edit::ScheduleAnyway { constraint } => of(AdviceMsg::ScheduleAnyway, constraint),
            Edit::DoNotSchedule { constraint } => of(AdviceMsg::DoNotSchedule, constraint),
            Edit::NodeAffinityPolicy { constraint, to } => {
                let blanks = [("policy", to.as_str()), ("key", key(constraint))];
                self.fill(AdviceMsg::NodeAffinityPolicy, &blanks)
            }
            Edit::NodeTaintsPolicy { constraint, to } => {
                let blanks = [("policy", to.as_str()), ("key", key(constraint))];
                self.fill(AdviceMsg::NodeTaintsPolicy, &blanks)
            }
            Edit::Tolerate { key, value, effect } => {
                let value = if value.is_empty() { String::new() } else { ["=", value].concat() };
                let taint = [key, &*value, ":", effect.as_str()].concat();
                self.fill(AdviceMsg::Tolerate, &[("taint", &taint)])
            }
            Edit::Request { resource, to } => {
                let [amount] = Unit::of(resource).write([*to]);
                let blanks = [("amount", &*amount), ("resource", resource)];
                self.fill(AdviceMsg::Request, &blanks)
            }
            Edit::DropNodeSelector { key } => self.fill(AdviceMsg::DropSelector, &[("key", key)]),
            Edit::PreferNodeAffinity => self.text(AdviceMsg::PreferNodeAffinity),
            Edit::PreferPodAffinity { term } => {
                self.fill(AdviceMsg::PreferAffinity, &[("n", &number(i64::from(*term) + 1))])
            }
            Edit::PreferPodAntiAffinity { term } => {
                self.fill(AdviceMsg::PreferAntiAffinity, &[("n", &number(i64::from(*term) + 1))])
            }
            Edit::DropHostPort { port, protocol } => {
                let port = [&port.to_string(), "/", protocol.as_str()].concat();
                self.fill(AdviceMsg::DropHostPort, &[("port", &port)])
            }
            Edit::OpenGates => self.text(AdviceMsg::OpenGates),
            Edit::Priority { to } => self.fill(AdviceMsg::Priority, &[("n", &to.to_string())]),
            Edit::AllowPreemption => self.text(AdviceMsg::AllowPreemption),
            Edit::Label { node, key, value } => {
                let label = [key, "=", value].concat();
                self.fill(AdviceMsg::Label, &[("node", node), ("label", &label)])
            }
            Edit::DropTaint { node, key, effect } => {
                let taint = [key, ":", effect.as_str()].concat();
                self.fill(AdviceMsg::DropTaint, &[("node", node), ("taint", &taint)])
            }
            Edit::Uncordon { node } => self.fill(AdviceMsg::Uncordon, &[("node", node)]),
            Edit::Cordon { node } => self.fill(AdviceMsg::Cordon, &[("node", node)]),
            Edit::Delete { pod: other } => {
                let same = other.namespace == pod.metadata.namespace;
                let name = if same { other.name.clone() } else { other.to_string() };
                self.fill(AdviceMsg::Delete, &[("pod", &name)])
            }
            Edit::Allow { budget, disruptions } => {
                let n = disruptions.to_string();
                self.fill(AdviceMsg::Allow, &[("what", &budget.name), ("n", &n)])
            }
        }
    }

    /// What becomes of the pod.
    pub(super) fn verdict(&self, verdict: &Verdict) -> AttrValue {
        match verdict {
            Verdict::Fits { nodes, best } => {
                let best = best.first().map(|name| &**name).unwrap_or_default();
                let blanks = [("nodes", &*self.nodes(*nodes)), ("best", best)];
                self.fill(AdviceMsg::Fits, &blanks)
            }
            Verdict::Preempts { node, victims, violations } => {
                let victims: Vec<&str> = victims.iter().map(|pod| &*pod.name).collect();
                let victims = victims.join(", ");
                let text = match u32::try_from(*violations).unwrap_or_default() {
                    0 => self.text(AdviceMsg::Preempts),
                    some => self.own.count(AdviceMsg::PreemptsBreaking, some),
                };
                text.replace("{victims}", &victims).replace("{node}", node).into()
            }
            Verdict::Refused => self.text(AdviceMsg::Refused),
        }
    }

    /// What a problem comes to in this cluster.
    pub(super) fn problem(&self, problem: &Problem) -> AttrValue {
        use AdviceMsg as M;
        let some = |msg, some: &u32, of: &u32, key: &str, pods: u32| {
            let blanks = [
                ("some", &*some.to_string()),
                ("nodes", &self.nodes(*of)),
                ("key", key),
                ("pods", &self.pods(pods)),
            ];
            self.fill(msg, &blanks)
        };
        let nodes = |msg, key: &str, nodes: &u32| {
            self.fill(msg, &[("key", key), ("nodes", &self.nodes(*nodes))])
        };
        let pods = |msg, pods: &u32| self.fill(msg, &[("pods", &self.pods(*pods))]);
        let key = |msg, key: &str| self.fill(msg, &[("key", key)]);
        match problem {
            Problem::NoSelector { nodes: all } => nodes(M::ProblemSpreadNoSelector, "", all),
            Problem::EmptySelector { pods: left } => pods(M::ProblemSpreadEmptySelector, left),
            Problem::NotSelf { pods: others } => pods(M::ProblemSpreadNotSelf, others),
            Problem::KeyNowhere { key, nodes: all } => nodes(M::ProblemSpreadKeyNowhere, key, all),
            Problem::SoftKeyNowhere { key, nodes: all } => {
                nodes(M::ProblemSpreadSoftKeyNowhere, key, all)
            }
            Problem::KeyMissing { key, nodes, of, pods } => {
                some(M::ProblemSpreadKeyMissing, nodes, of, key, *pods)
            }
            Problem::SoftKeyMissing { key, nodes, of } => {
                some(M::ProblemSpreadSoftKeyMissing, nodes, of, key, 0)
            }
            Problem::MinDomainsSoft { value } => {
                self.fill(M::ProblemSpreadMinDomainsSoft, &[("value", &value.to_string())])
            }
            Problem::MinDomainsTooMany { value, domains, pods } => {
                let most = u32::try_from(*pods).unwrap_or(u32::MAX);
                let blanks = [
                    ("value", &*value.to_string()),
                    ("domains", &self.domains(*domains)),
                    ("pods", &self.pods(most)),
                ];
                self.fill(M::ProblemSpreadMinDomainsTooMany, &blanks)
            }
            Problem::KeysWithoutSelector {} => self.text(M::ProblemSpreadKeysWithoutSelector),
            Problem::KeyInSelector { key: of } => key(M::ProblemSpreadKeyInSelector, of),
            Problem::KeyNotOnPod { key, pods } => {
                let blanks = [("key", &**key), ("pods", &self.pods(*pods))];
                self.fill(M::ProblemSpreadKeyNotOnPod, &blanks)
            }
            Problem::Twice { key: of } => key(M::ProblemSpreadTwice, of),
            Problem::SkewNeverReached { max_skew, pods } => {
                let blanks = [("n", &*max_skew.to_string()), ("pods", &self.pods(*pods))];
                self.fill(M::ProblemSpreadSkewNeverReached, &blanks)
            }
            Problem::OneDomain { key, nodes: all } => nodes(M::ProblemSpreadOneDomain, key, all),
            Problem::UnusableDomains { domains, of, fewest, max_skew } => {
                let blanks = [
                    ("some", &*domains.to_string()),
                    ("domains", &self.domains(*of)),
                    ("pods", &self.pods(*fewest)),
                    ("n", &max_skew.to_string()),
                ];
                self.fill(M::ProblemSpreadUnusableDomains, &blanks)
            }
            Problem::NobodyNear { nodes: all } => nodes(M::ProblemAffinityNobody, "", all),
            Problem::ApartFromNobody {} => self.text(M::ProblemAntiAffinityNoSelector),
            Problem::NearKeyMissing { key, nodes, of } => {
                some(M::ProblemAffinityKeyMissing, nodes, of, key, 0)
            }
            Problem::ApartKeyMissing { key, nodes, of } => {
                some(M::ProblemAntiAffinityKeyMissing, nodes, of, key, 0)
            }
            Problem::ApartTooMany { key, pods, domains } => {
                let blanks = [
                    ("key", &**key),
                    ("pods", &self.pods(*pods)),
                    ("domains", &self.domains(*domains)),
                ];
                self.fill(M::ProblemAntiAffinityTooMany, &blanks)
            }
            Problem::NoNode { nodes: all } => nodes(M::ProblemNodeAffinityNoNode, "", all),
            other => self.rule(other),
        }
    }

    /// What a problem of priorities and budgets comes to.
    fn rule(&self, problem: &Problem) -> AttrValue {
        use AdviceMsg as M;
        let pods = |msg, pods: &u32| self.fill(msg, &[("pods", &self.pods(*pods))]);
        match problem {
            Problem::ClassMissing { class } => {
                self.fill(M::ProblemPriorityClassMissing, &[("class", class)])
            }
            Problem::PriorityDiffers { given, computed } => {
                let blanks = [("given", &*given.to_string()), ("computed", &computed.to_string())];
                self.fill(M::ProblemPriorityDiffers, &blanks)
            }
            Problem::NeverPreempts { pods: lower } => pods(M::ProblemPriorityNeverPreempts, lower),
            Problem::BelowDefault { priority, default, pods } => {
                let blanks = [
                    ("priority", &*priority.to_string()),
                    ("default", &default.to_string()),
                    ("pods", &self.pods(*pods)),
                ];
                self.fill(M::ProblemPriorityBelowDefault, &blanks)
            }
            Problem::SecondDefault { value, taken, taken_value } => {
                let blanks = [
                    ("value", &*value.to_string()),
                    ("taken", taken),
                    ("taken-value", &taken_value.to_string()),
                ];
                self.fill(M::ProblemPriorityClassSecondDefault, &blanks)
            }
            Problem::DefaultNotTaken { value, pods } => {
                let blanks = [("value", &*value.to_string()), ("pods", &self.pods(*pods))];
                self.fill(M::ProblemPriorityClassDefaultNotTaken, &blanks)
            }
            Problem::OverlappingBudgets { budgets, pods } => {
                let blanks = [("n", &*budgets.to_string()), ("pods", &self.pods(*pods))];
                self.fill(M::ProblemBudgetsOverlap, &blanks)
            }
            Problem::BudgetNever { pods: all } => pods(M::ProblemBudgetNever, all),
            // The others are told by `problem`.
            _ => AttrValue::default(),
        }
    }
}

/// The key by which a constraint is told.
pub(super) fn topology_key(pod: &Pod, constraint: u32) -> &str {
    let all = &pod.spec.topology_spread_constraints;
    all.get(constraint as usize).map_or("", |constraint| &constraint.topology_key)
}
