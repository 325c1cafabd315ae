//! What must not leave: a secret in every field that the scheduler does not read.

use super::super::State;
use crate::intake::{SEED, take_in};
use crate::manifest::{Source, read};
use berth_core::playground::Command;

/// Every field that may hold a secret, and each has one.
const CLUSTER: &str = r#"
apiVersion: v1
kind: Node
metadata:
  name: n1
  annotations: {note: SECRET-1}
  managedFields: [{manager: SECRET-2}]
  finalizers: [SECRET-3]
spec: {podCIDR: SECRET-4, providerID: SECRET-5, unknownField: SECRET-6}
status:
  allocatable: {cpu: "4", pods: "10"}
  addresses: [{type: InternalIP, address: SECRET-7}]
  nodeInfo: {machineID: SECRET-8}
  conditions: [{type: Ready, status: "True", message: SECRET-9}]
---
apiVersion: v1
kind: Pod
metadata:
  name: p
  resourceVersion: SECRET-10
  generateName: SECRET-11
  annotations: {kubectl.kubernetes.io/last-applied-configuration: SECRET-12, controller.kubernetes.io/pod-deletion-cost: SECRET-65}
  managedFields: [{manager: SECRET-13, fieldsV1: {f: SECRET-14}}]
spec:
  serviceAccountName: SECRET-15
  imagePullSecrets: [{name: SECRET-16}]
  hostAliases: [{ip: SECRET-17, hostnames: [SECRET-18]}]
  hostname: SECRET-19
  subdomain: SECRET-20
  securityContext: {seLinuxOptions: {user: SECRET-21}}
  dnsConfig: {nameservers: [SECRET-22]}
  unknownField: SECRET-23
  volumes:
  - {name: v, secret: {secretName: SECRET-24}}
  - {name: w, hostPath: {path: SECRET-25}}
  - {name: x, csi: {driver: d, volumeAttributes: {a: SECRET-26}}}
  containers:
  - name: c
    image: i
    command: [SECRET-27]
    args: [SECRET-28]
    workingDir: SECRET-29
    env: [{name: SECRET-30, value: SECRET-31}, {name: E, valueFrom: {secretKeyRef: {name: SECRET-32, key: k}}}]
    envFrom: [{secretRef: {name: SECRET-33}}]
    livenessProbe: {exec: {command: [SECRET-34]}}
    lifecycle: {preStop: {exec: {command: [SECRET-35]}}}
    volumeMounts: [{name: v, mountPath: SECRET-36}]
    ports: [{containerPort: 80, name: SECRET-37}]
    unknownField: SECRET-38
  initContainers:
  - {name: d, image: i, env: [{name: E, value: SECRET-39}], command: [SECRET-40], args: [SECRET-41]}
status:
  message: SECRET-42
  podIP: SECRET-43
  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: SECRET-44}]
  containerStatuses: [{name: c, image: i, imageID: SECRET-45, containerID: SECRET-46, restartCount: 0, ready: true}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high, annotations: {a: SECRET-47}}
value: 5
description: SECRET-48
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, annotations: {a: SECRET-49, deployment.kubernetes.io/revision: SECRET-64}}
spec:
  replicas: 1
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}, annotations: {a: SECRET-50}}
    spec:
      containers: [{name: c, image: i, env: [{name: E, value: SECRET-51}], args: [SECRET-52], command: [SECRET-53]}]
---
apiVersion: v1
kind: Service
metadata: {name: s, annotations: {a: SECRET-54}}
spec: {selector: {app: d}, externalName: SECRET-55, clusterIP: SECRET-56}
---
apiVersion: v1
kind: Namespace
metadata: {name: default, annotations: {a: SECRET-57}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: b, annotations: {a: SECRET-58}}
spec: {minAvailable: 1, selector: {matchLabels: {app: d}}}
---
apiVersion: v1
kind: Secret
metadata: {name: SECRET-59}
data: {password: SECRET-60}
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: SECRET-61}
extenders: [{urlPrefix: "http://SECRET-62", filterVerb: SECRET-63, weight: 1}]
"#;

#[test]
fn a_link_holds_none_of_them_in_objects_or_in_the_log() {
    let report = read(&[Source { name: "", text: CLUSTER }]);
    assert!(!report.has_errors(), "{:?}", report.problems);
    // Whole objects stay in memory, for files.
    let kept: String = report.items.iter().map(|item| &*item.text).collect();
    assert!(kept.contains("SECRET-31") && kept.contains("SECRET-12"));
    let configuration = report.configuration.clone().unwrap();
    let objects = take_in(&report, SEED).objects;
    let mut log: Vec<Command> = objects.iter().cloned().map(Command::Put).collect();
    log.push(Command::Configure(Box::new(configuration.clone())));
    let cursor = log.len() as u32;
    let state = State { objects, configuration, log, cursor, ..State::default() };
    let text = state.text();
    let found = text.find("SECRET").map(|at| &text[at.saturating_sub(60)..at + 10]);
    assert_eq!(found, None);
    assert!(text.contains("default") && text.contains("allocatable"), "it holds the rest");
    assert_eq!(State::open(&state.seal().unwrap()).unwrap().text(), text);
}
