//! How a kubelet looks after a container. Whether it is written as it should be, validation says.

use std::sync::Arc;

use berth_core::api::{Hooks, PreStop, Probe, ProbeHandler};

use crate::tree::Node;

/// The hooks and probes of a container, if it has any.
pub(super) fn hooks(container: &Node<'_>) -> Option<Arc<Hooks>> {
    let given = |key: &str| field(container, key).map(probe);
    let lifecycle = field(container, "lifecycle");
    let hooks = Hooks {
        pre_stop: lifecycle.and_then(|hooks| field(hooks, "preStop")).and_then(pre_stop),
        startup_probe: given("startupProbe"),
        liveness_probe: given("livenessProbe"),
        readiness_probe: given("readinessProbe"),
    };
    (hooks != Hooks::default()).then(|| Arc::new(hooks))
}

fn field<'n, 'a>(node: &'n Node<'a>, key: &str) -> Option<&'n Node<'a>> {
    node.get(key).filter(|node| !node.is_null())
}

/// Hooks that open a connection (`tcpSocket`) do nothing any more.
fn pre_stop(hook: &Node<'_>) -> Option<PreStop> {
    if let Some(sleep) = field(hook, "sleep") {
        return Some(PreStop::Sleep(field(sleep, "seconds").and_then(Node::as_i64).unwrap_or(0)));
    }
    let of = |key, hook_of| field(hook, key).map(|_| hook_of);
    of("exec", PreStop::Exec).or_else(|| of("httpGet", PreStop::HttpGet))
}

/// A number that is missing or 0 is the usual one.
fn probe(node: &Node<'_>) -> Probe {
    let number = |key: &str, usual: i32| {
        let given = field(node, key).and_then(Node::as_i64).filter(|number| *number != 0);
        given.and_then(|number| i32::try_from(number).ok()).unwrap_or(usual)
    };
    let handler = [
        ("httpGet", ProbeHandler::HttpGet),
        ("tcpSocket", ProbeHandler::TcpSocket),
        ("grpc", ProbeHandler::Grpc),
    ];
    let handler = handler.into_iter().find(|(key, _)| field(node, key).is_some());
    let usual = Probe::default();
    Probe {
        handler: handler.map_or(usual.handler, |(_, handler)| handler),
        initial_delay_seconds: number("initialDelaySeconds", usual.initial_delay_seconds),
        period_seconds: number("periodSeconds", usual.period_seconds),
        success_threshold: number("successThreshold", usual.success_threshold),
        failure_threshold: number("failureThreshold", usual.failure_threshold),
        termination_grace_period_seconds: field(node, "terminationGracePeriodSeconds")
            .and_then(Node::as_i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::yaml;

    fn read(text: &str) -> Option<Arc<Hooks>> {
        hooks(&yaml::parse(text).expect(text))
    }

    #[test]
    fn what_is_not_said_is_as_usual() {
        let read_one = read(
            "lifecycle: {preStop: {sleep: {seconds: 5}}}\n\
             livenessProbe: {httpGet: {port: 80}, periodSeconds: 0, failureThreshold: 1}\n\
             readinessProbe: {initialDelaySeconds: 3, terminationGracePeriodSeconds: 7}\n",
        );
        let probe = Probe::default();
        let want = Hooks {
            pre_stop: Some(PreStop::Sleep(5)),
            startup_probe: None,
            liveness_probe: Some(Probe {
                handler: ProbeHandler::HttpGet,
                failure_threshold: 1,
                ..probe.clone()
            }),
            readiness_probe: Some(Probe {
                initial_delay_seconds: 3,
                termination_grace_period_seconds: Some(7),
                ..probe
            }),
        };
        assert_eq!(read_one.as_deref(), Some(&want));
    }

    #[test]
    fn nothing_is_nothing() {
        for text in [
            "{}",
            "lifecycle: {preStop: null}",
            "lifecycle: {postStart: {exec: {}}}\nstartupProbe:",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
