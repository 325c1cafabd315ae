//! What comes in, what comes out, and what is said about it.

use std::fmt::Write;

use berth_core::api::{Pod, Quantity, StatusSource, Workload};

use super::*;

fn read_one(text: &str) -> Report {
    read(&[Source { name: "a.yaml", text }])
}

fn keys(report: &Report) -> Vec<String> {
    report
        .items
        .iter()
        .map(|item| format!("{} {}", item.object.kind().as_str(), item.object.key()))
        .collect()
}

fn problems(report: &Report) -> Vec<String> {
    report.problems.iter().map(ToString::to_string).collect()
}

/// The only pod of an input that has no problem.
fn pod(text: &str) -> Pod {
    let report = read_one(text);
    assert_eq!(problems(&report), [""; 0], "{text}");
    match &report.items[..] {
        [Item { object: Object::Pod(pod), .. }] => Pod::clone(pod),
        _ => panic!("one pod: {text}"),
    }
}

fn workload(text: &str) -> Workload {
    let report = read_one(text);
    assert_eq!(problems(&report), [""; 0], "{text}");
    match &report.items[..] {
        [Item { object: Object::Workload(workload), .. }] => Workload::clone(workload),
        _ => panic!("one workload: {text}"),
    }
}

fn list(resources: &berth_core::api::ResourceList) -> String {
    let words = resources.iter().map(|(name, quantity)| format!("{name}={quantity}"));
    words.collect::<Vec<_>>().join(" ")
}

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a}}";

#[test]
fn every_shape_of_input() {
    let json_pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#;
    let bare = r#"{"metadata":{"name":"a"}}"#;
    for text in [
        POD.to_owned(),
        json_pod.to_owned(),
        format!("# a comment\n---\n{POD}\n---\n"),
        format!("apiVersion: v1\nkind: List\nitems:\n- {POD}\n"),
        format!("apiVersion: v1\nitems:\n- {POD}\nkind: List\nmetadata: {{resourceVersion: ''}}\n"),
        format!(r#"{{"apiVersion":"v1","items":[{json_pod}],"kind":"List"}}"#),
        // Items of a list of one kind need no kind, wherever the list says its own.
        format!(r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{}},"items":[{bare}]}}"#),
        format!(r#"{{"apiVersion":"v1","items":[{bare}],"kind":"PodList"}}"#),
        format!("items:\n- {bare}\nkind: PodList\napiVersion: v1\n"),
        format!("[{json_pod}]"),
        // A snapshot of kube-scheduler-simulator.
        format!(
            r#"{{"pods":[{bare}],"nodes":[],"pvs":[],"pvcs":null,"storageClasses":[],"priorityClasses":[],"schedulerConfig":null,"namespaces":[]}}"#
        ),
    ] {
        let report = read_one(&text);
        assert_eq!(
            (keys(&report), problems(&report)),
            (vec!["Pod default/a".to_owned()], vec![]),
            "{text}"
        );
        let Object::Pod(pod) = &report.items[0].object else { panic!("a pod") };
        assert_eq!(pod.spec.scheduler_name, "default-scheduler");
        // What it came as can be read again without its list.
        let again = read_one(&report.items[0].text);
        assert_eq!((keys(&again), problems(&again)), (keys(&report), vec![]), "{text}");
    }
    for text in [
        "",
        "---\n",
        "{}\n---",
        "apiVersion: v1\nkind: List\nitems: []\n",
        "[]",
        r#"{"kind":"NodeList","apiVersion":"v1","items":null}"#,
    ] {
        let report = read_one(text);
        assert!(report.items.is_empty(), "{text}");
        assert_eq!(problems(&report).len(), usize::from(text.starts_with("{}")), "{text}");
    }
}

