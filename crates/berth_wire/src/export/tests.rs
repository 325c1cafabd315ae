//! Nothing that came in is lost, and only what was edited changes.

use std::sync::Arc;

use super::*;
use crate::manifest::{Source, read};
use crate::testing::{Random, random_text, random_tree};
use crate::tree::same_data;

fn report(text: &str) -> Report {
    let report = read(&[Source { name: "a", text }]);
    assert!(!report.has_errors(), "{:?}\n{text}", report.problems);
    report
}

fn objects(report: &Report) -> Vec<Object> {
    taken(report).into_iter().take(report.items.len()).collect()
}

/// The objects as the page works with them.
fn taken(report: &Report) -> Vec<Object> {
    crate::intake::take_in(report, crate::intake::SEED).objects
}

/// Changes the first pod.
fn edit(objects: &mut [Object], change: impl Fn(&mut berth_core::api::Pod)) {
    for object in objects {
        if let Object::Pod(pod) = object {
            return change(Arc::make_mut(pod));
        }
    }
}

const POD: &str = "\
apiVersion: v1
kind: Pod
metadata:
  name: a
  annotations:
    note: \"1.30\"
  managedFields:
  - manager: kubectl
spec:
  containers:
  - name: c
    image: x
    env:
    - name: A
      value: \"yes\"
    resources:
      requests:
        cpu: 1000m
  - name: d
    command:
    - sh
    - -c
    - |
      echo 1
      echo 2
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: zone
    whenUnsatisfiable: DoNotSchedule
    futureField: 7
  unknown:
    deep:
    - 1
    - x: null
status:
  hostIP: 10.0.0.1
";

#[test]
fn without_edits_it_is_the_same() {
    let report = report(POD);
    assert_eq!(yaml(&report, &objects(&report)), POD);
}

#[test]
fn only_what_was_edited_changes() {
    let report = report(POD);
    let with = |change: fn(&mut berth_core::api::Pod)| {
        let mut objects = objects(&report);
        edit(&mut objects, change);
        yaml(&report, &objects)
    };
    assert_eq!(
        with(|pod| pod.spec.topology_spread_constraints[0].max_skew = 2),
        POD.replace("maxSkew: 1", "maxSkew: 2")
    );
    assert_eq!(
        with(|pod| pod.spec.node_name = "n1".to_owned()),
        POD.replace("status:\n", "  nodeName: n1\nstatus:\n")
    );
    // One container goes; the other keeps what Berth does not know of it.
    let shorter = with(|pod| {
        pod.spec.containers.remove(0);
    });
    let (start, end) = (POD.find("  - name: c").unwrap(), POD.find("  - name: d").unwrap());
    assert_eq!(shorter, POD[..start].to_owned() + &POD[end..]);
    // In another order, each keeps its own.
    let swapped = with(|pod| pod.spec.containers.swap(0, 1));
    assert!(swapped.find("sh").unwrap() < swapped.find("env").unwrap(), "{swapped}");
    assert_eq!(
        with(|pod| {
            let cpu = berth_core::api::Quantity::parse("2").unwrap();
            pod.spec.containers[0].resources.requests.insert("cpu".to_owned(), cpu);
            pod.metadata.labels.insert("app".to_owned(), "web".to_owned());
        }),
        POD.replace("cpu: 1000m", "cpu: \"2\"")
            .replace("spec:\n", "  labels:\n    app: web\nspec:\n")
    );
    // The last of a list takes the list with it.
    assert_eq!(with(|pod| pod.spec.topology_spread_constraints.clear()), {
        let start = POD.find("  topologySpread").unwrap();
        POD[..start].to_owned() + &POD[POD.find("  unknown:").unwrap()..]
    });
}

#[test]
fn what_taking_in_did_is_no_edit() {
    let text = "\
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
---
apiVersion: v1
kind: Pod
metadata:
  name: a
  labels:
    app: web
spec:
  priorityClassName: system-node-critical
";
    let report = report(text);
    let taken = crate::intake::take_in(&report, crate::intake::SEED).objects;
    let Object::Pod(pod) = &taken[1] else { panic!("a pod") };
    assert_eq!((pod.spec.priority, pod.metadata.owner_references.len()), (Some(2_000_001_000), 1));
    assert_eq!(yaml(&report, &taken), text);
    // An edit beside it is one.
    let mut edited = taken;
    edit(&mut edited, |pod| pod.spec.node_name = "n1".to_owned());
    assert_eq!(yaml(&report, &edited), text.to_owned() + "  nodeName: n1\n");
}

