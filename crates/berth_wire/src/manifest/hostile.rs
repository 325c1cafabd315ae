//! Inputs made to hurt, and inputs with random damage: something is said, and nothing breaks.

use super::*;
use crate::testing::Random;
use crate::{export, intake};

const WHOLE: &str = r#"apiVersion: v1
kind: List
items:
- &node
  apiVersion: v1
  kind: Node
  metadata: {name: node-a, labels: {zone: "a", ß: 😀}}
  spec: {taints: [{key: k, effect: NoSchedule}]}
  status: {capacity: {cpu: 4, memory: 8Gi}}
- <<: *node
  metadata: {name: node-b}
- apiVersion: v1
  kind: Pod
  metadata: {name: p, creationTimestamp: 2026-01-01T00:00:00Z}
  spec:
    containers: [{name: c, resources: {requests: {cpu: 1.5, memory: "1e9"}}}]
    topologySpreadConstraints:
    - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}
    affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}]}}
---
{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}}}}}
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 2}]}}
"#;

/// What replaces a random stretch.
const PATCHES: &[&str] = &[
    "",
    "",
    "",
    "\n",
    " ",
    "  ",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "null",
    "-1",
    "99999999999999999999",
    "1e999",
    "yes",
    "*node",
    "&node ",
    "<<: *node",
    "---\n",
    "|",
    ">",
    "\t",
    "\u{FEFF}",
    "😀",
    "#",
    "!!int ",
    "? ",
    "\\u",
    "\u{0}",
    "kind: Pod\n",
    "items:\n",
    "metadata: {name: p}\n",
];

/// Reads, expands, admits and exports.
fn put_through(text: &str) -> Report {
    let report = read(&[Source { name: "x", text }]);
    let intake = intake::take_in(&report, intake::SEED);
    let out = export::yaml(&report, &intake.objects);
    let again = read(&[Source { name: "y", text: &out }]);
    assert!(!again.has_errors(), "{text}\n{out}\n{:?}", again.problems);
    report
}

#[test]
fn the_whole_is_fine() {
    let report = put_through(WHOLE);
    assert_eq!(report.problems, []);
    assert_eq!((report.items.len(), report.configuration.is_some()), (4, true));
}

#[test]
fn random_damage() {
    let mut random = Random::new(3);
    let mut refused = 0;
    for _ in 0..1000 {
        let mut text = WHOLE.to_owned();
        for _ in 0..=random.below(3) {
            let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let start = *random.one_of(&borders);
            let rest: Vec<usize> = borders.into_iter().filter(|at| *at >= start).take(12).collect();
            let end = *random.one_of(&rest);
            let patch: &&str = random.one_of(PATCHES);
            text.replace_range(start..end, patch);
        }
        refused += u32::from(put_through(&text).has_errors());
    }
    // Most damage is seen.
    assert!((300..1000).contains(&refused), "{refused}");
}

#[test]
fn much_of_everything() {
    let object = |spec: &str| {
        format!(
            "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"p\"}},\"spec\":{spec}}}"
        )
    };
    let many = |item: &str, count: usize| vec![item; count].join(",");
    let keys = |count: usize| {
        (0..count).map(|i| format!("\"containerz{i}\":1")).collect::<Vec<_>>().join(",")
    };
    for text in [
        object(&format!("{{{}}}", keys(100_000))),
        object(&format!("{{{}}}", many("\"a\":1", 100_000))),
        object(&format!("{{\"tolerations\":[{}]}}", many("{\"operator\":\"Exist\"}", 100_000))),
        object(&format!("{{\"containers\":[{}]}}", many("7", 500_000))),
        format!("[{}]", many("7", 500_000)),
        many("{\"kind\":\"X\"}", 100_000).replace(',', "\n"),
        "---\n".repeat(200_000),
        "a: 1\n---\n".repeat(20_000),
        format!("a: [{}]", many("\"", 100_001)),
        "? ".repeat(100_000),
        "a:\n".repeat(100_000),
        "[]\n".repeat(100_000),
        "\"".repeat(1_000_001),
        format!("\"{}\"", "\\uD800".repeat(300_000)),
    ] {
        let report = read(&[Source { name: "x", text: &text }]);
        assert!(report.items.len() <= 1 && report.problems.len() <= 1000, "{}", &text[..50]);
    }
    // Keys and names from last to first, which fills a sorted list from the wrong end.
    let down = |item: &str| {
        let items = (0..50_000).rev().map(|i| item.replace('@', &format!("{i:06}")));
        items.collect::<Vec<_>>().join(",")
    };
    let labels = format!(
        "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"p\",\"labels\":{{{}}}}}}}",
        down("\"@\":\"\"")
    );
    let report = put_through(&labels);
    assert_eq!(report.items.len(), 1);
    let profiles = down("{\"schedulerName\":\"@\",\"pluginConfig\":[{\"name\":\"@\"}]}");
    let plugins = down("{\"name\":\"@\"}");
    for profiles in [
        profiles.chars().take(400_000).collect::<String>().rsplit_once(",{").unwrap().0.to_owned(),
        format!("{{\"pluginConfig\":[{plugins}]}}"),
    ] {
        let text = format!(
            "{{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":\"KubeSchedulerConfiguration\",\"profiles\":[{profiles}]}}"
        );
        let report = put_through(&text);
        assert!(report.configuration.is_some(), "{:?}", report.problems.first());
    }
    let list = |item: &str, count: usize| vec![item.to_owned(); count].join(",");
    let configuration = format!(
        "{{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\",\"kind\":\"KubeSchedulerConfiguration\",\"profiles\":[{{\"pluginConfig\":[{}]}}]}}",
        list("{\"name\":\"x\"}", 100_000)
    );
    assert!(read(&[Source { name: "x", text: &configuration }]).has_errors());
}

#[test]
fn many_workloads_and_many_pods_without_owners() {
    let mut text = String::new();
    for i in 0..2000 {
        text += &"{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"metadata\":{\"name\":\"rN\"},\"spec\":{\"replicas\":0,\"selector\":{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"DoesNotExist\"},{\"key\":\"b\",\"operator\":\"Exists\"}]},\"template\":{\"metadata\":{\"labels\":{\"b\":\"c\"}}}}}\n".replace('N', &i.to_string());
        text += &"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"pN\",\"labels\":{\"a\":\"b\"}}}\n".replace('N', &i.to_string());
    }
    let report = read(&[Source { name: "x", text: &text }]);
    let intake = intake::take_in(&report, intake::SEED);
    assert_eq!((intake.objects.len(), intake.lines.len()), (4000, 2000));
}