#[test]
fn several_files_are_one_input() {
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: node}\nspec: {unschedulable: true}\n";
    let again = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node\"}}";
    let report = read(&[
        Source { name: "1.yaml", text: node },
        Source { name: "2.yaml", text: POD },
        Source { name: "3.json", text: again },
        Source { name: "4.yaml", text: "a: b" },
    ]);
    // The later content, in the earlier place.
    assert_eq!(keys(&report), ["Node node", "Pod default/a"]);
    let Object::Node(node) = &report.items[0].object else { panic!("a node") };
    assert!(!node.spec.unschedulable);
    assert_eq!(
        problems(&report),
        [
            "3.json:1:1: note: Node node: given before: the last one counts",
            "4.yaml:1:1: error: Object 'Kind' is missing"
        ]
    );
}

#[test]
fn a_configuration_and_other_kinds() {
    let report = read_one(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n\
         ---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: x}\ndata: {a: b}\n\
         ---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: p}\n",
    );
    assert_eq!(
        report.configuration.as_ref().map(|c| c.percentage_of_nodes_to_score),
        Some(Some(50))
    );
    let kinds: Vec<_> = report
        .others
        .iter()
        .map(|other| (&*other.foreign.kind, other.foreign.key.to_string()))
        .collect();
    assert_eq!(kinds, [("ConfigMap", "x/c".to_owned()), ("PersistentVolumeClaim", "p".to_owned())]);
    assert_eq!(
        problems(&report),
        [
            "a.yaml:10:1: warning: PersistentVolumeClaim p: volumes are not simulated: the volume plugins decide nothing"
        ]
    );
}

