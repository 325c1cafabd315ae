//! Hashes that `ComputeHash` of Kubernetes v1.36.3 gives, after the API server's defaults.

use berth_core::controllers::names::pod_template_hash;

use super::digest;
use crate::tree::json;

fn hash(template: &str) -> String {
    pod_template_hash(digest(&json::parse(template).expect("JSON")), None)
}

#[test]
fn images_and_quantities() {
    let digest = "0123456789012345678901234567890123456789012345678901234567890123";
    let template = format!(
        r#"{{"metadata":{{"labels":{{"app":"a","pod-template-hash":"x"}}}},"spec":{{"containers":[
        {{"name":"c","image":"r.io:5000/a/nginx"}},{{"name":"d","image":"nginx@sha256:{digest}"}},
        {{"name":"e","image":"x:latest","resources":{{"requests":{{"cpu":"1500m","memory":"1536Mi","a":"1k","b":"3e3",
        "c":"10Ti","d":"100000Gi","e":"0","f":"1000Mi","g":"5E","h":"-3"}}}}}}]}}}}"#
    );
    assert_eq!(hash(&template), "86d97bd5b5");
    assert_eq!(hash(&template.replace("1500m", "1.5")), "86d97bd5b5");
}

#[test]
fn defaults() {
    let template = r#"{"metadata":{"labels":{"app":"a"},"annotations":{"k":"v w"}},"spec":{"serviceAccountName":"",
        "hostNetwork":true,"containers":[{"name":"c","image":"nginx:1.25","command":["sh","-c","a b"],"args":["x"],
        "tty":true,"env":[{"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},{"name":"B","valueFrom":
        {"resourceFieldRef":{"resource":"limits.cpu"}}}],"envFrom":[{"configMapRef":{"name":"x"}}],
        "ports":[{"containerPort":80,"name":"web"}],"livenessProbe":{"httpGet":{"port":"http"}},
        "readinessProbe":{"grpc":{"port":5}},"startupProbe":{"tcpSocket":{"port":7},"periodSeconds":2},
        "lifecycle":{"preStop":{"sleep":{"seconds":3}}},"securityContext":{"capabilities":{"drop":["ALL"]},
        "runAsNonRoot":true},"volumeMounts":[{"name":"e","mountPath":"/x"}]}],"volumes":[{"name":"e"},
        {"name":"s","secret":{"secretName":"s"}},{"name":"h","hostPath":{"path":"/"}},
        {"name":"p","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}},
        {"name":"cm","configMap":{"name":"q","items":[{"key":"k","path":"p"}]}},
        {"name":"em","emptyDir":{"sizeLimit":"1Gi"}}],"tolerations":[{"key":"a","operator":"Exists",
        "tolerationSeconds":5}],"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":
        [{"weight":3,"podAffinityTerm":{"topologyKey":"z","labelSelector":{}}}]}},"nodeSelector":{"b":"c","a":"d"}}}"#;
    assert_eq!(hash(template), "567c5cdf44");
}

#[test]
fn next_to_nothing() {
    assert_eq!(hash(r#"{"spec":{"containers":null}}"#), "5fd7677855");
}
