//! Forms that add a node, a column, a pod or a workload.

use super::Scene;
use super::acts::{apply, fresh, make, nodes};
use super::form::{Field, Form, Refused, Typed, open};
use super::nodes::quantity;
use crate::app::App;
use crate::edit::{EditMsg, EditWords, Thing};
use crate::engine::integer;
use berth_core::admission::validation::{self, WrittenNode, WrittenPod};
use berth_core::admission::{defaults, forbidden, priority};
use berth_core::api::{
    Container, FieldError, LabelSelector, Labels, Node, Object, ObjectKey, ObjectMeta, Pod,
    PodTemplate, ResourceList, TopologySpreadConstraint, UnsatisfiableConstraintAction, Workload,
    WorkloadKind,
};
use berth_core::operations::scale;
use berth_core::playground::{Command, CommandError, Playground};
use berth_core::plugins::pod_topology_spread::constraint::HOSTNAME;
use std::sync::Arc;
use yew::AttrValue;

/// What columns are without a label key.
const ZONE: &str = "topology.kubernetes.io/zone";

/// Asks for a node in a column, or in a new one.
pub(super) fn node(scene: &mut Scene<'_>, new_zone: bool) {
    let words: EditWords = scene.app.env().table();
    let cluster = scene.app.cluster();
    let like = like(scene.app, scene.things);
    let taken = |name: &str| cluster.node(name).is_some();
    let stem = like
        .as_ref()
        .map_or_else(|| "node-".to_owned(), |node| super::acts::stem(&node.metadata.name));
    let zone = if new_zone { next_zone(scene.app) } else { zone_of(scene.app, scene.things) };
    let amount = |name: &str, other: &'static str| {
        let found = like
            .as_ref()
            .and_then(|node| node.status.allocatable.get(name))
            .map(ToString::to_string);
        AttrValue::from(found.unwrap_or_else(|| other.to_owned()))
    };
    let form = Form {
        title: words.text(if new_zone { EditMsg::AddZone } else { EditMsg::AddNode }),
        note: words.fill(EditMsg::AddNodeNote, &[("key", &key(scene.app))]),
        fields: vec![
            Field::text("name", fresh(&stem, taken), &["metadata.name"]),
            Field::text("domain", zone, &[]).hint("zone-a"),
            Field::text("cpu", amount("cpu", "4"), &[]),
            Field::text("memory", amount("memory", "16Gi"), &[]),
            Field::text("pods", amount("pods", "110"), &[]),
            Field::text("labels", "", &["metadata.labels"]).hint("key=value, key=value"),
        ],
        things: scene.things.to_vec(),
        submit: add_node,
    };
    open(scene.app, form);
}

/// The label key that a new node's column is about.
fn key(app: &App) -> String {
    let key = app.cluster().key.to_string();
    if key.is_empty() { ZONE.to_owned() } else { key }
}

/// A node like which the new one is to be: of the same column, else any.
fn like(app: &App, things: &[Thing]) -> Option<Arc<Node>> {
    let near = nodes(app, things).into_iter().next();
    near.or_else(|| {
        let first = app.cluster().domains.iter().find_map(|domain| domain.nodes.first())?;
        super::acts::node(app.engine().playground()?, &first.name)
    })
}

fn zone_of(app: &App, things: &[Thing]) -> AttrValue {
    let cluster = app.cluster();
    match things.first() {
        Some(Thing::Zone(id)) => id.clone(),
        Some(Thing::Node(name)) => {
            cluster.domain_of(name).map(|domain| domain.id()).unwrap_or_default()
        }
        _ => cluster.domains.first().map(|domain| domain.id()).unwrap_or_default(),
    }
}

/// A value that no node has: the last column's with the next letter or number at its end.
fn next_zone(app: &App) -> AttrValue {
    let values: Vec<AttrValue> =
        app.cluster().domains.iter().filter_map(|domain| domain.value.clone()).collect();
    let Some(last) = values.last() else { return "zone-a".into() };
    let taken = |name: &str| values.iter().any(|value| value == name);
    let mut next = last.to_string();
    if let Some(letter) =
        next.pop().filter(|letter| letter.is_ascii_alphabetic() && !matches!(letter, 'z' | 'Z'))
    {
        next.push(char::from(letter as u8 + 1));
        if !taken(&next) {
            return next.into();
        }
    }
    fresh(&super::acts::stem(last), taken).into()
}

