//! What is offered where.

use super::{Offer, complete, field_at, fields_of};

/// What is offered at `|`, after what is replaced.
fn offered(text: &str) -> (String, Vec<String>) {
    let offset = text.find('|').unwrap();
    let text = text.replace('|', "");
    let found = complete(&text, offset).unwrap();
    let names = found.offers.iter().map(|offer| offer.name().to_owned()).collect();
    (text[found.start..offset].to_owned(), names)
}

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n";

fn in_pod(rest: &str) -> (String, Vec<String>) {
    offered(&format!("{POD}{rest}"))
}

#[test]
fn fields_that_begin_so_and_are_not_there_yet() {
    let rest = "spec:\n  topologySpreadConstraints:\n  - maxSkew: 1\n    m|\n    minDomains: 2\n";
    assert_eq!(in_pod(rest), ("m".to_owned(), vec!["matchLabelKeys".to_owned()]));
    let rest = "spec:\n  topologySpreadConstraints:\n  - |\n    minDomains: 2\n";
    let (start, names) = in_pod(rest);
    assert_eq!(start, "");
    assert!(names.contains(&"maxSkew".to_owned()) && !names.contains(&"minDomains".to_owned()));
    // The list may be indented further, or the item begin with another list.
    let rest = "spec:\n  containers:\n    - name: main\n      ports:\n        - hostP|\n";
    assert_eq!(in_pod(rest).1, ["hostPort"]);
    assert_eq!(in_pod("spec:\n  containers:\n  - ports:\n    - hostP|\n").1, ["hostPort"]);
    assert_eq!(in_pod("spec:\n  contain|\n").1, ["containers"]);
    assert_eq!(in_pod("sp|").1, ["spec"]);
    assert_eq!(in_pod("spec:\n  CONTAIN|\n").1, ["containers"], "in any case");
    let rest = "spec:\n  containers:\n  - name: a\n    resources:\n      requests:\n        cpu: 1\n        m|\n";
    assert_eq!(in_pod(rest).1, ["memory"]);
}

#[test]
fn what_is_read_comes_before_what_is_only_kept() {
    let (_, names) = in_pod("spec:\n  host|\n");
    assert_eq!(names[..2], ["hostNetwork".to_owned(), "hostUsers".to_owned()]);
    assert!(names.contains(&"hostname".to_owned()));
}

#[test]
fn values_are_the_words_that_the_decoder_knows() {
    for (rest, want) in [
        (
            "spec:\n  topologySpreadConstraints:\n  - whenUnsatisfiable: Do|\n",
            &["DoNotSchedule"][..],
        ),
        ("spec:\n  tolerations:\n  - operator: E|\n", &["Equal", "Exists"]),
        ("spec:\n  preemptionPolicy: |\n", &["PreemptLowerPriority", "Never"]),
        ("spec:\n  dnsPolicy: D|\n", &["Default"]),
        ("spec:\n  hostNetwork: |\n", &["false", "true"]),
        ("spec:\n  priority: |\n", &[]),
        (
            "spec:\n  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        \
             nodeSelectorTerms:\n        - matchExpressions:\n          - operator: |\n",
            &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"],
        ),
    ] {
        assert_eq!(in_pod(rest).1, want, "{rest}");
    }
    assert_eq!(offered("apiVersion: v1\nkind: No|\n").1, ["Node"]);
    assert_eq!(offered("kind: Deployment\napiVersion: |\n").1, ["apps/v1"]);
}

#[test]
fn a_configuration_offers_plugins_and_their_arguments() {
    let head =
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n";
    let at = |rest: &str| offered(&format!("{head}{rest}")).1;
    assert_eq!(
        at("- plugins:\n    score:\n      disabled:\n      - name: ImageL|\n"),
        ["ImageLocality"]
    );
    let rest = "- pluginConfig:\n  - name: NodeResourcesFit\n    args:\n      scoringStrategy:\n        ty|\n";
    assert_eq!(at(rest), ["type"]);
    assert_eq!(
        at("- pluginConfig:\n  - name: PodTopologySpread\n    args:\n      defaulting|\n"),
        ["defaultingType"]
    );
}

#[test]
fn documents_are_apart_and_some_places_offer_nothing() {
    let text = format!("{POD}---\napiVersion: v1\nkind: Node\nspec:\n  ta|\n---\nkind: Pod\n");
    assert_eq!(offered(&text).1, ["taints"]);
    for text in [
        "# ki|",
        "metadata: {na|}",
        "a|",
        "kind: Other\napiVersion: v1\nspe|",
        "kind: Pod\nspec: x y|",
    ] {
        let offset = text.find('|').unwrap();
        let found = complete(&text.replace('|', ""), offset);
        assert!(found.is_none_or(|found| found.offers.is_empty()), "{text}");
    }
    assert!(complete("ß: ", 1).is_none(), "in the middle of a character");
}

#[test]
fn a_field_says_what_it_is() {
    let text = format!("{POD}spec:\n  tolerations:\n  - effect: NoSchedule\n");
    let field = field_at(&text, text.find("NoSch").unwrap() + 2).unwrap();
    assert_eq!((&*field.strukt, &*field.name), ("Toleration", "effect"));
    assert_eq!(field.words, ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    let field = field_at(&text, text.find("tolerations").unwrap() + 3).unwrap();
    assert_eq!((&*field.strukt, &*field.type_name), ("PodSpec", "[]v1.Toleration"));
    let read = fields_of("Pod", &["spec", "containers[]"]);
    let image = read.iter().find(|field| field.name == "image").unwrap();
    assert_eq!((&*image.strukt, &*image.type_name), ("Container", "string"));
    assert!(read.iter().any(|field| field.name == "env" && !field.is_read()));
}

#[test]
fn any_place_of_any_text_can_be_asked_about() {
    let texts = [
        "spec:\n- - - a: b\n  - c\n---\n- x:\n\n  -\n -\nkind: Pod\n   y: {z: [\n",
        "kind: Pod\napiVersion: v1\nspec:\n  containers:\n  - name: ß😀\r\n    ports:\n - : :\n-\n:",
    ];
    for text in texts {
        for offset in 0..=text.len() + 1 {
            let offers = complete(text, offset).map(|found| found.offers).unwrap_or_default();
            assert!(offers.iter().all(|offer| match offer {
                Offer::Field(field) => !field.name.is_empty(),
                Offer::Word(word) => !word.is_empty(),
            }));
            field_at(text, offset);
        }
    }
}
