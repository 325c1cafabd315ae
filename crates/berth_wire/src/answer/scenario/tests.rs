//! What is answered, and what is not.

use super::*;

const NODE: &str = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"9"}}}"#;

fn pod(spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p","namespace":"default"}},"spec":{{"containers":[{{"name":"c"}}]{spec}}}}}"#
    )
}

fn ask(objects: &[&str]) -> Value {
    let objects = objects.join(",");
    answer_scenario(&format!(r#"{{"objects":[{objects}],"pod":"default/p"}}"#)).unwrap()
}

#[test]
fn nothing_is_left_out_silently() {
    for (spec, what) in [
        (
            r#","volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]"#,
            "persistent-volume-claim",
        ),
        (r#","volumes":[{"name":"v","ephemeral":{}}]"#, "ephemeral-volume"),
        (r#","volumes":[{"name":"v","gcePersistentDisk":{"pdName":"d"}}]"#, "disk"),
        (r#","resourceClaims":[{"name":"c","resourceClaimName":"x"}]"#, "resource-claim"),
        (r#","hostUsers":false,"hostNetwork":true"#, "node-feature"),
        (
            r#","initContainers":[{"name":"i","restartPolicyRules":[{"action":"RestartAllContainers"}]}]"#,
            "node-feature",
        ),
    ] {
        let answer = ask(&[NODE, &pod(spec)]);
        let error = answer.get("error").and_then(Value::as_str).unwrap_or_default();
        assert!(
            error.starts_with(&format!("pod \"default/p\": {what} is not simulated")),
            "{answer}"
        );
        assert!(answer.get("feasible").is_none(), "{answer}");
    }
}

#[test]
fn what_bears_on_no_answer_is_taken() {
    let claim = r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"}}"#;
    let class = r#"{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"s"},"provisioner":"x"}"#;
    let other = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}}"#;
    assert_eq!(ask(&[NODE, &pod(""), claim, class])["feasible"], json!(["n"]));
    assert_eq!(
        ask(&[NODE, other, &pod("")])["error"],
        json!("object 1: unsupported object ConfigMap")
    );
}

#[test]
fn steps_are_checked() {
    let answers = |steps: &str| {
        let pod = pod("");
        answer_sequence(&format!(r#"{{"objects":[{NODE},{pod}],"steps":{steps}}}"#))
    };
    assert_eq!(answers("5"), Err("steps: not a list".to_owned()));
    assert_eq!(answers("null"), Ok(json!([])));
    let pod = pod("");
    let not_a_node =
        format!(r#"[{{"node":{pod}}},{{"schedule":"default/gone"}},{{"dropNode":"gone"}},{{}}]"#);
    let want = json!([
        { "error": "not a node" },
        { "error": "no pod \"default/gone\"" },
        { "error": "node gone is not found" },
        {},
    ]);
    assert_eq!(answers(&not_a_node), Ok(want));
}
