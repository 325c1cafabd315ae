//! The language of goals: one fact about a cluster a line.
//!
//! ```text
//! goal     := ["at" DURATION] ["not"] fact          "at" in lessons in time
//! fact     := "no pod pending"
//!           | "pod" POD ( "pending" | "gone" | "scheduled" ["on" place] | "nominated" ["on" place]
//!                       | "terminating" | "phase" "=" PHASE | "priority" op N )
//!           | "pods" ["of" LABEL=VALUE[,…]] ["in" NAMESPACE]
//!                 ( "count" op N | "pending" op N | "on" place op N | "skew" op N "over" KEY )
//!           | "nodes for" POD "=" [NODE, …]      the nodes on which it fits
//!           | "best for" POD "=" [NODE, …]       the nodes of which the scheduler takes one
//!           | "victims of" POD "=" [POD, …]      the pods that would go for it
//!           | "event of" POD "contains" "TEXT"   what kubectl describe shows of it
//!           | "event" TYPE "of" OBJECT           in lessons in time: what happened to it
//!                 ["after" DURATION] ["by" DURATION] ["contains" "TEXT"] ["count" op N]
//! place    := "node" NODE | KEY VALUE            a label of the node
//! op       := "=" | "<=" | ">=" | "<" | ">"
//! ```
//!
//! A POD without a namespace is in `default`. A KEY is a node's label; `zone`, `region` and `hostname` stand for the
//! well-known labels where no node has a label of that name.

mod evaluate;
mod happened;

use berth_core::api::{ObjectKey, PodPhase};
use berth_core::queue::Instant;

pub use evaluate::{Found, State};
pub(super) use evaluate::{best, fitting, victims};
pub use happened::Happened;

use super::pod_key;
use super::scan::{Scanner, Wrong};
use super::time::{TIMELESS, duration};

/// A fact that is to hold, as it is written and as it is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The line.
    pub text: String,
    /// In a lesson in time, the moment that it is about; none for the last.
    pub at: Option<Instant>,
    /// Whether it is not to hold.
    pub negated: bool,
    /// What is looked at.
    pub fact: Fact,
}

/// Something that can be looked up in a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// About one pod.
    Pod(ObjectKey, PodFact),
    /// About the number or the spread of pods.
    Pods(Pods, PodsFact),
    /// The nodes on which a pod fits, and nothing else.
    Nodes(ObjectKey, Vec<String>),
    /// The nodes of which the scheduler takes one.
    Best(ObjectKey, Vec<String>),
    /// The pods that would go for a pod.
    Victims(ObjectKey, Vec<ObjectKey>),
    /// What `kubectl describe` shows of a pod contains a text.
    Event(ObjectKey, String),
    /// What has happened to an object in virtual time.
    Happened(Happened),
}

/// What is said of one pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodFact {
    /// It waits for a node.
    Pending,
    /// It is not there.
    Gone,
    /// It is on a node: anywhere, or at a place.
    Scheduled(Option<Place>),
    /// It is nominated to a node: any, or one at a place.
    Nominated(Option<Place>),
    /// It is being deleted.
    Terminating,
    /// Its phase.
    Phase(PodPhase),
    /// Its priority.
    Priority(Comparison),
}

/// Pods, by their labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pods {
    /// Labels that they have, all of them.
    pub labels: Vec<(String, String)>,
    /// The namespace that they are in; none for all.
    pub namespace: Option<String>,
}

/// What is said of pods. Pods that are being deleted do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodsFact {
    /// How many there are.
    Count(Comparison),
    /// How many wait.
    Pending(Comparison),
    /// How many are at a place.
    On(Place, Comparison),
    /// By how many the fullest domain of a label is ahead of the emptiest.
    Skew(Comparison, String),
}

/// Where a pod can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a node.
    Node(String),
    /// On a node with this label.
    Label(String, String),
}

/// A number and how it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How.
    pub operator: Operator,
    /// With what.
    pub number: i64,
}

/// How numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Equal.
    Equal,
    /// Not above.
    AtMost,
    /// Not below.
    AtLeast,
    /// Below.
    Below,
    /// Above.
    Above,
}

const OPERATORS: [(&str, Operator); 5] = [
    ("=", Operator::Equal),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("<", Operator::Below),
    (">", Operator::Above),
];

impl Goal {
    /// Reads a line.
    pub(super) fn parse(line: &str) -> Result<Self, Wrong> {
        let mut scanner = Scanner::new(line);
        let at = if scanner.take("at") { Some(duration(&mut scanner)?) } else { None };
        let negated = scanner.take("not");
        let fact = fact(&mut scanner)?;
        scanner.end()?;
        Ok(Self { text: line.trim().to_owned(), at, negated, fact })
    }

    /// Reads a line of a lesson that is not in time.
    pub(super) fn parse_timeless(line: &str) -> Result<Self, Wrong> {
        let goal = Self::parse(line)?;
        let in_time = goal.at.is_some() || matches!(goal.fact, Fact::Happened(_));
        if in_time {
            return Err(Wrong { at: 0, message: TIMELESS.to_owned() });
        }
        Ok(goal)
    }
}

