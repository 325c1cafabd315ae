//! What workloads make, adopt and leave alone.

use berth_core::controllers::expand;

use super::*;
use crate::manifest::{Source, read};

fn intake(text: &str) -> Intake {
    let report = read(&[Source { name: "a.yaml", text }]);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    take_in(&report, 1)
}

fn lines(intake: &Intake) -> Vec<String> {
    intake.lines.iter().map(describe).collect()
}

fn created(intake: &Intake) -> Vec<&Object> {
    intake.objects.iter().skip(intake.given).collect()
}

fn created_pods(intake: &Intake) -> Vec<&Pod> {
    let pods = created(intake).into_iter().filter_map(|object| match object {
        Object::Pod(pod) => Some(&**pod),
        _ => None,
    });
    pods.collect()
}

const TEMPLATE: &str = "selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}}";

fn workload(version: &str, kind: &str, rest: &str) -> String {
    format!(
        "{{apiVersion: {version}, kind: {kind}, metadata: {{name: web, uid: u}}, spec: {{{TEMPLATE}, {rest}}}}}\n---\n"
    )
}

fn pod(name: &str, rest: &str) -> String {
    format!(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, labels: {{app: web}}, {rest}}}}}\n---\n"
    )
}

fn owned(name: &str, kind: &str, owner: &str, uid: &str) -> String {
    pod(
        name,
        &format!(
            "ownerReferences: [{{kind: {kind}, name: {owner}, uid: {uid}, controller: true}}]"
        ),
    )
}

fn is_suffix(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(&byte))
}

#[test]
fn a_deployment_makes_a_replica_set_and_that_its_pods() {
    let text = workload("apps/v1", "Deployment", "replicas: 3");
    let intake = intake(&text);
    let [Object::Workload(set), ..] = created(&intake)[..] else { panic!("a ReplicaSet first") };
    let hash = set.template.labels.get("pod-template-hash").unwrap();
    assert_eq!(set.metadata.name, format!("web-{hash}"));
    assert_eq!(set.selector.as_ref().unwrap().match_labels.get("pod-template-hash"), Some(hash));
    assert_eq!(
        set.metadata.controller().map(|owner| (&*owner.kind, &*owner.uid)),
        Some(("Deployment", "u"))
    );
    assert_eq!(
        lines(&intake),
        [
            "Deployment default/web: adopted 0, created 1".to_owned(),
            format!("ReplicaSet default/web-{hash}: adopted 0, created 3")
        ]
    );
    let pods = created_pods(&intake);
    assert_eq!(pods.len(), 3);
    for pod in &pods {
        let suffix = pod.metadata.name.strip_prefix(&format!("web-{hash}-")).unwrap();
        assert!(is_suffix(suffix), "{suffix}");
        assert_eq!(pod.metadata.labels, set.template.labels);
        let owner = pod.metadata.controller().unwrap();
        assert_eq!(
            (&*owner.api_version, &*owner.kind, &owner.name),
            ("apps/v1", "ReplicaSet", &set.metadata.name)
        );
        // As the API server keeps it: defaults and priority.
        assert!(pod.spec.containers[0].resources.requests.contains_key("cpu"));
        assert_eq!((pod.spec.priority, &*pod.spec.scheduler_name), (Some(0), "default-scheduler"));
    }
    assert!(
        pods[0].metadata.name != pods[1].metadata.name
            && pods[1].metadata.name != pods[2].metadata.name
    );

    // The same again; other names for another seed; another hash for another template.
    let report = read(&[Source { name: "a", text: &text }]);
    assert_eq!(take_in(&report, 1).objects, intake.objects);
    assert_ne!(take_in(&report, 2).objects, intake.objects);
    let other = self::intake(&text.replace("cpu: 1", "cpu: 2"));
    let [Object::Workload(other), ..] = created(&other)[..] else { panic!("a ReplicaSet first") };
    assert_ne!(other.template.labels.get("pod-template-hash"), Some(hash));
}

