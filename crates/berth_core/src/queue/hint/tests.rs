//! Which event wakes which pod, plugin by plugin.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{
    Affinity, Container, ContainerPort, LabelSelector, NodeInclusionPolicy, Pod, PodAffinity,
    PodAffinityTerm, Protocol, Quantity, ResourceList, Taint, TaintEffect, Toleration,
    TolerationOperator, TopologySpreadConstraint, UnsatisfiableConstraintAction,
};
use crate::cluster::Cluster;
use crate::framework::config::Configuration;
use crate::framework::profile::Profile;
use crate::queue::event::{node_changes, pod_changes};
use crate::queue::{Instant, PluginSet};

const ZONE: &str = "zone";

fn amounts(pairs: &[(&str, &str)]) -> ResourceList {
    let amount = |(name, text): &(&str, &str)| ((*name).into(), Quantity::parse(text).unwrap());
    pairs.iter().map(amount).collect()
}

fn labels(text: &str) -> crate::api::Labels {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.into(), value.into())).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "a row has a node before or after")]
fn node(text: &str, change: impl FnOnce(&mut Node)) -> Option<Arc<Node>> {
    let mut node = Node::default();
    node.metadata.name = "n".into();
    node.metadata.labels = labels(text);
    node.status.allocatable = amounts(&[("cpu", "2"), ("pods", "10")]);
    change(&mut node);
    Some(Arc::new(node))
}

fn plain(text: &str) -> Option<Arc<Node>> {
    node(text, |_| {})
}

fn taint(node: &mut Node) {
    let taint = Taint { key: "t".into(), value: String::new(), effect: TaintEffect::NoSchedule };
    node.spec.taints.push(taint);
}

fn cpu(amount: &'static str) -> impl Fn(&mut Node) {
    move |node| node.status.allocatable = amounts(&[("cpu", amount), ("pods", "10")])
}

fn pod(name: &str, text: &str, change: impl FnOnce(&mut Pod)) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.metadata.labels = labels(text);
    pod.spec.scheduler_name = "default-scheduler".into();
    let mut container = Container::default();
    container.resources.requests = amounts(&[("cpu", "1")]);
    pod.spec.containers.push(container);
    change(&mut pod);
    pod
}

/// The pod that waits.
fn asking(change: impl FnOnce(&mut Pod)) -> Pod {
    pod("asking", "app=a", change)
}

/// A pod on a node.
fn running(text: &str) -> Pod {
    pod("running", text, |pod| pod.spec.node_name = "n".into())
}

fn tolerate(key: &'static str) -> impl Fn(&mut Pod) {
    move |pod| {
        pod.spec.tolerations.push(Toleration {
            key: key.into(),
            operator: TolerationOperator::Exists,
            value: String::new(),
            effect: None,
            toleration_seconds: None,
        });
    }
}

fn port(port: i32) -> impl Fn(&mut Pod) {
    move |pod| {
        pod.spec.containers[0].ports.push(ContainerPort {
            container_port: 80,
            host_port: port,
            host_ip: String::new(),
            protocol: Protocol::Tcp,
        });
    }
}

fn selecting(text: &str) -> LabelSelector {
    LabelSelector { match_labels: labels(text), match_expressions: Vec::new() }
}

fn term(text: &str) -> PodAffinity {
    let term = PodAffinityTerm {
        label_selector: Some(selecting(text)),
        topology_key: ZONE.into(),
        ..PodAffinityTerm::default()
    };
    PodAffinity { required: vec![term], preferred: Vec::new() }
}

fn near(text: &'static str) -> impl Fn(&mut Pod) {
    move |pod| {
        pod.spec.affinity =
            Some(Affinity { pod_affinity: Some(term(text)), ..Affinity::default() });
    }
}

fn apart(text: &'static str) -> impl Fn(&mut Pod) {
    move |pod| {
        pod.spec.affinity =
            Some(Affinity { pod_anti_affinity: Some(term(text)), ..Affinity::default() });
    }
}