#[test]
fn all_errors_at_once_with_their_places() {
    let text = "\
apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {version: 1.30, on: 'yes', ready: yes}
spec:
  containers:
  - name: c
    resources: {requests: {cpu: 1x, memory: [1]}}
    ports: [{containerPort: http, protocol: tcp}]
  topologySpreadConstraints:
  - maxskew: 1
    topologyKey: zone
    whenUnsatisfiable: doNotSchedule
  - maxSkew: 1.5
    topologyKey: 7
  nodeName: [n]
  tolerations: {}
  priority: 4294967296
  hostNetwork: 'true'
  volumes: [{name: v, persistentVolumeClaim: {claimName: p}}, {name: w, csi: {}}]
status: {startTime: yesterday}
";
    let quantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    let go = |found: &str, field: &str, kind: &str| {
        format!("json: cannot unmarshal {found} into Go struct field {field} of type {kind}")
    };
    let want = [
        (5, 21, "error", "metadata.labels[version]", go("number", "ObjectMeta.metadata.labels", "string") + " (did you mean \"1.30\"?)"),
        (5, 45, "error", "metadata.labels[ready]", go("bool", "ObjectMeta.metadata.labels", "string") + " (did you mean \"yes\"?)"),
        (9, 33, "error", "spec.containers[0].resources.requests[cpu]", quantity.to_owned()),
        (9, 45, "error", "spec.containers[0].resources.requests[memory]", quantity.to_owned()),
        (10, 29, "error", "spec.containers[0].ports[0].containerPort", go("string", "ContainerPort.spec.containers.ports.containerPort", "int32")),
        (10, 45, "error", "spec.containers[0].ports[0].protocol", r#"Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP" (did you mean TCP?)"#.to_owned()),
        (12, 5, "note", "spec.topologySpreadConstraints[0].maxskew", r#"unknown field "maxskew" (did you mean maxSkew?)"#.to_owned()),
        (14, 24, "error", "spec.topologySpreadConstraints[0].whenUnsatisfiable", r#"Unsupported value: "doNotSchedule": supported values: "DoNotSchedule", "ScheduleAnyway" (did you mean DoNotSchedule?)"#.to_owned()),
        (15, 14, "error", "spec.topologySpreadConstraints[1].maxSkew", go("number 1.5", "TopologySpreadConstraint.spec.topologySpreadConstraints.maxSkew", "int32")),
        (16, 18, "error", "spec.topologySpreadConstraints[1].topologyKey", go("number", "TopologySpreadConstraint.spec.topologySpreadConstraints.topologyKey", "string") + " (did you mean \"7\"?)"),
        (15, 5, "error", "spec.topologySpreadConstraints[1].whenUnsatisfiable", r#"Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway""#.to_owned()),
        (17, 13, "error", "spec.nodeName", go("array", "PodSpec.spec.nodeName", "string")),
        (18, 16, "error", "spec.tolerations", go("object", "PodSpec.spec.tolerations", "[]v1.Toleration")),
        (19, 13, "error", "spec.priority", go("number 4294967296", "PodSpec.spec.priority", "int32")),
        (20, 16, "error", "spec.hostNetwork", go("string", "PodSpec.spec.hostNetwork", "bool")),
        (21, 23, "warning", "spec.volumes[0].persistentVolumeClaim", "persistent volumes are not simulated: VolumeBinding, VolumeZone, NodeVolumeLimits and VolumeRestrictions could refuse nodes that Berth accepts".to_owned()),
        (21, 73, "warning", "spec.volumes[1].csi", "disks are not simulated: VolumeRestrictions and NodeVolumeLimits could refuse nodes that Berth accepts".to_owned()),
        (22, 21, "error", "status.startTime", r#"parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006""#.to_owned()),
    ];
    let want: Vec<String> = want
        .iter()
        .map(|(line, column, severity, path, message)| {
            format!("a.yaml:{line}:{column}: {severity}: Pod web: {path}: {message}")
        })
        .collect();
    let report = read_one(text);
    assert!(report.items.is_empty());
    assert_eq!(problems(&report), want);
}

#[test]
fn objects_that_are_none() {
    for (text, want) in [
        ("a: b", "1:1: error: Object 'Kind' is missing"),
        ("kind: Pod", "1:1: error: Pod: Object 'apiVersion' is missing"),
        ("[1]", "1:2: error: not a Kubernetes object, but a number"),
        ("hello", "1:1: error: not a Kubernetes object, but a string"),
        (
            "apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}]",
            "3:9: error: a: Object 'Kind' is missing",
        ),
        (
            "apiVersion: v1beta1\nkind: Pod\nmetadata: {name: a}",
            r#"1:13: error: Pod a: no kind "Pod" is registered for version "v1beta1"; Berth reads v1"#,
        ),
        (
            "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: a}",
            r#"1:13: error: Deployment a: no kind "Deployment" is registered for version "extensions/v1beta1"; Berth reads apps/v1"#,
        ),
        (
            "apiVersion: v1\nkind: Pod\n",
            "1:1: error: Pod: metadata.name: Required value: name or generateName is required",
        ),
        (
            r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","name":"b"}}"#,
            r#"1:56: error: Pod b: key "name" already set in map"#,
        ),
    ] {
        let report = read_one(text);
        assert_eq!(
            problems(&report).first().map(|p| p.replacen("a.yaml:", "", 1)),
            Some(want.to_owned()),
            "{text}"
        );
    }
    // The same kind of another group is another kind.
    let report = read_one("apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: a}");
    assert_eq!((report.others.len(), report.problems.len()), (1, 0));
}

#[test]
fn classes_and_budgets_are_validated() {
    let class = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n";
    let budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n";
    for (text, want) in [
        (
            format!("{class}metadata: {{name: big, namespace: x}}\nvalue: 1000000001\n"),
            &[
                "a.yaml:1:1: error: PriorityClass x/big: metadata.namespace: Forbidden: not allowed on this type",
                "a.yaml:1:1: error: PriorityClass x/big: value: Forbidden: maximum allowed value of a user defined \
                 priority is 1000000000",
            ][..],
        ),
        (format!("{class}metadata: {{name: system-node-critical}}\nvalue: 2000001000\n"), &[]),
        (
            format!("{class}value: 1\n"),
            &[
                "a.yaml:1:1: error: PriorityClass: metadata.name: Required value: name or generateName is required",
            ],
        ),
        (
            format!("{budget}spec: {{minAvailable: 150%}}\n"),
            &[
                "a.yaml:1:1: error: PodDisruptionBudget b: spec.minAvailable: Invalid value: \"150%\": must not be \
                 greater than 100%",
            ],
        ),
        (format!("{budget}spec: {{maxUnavailable: 1, selector: {{}}}}\n"), &[]),
    ] {
        let report = read_one(&text);
        assert_eq!(problems(&report), want, "{text}");
        assert_eq!(report.items.is_empty(), !want.is_empty());
    }
}

#[test]
fn a_budget_keeps_the_status_that_it_came_with() {
    let budget = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n";
    for (status, source) in [
        ("", StatusSource::Computed),
        ("status: {}\n", StatusSource::Computed),
        ("status: null\n", StatusSource::Computed),
        // `kubectl create --dry-run` prints this.
        (
            "status: {currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0}\n",
            StatusSource::Computed,
        ),
        ("status: {disruptionsAllowed: 0, observedGeneration: 1}\n", StatusSource::Pinned),
        ("status: {disruptionsAllowed: 2}\n", StatusSource::Pinned),
    ] {
        let report = read_one(&format!("{budget}{status}"));
        match &report.items[..] {
            [Item { object: Object::PodDisruptionBudget(budget), .. }] => {
                assert_eq!(budget.status_source, source, "{status}");
            }
            _ => panic!("one budget: {status}"),
        }
    }
}

#[test]
fn pods_are_defaulted_as_the_api_server_does() {
    let with = |spec: &str| {
        pod(&format!("{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {spec}}}"))
    };
    let spec = with("{}").spec;
    assert_eq!(
        (&*spec.scheduler_name, spec.termination_grace_period_seconds),
        ("default-scheduler", Some(30))
    );
    assert_eq!((spec.priority, spec.preemption_policy), (None, None));

    // Limits become requests where there are none; amounts are rounded up to thousandths.
    let spec = with(
        "{containers: [{resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 100u}}}], \
          initContainers: [{resources: {limits: {cpu: 0.0001}}}], overhead: {cpu: 1n}}",
    )
    .spec;
    assert_eq!(list(&spec.containers[0].resources.requests), "cpu=1m memory=1Gi");
    assert_eq!(list(&spec.init_containers[0].resources.requests), "cpu=1m");
    assert_eq!(list(&spec.overhead), "cpu=1m");
    let huge = with("{overhead: {cpu: 9223372036854775807}}").spec;
    assert_eq!(*huge.overhead.get("cpu").unwrap(), Quantity::parse("9223372036854775807").unwrap());

    // Ports: TCP, and with the host's network on the host too.
    let spec = with("{hostNetwork: true, containers: [{ports: [{containerPort: 80}, {containerPort: 81, hostPort: 82, protocol: UDP}]}]}").spec;
    let ports: Vec<_> = spec.containers[0]
        .ports
        .iter()
        .map(|p| (p.container_port, p.host_port, p.protocol.as_str()))
        .collect();
    assert_eq!(ports, [(80, 80, "TCP"), (81, 82, "UDP")]);
}

#[test]
fn pod_level_resources_are_defaulted() {
    let with = |resources: &str, containers: &str| {
        let text = format!(
            "{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{resources: {resources}, {containers}}}}}"
        );
        let resources = pod(&text).spec.resources.unwrap();
        (list(&resources.requests), list(&resources.limits))
    };
    // Two containers side by side, one sidecar, one that runs before: 1 + 1 + 1 = 3 against 1 + 4 = 5.
    let containers = "containers: [{resources: {requests: {cpu: 1}}}, {resources: {requests: {cpu: 1}}}], \
        initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 1}}}, {resources: {requests: {cpu: 4}}}]";
    let both = |requests: &str, limits: &str| (requests.to_owned(), limits.to_owned());
    assert_eq!(with("{limits: {cpu: 8}}", containers), both("cpu=5", "cpu=8"));
    // Without limits nothing is filled in; given requests stay.
    assert_eq!(with("{requests: {memory: 1}}", containers), both("memory=1", ""));
    assert_eq!(with("{requests: {cpu: 6}, limits: {cpu: 8}}", containers), both("cpu=6", "cpu=8"));
    // What no container asks for is the limit; other resources are none of the pod's.
    assert_eq!(
        with("{limits: {memory: 2Gi, example.com/gpu: 1}}", containers),
        both("cpu=5 memory=2Gi", "example.com/gpu=1 memory=2Gi")
    );
    // Huge pages of the containers raise the pod's limit, and that the request.
    let pages = "containers: [{resources: {limits: {hugepages-2Mi: 4Mi}}}, {resources: {limits: {hugepages-2Mi: 2Mi}}}]";
    assert_eq!(
        with("{limits: {cpu: 1}}", pages),
        both("cpu=1 hugepages-2Mi=6Mi", "cpu=1 hugepages-2Mi=6Mi")
    );
}

#[test]
fn other_kinds_are_defaulted() {
    let report = read_one(
        "{apiVersion: v1, kind: Node, metadata: {name: k}, status: {capacity: {cpu: 1u}}}\n---\n\
         {apiVersion: v1, kind: Node, metadata: {name: m}, status: {capacity: {cpu: 1}, allocatable: {}}}\n---\n\
         {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n---\n\
         {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: p}, value: 7}\n",
    );
    assert_eq!(problems(&report), [""; 0]);
    let [k, m, x, p] = &report.items[..] else { panic!("four objects") };
    let Object::Node(k) = &k.object else { panic!("a node") };
    assert_eq!(
        (list(&k.status.capacity), list(&k.status.allocatable)),
        ("cpu=1m".to_owned(), "cpu=1m".to_owned())
    );
    let Object::Node(m) = &m.object else { panic!("a node") };
    assert_eq!(list(&m.status.allocatable), "");
    assert_eq!(x.object.metadata().labels.get("kubernetes.io/metadata.name").unwrap(), "x");
    let Object::PriorityClass(p) = &p.object else { panic!("a class") };
    assert_eq!(
        (p.value, p.preemption_policy.map(berth_core::api::PreemptionPolicy::as_str)),
        (7, Some("PreemptLowerPriority"))
    );
}

#[test]
fn workloads_are_defaulted() {
    let of = |version: &str, kind: &str, spec: &str| {
        workload(&format!(
            "{{apiVersion: {version}, kind: {kind}, metadata: {{name: w}}, spec: {spec}}}"
        ))
    };
    let template = "template: {metadata: {labels: {a: b}}, spec: {containers: [{resources: {limits: {cpu: 1u}}}]}}";
    let deployment = of("apps/v1", "Deployment", &format!("{{{template}}}"));
    assert_eq!(deployment.replicas, Some(1));
    let strategy = deployment.update_strategy.unwrap();
    let percent = Some(berth_core::api::IntOrPercent::Percent("25%".to_owned()));
    assert_eq!(
        (&*strategy.kind, strategy.max_surge, strategy.max_unavailable),
        ("RollingUpdate", percent.clone(), percent)
    );
    // A template is no pod: limits do not become requests yet.
    let spec = deployment.template.spec;
    assert_eq!(
        (&*spec.scheduler_name, list(&spec.containers[0].resources.limits)),
        ("default-scheduler", "cpu=1m".to_owned())
    );
    assert!(spec.containers[0].resources.requests.is_empty());

    let rc = of("v1", "ReplicationController", &format!("{{replicas: 0, {template}}}"));
    assert_eq!(
        (rc.replicas, rc.selector.unwrap().match_labels.get("a").unwrap().as_str()),
        (Some(0), "b")
    );
    let job = of("batch/v1", "Job", &format!("{{{template}}}"));
    assert_eq!((job.replicas, job.completions), (Some(1), Some(1)));
    let job = of("batch/v1", "Job", "{parallelism: 3, completionMode: Indexed, suspend: true}");
    assert_eq!(
        (job.replicas, job.completions, job.indexed, job.suspended),
        (Some(3), None, true, true)
    );
    let set = of("apps/v1", "StatefulSet", "{replicas: 2, ordinals: {start: 5}}");
    assert_eq!((set.replicas, set.first_ordinal), (Some(2), 5));
    assert_eq!(of("apps/v1", "DaemonSet", "{}").replicas, None);
}

#[test]
fn marks_say_what_is_left_out() {
    let report = read_one(
        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: p}}, \
         {name: w, persistentVolumeClaim: {claimName: q}}, {name: x, ephemeral: {}}, {name: z, emptyDir: {}}], \
         resourceClaims: [{name: r, resourceClaimName: s}]}}",
    );
    let Object::Pod(pod) = &report.items[0].object else { panic!("a pod") };
    assert_eq!(
        marks(&pod.spec),
        [Mark::PersistentVolumeClaim, Mark::EphemeralVolume, Mark::ResourceClaim]
    );
    assert_eq!(report.problems.len(), 4);
}