#[test]
fn what_is_there_is_adopted() {
    // By owner reference: the whole of what `kubectl get deploy,rs,pods` prints.
    let deployment = workload("apps/v1", "Deployment", "replicas: 2");
    let set = format!(
        "{{apiVersion: apps/v1, kind: ReplicaSet, metadata: {{name: web-1, uid: r, labels: {{app: web, pod-template-hash: '1'}}, \
         ownerReferences: [{{kind: Deployment, name: web, uid: u, controller: true}}]}}, spec: {{replicas: 2, {}}}}}\n---\n",
        TEMPLATE.replace("app: web", "app: web, pod-template-hash: '1'")
    );
    let pods = owned("a", "ReplicaSet", "web-1", "r") + &owned("b", "ReplicaSet", "web-1", "r");
    let whole = intake(&(deployment + &set + &pods));
    assert_eq!(
        lines(&whole),
        [
            "Deployment default/web: adopted 1, created 0",
            "ReplicaSet default/web-1: adopted 2, created 0"
        ]
    );
    assert!(created(&whole).is_empty());

    // Without the ReplicaSet, which is made again under its name; what is missing is added.
    let pods = pods.replace("app: web", "app: web, pod-template-hash: '1'");
    let without = intake(&(workload("apps/v1", "Deployment", "replicas: 3") + &pods));
    assert_eq!(
        lines(&without),
        [
            "Deployment default/web: adopted 0, created 1",
            "ReplicaSet default/web-1: adopted 2, created 1"
        ]
    );
    assert_eq!(created(&without)[0].metadata().uid, "r");
    assert_eq!(created_pods(&without)[0].metadata.labels.get("pod-template-hash").unwrap(), "1");

    // By selector: pods without a controller. One that is over counts for nothing.
    let text = workload("apps/v1", "ReplicaSet", "replicas: 2")
        + &pod("a", "")
        + &pod("b", "deletionTimestamp: '2026-01-01T00:00:00Z'")
        + &owned("c", "Job", "other", "o");
    let by_selector = intake(&text);
    assert_eq!(lines(&by_selector), ["ReplicaSet default/web: adopted 1, created 1"]);
    let adopted = &by_selector.objects[1];
    assert_eq!(adopted.metadata().controller().map(|owner| &*owner.uid), Some("u"));
    assert!(by_selector.objects[2].metadata().controller().is_none());

    // Too many stay.
    let text = workload("v1", "ReplicationController", "replicas: 1")
        .replace("selector: {matchLabels: {app: web}}", "selector: {app: web}")
        + &pod("a", "")
        + &pod("b", "");
    let excess = intake(&text);
    assert_eq!(
        lines(&excess),
        ["ReplicationController default/web: adopted 2, created 0, 1 more than it wants"]
    );

    // An owner of the same name with another identity is another owner.
    let stranger = intake(
        &(workload("apps/v1", "ReplicaSet", "replicas: 1")
            + &owned("a", "ReplicaSet", "web", "old")),
    );
    assert_eq!(lines(&stranger), ["ReplicaSet default/web: adopted 0, created 1"]);
}

#[test]
fn an_old_replica_set_is_left_to_shrink() {
    let deployment = workload("apps/v1", "Deployment", "replicas: 3");
    let old = format!(
        "{{apiVersion: apps/v1, kind: ReplicaSet, metadata: {{name: web-0, labels: {{app: web}}}}, spec: {{replicas: 1, {}}}}}\n",
        TEMPLATE.replace("cpu: 1", "cpu: 9")
    );
    let lines = lines(&intake(&(deployment + &old)));
    assert_eq!(
        &lines[..2],
        [
            "Deployment default/web: adopted 1, created 1",
            "ReplicaSet default/web-0: adopted 0, created 1"
        ]
    );
    assert!(lines[2].ends_with(": adopted 0, created 2"), "{lines:?}");
}

#[test]
fn stateful_sets_number_their_pods() {
    let text =
        workload("apps/v1", "StatefulSet", "replicas: 3, ordinals: {start: 4}") + &pod("web-5", "");
    let intake = intake(&text);
    assert_eq!(lines(&intake), ["StatefulSet default/web: adopted 1, created 2"]);
    let pods = created_pods(&intake);
    assert_eq!(pods.iter().map(|pod| &*pod.metadata.name).collect::<Vec<_>>(), ["web-4", "web-6"]);
    let labels = &pods[1].metadata.labels;
    assert_eq!(
        (
            labels.get("statefulset.kubernetes.io/pod-name").unwrap().as_str(),
            labels.get("apps.kubernetes.io/pod-index").unwrap().as_str()
        ),
        ("web-6", "6")
    );
    assert!(labels.get("controller-revision-hash").unwrap().starts_with("web-"));
}

#[test]
fn daemon_sets_choose_their_nodes() {
    let node = |name: &str, rest: &str| {
        format!(
            "{{apiVersion: v1, kind: Node, metadata: {{name: {name}, labels: {{disk: ssd}}}}, {rest}}}\n---\n"
        )
    };
    let daemon = workload("apps/v1", "DaemonSet", "")
        .replace("spec: {containers", "spec: {nodeSelector: {disk: ssd}, containers");
    let text = daemon
        + &node("a", "")
        // Cordoned: daemon pods tolerate that taint.
        + &node("b", "spec: {taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}")
        + &node("c", "spec: {taints: [{key: gpu, effect: NoSchedule}]}")
        + &node("d", "spec: {taints: [{key: gpu, effect: PreferNoSchedule}]}")
        + &node("e", "").replace("disk: ssd", "disk: hdd")
        + &pod("there", "").replace("}}\n---", "}, spec: {nodeName: a}}\n---");
    let intake = intake(&text);
    assert_eq!(lines(&intake), ["DaemonSet default/web: adopted 1, created 2"]);
    let pods = created_pods(&intake);
    let targets: Vec<_> = pods
        .iter()
        .map(|pod| {
            assert!(is_suffix(pod.metadata.name.strip_prefix("web-").unwrap()));
            let affinity = pod.spec.affinity.as_ref().unwrap().node_affinity.as_ref().unwrap();
            let term = &affinity.required.as_ref().unwrap().node_selector_terms[0];
            assert_eq!(
                (&*term.match_fields[0].key, &*term.match_fields[0].operator),
                ("metadata.name", "In")
            );
            assert_eq!(
                (
                    pod.spec.tolerations.len(),
                    pod.metadata.labels.get("pod-template-generation").unwrap().as_str()
                ),
                (6, "1")
            );
            term.match_fields[0].values[0].clone()
        })
        .collect();
    assert_eq!(targets, ["b", "d"]);
    // Once made, they are found again by their affinity.
    let expansion = expand(&intake.objects, 1);
    assert_eq!((expansion.created.len(), expansion.lines[0].adopted), (0, 3));
}