fn spread(taints: Option<NodeInclusionPolicy>) -> impl Fn(&mut Pod) {
    move |pod| {
        pod.spec.topology_spread_constraints.push(TopologySpreadConstraint {
            max_skew: 1,
            topology_key: ZONE.into(),
            when_unsatisfiable: UnsatisfiableConstraintAction::DoNotSchedule,
            label_selector: Some(selecting("app=a")),
            min_domains: None,
            node_affinity_policy: None,
            node_taints_policy: taints,
            match_label_keys: Vec::new(),
        });
    }
}

/// What is asked, and whether the pod is to be woken.
struct Table {
    plugin: PluginId,
    wrong: Vec<String>,
}

#[expect(clippy::needless_pass_by_value, reason = "rows are read more easily")]
impl Table {
    fn of(plugin: PluginId) -> Self {
        Self { plugin, wrong: Vec::new() }
    }

    fn ask(&self, pod: &Pod, event: &mut dyn FnMut(&mut Cluster) -> Vec<Event>) -> bool {
        let mut cluster = Cluster::default();
        let profile = Configuration::default().profiles.remove(0);
        let profiles = [Profile::new(&profile).unwrap()];
        let mut queued = QueuedPod::new(&Arc::new(pod.clone()), Instant(0));
        queued.unschedulable_plugins = PluginSet::default();
        queued.unschedulable_plugins.insert(self.plugin);
        let events = event(&mut cluster);
        let scene = &mut Scene { cluster: &mut cluster, profiles: &profiles, now: Instant(0) };
        events.iter().any(|event| is_worth_requeuing(&queued, scene, event))
    }

    fn node(
        &mut self,
        why: &str,
        pod: &Pod,
        old: Option<Arc<Node>>,
        new: Option<Arc<Node>>,
        queue: bool,
    ) {
        let got = self.ask(pod, &mut |_| {
            let actions = match (&old, &new) {
                (Some(old), Some(new)) => node_changes(old, new),
                (None, _) => vec![ADD],
                (_, None) => vec![DELETE],
            };
            let event = |action| Event::Node { action, old: old.clone(), new: new.clone() };
            actions.into_iter().map(event).collect()
        });
        if got != queue {
            self.wrong.push(format!("{}: node: {why}: {got}", self.plugin));
        }
    }

