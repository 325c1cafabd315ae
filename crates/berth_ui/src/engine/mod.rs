//! The only part of the page that knows the scheduler: it runs commands and turns what the engine
//! says into views. It computes nothing about scheduling, it formats numbers.

mod apps;
mod aside;
mod cluster;
mod edit;
mod edited;
mod example;
pub(crate) mod facts;
mod filter;
mod inspector;
pub(crate) mod number;
pub(crate) mod order;
mod preemption;
mod score;
pub(crate) mod selector_text;
mod texts;
mod verdict;

pub(crate) use facts::Subject;
pub(crate) use number::{amount, integer, share};
pub(crate) use order::sorted;

use crate::app::PodEdit;
use crate::locale::{Locale, Msg};
use crate::view::{
    ClusterView, FilterDetail, InspectorView, NodeCardView, PodChipView, Rejected, Verdict,
};
use apps::Apps;
pub use aside::Aside;
use berth_core::api::{Kind, Node, Object, ObjectKey, Pod, PriorityClass};
use berth_core::collections::Set;
use berth_core::explain::Explanation;
use berth_core::framework::config::Configuration;
use berth_core::framework::sampling;
use berth_core::playground::{self, Command, Loading, Machine, Playground};
use berth_wire::manifest::Report;
use cluster::Gone;
pub use preemption::Explained;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use texts::Texts;
use yew::AttrValue;

/// Of more nodes than this the board's view has no cards, only what each node says; another part of the program draws
/// them, and has a card made when it is opened.
pub const MOST_CARDS: u32 = 60;

/// The engine and what the page remembers about its objects.
#[derive(Default)]
pub struct Engine {
    playground: Option<Playground>,
    /// What the playground is run by, once a part of the program has brought it.
    machine: Option<Machine>,
    /// Counts the clusters that were opened: each begins at a revision of its own.
    opened: u32,
    name: AttrValue,
    apps: Apps,
    /// The objects as they were opened.
    start: Vec<Object>,
    /// Pods that were put on a node without asking the scheduler.
    bypassed: Set<(ObjectKey, String)>,
    /// What was read, for the export.
    report: Report,
    /// What objects were written as since.
    texts: Texts,
    /// What the last views say of the selected pod.
    explanation: Option<Explanation>,
    /// The revision of the last views.
    viewed: u32,
    /// Who made room last.
    gone: Option<Gone>,
}

/// A playground of the objects that what was read came to, still to be loaded. The error is the engine's.
pub fn loading(report: &Report, objects: &[Object]) -> Result<Loading, AttrValue> {
    let configuration = report.configuration.clone().unwrap_or_default();
    Loading::new(objects.iter().cloned(), configuration, Machine::LIGHT)
        .map_err(|error| AttrValue::from(error.to_string()))
}

/// A pod as it was opened.
fn opened_pod<'a>(start: &'a [Object], key: &ObjectKey) -> Option<&'a Pod> {
    // Of two with one name the last was kept.
    start.iter().rev().find_map(|object| match object {
        Object::Pod(pod) => Some(&**pod)
            .filter(|pod| pod.metadata.name == key.name && pod.metadata.namespace == key.namespace),
        _ => None,
    })
}

/// What the views are about.
pub struct Ask {
    /// The selected pod.
    pub selected: Option<AttrValue>,
    /// The label key wanted for the columns.
    pub columns: Option<AttrValue>,
}

/// What came of placing a pod.
pub enum Outcome {
    /// It is on a node.
    Placed {
        /// The node.
        node: AttrValue,
        /// The event.
        event: AttrValue,
        /// Whether the scheduler would not have put it there.
        bypassed: bool,
    },
    /// The node refuses it.
    Refused {
        /// The node.
        node: AttrValue,
        /// Why.
        rejected: Rejected,
    },
    /// Others made room for it.
    Preempted {
        /// The node.
        node: AttrValue,
        /// The pods that went.
        victims: AttrValue,
        /// The event.
        event: AttrValue,
    },
    /// No node takes it, or the command failed: the message.
    Unplaced(AttrValue),
}