#[test]
fn jobs_run_what_is_useful() {
    let job = |rest: &str| {
        format!(
            "{{apiVersion: batch/v1, kind: Job, metadata: {{name: web, uid: u}}, spec: {{template: {{spec: {{}}}}, {rest}}}}}\n---\n"
        )
    };
    let done = |index: &str| {
        format!(
            "{{apiVersion: v1, kind: Pod, metadata: {{name: done{index}, labels: {{batch.kubernetes.io/job-completion-index: '{index}'}}, \
             ownerReferences: [{{kind: Job, name: web, uid: u, controller: true}}]}}, status: {{phase: Succeeded}}}}\n---\n"
        )
    };
    for (text, want) in [
        (job(""), "adopted 0, created 1"),
        (job("parallelism: 3"), "adopted 0, created 3"),
        (job("parallelism: 3, completions: 2"), "adopted 0, created 2"),
        (job("parallelism: 3, suspend: true"), "adopted 0, created 0"),
        (job("parallelism: 3, completions: 4") + &done("1") + &done("2"), "adopted 2, created 2"),
        // Without completions one success is the end.
        (job("parallelism: 3") + &done("1"), "adopted 1, created 0"),
    ] {
        assert_eq!(lines(&intake(&text)), [format!("Job default/web: {want}")], "{text}");
    }
    let indexed = intake(
        &(job("parallelism: 2, completions: 4, completionMode: Indexed") + &done("0") + &done("2")),
    );
    let pods = created_pods(&indexed);
    let indexes: Vec<_> = pods
        .iter()
        .map(|pod| {
            pod.metadata.labels.get("batch.kubernetes.io/job-completion-index").unwrap().as_str()
        })
        .collect();
    assert_eq!(indexes, ["1", "3"]);
    assert!(is_suffix(pods[0].metadata.name.strip_prefix("web-1-").unwrap()));
    for (key, value) in [
        ("job-name", "web"),
        ("batch.kubernetes.io/job-name", "web"),
        ("controller-uid", "u"),
        ("batch.kubernetes.io/controller-uid", "u"),
    ] {
        assert_eq!(pods[0].metadata.labels.get(key).unwrap(), value);
    }
}

#[test]
fn workloads_that_can_make_nothing_say_why() {
    for (text, want) in [
        (
            workload("apps/v1", "ReplicaSet", "replicas: 1")
                .replace("labels: {app: web}", "labels: {app: db}"),
            "makes no pods: `selector` does not match template `labels`",
        ),
        (
            workload("apps/v1", "ReplicaSet", "replicas: 1")
                .replace("selector: {matchLabels: {app: web}}", "selector: null"),
            "makes no pods: its selector is not valid: Required value",
        ),
        (
            workload("apps/v1", "ReplicaSet", "replicas: 1").replace(
                "{matchLabels: {app: web}}",
                "{matchExpressions: [{key: app, operator: Like}]}",
            ),
            "makes no pods: its selector is not valid: \"Like\" is not a valid label selector operator",
        ),
        (
            workload("apps/v1", "ReplicaSet", "replicas: 2147483647"),
            "adopted 0, and makes no pods: it asks for too many",
        ),
        (
            workload("apps/v1", "StatefulSet", "replicas: 2147483647"),
            "adopted 0, and makes no pods: it asks for too many",
        ),
    ] {
        let intake = intake(&text);
        assert!(created(&intake).is_empty(), "{text}");
        assert!(lines(&intake)[0].ends_with(want), "{:?}", lines(&intake));
    }
}

#[test]
fn priorities_come_from_classes() {
    let class = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 7}\n---\n";
    let with = |name: &str, spec: &str| {
        format!("{{apiVersion: v1, kind: Pod, metadata: {{name: {name}}}, spec: {spec}}}\n---\n")
    };
    let text = class.to_owned()
        + &with("a", "{priorityClassName: high}")
        + &with("b", "{}")
        + &with("c", "{priorityClassName: none}")
        // Given already: taken as it is, as it comes out of a real cluster.
        + &with("d", "{priority: 3, priorityClassName: high}");
    let intake = intake(&text);
    let priorities: Vec<_> = intake
        .objects
        .iter()
        .filter_map(|object| match object {
            Object::Pod(pod) => Some(pod.spec.priority),
            _ => None,
        })
        .collect();
    assert_eq!(priorities, [Some(7), Some(0), None, Some(3)]);
    let words = "pods \"c\" is forbidden: no PriorityClass with name none was found".to_owned();
    assert_eq!(intake.refused, [RefusedPod { pod: ObjectKey::new("default", "c"), words }]);
}
