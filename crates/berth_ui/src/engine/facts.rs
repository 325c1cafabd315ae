//! What plugins compared, as lines of arithmetic, column sums and words.

use super::number::{Measure, Unit, short_name, signed};
use crate::locale::{Locale, Msg};
use crate::view::{Equation, SumRow};
use berth_core::api::{Node, Pod};
use berth_core::explain::affinity::AffinityRole;
use berth_core::explain::{Explanation, PodRule};
use berth_core::framework::fact::Fact;
use berth_core::plugins::pod_topology_spread::constraint::LeftOut;
use std::rc::Rc;
use yew::AttrValue;

/// What a fact is about, so that its indices can be looked up.
pub(crate) struct Subject<'a> {
    /// The explanation it is from.
    pub(crate) explanation: &'a Explanation,
    /// The pod.
    pub(crate) pod: &'a Pod,
    /// The node, where the fact is about one.
    pub(crate) node: Option<&'a Node>,
    /// The words.
    pub(crate) words: &'a Locale,
}

/// A comparison, worked out.
pub(crate) struct Worked {
    /// On one line.
    pub(crate) equation: Equation,
    /// As a column.
    pub(crate) sum: Rc<[SumRow]>,
}

/// A row of a sum.
pub(super) fn row(label: impl Into<AttrValue>, value: impl Into<AttrValue>) -> SumRow {
    SumRow { label: label.into(), value: value.into(), total: false }
}

/// The row that closes a sum.
pub(super) fn total(label: impl Into<AttrValue>, value: impl Into<AttrValue>) -> SumRow {
    SumRow { label: label.into(), value: value.into(), total: true }
}

/// The first few of a list, and how many more there are.
pub(super) fn few(items: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 6;
    let mut list: Vec<String> = items.collect();
    if let Some(more) = list.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        list.truncate(SHOWN);
        list.push(["+ ", &more.to_string()].concat());
    }
    list.join(", ")
}

/// The field or fact that leaves a node out.
fn rule(rule: LeftOut) -> &'static str {
    match rule {
        LeftOut::MissingKey => "topologyKey",
        LeftOut::NodeAffinity => "nodeAffinityPolicy",
        LeftOut::Taint => "nodeTaintsPolicy",
    }
}

/// A summand with its sign in front.
fn plus(value: i64) -> String {
    ["+ ", &signed(value)].concat()
}

fn minus(value: i64) -> String {
    ["− ", &signed(value)].concat()
}

