//! Views to draw without an engine.

use super::*;
use std::rc::Rc;
use yew::AttrValue;

pub fn pod(name: &str, style: u8, priority: i32) -> Rc<PodChipView> {
    Rc::new(PodChipView {
        key: format!("shop/{name}").into(),
        name: name.to_owned().into(),
        app: AppTile { style, letters: name[..1].to_uppercase().into() },
        priority,
        protected: style == 1,
        terminating: false,
        marked: false,
        gates: 0,
    })
}

fn cap(
    resource: &'static str,
    used: &'static str,
    of: &'static str,
    pm: u16,
    add: u16,
    over: u16,
) -> CapacityView {
    CapacityView {
        resource: resource.into(),
        requested: used.into(),
        allocatable: of.into(),
        used: pm,
        adds: add,
        over,
    }
}

pub fn spread() -> Verdict {
    Verdict::Rejected(Rejected {
        plugin: "PodTopologySpread".into(),
        reason: "node(s) didn't match pod topology spread constraints".into(),
        equation: Some(Equation {
            terms: "2 + 1 − 1".into(),
            outcome: "2 > maxSkew 1".into(),
            holds: false,
        }),
        sum: sum(),
    })
}

fn sum() -> Rc<[SumRow]> {
    let row = |label: &'static str, value: &'static str, total| SumRow {
        label: label.into(),
        value: value.into(),
        total,
    };
    Rc::new([
        row("matching pods in zone-a", "2", false),
        row("+ this pod", "+ 1", false),
        row("− fewest in any zone", "− 1", false),
        row("skew, limit is maxSkew 1", "2 > 1", true),
    ])
}

pub fn fits(rank: u32, total: i64) -> Verdict {
    Verdict::Fits(Fits { rank, of: 3, total, tied: 1 })
}

fn node(
    name: &'static str,
    pods: Vec<Rc<PodChipView>>,
    verdict: Verdict,
    taint: bool,
    cordoned: bool,
) -> Rc<NodeCardView> {
    Rc::new(NodeCardView {
        name: name.into(),
        cordoned,
        taints: if taint {
            vec![TaintView { short: "gpu".into(), full: "dedicated=gpu:NoSchedule".into() }]
        } else {
            vec![]
        },
        capacity: vec![cap("cpu", "3.5", "4", 875, 125, 0), cap("mem", "4.5", "8 Gi", 560, 60, 0)],
        pods,
        gauges: vec![],
        verdict: Some(verdict),
    })
}

fn domain(
    value: &'static str,
    matching: i64,
    best: Option<&'static str>,
    nodes: Vec<Rc<NodeCardView>>,
) -> Rc<DomainView> {
    let skew = matching;
    let gauge = GaugeView {
        key: "topology.kubernetes.io/zone".into(),
        matching,
        incoming: 1,
        min: 1,
        min_forced: false,
        skew,
        max_skew: 1,
        within: skew <= 1,
        app: 0,
    };
    Rc::new(DomainView {
        value: Some(value.into()),
        gauges: vec![gauge],
        nodes,
        best: best.map(AttrValue::from),
    })
}

pub fn cluster() -> ClusterView {
    let out = Verdict::Rejected(Rejected {
        plugin: "NodeUnschedulable".into(),
        reason: "node(s) were unschedulable".into(),
        equation: None,
        sum: Rc::new([]),
    });
    ClusterView {
        name: "Spread: what skew means".into(),
        nodes: 7,
        pods: 18,
        key: "topology.kubernetes.io/zone".into(),
        keys: Rc::new(["topology.kubernetes.io/zone".into(), "kubernetes.io/hostname".into()]),
        domains: vec![
            domain(
                "zone-a",
                2,
                None,
                vec![
                    node(
                        "node-a1",
                        vec![
                            pod("web-1", 0, 100),
                            pod("cache-1", 1, 100),
                            pod("ledger-1", 2, 1000),
                        ],
                        spread(),
                        false,
                        false,
                    ),
                    node(
                        "node-a2",
                        vec![
                            pod("web-2", 0, 100),
                            pod("batch-1", 3, 0),
                            pod("batch-2", 3, 0),
                            pod("batch-3", 3, 0),
                        ],
                        spread(),
                        false,
                        false,
                    ),
                ],
            ),
            domain(
                "zone-b",
                1,
                Some("node-b1"),
                vec![
                    node(
                        "node-b1",
                        vec![pod("web-3", 0, 100), pod("cache-2", 1, 100), pod("batch-4", 3, 0)],
                        fits(1, 404),
                        false,
                        false,
                    ),
                    node(
                        "node-b2",
                        vec![pod("batch-5", 3, 0), pod("batch-6", 3, 0)],
                        fits(3, 313),
                        false,
                        false,
                    ),
                ],
            ),
            domain(
                "zone-c",
                1,
                Some("node-c1"),
                vec![
                    node(
                        "node-c1",
                        vec![
                            pod("web-4", 0, 100),
                            pod("cache-3", 1, 100),
                            pod("ledger-2", 2, 1000),
                            pod("batch-7", 3, 0),
                        ],
                        fits(2, 394),
                        false,
                        false,
                    ),
                    node("node-c3", vec![pod("train-1", 5, 500)], out, true, true),
                ],
            ),
        ],
        pending: vec![pod("web-5", 0, 100), pod("etl-1", 7, 0)],
        sampled: None,
    }
}

