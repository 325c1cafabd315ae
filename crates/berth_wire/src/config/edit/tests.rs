//! What a form does to a configuration.

use super::{Step, edited, find, mapping, number, text};
use crate::config::{decode, encode, whole};
use crate::tree::{Node, Value, write};
use berth_core::framework::config::{
    Configuration, PodTopologySpreadDefaulting, ScoringStrategyType, UtilizationShapePoint,
};

fn set(path: &str, value: Node<'static>) -> Step {
    Step::Set(path.to_owned(), value)
}

/// The paths of what is wrong, with the words.
fn wrong(steps: &[Step]) -> Vec<String> {
    let findings = edited(&Configuration::default(), steps).expect_err("it is refused");
    findings.iter().map(ToString::to_string).collect()
}

const FIT: &str = "profiles[0].pluginConfig[4].args.scoringStrategy";
const SPREAD: &str = "profiles[0].pluginConfig[5].args";
const MULTI: &str = "profiles[0].plugins.multiPoint.enabled";

#[test]
fn nothing_changed_is_the_same() {
    let default = Configuration::default();
    assert_eq!(edited(&default, &[]), Ok(default));
}

#[test]
fn every_configuration_reads_as_what_it_was_when_written_whole() {
    for text in crate::config::encode::TEXTS {
        let head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
        let text = [head, text].concat();
        let configuration = decode(&crate::tree::yaml::parse(&text).unwrap()).unwrap();
        let once = edited(&configuration, &[]).unwrap();
        let plain = |of: &Configuration| {
            let mut of = of.clone();
            for profile in &mut of.profiles {
                profile.plugins.multi_point.disabled.clear();
            }
            of
        };
        assert_eq!(plain(&once), plain(&configuration), "{text}");
        assert_eq!(decode(&encode(&once)).as_ref().map(plain), Ok(plain(&once)), "{text}");
    }
}

#[test]
fn a_strategy_brings_what_it_needs() {
    let point = |utilization: &str, score: &str| {
        mapping([("utilization", number(utilization)), ("score", number(score))])
    };
    let shape = Node::made(Value::Sequence(vec![point("0", "0"), point("100", "10")]));
    let steps = [
        set(&format!("{FIT}.type"), text("RequestedToCapacityRatio")),
        set(&format!("{FIT}.requestedToCapacityRatio.shape"), shape),
    ];
    let ratio = edited(&Configuration::default(), &steps).unwrap();
    let strategy = &ratio.profiles[0].args.node_resources_fit.scoring_strategy;
    let want = [(0, 0), (100, 10)]
        .map(|(utilization, score)| UtilizationShapePoint { utilization, score })
        .to_vec();
    assert_eq!(strategy.kind, ScoringStrategyType::RequestedToCapacityRatio(want));
    let back = [
        set(&format!("{FIT}.type"), text("LeastAllocated")),
        Step::Remove(format!("{FIT}.requestedToCapacityRatio")),
    ];
    assert_eq!(edited(&ratio, &back), Ok(Configuration::default()));
}

#[test]
fn what_is_refused_is_said_at_its_path() {
    assert_eq!(
        wrong(&[set(&format!("{FIT}.type"), text("RequestedToCapacityRatio"))]),
        [format!(
            "{FIT}.requestedToCapacityRatio: Required value: must be specified when type is RequestedToCapacityRatio"
        )]
    );
    assert_eq!(
        wrong(&[set("percentageOfNodesToScore", number("101"))]),
        ["percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"]
    );
    assert_eq!(
        wrong(&[set(&format!("{MULTI}[4].weight"), number("much"))]),
        [format!(
            "{MULTI}[4].weight: json: cannot unmarshal string into Go struct field \
             Plugin.profiles.plugins.multiPoint.enabled.weight of type int32"
        )]
    );
}

#[test]
fn plugins_go_come_and_move() {
    let default = Configuration::default();
    let at = |of: &Configuration, name: &str| {
        let plugins = &of.profiles[0].plugins.multi_point.enabled;
        plugins.iter().position(|plugin| plugin.name == name)
    };
    let place = at(&default, "ImageLocality").unwrap();
    let without = edited(&default, &[Step::Remove(format!("{MULTI}[{place}]"))]).unwrap();
    assert_eq!(at(&without, "ImageLocality"), None);
    assert_eq!(without.profiles[0].plugins.multi_point.disabled, ["ImageLocality"]);
    // What is written says only what differs.
    let yaml = write::yaml(&encode(&without));
    assert!(yaml.contains("disabled:\n      - name: ImageLocality\n"), "{yaml}");

    let plugin = mapping([("name", text("ImageLocality")), ("weight", number("1"))]);
    let again = edited(&without, &[Step::Insert(MULTI.to_owned(), place, plugin)]).unwrap();
    assert_eq!(again, default);
    let moved = edited(&default, &[Step::Move(MULTI.to_owned(), place, 0)]).unwrap();
    assert_eq!(at(&moved, "ImageLocality"), Some(0));
    assert_eq!(edited(&moved, &[Step::Move(MULTI.to_owned(), 0, place)]), Ok(default));
}

#[test]
fn lists_are_made_where_there_are_none() {
    let constraint = mapping([
        ("maxSkew", number("2")),
        ("topologyKey", text("zone")),
        ("whenUnsatisfiable", text("ScheduleAnyway")),
    ]);
    let steps = [
        set(&format!("{SPREAD}.defaultingType"), text("List")),
        Step::Insert(format!("{SPREAD}.defaultConstraints"), usize::MAX, constraint),
    ];
    let list = edited(&Configuration::default(), &steps).unwrap();
    let PodTopologySpreadDefaulting::List(constraints) =
        &list.profiles[0].args.pod_topology_spread.defaulting
    else {
        panic!("it is a list");
    };
    assert_eq!((constraints.len(), constraints[0].max_skew), (1, 2));
}

#[test]
fn a_path_finds_what_is_there() {
    let default = Configuration::default();
    let tree = whole(&default);
    let value = |path: &str| find(&tree, path).map(write::json);
    assert_eq!(value(&format!("{FIT}.resources[1].name")).as_deref(), Some("\"memory\""));
    assert_eq!(value(&format!("{MULTI}[4].weight")).as_deref(), Some("3"));
    assert_eq!(value(&format!("{FIT}.resources[2].name")), None);
    assert_eq!(value("profiles[1]"), None);
    assert_eq!(value(""), None);
}