/// Labels as `key=value`, separated by commas.
fn labels(text: &str) -> Labels {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

/// The amounts that were typed; what is left empty is left out.
fn amounts(names: &[&'static str], typed: &Typed) -> Result<ResourceList, Refused> {
    let mut list = ResourceList::new();
    for name in names.iter().filter(|name| !typed.get(name).is_empty()) {
        list.insert((*name).to_owned(), quantity(name, typed)?);
    }
    Ok(list)
}

fn add_node(app: &mut App, _: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let name = typed.get("name");
    let mut node = Node::default();
    name.clone_into(&mut node.metadata.name);
    node.metadata.labels = labels(typed.get("labels"));
    node.metadata.labels.insert(HOSTNAME.to_owned(), name.to_owned());
    let domain = typed.get("domain");
    if !domain.is_empty() {
        node.metadata.labels.insert(key(app), domain.to_owned());
    }
    node.status.allocatable = amounts(&["cpu", "memory", "pods"], typed)?;
    node.status.capacity = node.status.allocatable.clone();
    defaults::node_status(&mut node.status);
    let errors = validation::node(WrittenNode { node: &node, taints: &[], pod_cidrs: &[] });
    let of_domain = |error: &FieldError| !domain.is_empty() && error.to_string().contains(domain);
    if let Some(error) =
        errors.iter().find(|error| error.field == "metadata.labels" && of_domain(error))
    {
        return Err(Refused::At("domain", error.to_string()));
    }
    refused(errors)?;
    if app.cluster().node(name).is_some() {
        return Err(Refused::At("name", exists("nodes", name)));
    }
    let title = done(app, EditMsg::DidAdd, name);
    make(app, &title, vec![Command::Put(Object::Node(Arc::new(node)))]);
    Ok(title)
}

fn refused(errors: Vec<FieldError>) -> Result<(), Refused> {
    if errors.is_empty() { Ok(()) } else { Err(Refused::Fields(errors)) }
}

/// The API server's words about a name that is taken.
fn exists(resource: &str, name: &str) -> String {
    [resource, " \"", name, "\" already exists"].concat()
}

fn done(app: &App, msg: EditMsg, name: &str) -> AttrValue {
    app.env().table().fill(msg, &[("what", name)])
}

/// The fields of a pod that both forms have.
fn pod_fields(app: &App, stem: &str) -> Vec<Field> {
    let mut classes = vec![AttrValue::default()];
    if let Some(playground) = app.engine().playground() {
        let all = playground.cluster().known_priority_classes();
        classes.extend(all.iter().map(|class| AttrValue::from(class.metadata.name.clone())));
    }
    vec![
        Field::text(
            "labels",
            ["app=", stem].concat(),
            &["metadata.labels", "spec.template.metadata.labels"],
        )
        .hint("app=web"),
        Field::text("cpu", "500m", &[]),
        Field::text("memory", "256Mi", &[]),
        Field::list("priorityClassName", "", classes, &["spec.priorityClassName"]),
    ]
}

fn namespace(app: &App) -> AttrValue {
    let selected =
        app.state().selected.as_ref().or_else(|| app.cluster().pending.first().map(|pod| &pod.key));
    selected
        .and_then(|key| key.split_once('/'))
        .map_or("default".into(), |(namespace, _)| namespace.to_owned().into())
}

/// Asks for a pod, which then waits for a node.
pub(super) fn pod(scene: &mut Scene<'_>) {
    let words: EditWords = scene.app.env().table();
    let namespace = namespace(scene.app);
    let taken = |name: &str| scene.app.cluster().pod(&[&*namespace, "/", name].concat()).is_some();
    let mut fields = vec![
        Field::text("name", fresh("pod-", taken), &["metadata.name"]),
        Field::text("namespace", namespace.clone(), &["metadata.namespace"]),
    ];
    fields.extend(pod_fields(scene.app, "pod"));
    let form = Form {
        title: words.text(EditMsg::AddPod),
        note: words.text(EditMsg::AddPodNote),
        fields,
        things: Vec::new(),
        submit: add_pod,
    };
    open(scene.app, form);
}

/// The pod that was typed, as the API server would keep it.
fn typed_pod(playground: &Playground, typed: &Typed) -> Result<Pod, Refused> {
    let mut pod = Pod::default();
    typed.get("name").clone_into(&mut pod.metadata.name);
    typed.get("namespace").clone_into(&mut pod.metadata.namespace);
    pod.metadata.labels = labels(typed.get("labels"));
    typed.get("priorityClassName").clone_into(&mut pod.spec.priority_class_name);
    let mut container = Container {
        name: "main".into(),
        image: "registry.k8s.io/pause:3.10".into(),
        ..Container::default()
    };
    container.resources.requests = amounts(&["cpu", "memory"], typed)?;
    pod.spec.containers.push(container);
    defaults::pod(&mut pod);
    refused(validation::pod(WrittenPod { pod: &pod, constraints: &[], tolerations: &[] }))?;
    let classes = playground.cluster().known_priority_classes();
    priority::admit(&mut pod.spec, classes.iter().map(|class| &**class)).map_err(|error| {
        Refused::At("priorityClassName", forbidden("pods", &pod.metadata.name, &error))
    })?;
    Ok(pod)
}

fn add_pod(app: &mut App, _: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let Some(playground) = app.engine().playground() else { return Ok(AttrValue::default()) };
    let pod = typed_pod(playground, typed)?;
    let key = pod.metadata.key();
    if playground.cluster().pod_named(&key).is_some() {
        return Err(Refused::At("name", exists("pods", &key.name)));
    }
    let title = done(app, EditMsg::DidAdd, &key.name);
    make(app, &title, vec![Command::Put(Object::Pod(Arc::new(pod)))]);
    app.act(crate::state::Action::Select(Some(key.to_string().into())));
    Ok(title)
}

/// The kinds of workloads that can be added.
const KINDS: [WorkloadKind; 4] = [
    WorkloadKind::Deployment,
    WorkloadKind::StatefulSet,
    WorkloadKind::ReplicaSet,
    WorkloadKind::Job,
];

/// Asks for a workload, whose pods then wait for nodes.
pub(super) fn workload(scene: &mut Scene<'_>) {
    let words: EditWords = scene.app.env().table();
    let kinds: Vec<AttrValue> = KINDS.iter().map(|kind| kind.as_str().into()).collect();
    let taken = |name: &str| {
        let all =
            scene.app.engine().playground().map(|playground| playground.cluster().workloads());
        all.is_some_and(|all| all.values().any(|workload| workload.metadata.name == name))
    };
    let name = fresh("app-", taken);
    let mut fields = vec![
        Field::list("kind", "Deployment", kinds, &[]),
        Field::text("name", name.clone(), &["metadata.name"]),
        Field::text("namespace", namespace(scene.app), &["metadata.namespace"]),
        Field::text("replicas", "3", &["spec.replicas", "spec.parallelism"]),
    ];
    fields.extend(pod_fields(scene.app, &name));
    let spread = ["", "DoNotSchedule", "ScheduleAnyway"].map(AttrValue::from).to_vec();
    fields.push(Field::list(
        "topologySpreadConstraints",
        "",
        spread,
        &["spec.topologySpreadConstraints"],
    ));
    let form = Form {
        title: words.text(EditMsg::AddWorkload),
        note: words.fill(EditMsg::AddWorkloadNote, &[("key", &key(scene.app))]),
        fields,
        things: Vec::new(),
        submit: add_workload,
    };
    open(scene.app, form);
}

fn add_workload(app: &mut App, _: &[Thing], typed: &Typed) -> Result<AttrValue, Refused> {
    let Some(playground) = app.engine().playground() else { return Ok(AttrValue::default()) };
    let replicas =
        integer(typed.get("replicas")).map_err(|error| Refused::At("replicas", error))?;
    if replicas < 0 {
        let words = [
            "spec.replicas: Invalid value: ",
            typed.get("replicas"),
            ": must be greater than or equal to 0",
        ];
        return Err(Refused::At("replicas", words.concat()));
    }
    let kind = KINDS
        .into_iter()
        .find(|kind| kind.as_str() == typed.get("kind"))
        .unwrap_or(WorkloadKind::Deployment);
    let mut pod = typed_pod(playground, typed)?;
    // A class gives each pod its priority when it is made.
    (pod.spec.priority, pod.spec.preemption_policy) = (None, None);
    let ObjectMeta { name, namespace, labels, .. } = pod.metadata;
    if labels.is_empty() {
        return Err(Refused::At("labels", "spec.selector: Required value".to_owned()));
    }
    let key = ObjectKey::new(namespace.as_str(), name.as_str());
    if playground.cluster().workload(kind, &key).is_some() {
        let resource = [
            kind.as_str().to_lowercase().as_str(),
            "s",
            (if kind == WorkloadKind::Job { ".batch" } else { ".apps" }),
        ]
        .concat();
        return Err(Refused::At("name", exists(&resource, &name)));
    }
    let selector = LabelSelector { match_labels: labels.clone(), ..LabelSelector::default() };
    let spread = typed.get("topologySpreadConstraints");
    if let Some(action) =
        UnsatisfiableConstraintAction::ALL.iter().find(|action| action.as_str() == spread)
    {
        pod.spec.topology_spread_constraints.push(TopologySpreadConstraint {
            max_skew: 1,
            topology_key: self::key(app),
            when_unsatisfiable: *action,
            label_selector: Some(selector.clone()),
            min_domains: None,
            node_affinity_policy: None,
            node_taints_policy: None,
            match_label_keys: Vec::new(),
        });
    }
    let job = kind == WorkloadKind::Job;
    let workload = Workload {
        kind,
        metadata: ObjectMeta {
            name: name.clone(),
            namespace,
            labels: labels.clone(),
            ..ObjectMeta::default()
        },
        replicas: Some(replicas),
        completions: job.then_some(replicas),
        indexed: false,
        suspended: false,
        first_ordinal: 0,
        // The API server selects a Job's pods by itself.
        selector: (!job).then_some(selector),
        template: PodTemplate { labels, spec: pod.spec, ..PodTemplate::default() },
        update_strategy: None,
        control: Arc::default(),
        status: Arc::default(),
    };
    let title = done(app, EditMsg::DidAdd, &[kind.as_str(), " ", &name].concat());
    match scale::create(playground, workload, &title) {
        Ok(command) => apply(app, command, title.clone()),
        Err(CommandError::Invalid { errors, .. }) => {
            return Err(Refused::Fields(errors.into_vec()));
        }
        Err(error) => return Err(Refused::At("name", error.to_string())),
    };
    Ok(title)
}