pub fn inspector() -> InspectorView {
    let cell = |passes, reached| FilterCell {
        passes,
        reached,
        reason: if passes {
            AttrValue::default()
        } else {
            "node(s) didn't match pod topology spread constraints".into()
        },
        equations: if passes {
            Rc::new([])
        } else {
            Rc::new([Equation {
                terms: "2 + 1 − 1".into(),
                outcome: "2 > maxSkew 1".into(),
                holds: false,
            }])
        },
        sums: if passes { Rc::new([]) } else { Rc::new([sum()]) },
        facts: Rc::new([]),
    };
    let names = ["node-a1", "node-a2", "node-b1", "node-b2", "node-c1", "node-c3"];
    let ranks = [None, None, Some(1), Some(3), Some(2), None];
    let seg = |letter: &'static str, style, weighted, width| Segment {
        letter: letter.into(),
        style,
        weighted,
        width,
    };
    let srow = |plugin: &'static str, letter: &'static str, style, raw, weight| ScoreRow {
        plugin: plugin.into(),
        letter: letter.into(),
        style,
        raw,
        normalized: raw,
        weight,
        weighted: raw * weight,
        sum: sum(),
    };
    InspectorView {
        key: "shop/web-5".into(),
        name: "web-5".into(),
        namespace: "shop".into(),
        app: AppTile { style: 0, letters: "W".into() },
        node: None,
        headline: Headline {
            feasible: 3,
            nodes: 6,
            best: Rc::new(["node-b1".into()]),
            gated: false,
        },
        event: Event {
            reason: "Scheduled".into(),
            message: "Successfully assigned shop/web-5 to node-b1".into(),
        },
        refusals: Rc::new([("PodTopologySpread".into(), 2), ("NodeUnschedulable".into(), 1)]),
        marks: Rc::new([]),
        bypassed: None,
        constraints: Rc::new([ConstraintView {
            topology_key: "topology.kubernetes.io/zone".into(),
            max_skew: 1,
            min_domains: None,
            hard: true,
            selector: "app=web".into(),
            match_label_keys: "".into(),
            matching: 4,
            affinity_honored: true,
            taints_honored: false,
            was_max_skew: Some(2),
        }]),
        priority: 100,
        priority_class: "web-standard".into(),
        classes: Rc::new([("web-standard".into(), 100)]),
        never_preempts: false,
        labels: Rc::new([Pair { key: "app".into(), value: "web".into() }]),
        requests: Rc::new([
            Request { resource: "cpu".into(), quantity: "500m".into(), editable: true },
            Request { resource: "memory".into(), quantity: "512Mi".into(), editable: true },
        ]),
        topology_keys: Rc::new([
            "topology.kubernetes.io/zone".into(),
            "kubernetes.io/hostname".into(),
        ]),
        filter: FilterTable {
            columns: names
                .iter()
                .zip(ranks)
                .enumerate()
                .map(|(i, (node, rank))| Column {
                    node: (*node).into(),
                    short: node[5..].into(),
                    gap: i > 0 && i % 2 == 0,
                    rank,
                })
                .collect(),
            rows: Rc::new([
                FilterRow {
                    plugin: "NodeUnschedulable".into(),
                    cells: vec![
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(false, true),
                    ],
                },
                FilterRow {
                    plugin: "NodeResourcesFit".into(),
                    cells: vec![
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, false),
                    ],
                },
                FilterRow {
                    plugin: "PodTopologySpread".into(),
                    cells: vec![
                        cell(false, true),
                        cell(false, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, true),
                        cell(true, false),
                    ],
                },
            ]),
            skipped: Rc::new(["NodePorts".into(), "NodeAffinity".into()]),
        },
        score: ScoreTable {
            bars: Rc::new([
                ScoreBar {
                    node: "node-b1".into(),
                    rank: 1,
                    total: 404,
                    segments: Rc::new([
                        seg("T", 0, 300, 743),
                        seg("F", 2, 31, 77),
                        seg("B", 3, 73, 180),
                    ]),
                    rows: Rc::new([
                        srow("TaintToleration", "T", 0, 100, 3),
                        srow("NodeResourcesFit", "F", 2, 31, 1),
                        srow("ImageLocality", "I", 4, 0, 1),
                    ]),
                },
                ScoreBar {
                    node: "node-c1".into(),
                    rank: 2,
                    total: 394,
                    segments: Rc::new([
                        seg("T", 0, 300, 743),
                        seg("F", 2, 20, 50),
                        seg("B", 3, 74, 183),
                    ]),
                    rows: Rc::new([srow("TaintToleration", "T", 0, 100, 3)]),
                },
            ]),
            skipped: Rc::new(["NodeAffinity".into()]),
        },
    }
}