impl Subject<'_> {
    /// The arithmetic of a Filter fact, where there is any. `named` puts the resource in front.
    pub(super) fn worked(&self, fact: &Fact, named: bool) -> Option<Worked> {
        match fact {
            Fact::Spread { constraint, domain, matching, self_match, minimum, max_skew } => Some(
                self.spread(*constraint, domain, [*matching, *self_match, *minimum, *max_skew]),
            ),
            Fact::Resource { resource, requested, used, capacity } => {
                let unit = Measure::of(resource).unit(&[*requested, *used, *capacity]);
                Some(self.amount(resource, unit, [*used, *requested, *capacity], named))
            }
            Fact::Pods { used, capacity } => {
                Some(self.amount("pods", Measure::Count.unit(&[]), [*used, 1, *capacity], named))
            }
            _ => None,
        }
    }

    /// `matching + self − minimum ≤ maxSkew`.
    fn spread(&self, constraint: u32, domain: &str, numbers: [i64; 4]) -> Worked {
        let [matching, own, minimum, limit] = numbers;
        let skew = matching.wrapping_add(own).wrapping_sub(minimum);
        let holds = skew <= limit;
        let sign = if holds { " ≤ " } else { " > " };
        let terms = [&signed(matching), " + ", &signed(own), " − ", &signed(minimum)].concat();
        let outcome = [&signed(skew), sign, "maxSkew ", &signed(limit)].concat();
        let words = self.words;
        let found = self.explanation.spread_filter.iter().find(|spread| spread.index == constraint);
        let fewest = match found {
            Some(spread) if spread.too_few_domains => {
                let (needed, there) =
                    (spread.min_domains.to_string(), spread.domains.len().to_string());
                words.fill(Msg::SumMinDomains, &[("needed", &needed), ("there", &there)])
            }
            Some(spread) => {
                let least = spread.domains.iter().filter(|count| count.matching == spread.minimum);
                let names: Vec<&str> = least.map(|count| &*count.value).take(3).collect();
                words.fill(Msg::SumFewest, &[("domains", &names.join(", "))])
            }
            None => words.fill(Msg::SumFewest, &[("domains", "")]),
        };
        let limit = signed(limit);
        let sum = Rc::new([
            row(words.fill(Msg::SumMatching, &[("domain", domain)]), signed(matching)),
            row(words.text(if own > 0 { Msg::SumThisPod } else { Msg::SumNotItself }), plus(own)),
            row(fewest, minus(minimum)),
            total(
                words.fill(Msg::SumSkew, &[("limit", &limit)]),
                [&signed(skew), sign, &limit].concat(),
            ),
        ]);
        Worked { equation: Equation { terms: terms.into(), outcome: outcome.into(), holds }, sum }
    }

    /// `used + requested ≤ capacity`.
    fn amount(&self, resource: &str, unit: Unit, numbers: [i64; 3], named: bool) -> Worked {
        let [used, requested, capacity] = numbers;
        let needed = used.wrapping_add(requested);
        let holds = requested <= capacity.wrapping_sub(used);
        let sign = if holds { " ≤ " } else { " > " };
        let name = if named { [&*short_name(resource), " "].concat() } else { String::new() };
        let terms = [&name, &unit.show(used), " + ", &unit.show(requested)].concat();
        let outcome = [&unit.show(needed), sign, &unit.full(capacity)].concat();
        let words = self.words;
        let this = if resource == "pods" { Msg::SumThisPod } else { Msg::SumThisRequest };
        let sum = Rc::new([
            row(words.fill(Msg::SumUsed, &[("resource", resource)]), unit.show(used)),
            row(words.text(this), ["+ ", &unit.show(requested)].concat()),
            total(
                words.fill(Msg::SumAllocatable, &[("capacity", &unit.full(capacity))]),
                [&unit.show(needed), sign, &unit.show(capacity)].concat(),
            ),
        ]);
        Worked { equation: Equation { terms: terms.into(), outcome: outcome.into(), holds }, sum }
    }

    /// A Filter fact in words, where it is no arithmetic.
    pub(crate) fn words(&self, fact: &Fact) -> Option<AttrValue> {
        let words = self.words;
        let yes = |yes: bool| words.text(if yes { Msg::FactYes } else { Msg::FactNo });
        Some(match fact {
            Fact::Cordoned { tolerated } => {
                words.text(if *tolerated { Msg::FactCordonedTolerated } else { Msg::FactCordoned })
            }
            Fact::NodeName { matches } => words.fill(
                Msg::FactNodeName,
                &[("node", &self.pod.spec.node_name), ("yes", &yes(*matches))],
            ),
            Fact::Taint { index, toleration } => {
                let taint = self.taint(*index);
                let msg =
                    if toleration.is_some() { Msg::FactTolerated } else { Msg::FactNotTolerated };
                words.fill(msg, &[("taint", &taint)])
            }
            Fact::AddedNodeAffinity { matches } => {
                words.fill(Msg::FactAddedAffinity, &[("yes", &yes(*matches))])
            }
            Fact::NodeAffinity { selector, term, has_terms } => {
                self.node_affinity(*selector, *term, *has_terms)
            }
            Fact::HostPort { port, free, .. } => {
                let msg = if *free { Msg::FactPortFree } else { Msg::FactPortTaken };
                words.fill(msg, &[("port", &port.to_string())])
            }
            Fact::SpreadKeyMissing { constraint } => {
                let spread = self
                    .explanation
                    .spread_filter
                    .iter()
                    .find(|spread| spread.index == *constraint);
                let key = spread.map_or("", |spread| &*spread.topology_key);
                words.fill(Msg::FactKeyMissing, &[("key", key)])
            }
            Fact::Affinity { term, domain, matching } => {
                self.near(AffinityRole::RequiredAffinity, *term, domain.as_deref(), *matching)
            }
            Fact::AntiAffinity { term, domain, matching } => {
                self.near(AffinityRole::RequiredAntiAffinity, *term, domain.as_deref(), *matching)
            }
            Fact::AffinityFirst { allowed } => {
                words.fill(Msg::FactAffinityFirst, &[("yes", &yes(*allowed))])
            }
            Fact::ExistingAntiAffinity { key, domain, matching } => {
                let place = [key, "=", domain].concat();
                words.fill(Msg::FactExisting, &[("n", &matching.to_string()), ("place", &place)])
            }
            _ => return None,
        })
    }

    /// What a spread constraint counted in all domains, and what it left out by which rule.
    pub(super) fn counted(&self, fact: &Fact) -> Vec<AttrValue> {
        let Fact::Spread { constraint, .. } = fact else { return Vec::new() };
        let mut spreads = self.explanation.spread_filter.iter();
        let Some(spread) = spreads.find(|spread| spread.index == *constraint) else {
            return Vec::new();
        };
        let words = self.words;
        let counts = spread
            .domains
            .iter()
            .map(|count| [&*count.value, " ", &signed(count.matching)].concat());
        let counts = few(counts);
        let mut facts = vec![
            words.fill(Msg::FactCounts, &[("key", &spread.topology_key), ("counts", &counts)]),
        ];
        if !spread.left_out_nodes.is_empty() {
            let nodes = spread
                .left_out_nodes
                .iter()
                .map(|left| [&left.node, " (", rule(left.rule), ")"].concat());
            facts.push(words.fill(Msg::FactLeftOutNodes, &[("nodes", &few(nodes))]));
        }
        if !spread.left_out_pods.is_empty() {
            let pods = spread.left_out_pods.iter().map(|left| {
                let rule = match left.rule {
                    PodRule::Namespace => "namespace",
                    PodRule::Terminating => "deletionTimestamp",
                    PodRule::EmptySelector => "labelSelector {}",
                    PodRule::Node(node) => rule(node),
                };
                [&left.pod.to_string(), " (", rule, ")"].concat()
            });
            facts.push(words.fill(Msg::FactLeftOutPods, &[("pods", &few(pods))]));
        }
        facts
    }

    /// The pods behind a count of pod affinity.
    fn behind(&self, role: AffinityRole, term: u32, domain: Option<&str>) -> String {
        let mut terms = self.explanation.affinity.iter();
        let found = terms.find(|found| found.role == role && found.term == Some(term));
        let pods = found
            .into_iter()
            .flat_map(|found| &found.pods)
            .filter(|pod| pod.domain.as_deref() == domain);
        let names = few(pods.map(|pod| pod.pod.to_string()));
        if names.is_empty() { names } else { [": ", &names].concat() }
    }

    fn near(
        &self,
        role: AffinityRole,
        term: u32,
        domain: Option<&str>,
        matching: i64,
    ) -> AttrValue {
        let msg = match role {
            AffinityRole::RequiredAntiAffinity => Msg::FactAntiAffinity,
            _ => Msg::FactAffinity,
        };
        let pods = self.behind(role, term, domain);
        let domain = domain
            .map_or_else(|| self.words.text(Msg::FactNoDomain), |domain| domain.to_owned().into());
        self.words.fill(msg, &[("n", &matching.to_string()), ("place", &domain), ("pods", &pods)])
    }

    /// The text of one of the node's taints.
    pub(super) fn taint(&self, index: u32) -> String {
        let taint = self.node.and_then(|node| node.spec.taints.get(index as usize));
        taint.map(ToString::to_string).unwrap_or_default()
    }

    fn node_affinity(&self, selector: bool, term: Option<u32>, has_terms: bool) -> AttrValue {
        let (words, affinity) = (self.words, &self.explanation.node_affinity);
        let mut parts: Vec<AttrValue> = Vec::new();
        if !affinity.node_selector.is_empty() {
            let msg = if selector { Msg::FactSelectorHolds } else { Msg::FactSelectorFails };
            parts.push(words.fill(msg, &[("selector", &affinity.node_selector)]));
        }
        if has_terms {
            let text = term.and_then(|term| affinity.required.get(term as usize));
            parts.push(match text {
                Some(text) => words.fill(Msg::FactTermHolds, &[("term", text)]),
                None => words.fill(Msg::FactNoTerm, &[("terms", &affinity.required.join(" | "))]),
            });
        }
        parts.join("; ").into()
    }
}