impl Engine {
    /// A number that changes with every change.
    pub fn revision(&self) -> u32 {
        // Far more commands than anyone gives to one cluster.
        let changes = self.playground.as_ref().map_or(0, Playground::revision);
        self.opened.wrapping_mul(1 << 20).wrapping_add(changes)
    }

    /// Counts the clusters that were opened.
    pub fn openings(&self) -> u32 {
        self.opened
    }

    /// From now on the playground is run by this machine.
    pub fn run_by(&mut self, machine: Machine) {
        self.machine = Some(machine);
        if let Some(playground) = &mut self.playground {
            playground.set_machine(machine);
        }
    }

    /// Calls the cluster something else.
    pub fn rename(&mut self, name: AttrValue) {
        self.name = name;
    }

    /// The cluster under study, and its commands.
    pub fn playground(&self) -> Option<&Playground> {
        self.playground.as_ref()
    }

    /// The same, to give it a command.
    pub fn playground_mut(&mut self) -> Option<&mut Playground> {
        self.playground.as_mut()
    }

    /// The change that undo takes back.
    pub fn next_undo(&self) -> Option<&Command> {
        self.playground.as_ref()?.next_undo()
    }

    /// The change that redo makes again.
    pub fn next_redo(&self) -> Option<&Command> {
        self.playground.as_ref()?.next_redo()
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> bool {
        self.playground.as_mut().is_some_and(Playground::undo)
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self) -> bool {
        self.playground.as_mut().is_some_and(Playground::redo)
    }

    /// Opens the cluster that the page begins with.
    pub fn open_example(&mut self, words: &Locale) -> Result<(), AttrValue> {
        self.open(words.text(Msg::Example), Report::default(), example::objects())
    }

    /// Opens a cluster: the objects that what was read came to. On an error, the engine's, nothing changes.
    pub fn open(
        &mut self,
        name: AttrValue,
        report: Report,
        objects: Vec<Object>,
    ) -> Result<(), AttrValue> {
        let loading = loading(&report, &objects)?;
        self.show(name, report, objects, loading.finish());
        Ok(())
    }

    /// Opens a cluster that is loaded: the objects that what was read came to, and the playground of them.
    pub fn show(
        &mut self,
        name: AttrValue,
        report: Report,
        objects: Vec<Object>,
        mut playground: Playground,
    ) {
        if let Some(machine) = self.machine {
            playground.set_machine(machine);
        }
        self.start = objects;
        self.playground = Some(playground);
        self.opened += 1;
        self.name = name;
        self.apps = Apps::default();
        self.bypassed = Set::new();
        self.report = report;
        self.texts = Texts::default();
    }

    /// Goes on with a playground of the objects that were opened last, to which commands were given, and with the pods
    /// that they put on nodes without asking the scheduler.
    pub fn resume(&mut self, playground: Playground, bypassed: Set<(ObjectKey, String)>) {
        self.opened += 1;
        self.playground = Some(playground);
        self.bypassed = bypassed;
    }

    /// What the cluster is called, and what it was opened from.
    pub fn opened_with(&self) -> (&AttrValue, &[Object], Configuration) {
        (&self.name, &self.start, self.report.configuration.clone().unwrap_or_default())
    }

    /// What was read, with what was written since, and the objects as they are now.
    pub fn objects(&self) -> (Cow<'_, Report>, Vec<Object>) {
        let cluster = self.playground.as_ref().map(Playground::cluster);
        let now = cluster.map(|cluster| berth_wire::export::objects(&self.report, cluster));
        (self.texts.report(&self.report, self.playground.as_ref()), now.unwrap_or_default())
    }

    /// Keeps the text that an object which was just put was written as.
    pub fn keep_text(&mut self, object: Object, text: Box<str>) {
        self.texts.keep(object, text);
    }

    /// The text that an object came from, if it did: as it was read, or as it was written since.
    pub fn text_of(&self, kind: Kind, key: &ObjectKey) -> Option<&str> {
        self.texts.of(&self.report, self.playground.as_ref()?, kind, key)
    }

    /// The text that the scheduler's configuration came from, if it did and is still the same.
    pub fn configuration_text(&self) -> Option<&str> {
        let now = self.playground.as_ref()?.configuration();
        let read = self.report.configuration.as_ref().filter(|read| *read == now);
        read.and(self.report.configuration_text.as_deref())
    }

    /// The views of the board and of the selected pod.
    pub fn views(&mut self, ask: &Ask, words: &Locale) -> (ClusterView, Option<InspectorView>) {
        let revision = self.revision();
        let Some(playground) = &mut self.playground else { return Default::default() };
        let key = ask.selected.as_deref().map(ObjectKey::parse);
        let explanation = key.as_ref().and_then(|key| playground.explain_briefly(key).ok());
        let playground = &*playground;
        let cluster = playground.cluster();
        self.apps.follow(cluster.pods().map(|(_, pod)| &*pod.pod));
        let found = explanation.as_ref().and_then(Explanation::preemption);
        let picked = explanation.as_ref().and_then(|found| playground.pick_candidate(found));
        let selected = key
            .as_ref()
            .and_then(|key| cluster.pod_named(key))
            .and_then(|idx| cluster.pod(idx))
            .zip(explanation.as_ref());
        let (keys, column) = cluster::keys(cluster, ask.columns.as_deref());
        let inspector = selected.map(|(pod, explanation)| {
            let key = pod.key();
            let inspected = inspector::Inspected {
                cluster,
                apps: &self.apps,
                pod,
                before: opened_pod(&self.start, &key),
                bypassed: self.bypassed.contains(&(key.clone(), pod.pod.spec.node_name.clone())),
                explanation,
                winner: winner(playground, &key, explanation),
                picked,
                key: &column,
                keys: &keys,
                words,
            };
            inspected.view()
        });
        let board = cluster::Board {
            cluster,
            apps: &self.apps,
            selected,
            dry_runs: found.map_or(&[], |found| &found.nodes),
            picked,
            gone: self.gone.as_ref().filter(|gone| gone.revision == revision),
            key: &column,
            words,
        };
        let mut view = board.view(keys, &playground.queue());
        view.has_next = playground.has_next();
        view.name = self.name.clone();
        view.sampled = sampled(playground, selected.map(|(pod, _)| &*pod.pod), view.nodes);
        self.explanation = explanation;
        self.viewed = revision;
        (view, inspector)
    }

    /// The first pod of those that wait, as the views have them.
    pub fn first_waiting(&self) -> Option<AttrValue> {
        let playground = self.playground.as_ref()?;
        let (pods, _) = cluster::waiting(playground.cluster(), &playground.queue());
        pods.first().map(|pod| pod.key().to_string().into())
    }

    /// What the last views say of the selected pod was made from this.
    pub fn explanation(&self) -> Option<&Explanation> {
        self.explanation.as_ref()
    }

    /// The card of a node, for a cluster whose view has none. `key` is the label key of the columns.
    pub fn card(&self, node: &str, key: &str, words: &Locale) -> Option<NodeCardView> {
        let playground = self.playground.as_ref()?;
        let cluster = playground.cluster();
        let explanation = self.explanation.as_ref();
        let found = explanation.and_then(Explanation::preemption);
        let pod = explanation.and_then(|found| cluster.pod(cluster.pod_named(&found.pod)?));
        let board = cluster::Board {
            cluster,
            apps: &self.apps,
            selected: pod.zip(explanation),
            dry_runs: found.map_or(&[], |found| &found.nodes),
            picked: explanation.and_then(|found| playground.pick_candidate(found)),
            gone: self.gone.as_ref().filter(|gone| gone.revision == self.viewed),
            key,
            words,
        };
        Some(board.card(cluster.node(cluster.node_named(node)?)?))
    }

    /// What a node says about the pod that the last views are about.
    pub fn verdict(&self, node: &str, words: &Locale) -> Option<Verdict> {
        let explanation = self.explanation.as_ref()?;
        verdict_of(self.playground.as_ref()?, &explanation.pod, node, explanation, words)
    }

    /// What the last views say of the selected pod was made from this.
    pub fn explained<'a>(&'a self, words: &'a Locale) -> Option<Explained<'a>> {
        let playground = self.playground.as_ref()?;
        let explanation = self.explanation.as_ref()?;
        Some(Explained {
            explanation,
            cluster: playground.cluster(),
            picked: playground.pick_candidate(explanation),
            profile: playground.profile_of(&explanation.object).ok(),
            seed: playground.seed(),
            apps: &self.apps,
            words,
        })
    }

    /// What the last views' Filter matrix has at a plugin's row and a node's column, worked out.
    pub fn filter_detail(
        &self,
        plugin: &AttrValue,
        node: &str,
        words: &Locale,
    ) -> Option<FilterDetail> {
        let explanation = self.explanation.as_ref()?;
        let subject =
            Subject { explanation, pod: &explanation.object, node: self.node(node), words };
        filter::detail(&subject, explanation.node(node)?, plugin)
    }

    /// Puts a pod on a node: if the scheduler lets it there, or without asking it.
    pub fn place(&mut self, pod: &str, node: &AttrValue, bypass: bool, words: &Locale) -> Outcome {
        let key = ObjectKey::parse(pod);
        let now = self.viewed == self.revision();
        let Some(playground) = &mut self.playground else { return unplaced("") };
        if !bypass {
            // Mostly the views have asked already.
            let known = self.explanation.take().filter(|known| now && known.pod == key);
            let explanation = match known.map_or_else(|| playground.explain_briefly(&key), Ok) {
                Ok(explanation) => explanation,
                Err(error) => return unplaced(&error.to_string()),
            };
            let explanation = self.explanation.insert(explanation);
            match verdict_of(playground, &key, node, explanation, words) {
                Some(Verdict::Fits(_)) => {}
                Some(Verdict::Rejected(rejected)) => {
                    return Outcome::Refused { node: node.clone(), rejected };
                }
                None => return unplaced(&why_not(explanation)),
            }
        }
        self.run(&key, Command::Place { pod: key.clone(), node: node.to_string() }, bypass)
    }

    /// Lets the scheduler choose a node.
    pub fn schedule(&mut self, pod: &str) -> Outcome {
        let key = ObjectKey::parse(pod);
        self.run(&key, Command::Schedule { pod: key.clone() }, false)
    }

    /// Lets the pod that the last views are about preempt.
    pub fn preempt(&mut self, pod: &str) -> Outcome {
        let key = ObjectKey::parse(pod);
        let chips = self.going();
        let outcome = self.run(&key, Command::Preempt { pod: key.clone() }, false);
        if let Outcome::Preempted { node, .. } = &outcome {
            let revision = self.revision();
            self.gone = Some(Gone { revision, pod: key, node: node.clone(), chips });
        }
        outcome
    }

    /// The chips of those who would go.
    fn going(&self) -> Vec<Rc<PodChipView>> {
        let mut chips = Vec::new();
        let (Some(playground), Some(explanation)) = (&self.playground, &self.explanation) else {
            return chips;
        };
        let cluster = playground.cluster();
        let picked = playground.pick_candidate(explanation);
        for victim in picked.iter().flat_map(|node| node.victims()) {
            let found = cluster.pod_named(&victim.metadata.key());
            if let Some(pod) = found.and_then(|idx| cluster.pod(idx)) {
                chips.push(Rc::new(cluster::chip(cluster, &self.apps, pod)));
            }
        }
        chips
    }

    fn run(&mut self, key: &ObjectKey, command: Command, bypass: bool) -> Outcome {
        let Some(playground) = &mut self.playground else { return unplaced("") };
        match playground.apply(command) {
            Ok(applied) => match applied.outcome {
                playground::Outcome::Placed { node, bypassed, .. } => {
                    let place = (key.clone(), node.clone());
                    if bypass {
                        self.bypassed.insert(place);
                    } else {
                        self.bypassed.remove(&place);
                    }
                    let event = inspector::scheduled(key, &node);
                    Outcome::Placed { node: node.into(), event, bypassed: bypass || bypassed }
                }
                playground::Outcome::Preempted { node, victims, .. } => {
                    let mut names: Vec<&str> = Vec::new();
                    for victim in &victims {
                        names.push(&victim.name);
                    }
                    let (victims, event) = (names.join(", "), inspector::scheduled(key, &node));
                    Outcome::Preempted { node: node.into(), victims: victims.into(), event }
                }
                _ => match playground.explain_briefly(key) {
                    Ok(explanation) => unplaced(&why_not(&explanation)),
                    Err(error) => unplaced(&error.to_string()),
                },
            },
            Err(error) => unplaced(&error.to_string()),
        }
    }

    /// Takes a pod off its node.
    pub fn release(&mut self, pod: &str) -> bool {
        let key = ObjectKey::parse(pod);
        let cluster = self.playground.as_ref().map(Playground::cluster);
        let found = cluster.and_then(|cluster| cluster.pod(cluster.pod_named(&key)?));
        let placed = found.is_some_and(|found| !found.pod.spec.node_name.is_empty());
        placed && self.apply(Command::Return { pod: key })
    }

    /// Sets a label of a node.
    pub fn label_node(&mut self, node: &str, key: &str, value: &str) -> bool {
        let Some(found) = self.node(node) else { return false };
        if found.metadata.labels.get(key).is_some_and(|now| now == value) {
            return false;
        }
        let mut changed = Node::clone(found);
        changed.metadata.labels.insert(key.to_owned(), value.to_owned());
        self.apply(Command::Put(Object::Node(Arc::new(changed))))
    }

    /// A pod as it is, and with a field changed; the error says why the new value cannot be read or is not admitted.
    /// A new constraint gets the first of the keys that can be had.
    pub fn edited(
        &self,
        pod: &str,
        edit: &PodEdit,
        keys: &[&str],
    ) -> Result<Option<(Arc<Pod>, Pod)>, AttrValue> {
        let Some(playground) = &self.playground else { return Ok(None) };
        let cluster = playground.cluster();
        let found = cluster.pod_named(&ObjectKey::parse(pod)).and_then(|idx| cluster.pod(idx));
        let Some(found) = found else { return Ok(None) };
        let classes = cluster.known_priority_classes();
        let classes: Vec<&PriorityClass> = classes.iter().map(|class| &**class).collect();
        let changed = edit::apply(&found.pod, edit, &classes, keys)?;
        Ok(Some((Arc::clone(&found.pod), changed)))
    }

    fn apply(&mut self, command: Command) -> bool {
        self.playground.as_mut().is_some_and(|playground| playground.apply(command).is_ok())
    }

    fn node(&self, name: &str) -> Option<&Node> {
        let cluster = self.playground.as_ref()?.cluster();
        cluster.node(cluster.node_named(name)?)?.node.as_deref()
    }
}

/// On how many nodes that fit the real scheduler stops looking, when that is fewer than all.
fn sampled(playground: &Playground, pod: Option<&Pod>, nodes: u32) -> Option<u32> {
    let profile = playground.profile_of(pod?).ok()?;
    let configuration = playground.configuration().percentage_of_nodes_to_score;
    let found = sampling::nodes_to_find(profile.percentage_of_nodes_to_score, configuration, nodes);
    (found < nodes).then_some(found)
}

fn unplaced(message: &str) -> Outcome {
    Outcome::Unplaced(message.to_owned().into())
}

/// Which of the best nodes the scheduler would take.
fn winner(
    playground: &Playground,
    key: &ObjectKey,
    explanation: &Explanation,
) -> Option<AttrValue> {
    let ties = explanation.best.len() as u32;
    let pick = playground.pick(key, ties);
    explanation.best_names().nth(pick as usize).map(|name| name.to_string().into())
}

fn verdict_of(
    playground: &Playground,
    key: &ObjectKey,
    node: &str,
    explanation: &Explanation,
    words: &Locale,
) -> Option<Verdict> {
    let cluster = playground.cluster();
    let pod = &cluster.pod(cluster.pod_named(key)?)?.pod;
    let slot = cluster.node(cluster.node_named(node)?)?;
    let subject = Subject { explanation, pod, node: slot.node.as_deref(), words };
    verdict::verdict(&subject, explanation.node(node)?)
}

/// Why no node was found, in the scheduler's words.
fn why_not(explanation: &Explanation) -> String {
    let gate = explanation.pre_enqueue.as_ref().map(|status| status.reasons.join(", "));
    let error = explanation.error.clone();
    gate.or(error).or_else(|| explanation.message.clone()).unwrap_or_default()
}