#[test]
fn slices_give_the_same_as_the_whole() {
    let mut text = "apiVersion: v1\nkind: List\nitems:\n".to_owned();
    for i in 0..50 {
        writeln!(
            text,
            "- {{apiVersion: v1, kind: Pod, metadata: {{name: p{i}}}, spec: {{priority: x}}}}"
        )
        .unwrap();
        writeln!(text, "- {{apiVersion: v1, kind: Node, metadata: {{name: n{i}}}}}").unwrap();
    }
    let json =
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"x\"}}\n".repeat(20);
    let sources = [Source { name: "a", text: &text }, Source { name: "b", text: &json }];
    let whole = read(&sources);
    let mut reader = Reader::new(&sources, Entrance::Paste);
    let mut last = Progress { done: 0, total: 0, finished: false };
    let mut steps = 0;
    while !last.finished {
        let now = reader.step(100);
        assert!(
            now.done >= last.done && now.done <= now.total && now.total == text.len() + json.len()
        );
        last = now;
        steps += 1;
    }
    assert!(steps > 50, "{steps}");
    assert_eq!(last.done, last.total);
    let sliced = reader.finish();
    assert_eq!((keys(&sliced), problems(&sliced)), (keys(&whole), problems(&whole)));
    assert_eq!(keys(&whole).len(), 51);
}

#[test]
fn an_input_that_is_too_large_is_not_read() {
    let most = Entrance::Paste.most_bytes();
    let text = format!("{POD}\n#{}", "x".repeat(most - POD.len() - 2));
    for (text, fits) in [(text.clone(), true), (text + "x", false)] {
        let mut reader = Reader::new(&[Source { name: "pasted", text: &text }], Entrance::Paste);
        while !reader.step(1 << 20).finished {}
        let report = reader.finish();
        assert_eq!((report.items.len(), report.has_errors()), (usize::from(fits), !fits));
    }
}

#[test]
fn problems_are_limited() {
    let text = "1\n".repeat(5000).replace("1\n", "{\"a\":1}\n");
    let report = read_one(&text);
    assert_eq!((report.problems.len(), report.problems_left_out), (1000, 4000));
    // And those of one object.
    let labels: Vec<String> = (0..500).map(|i| format!("a{i}: 1")).collect();
    let report = read_one(&format!(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: a, labels: {{{}}}}}}}",
        labels.join(", ")
    ));
    assert_eq!(report.problems.len(), 201);
    assert_eq!(report.problems[200].finding.message, "300 more like these");
}