#[test]
fn objects_come_and_go() {
    let text = format!(
        "{POD}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\ndata: {{a: b}}\n---\n\
         apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n"
    );
    let report = report(&text);
    let pod = berth_core::api::Pod::default();
    let mut pod = pod;
    pod.metadata.name = "new".to_owned();
    pod.metadata.namespace = "default".to_owned();
    let out = yaml(&report, &[Object::Pod(Arc::new(pod))]);
    assert_eq!(
        out,
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: new\n  namespace: default\n---\n\
         apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: b\n---\n\
         apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n"
    );
    let list = json(&report, &objects(&report));
    let again = self::report(&list);
    assert_eq!(
        (again.items.len(), again.others.len(), again.configuration.is_some()),
        (1, 1, true)
    );
}

#[test]
fn items_of_a_typed_list_get_their_kind() {
    let report =
        report(r#"{"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"node"}}]}"#);
    assert_eq!(
        yaml(&report, &objects(&report)),
        "apiVersion: v1\nkind: Node\nmetadata:\n  name: node\n"
    );
}

/// A pod with random values in fields that Berth knows and in fields that it does not.
fn random_pod(random: &mut Random, number: u64) -> String {
    let mut spec = Vec::new();
    for field in ["nodeName", "priorityClassName", "schedulerName", "dnsPolicy", "madeUp"] {
        if random.below(2) == 0 {
            let mut value = String::new();
            write::json_string(&random_text(random), &mut value);
            spec.push(format!("{field:?}:{value}"));
        }
    }
    for field in ["securityContext", "unknownTree", "dnsConfig"] {
        if random.below(2) == 0 {
            spec.push(format!("{field:?}:{}", write::json(&random_tree(random, 3))));
        }
    }
    let count = random.below(4);
    let containers: Vec<String> = (0..count)
        .map(|i| {
            let more = write::json(&random_tree(random, 2));
            format!(
                r#"{{"name":"c{i}","env":{more},"resources":{{"limits":{{"cpu":"{}m"}}}}}}"#,
                random.below(5000)
            )
        })
        .collect();
    spec.push(format!(r#""containers":[{}]"#, containers.join(",")));
    let tolerations: Vec<String> = (0..random.below(3))
        .map(|i| format!(r#"{{"key":"k{i}","operator":"Exists","made":{i}}}"#))
        .collect();
    spec.push(format!(r#""tolerations":[{}]"#, tolerations.join(",")));
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p{number}","annotations":{{"a":"b"}}}},"spec":{{{}}},"status":{{"x":1}}}}"#,
        spec.join(",")
    )
}

#[test]
fn random_pods_round_trip_with_and_without_edits() {
    let mut random = Random::new(2);
    for number in 0..500 {
        let text = random_pod(&mut random, number);
        let source = json::parse(&text).unwrap();
        let came = report(&text);
        let out = yaml(&came, &taken(&came));
        let back = crate::tree::yaml::parse(&out).unwrap();
        assert!(same_data(&source, &back), "{text}\n{out}");

        // Edit, export, read: Berth sees the edit; undo, export: the source again.
        let before = taken(&came);
        let mut after = before.clone();
        let choice = random.below(5);
        edit(&mut after, |pod| match choice {
            0 => pod.spec.node_name = format!("node-{number}"),
            1 => pod.spec.priority = Some(7),
            2 => pod.spec.tolerations.truncate(1),
            3 => {
                pod.spec.containers.pop();
            }
            _ => {
                pod.metadata.labels.insert("x".to_owned(), "y".to_owned());
            }
        });
        let edited = report(&yaml(&came, &after));
        // A pod that gives its priority is admitted no more: without a policy it preempts all the same.
        if choice == 1 {
            edit(&mut after, |pod| pod.spec.preemption_policy = None);
        }
        assert_eq!(taken(&edited), after, "{text}");
        let undone = object(Some(&edited.items[0].text), &before[0]);
        let undone = json::parse(&undone).unwrap();
        // What an edit removed is gone for good with all that was in it.
        if choice != 2 && choice != 3 {
            let want = if before[0] == after[0] { &source } else { &undone };
            assert_eq!(taken(&report(&write::json(want))), before, "{text}");
        }
    }
}

#[test]
fn every_kind_is_encoded_as_it_is_read() {
    let text = r#"
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: node, labels: {a: b}, creationTimestamp: "2026-01-01T00:00:00Z"}, spec: {unschedulable: true, taints: [{key: k, value: v, effect: NoSchedule}]}, status: {capacity: {cpu: 1}, allocatable: {cpu: 900m}, images: [{names: [x], sizeBytes: 7}]}}
- {apiVersion: v1, kind: Namespace, metadata: {name: ns}}
- {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 9, globalDefault: true, preemptionPolicy: Never, description: d}
- {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: pdb}, spec: {minAvailable: 50%, selector: {}, unhealthyPodEvictionPolicy: AlwaysAllow}, status: {disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 3, expectedPods: 4, disruptedPods: {x: "2026-01-01T00:00:00Z"}, observedGeneration: 7, conditions: [{type: DisruptionAllowed, status: "True", reason: SufficientPods}]}}
- {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: computed, generation: 3, resourceVersion: "12"}, spec: {maxUnavailable: 1}, status: {disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0}}
- {apiVersion: v1, kind: Service, metadata: {name: svc}, spec: {selector: {a: b}}}
- {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 2, selector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [b]}]}, strategy: {type: Recreate}, template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never}}}}
- {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {ordinals: {start: 3}, updateStrategy: {type: OnDelete}}}
- {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: s}, spec: {updateStrategy: {rollingUpdate: {maxSurge: 10%}}}}
- {apiVersion: v1, kind: ReplicationController, metadata: {name: rc}, spec: {selector: {a: b}}}
- {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 2, completions: 3, completionMode: Indexed, suspend: true}}
- apiVersion: v1
  kind: Pod
  metadata: {name: full, namespace: x, uid: u, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 5, ownerReferences: [{apiVersion: v1, kind: Job, name: j, uid: w, controller: true}]}
  spec:
    initContainers: [{name: i, restartPolicy: Always}]
    containers: [{name: c, image: x, ports: [{containerPort: 1, hostPort: 2, hostIP: 1.2.3.4, protocol: UDP}], resources: {limits: {cpu: 1}, requests: {cpu: 500m}}}]
    overhead: {cpu: 1}
    resources: {limits: {cpu: 3}}
    nodeSelector: {a: b}
    affinity:
      nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}], matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}, preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {}}]}
      podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}, namespaces: [a], namespaceSelector: {}, topologyKey: t, matchLabelKeys: [a], mismatchLabelKeys: [b]}]}
      podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {topologyKey: t}}]}
    topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {a: b}}, minDomains: 2, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, matchLabelKeys: [a]}]
    tolerations: [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 3}, {key: k, value: v}]
    schedulingGates: [{name: g}]
    nodeName: node
    schedulerName: mine
    priority: 3
    priorityClassName: high
    preemptionPolicy: Never
    terminationGracePeriodSeconds: 0
    restartPolicy: OnFailure
    hostNetwork: true
    volumes: [{name: a, emptyDir: {}}, {name: b, persistentVolumeClaim: {claimName: c}}, {name: d, ephemeral: {}}, {name: e, csi: {}}, {name: f, image: {reference: r}}]
    resourceClaims: [{name: r}]
  status: {phase: Failed, nominatedNodeName: o, startTime: "2026-01-01T00:00:00Z", conditions: [{type: Ready, status: "False", reason: r, message: m}]}
"#;
    let came = report(text);
    assert_eq!(came.items.len(), 12);
    for item in &came.items {
        let alone = object(None, &item.object);
        let again = report(&alone);
        assert_eq!(again.items[0].object, item.object, "{alone}");
    }
}

#[test]
fn what_is_being_written_goes_on_from_what_was_changed_meanwhile() {
    let before = "spec:\n  priority: 1\n  nodeName: a\nother: {x: 1}\n";
    let now = "spec:\n  priority: 1\n  nodeName: b\nother: {x: 1}\n";
    let draft = "# mine\nspec:\n  priority: 7\n  nodeName: a\nother: {x: 2}\n";
    let merged = super::merge(before, now, draft).unwrap();
    assert_eq!(merged, "spec:\n  priority: 7\n  nodeName: b\nother:\n  x: 2\n");
    // Who changed the same is who wrote last.
    assert_eq!(super::merge("a: 1\n", "a: 2\n", "a: 3\n").unwrap(), "a: 3\n");
    assert_eq!(super::merge("a: 1\n", "a: 2\n", "a: [\n"), None);
}
