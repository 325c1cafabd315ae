//! What a text comes to, on the cluster that the page opens with.

use super::check::{Checked, check, read};
use super::target::Target;
use super::words::EditorWords;
use crate::engine::Engine;
use crate::locale::Locale;
use crate::view::Severity;
use berth_core::api::{Kind, Object, ObjectKey};
use berth_core::playground::{Command, Machine};

fn engine() -> Engine {
    let mut engine = Engine::default();
    engine.run_by(Machine::WHOLE);
    engine.open_example(&Locale::english()).unwrap();
    engine
}

/// What a text comes to with one thing in it replaced.
fn edited(engine: &Engine, target: &Target, from: &str, to: &str) -> Checked {
    let text = target.text(engine).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    let before = read(engine, target, &text);
    check(engine, target, &before, &text.replacen(from, to, 1), &EditorWords::read_english())
}

/// The places and words of what is said.
fn said(checked: &Checked) -> Vec<String> {
    let line = |problem: &crate::view::Problem| {
        let place = format!("{}:{}", problem.line, problem.column);
        format!("{place} {} {}", problem.path, problem.message)
    };
    checked.problems.iter().map(|remark| line(&remark.problem)).collect()
}

fn object(kind: Kind, key: &str) -> Target {
    Target::Object(kind, ObjectKey::parse(key))
}

/// Carries the plan out, and keeps the texts.
fn carry_out(engine: &mut Engine, checked: Checked) {
    let plan = checked.plan.unwrap();
    engine.playground_mut().unwrap().apply(plan.command.unwrap()).unwrap();
    for (object, text) in plan.texts {
        engine.keep_text(object, text);
    }
}