fn fact(scanner: &mut Scanner<'_>) -> Result<Fact, Wrong> {
    Ok(match scanner.one_of(&["no", "pod", "pods", "nodes", "best", "victims", "event"])? {
        0 => {
            scanner.expect("pod")?;
            scanner.expect("pending")?;
            let none = Comparison { operator: Operator::Equal, number: 0 };
            Fact::Pods(Pods::default(), PodsFact::Pending(none))
        }
        1 => Fact::Pod(pod(scanner)?, pod_fact(scanner)?),
        2 => Fact::Pods(pods(scanner)?, pods_fact(scanner)?),
        3 => of_pod(scanner, "for", |pod, list| Fact::Nodes(pod, owned(&list)))?,
        4 => of_pod(scanner, "for", |pod, list| Fact::Best(pod, owned(&list)))?,
        5 => of_pod(scanner, "of", |pod, list| {
            Fact::Victims(pod, list.into_iter().map(pod_key).collect())
        })?,
        _ if scanner.peek() != "of" => Fact::Happened(Happened::parse(scanner)?),
        _ => {
            scanner.expect("of")?;
            let pod = pod(scanner)?;
            scanner.expect("contains")?;
            Fact::Event(pod, scanner.string()?.to_owned())
        }
    })
}

fn of_pod<'a>(
    scanner: &mut Scanner<'a>,
    word: &str,
    make: impl FnOnce(ObjectKey, Vec<&'a str>) -> Fact,
) -> Result<Fact, Wrong> {
    scanner.expect(word)?;
    let pod = pod(scanner)?;
    scanner.expect("=")?;
    Ok(make(pod, scanner.list()?))
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

fn pod(scanner: &mut Scanner<'_>) -> Result<ObjectKey, Wrong> {
    scanner.word("the pod").map(pod_key)
}

const POD_FACTS: [&str; 7] =
    ["pending", "gone", "scheduled", "nominated", "terminating", "phase", "priority"];

fn pod_fact(scanner: &mut Scanner<'_>) -> Result<PodFact, Wrong> {
    Ok(match scanner.one_of(&POD_FACTS)? {
        0 => PodFact::Pending,
        1 => PodFact::Gone,
        2 => PodFact::Scheduled(somewhere(scanner)?),
        3 => PodFact::Nominated(somewhere(scanner)?),
        4 => PodFact::Terminating,
        5 => {
            scanner.expect("=")?;
            let phases: Vec<&str> = PodPhase::ALL.iter().map(|phase| phase.as_str()).collect();
            let place = scanner.one_of(&phases)?;
            PodFact::Phase(PodPhase::ALL.get(place).copied().unwrap_or_default())
        }
        _ => PodFact::Priority(comparison(scanner)?),
    })
}

/// A place, if one is said.
fn somewhere(scanner: &mut Scanner<'_>) -> Result<Option<Place>, Wrong> {
    if scanner.take("on") { place(scanner).map(Some) } else { Ok(None) }
}

fn pods(scanner: &mut Scanner<'_>) -> Result<Pods, Wrong> {
    let mut pods = Pods::default();
    if scanner.take("of") {
        let word = scanner.word("the labels")?;
        for label in word.split(',') {
            let (key, value) = label.split_once('=').ok_or_else(|| {
                scanner.wrong_word(word, format!("expected label=value, found {label:?}"))
            })?;
            pods.labels.push((key.to_owned(), value.to_owned()));
        }
    }
    if scanner.take("in") {
        pods.namespace = Some(scanner.word("the namespace")?.to_owned());
    }
    Ok(pods)
}

fn pods_fact(scanner: &mut Scanner<'_>) -> Result<PodsFact, Wrong> {
    Ok(match scanner.one_of(&["count", "pending", "on", "skew"])? {
        0 => PodsFact::Count(comparison(scanner)?),
        1 => PodsFact::Pending(comparison(scanner)?),
        2 => PodsFact::On(place(scanner)?, comparison(scanner)?),
        _ => {
            let skew = comparison(scanner)?;
            scanner.expect("over")?;
            PodsFact::Skew(skew, scanner.word("the label")?.to_owned())
        }
    })
}

fn place(scanner: &mut Scanner<'_>) -> Result<Place, Wrong> {
    let key = scanner.word("the node or its label")?;
    let value = scanner.word(if key == "node" { "the node" } else { "the label's value" })?;
    Ok(match key {
        "node" => Place::Node(value.to_owned()),
        _ => Place::Label(key.to_owned(), value.to_owned()),
    })
}

fn comparison(scanner: &mut Scanner<'_>) -> Result<Comparison, Wrong> {
    let place = scanner.one_of(&OPERATORS.map(|(word, _)| word))?;
    let operator = OPERATORS.get(place).map_or(Operator::Equal, |(_, operator)| *operator);
    Ok(Comparison { operator, number: scanner.number()? })
}

impl Comparison {
    /// Whether it holds of a number.
    pub fn holds(self, of: i64) -> bool {
        match self.operator {
            Operator::Equal => of == self.number,
            Operator::AtMost => of <= self.number,
            Operator::AtLeast => of >= self.number,
            Operator::Below => of < self.number,
            Operator::Above => of > self.number,
        }
    }
}