    fn pod(&mut self, why: &str, pod: &Pod, old: Option<Pod>, new: Option<Pod>, queue: bool) {
        let got = self.ask(pod, &mut |cluster| {
            let mut derive = |pod: &Pod| Arc::new(cluster.derive(&Arc::new(pod.clone())));
            let (old, new) = (old.as_ref().map(&mut derive), new.as_ref().map(&mut derive));
            let actions = match (&old, &new) {
                (Some(old), Some(new)) => pod_changes(old, new),
                (None, _) => vec![ADD],
                (_, None) => vec![DELETE],
            };
            let event = |action| Event::Pod { action, old: old.clone(), new: new.clone() };
            actions.into_iter().map(event).collect()
        });
        if got != queue {
            self.wrong.push(format!("{}: pod: {why}: {got}", self.plugin));
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
    }
}

fn cordoned() -> Option<Arc<Node>> {
    node("", |node| node.spec.unschedulable = true)
}

#[test]
fn node_unschedulable() {
    let mut table = Table::of(PluginId::NodeUnschedulable);
    let a = &asking(|_| {});
    table.node("a node that is not cordoned", a, None, plain(""), true);
    table.node("a cordoned one", a, None, cordoned(), false);
    table.node("uncordoned", a, cordoned(), plain(""), true);
    table.node("cordoning is no event", a, plain(""), cordoned(), false);
    table.node("tainted: it was no more cordoned before", a, plain(""), node("", taint), false);
    table.node("gone", a, plain(""), None, false);
    let tolerating = asking(tolerate("node.kubernetes.io/unschedulable"));
    table.pod(
        "it tolerates cordons now",
        &tolerating,
        Some(a.clone()),
        Some(tolerating.clone()),
        true,
    );
    let other = asking(tolerate("t"));
    table.pod("it tolerates something else", &other, Some(a.clone()), Some(other.clone()), false);
    let somebody = pod("b", "", tolerate("node.kubernetes.io/unschedulable"));
    table.pod("another pod does", a, Some(pod("b", "", |_| {})), Some(somebody), false);
}

#[test]
fn taint_toleration() {
    let mut table = Table::of(PluginId::TaintToleration);
    let a = &asking(|_| {});
    table.node("no taint", a, None, plain(""), true);
    table.node("a taint", a, None, node("", taint), false);
    table.node("the taint is gone", a, node("", taint), plain(""), true);
    table.node("a taint came", a, plain(""), node("", taint), false);
    let two = node("", |node| {
        taint(node);
        taint(node);
    });
    table.node("one of two is left", a, two, node("", taint), false);
    table.node("uncordoned, and never tainted", a, cordoned(), plain(""), false);
    let other = asking(tolerate("other"));
    table.pod("any toleration of its own", &other, Some(a.clone()), Some(other.clone()), true);
    table.pod(
        "one of another",
        a,
        Some(pod("b", "", |_| {})),
        Some(pod("b", "", tolerate("t"))),
        false,
    );
}

#[test]
fn node_affinity() {
    let mut table = Table::of(PluginId::NodeAffinity);
    let a = &asking(|pod| pod.spec.node_selector = labels("disk=ssd"));
    table.node("it matches", a, None, plain("disk=ssd"), true);
    table.node("it does not", a, None, plain("disk=hdd"), false);
    table.node("it matches now", a, plain("disk=hdd"), plain("disk=ssd"), true);
    table.node("it matched before", a, plain("disk=ssd"), plain("disk=ssd,x=y"), false);
    table.node("it matches no more", a, plain("disk=ssd"), plain("disk=hdd"), false);
    // Asked for new nodes only, so it hears of taints, and does not look.
    table.node("any taint", a, plain("disk=hdd"), node("disk=hdd", taint), true);
    table.node("more room", a, plain("disk=ssd"), node("disk=ssd", cpu("9")), false);
}

#[test]
fn node_name_and_node_ports() {
    let a = &asking(port(80));
    for plugin in [PluginId::NodeName, PluginId::NodePorts] {
        let mut table = Table::of(plugin);
        table.node("any node", a, None, node("", taint), true);
        table.node("any taint", a, plain(""), node("", taint), true);
        table.node("labels", a, plain(""), plain("x=y"), false);
        table.node("gone", a, plain(""), None, false);
    }
    let mut table = Table::of(PluginId::NodePorts);
    let holding = |number| {
        pod("b", "", |pod| {
            pod.spec.node_name = "n".into();
            port(number)(pod);
        })
    };
    table.pod("who held the port went", a, Some(holding(80)), None, true);
    table.pod("another port is free", a, Some(holding(81)), None, false);
    table.pod("no port is", a, Some(running("")), None, false);
    table.pod("it held none: it was nowhere", a, Some(pod("b", "", port(80))), None, false);
    let nominated = pod("b", "", |pod| {
        pod.status.nominated_node_name = "n".into();
        port(80)(pod);
    });
    table.pod("it was to hold it", a, Some(nominated), None, true);
    table.pod("a pod came", a, None, Some(holding(80)), false);
}

#[test]
fn node_resources_fit() {
    let mut table = Table::of(PluginId::NodeResourcesFit);
    let a = &asking(|_| {});
    table.node("1 of 2 cores", a, None, plain(""), true);
    table.node("1 of half a core", a, None, node("", cpu("500m")), false);
    table.node("more of what it asks for", a, node("", cpu("1")), node("", cpu("3")), true);
    table.node("less, though it would fit", a, node("", cpu("3")), node("", cpu("1")), false);
    let memory = |node: &mut Node| {
        node.status.allocatable = amounts(&[("cpu", "2"), ("memory", "9Gi"), ("pods", "10")]);
    };
    table.node("more of something else", a, plain(""), node("", memory), false);
    let crowded = |node: &mut Node| {
        node.status.allocatable = amounts(&[("cpu", "2"), ("pods", "20")]);
    };
    table.node("more pods", a, plain(""), node("", crowded), true);
    let full = |node: &mut Node| node.status.allocatable = amounts(&[("cpu", "2"), ("pods", "0")]);
    table.node("no pod at all", a, None, node("", full), false);
    table.node("labels", a, plain(""), plain("x=y"), false);
    table.node("any taint", a, plain(""), node("", taint), true);
    table.pod("any pod on a node went", a, Some(running("")), None, true);
    table.pod("one that was nowhere", a, Some(pod("b", "", |_| {})), None, false);
    table.pod("one came", a, None, Some(running("")), false);
    let asks = |list: &[(&str, &str)], node: &str| {
        pod("b", "", |pod| {
            pod.spec.node_name = node.into();
            pod.spec.containers[0].resources.requests = amounts(list);
        })
    };
    let both = || Some(asks(&[("cpu", "2"), ("memory", "2Gi")], "n"));
    let less_cpu = Some(asks(&[("cpu", "1"), ("memory", "2Gi")], "n"));
    table.pod("less of what it asks for", a, both(), less_cpu, true);
    let less_memory = Some(asks(&[("cpu", "2"), ("memory", "1Gi")], "n"));
    table.pod("less of something else", a, both(), less_memory, false);
    table.pod("no cpu at all", a, both(), Some(asks(&[("memory", "2Gi")], "n")), true);
    let waiting = asks(&[("cpu", "2")], "");
    table.pod("less, but it waits", a, Some(waiting), Some(asks(&[("cpu", "1")], "")), false);
    let more = asking(|pod| pod.spec.containers[0].resources.requests = amounts(&[("cpu", "9")]));
    table.pod("it asks for less itself", a, Some(more), Some(a.clone()), true);
}

#[test]
fn pod_topology_spread() {
    let mut table = Table::of(PluginId::PodTopologySpread);
    let a = &asking(spread(None));
    table.node("with the label", a, None, plain("zone=a"), true);
    table.node("without it", a, None, plain(""), false);
    table.node("one with it went", a, plain("zone=a"), None, true);
    table.node("one without it went", a, plain(""), None, false);
    table.node("it has it now", a, plain(""), plain("zone=a"), true);
    table.node("it has it no more", a, plain("zone=a"), plain(""), true);
    table.node("to another domain", a, plain("zone=a"), plain("zone=b"), true);
    table.node("another label", a, plain("zone=a"), plain("zone=a,x=y"), false);
    table.node("taints, with the label", a, plain("zone=a"), node("zone=a", taint), true);
    table.node("taints, without it", a, plain(""), node("", taint), false);
    table.node("more room", a, plain("zone=a"), node("zone=a", cpu("9")), false);
    table.pod("one that counts came", a, None, Some(running("app=a")), true);
    table.pod("one that does not", a, None, Some(running("app=b")), false);
    table.pod("one that counts went", a, Some(running("app=a")), None, true);
    table.pod("one that does not went", a, Some(running("app=b")), None, false);
    table.pod("it counts now", a, Some(running("app=b")), Some(running("app=a")), true);
    table.pod("it never did", a, Some(running("app=b")), Some(running("app=c")), false);
    let elsewhere = pod("b", "app=a", |pod| {
        pod.metadata.namespace = "other".into();
        pod.spec.node_name = "n".into();
    });
    table.pod("of another namespace", a, None, Some(elsewhere), false);
    table.pod("it is nowhere", a, Some(pod("b", "app=a", |_| {})), None, false);
    let tolerating = |policy| {
        asking(|pod| {
            spread(policy)(pod);
            tolerate("t")(pod);
        })
    };
    let honor = Some(NodeInclusionPolicy::Honor);
    let (old, new) = (asking(spread(honor)), tolerating(honor));
    table.pod("more nodes count for it", &new, Some(old), Some(new.clone()), true);
    let new = tolerating(None);
    table.pod("taints do not matter to it", &new, Some(a.clone()), Some(new.clone()), false);
}

#[test]
fn inter_pod_affinity() {
    let mut table = Table::of(PluginId::InterPodAffinity);
    let (n, f) = (&asking(near("app=b")), &asking(apart("app=b")));
    let none = &asking(|_| {});
    table.node("a domain to be in", n, None, plain("zone=a"), true);
    table.node("no domain", n, None, plain(""), false);
    table.node("a domain now", n, plain(""), plain("zone=a"), true);
    table.node("another domain", n, plain("zone=a"), plain("zone=b"), true);
    table.node("no domain any more", n, plain("zone=a"), plain(""), false);
    table.node("any node to be apart on", f, None, plain(""), true);
    table.node("no domain any more, to be apart", f, plain("zone=a"), plain(""), true);
    table.node("another domain, to be apart", f, plain("zone=a"), plain("zone=b"), true);
    table.node("a domain now, to be apart", f, plain(""), plain("zone=a"), false);
    // Others want to be apart from it: nothing is known of what they need.
    table.node("it says nothing itself", none, None, plain("zone=a"), false);
    table.node("any taint", none, plain(""), node("", taint), true);
    table.pod("one to be near came", n, None, Some(running("app=b")), true);
    table.pod("another came", n, None, Some(running("app=c")), false);
    table.pod("one is to be near now", n, Some(running("app=c")), Some(running("app=b")), true);
    table.pod("it was before", n, Some(running("app=b")), Some(running("app=b,x=y")), false);
    table.pod("one to be near went", n, Some(running("app=b")), None, false);
    table.pod("one to be apart from went", f, Some(running("app=b")), None, true);
    table.pod("another went", f, Some(running("app=c")), None, false);
    table.pod("it need not be apart now", f, Some(running("app=b")), Some(running("app=c")), true);
    table.pod("one to be apart from came", f, None, Some(running("app=b")), false);
    let shunning = |text| {
        pod("b", "", |pod| {
            pod.spec.node_name = "n".into();
            apart(text)(pod);
        })
    };
    table.pod("who wanted to be apart went", none, Some(shunning("app=a")), None, true);
    table.pod("who did not went", none, Some(shunning("app=z")), None, false);
    table.pod(
        "it is nowhere",
        n,
        Some(pod("b", "app=c", |_| {})),
        Some(pod("b", "app=b", |_| {})),
        false,
    );
    let relabeled = pod("asking", "app=z", near("app=b"));
    table.pod("its own labels", &relabeled, Some(n.clone()), Some(relabeled.clone()), true);
    // Namespaces are not looked up: a selector means those that it means without labels.
    let selected = |text: &str| {
        asking(|pod| {
            near("app=b")(pod);
            let affinity =
                pod.spec.affinity.as_mut().and_then(|affinity| affinity.pod_affinity.as_mut());
            affinity.unwrap().required[0].namespace_selector = Some(selecting(text));
        })
    };
    table.pod("of a namespace by label", &selected("team=a"), None, Some(running("app=b")), false);
    table.pod("of any namespace", &selected(""), None, Some(running("app=b")), true);
    let broken = asking(|pod| {
        near("app=b")(pod);
        let affinity =
            pod.spec.affinity.as_mut().and_then(|affinity| affinity.pod_affinity.as_mut());
        affinity.unwrap().required[0].label_selector = Some(selecting("no key=b"));
    });
    table.pod("terms that cannot be used", &broken, None, Some(running("")), true);
}

#[test]
fn scheduling_gates() {
    let mut table = Table::of(PluginId::SchedulingGates);
    let gated = |gates: &[&str]| {
        asking(|pod| {
            pod.spec.scheduling_gates = gates.iter().map(|gate| (*gate).into()).collect();
        })
    };
    let open = gated(&[]);
    table.pod("the last gate", &open, Some(gated(&["a"])), Some(open.clone()), true);
    table.pod("not the last", &gated(&["b"]), Some(gated(&["a", "b"])), Some(gated(&["b"])), false);
    let other = |gates: &[&str]| {
        let mut pod = gated(gates);
        pod.metadata.name = "other".into();
        pod
    };
    table.pod("another's", &gated(&["a"]), Some(other(&["a"])), Some(other(&[])), false);
    table.node("any node", &gated(&["a"]), None, plain(""), false);
}

#[test]
fn who_asks_hears_of_what_is_as_specific() {
    for (asked, incoming, heard) in [
        (ADD.or(TAINT), TAINT, true),
        (ADD.or(TAINT), ADD, true),
        (ADD.or(TAINT), LABEL, false),
        (ADD, DELETE, false),
        // All of what was asked for, and more: only somebody who asked for everything would hear.
        (TAINT, ADD.or(TAINT), false),
    ] {
        assert_eq!(asked.matches(incoming), heard, "{asked:?} {incoming:?}");
    }
}