#[test]
fn every_kind_says_what_the_api_server_says_at_its_line() {
    let engine = engine();
    let web = Target::pod("shop/web-6");
    let node = Target::node("node-b2");
    let class = object(Kind::PriorityClass, "batch-low");
    let budget = object(Kind::PodDisruptionBudget, "shop/cache");
    for (target, from, to, want) in [
        (
            &web,
            "maxSkew: 1",
            "maxSkew: 0",
            "spec.topologySpreadConstraints[0].maxSkew Invalid value: 0: must be greater than zero",
        ),
        (
            &web,
            "name: web-6",
            "name: other",
            "metadata.name Invalid value: \"other\": field is immutable",
        ),
        (
            &web,
            "kind: Pod",
            "kind: Namespace",
            "kind At least one of apiVersion, kind and name was changed",
        ),
        (
            &web,
            "web-standard",
            "nobody",
            "spec.priorityClassName pods \"web-6\" is forbidden: no PriorityClass with name nobody was found",
        ),
        (
            &web,
            "priority: 100",
            "priority: 7",
            "spec.priority pods \"web-6\" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 100 from the given PriorityClass name",
        ),
        (
            &web,
            "app: web",
            "app: web-",
            "metadata.labels Invalid value: \"web-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        ),
        (
            &node,
            "spot",
            "spot!",
            "metadata.taints[0].key Invalid value: \"spot!\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        ),
        (&class, "value: 0", "value: 5", "value Forbidden: may not be changed in an update."),
        (
            &budget,
            "minAvailable: 2",
            "minAvailable: -2",
            "spec.minAvailable Invalid value: -2: must be greater than or equal to 0",
        ),
        (
            &Target::Configuration,
            "kind: KubeSchedulerConfiguration",
            "kind: KubeSchedulerConfiguration\npodInitialBackoffSeconds: 0",
            "podInitialBackoffSeconds Invalid value: 0: must be greater than 0",
        ),
        (
            &Target::Cluster,
            "maxSkew: 1",
            "maxSkew: 0",
            "spec.topologySpreadConstraints[0].maxSkew Invalid value: 0: must be greater than zero",
        ),
    ] {
        let checked = edited(&engine, target, from, to);
        let said = said(&checked);
        assert!(said.iter().any(|line| line.ends_with(want)), "{to}: {said:?}");
        assert!(checked.plan.is_none() && checked.errors() > 0, "{to}");
        // At the line of what was changed; what is decoded by itself is said at the object.
        let text = target.text(&engine).unwrap().replacen(from, to, 1);
        let line = text[..text.find(to).unwrap()].matches('\n').count() as u32 + 1;
        let lines: Vec<u32> = checked.problems.iter().map(|r| r.problem.line).collect();
        let new_line = line + to.matches('\n').count() as u32;
        let owner = ["labels:", "apiVersion"];
        let at = |line: u32| text.lines().nth(line as usize - 1).unwrap_or_default().trim();
        assert!(
            lines.iter().any(|found| *found == line
                || *found == new_line
                || owner.iter().any(|start| at(*found).starts_with(start))),
            "{to}: {lines:?} and not {line}"
        );
    }
}

#[test]
fn a_text_that_says_the_same_changes_nothing() {
    let engine = engine();
    for target in [
        Target::pod("shop/web-6"),
        Target::node("node-c2"),
        object(Kind::PriorityClass, "ledger-high"),
        object(Kind::PodDisruptionBudget, "shop/cache"),
        Target::Configuration,
        Target::Cluster,
    ] {
        let checked = edited(&engine, &target, "kind: ", "# a comment\nkind:   ");
        assert_eq!(said(&checked), Vec::<String>::new(), "{target:?}");
        assert!(checked.plan.unwrap().command.is_none(), "{target:?}");
    }
}

#[test]
fn what_was_wrong_before_is_no_reason_to_refuse_what_is_written_now() {
    let mut engine = engine();
    let target = Target::pod("shop/web-6");
    let playground = engine.playground_mut().unwrap();
    let Some(Object::Pod(mut pod)) =
        playground.cluster().get(Kind::Pod, &ObjectKey::parse("shop/web-6"))
    else {
        panic!("the pod is there");
    };
    std::sync::Arc::make_mut(&mut pod).spec.containers[0].image.clear();
    playground.apply(Command::Put(Object::Pod(pod))).unwrap();
    let checked = edited(&engine, &target, "maxSkew: 1", "maxSkew: 2");
    assert_eq!(checked.errors(), 0);
    assert!(checked.plan.is_some());
    let [remark] = &*checked.problems else { panic!("{:?}", said(&checked)) };
    assert_eq!(remark.problem.severity, Severity::Warning);
    assert_eq!(remark.problem.message, "Required value (was so before)");
}

#[test]
fn what_scheduling_does_not_read_is_kept_and_taken_back_with_its_step() {
    let mut engine = engine();
    let target = Target::pod("shop/web-6");
    let checked = edited(&engine, &target, "  containers:", "  hostname: one\n  containers:");
    carry_out(&mut engine, checked);
    assert!(target.text(&engine).unwrap().contains("hostname: one"));
    assert!(Target::Cluster.text(&engine).unwrap().contains("hostname: one"));
    let checked = edited(&engine, &target, "hostname: one", "hostname: two");
    carry_out(&mut engine, checked);
    // What is changed elsewhere leaves it alone.
    let checked = edited(&engine, &Target::Cluster, "hostname: two", "hostname: three");
    carry_out(&mut engine, checked);
    assert!(target.text(&engine).unwrap().contains("hostname: three"));
    for want in [Some("hostname: two"), Some("hostname: one"), None] {
        assert!(engine.undo());
        let text = target.text(&engine).unwrap();
        let found = text.lines().find(|line| line.contains("hostname"));
        assert_eq!(found.map(str::trim), want);
    }
}

#[test]
fn the_whole_cluster_changes_in_one_step() {
    let mut engine = engine();
    let start = engine.objects().1;
    let text = Target::Cluster.text(&engine).unwrap();
    let mut documents: Vec<&str> = text.split("---\n").collect();
    documents.retain(|document| !document.contains("name: train-1\n"));
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: new}\nstatus: {allocatable: {cpu: 1, pods: 9}}\n";
    documents.push(node);
    let text = documents.join("---\n").replacen("maxSkew: 1", "maxSkew: 2", 1);
    let target = Target::Cluster;
    let before = read(&engine, &target, &target.text(&engine).unwrap());
    let checked = check(&engine, &target, &before, &text, &EditorWords::read_english());
    assert_eq!(said(&checked), Vec::<String>::new());
    carry_out(&mut engine, checked);
    let now = engine.objects().1;
    let has = |key: &str| now.iter().any(|object| object.key() == ObjectKey::parse(key));
    assert!(has("new") && !has("shop/train-1"));
    let changed = now.iter().filter(|object| !start.contains(object)).count();
    assert_eq!(changed, 2, "the new node and one pod");
    assert!(engine.undo());
    assert_eq!(engine.objects().1, start);
    assert!(engine.next_undo().is_none());
}

#[test]
fn a_configuration_is_read_written_and_taken_back() {
    let mut engine = engine();
    let target = Target::Configuration;
    let with = "kind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    score:\n      disabled:\n      - name: ImageLocality";
    let checked = edited(&engine, &target, "kind: KubeSchedulerConfiguration", with);
    carry_out(&mut engine, checked);
    assert!(target.text(&engine).unwrap().contains("ImageLocality"));
    assert!(engine.undo());
    assert!(!target.text(&engine).unwrap().contains("ImageLocality"));
}
