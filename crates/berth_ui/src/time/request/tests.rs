//! Requests, by what they show first and what they change.

use super::*;
use berth_wire::intake::{SEED, take_in};
use berth_wire::manifest::{Source, read};

const CLUSTER: &str = "
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: a, kubernetes.io/hostname: n1}}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {topology.kubernetes.io/zone: b, kubernetes.io/hostname: n2}}
---
apiVersion: v1
kind: Node
metadata: {name: n3, labels: {topology.kubernetes.io/zone: b, kubernetes.io/hostname: n3}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: {maxSurge: 1}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: 'web:1'}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
         labelSelector: {matchLabels: {app: web}}}
";

fn objects() -> Objects {
    let mut objects = Objects::default();
    for object in take_in(&read(&[Source { name: "", text: CLUSTER }]), SEED).objects {
        objects.insert(object);
    }
    objects
}

fn web() -> Subject {
    let kind = Kind::Workload(WorkloadKind::Deployment);
    Subject::Object(kind, ObjectKey::new("default", "web"))
}

/// The Deployment after a rollout with some fields filled in anew.
fn rolled(filled: &[(Field, &'static str)]) -> Option<Workload> {
    let objects = objects();
    let fields = Verb::Rollout.fields(&objects, &web());
    let typed = |field: Field| -> AttrValue {
        let new = filled.iter().find(|(known, _)| *known == field).map(|(_, text)| (*text).into());
        let own = fields.iter().find(|(known, _)| *known == field);
        new.or_else(|| own.map(|(_, text)| text.clone().into())).unwrap_or_default()
    };
    let requests = Verb::Rollout.requests(&objects, &web(), &typed)?;
    let [Command::Patch { kind, key, patch }] = &*requests else { panic!("it is one patch") };
    match patch.apply(objects.get(*kind, key)?) {
        Ok(Object::Workload(set)) => Some((*set).clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rollout_shows_what_there_is_and_changes_what_is_typed() {
    let fields = Verb::Rollout.fields(&objects(), &web());
    let own = |field: Field, text: &str| (field, text.to_owned());
    let wanted = [
        own(Field::Change, ""),
        own(Field::MaxSurge, "1"),
        own(Field::MaxUnavailable, "25%"),
        own(Field::MatchLabelKeys, "false"),
    ];
    assert_eq!(fields, wanted);
    assert!(rolled(&[]).is_none());
    let labelled = rolled(&[(Field::Change, "version = 2")]).expect("it changes");
    assert_eq!(labelled.template.labels.get("version").map(String::as_str), Some("2"));
    assert_eq!(labelled.template.digest, None);
    let image = rolled(&[(Field::Change, "web:2")]).expect("it changes");
    assert_eq!(image.template.spec.containers[0].image, "web:2");
    let narrowed = rolled(&[(Field::MatchLabelKeys, "true")]).expect("it changes");
    let constraint = &narrowed.template.spec.topology_spread_constraints[0];
    assert_eq!(constraint.match_label_keys, ["pod-template-hash"]);
    let faster = rolled(&[(Field::MaxUnavailable, "2")]).expect("it changes");
    let strategy = faster.update_strategy.expect("it has one");
    assert_eq!(strategy.max_surge, Some(IntOrPercent::Int(1)));
    assert_eq!(strategy.max_unavailable, Some(IntOrPercent::Int(2)));
    // Nothing may be added, and nothing may be missing: it could not begin.
    assert!(rolled(&[(Field::MaxSurge, "0%"), (Field::MaxUnavailable, "0")]).is_none());
    assert!(rolled(&[(Field::MaxSurge, "many")]).is_none());
}

#[test]
fn a_domain_goes_as_a_whole() {
    let objects = objects();
    let domains = Verb::DomainDown.subjects(&objects);
    let zone = |value: &str| Subject::Domain("topology.kubernetes.io/zone".into(), value.into());
    assert_eq!(domains, [zone("a"), zone("b")]);
    let nothing = |_| AttrValue::default();
    let down = Verb::DomainDown.requests(&objects, &zone("b"), &nothing).unwrap_or_default();
    let names: Vec<String> = down.iter().map(|command| command.target().1.name).collect();
    assert_eq!(names, ["n2", "n3"]);
    assert!(down.iter().all(|command| matches!(command, Command::NodeDown(_))));
}

#[test]
fn scaling_shows_how_many_there_are() {
    let objects = objects();
    assert_eq!(Verb::Scale.fields(&objects, &web()), [(Field::Replicas, "2".to_owned())]);
    for (typed, wanted) in [("5", true), ("0", true), ("", false), ("-1", false), ("many", false)] {
        let typed = |_| AttrValue::from(typed);
        assert_eq!(Verb::Scale.requests(&objects, &web(), &typed).is_some(), wanted);
    }
}
