//! Hooks and probes: the inverse of `manifest/hooks.rs`.

use berth_core::api::{Hooks, PreStop, Probe, ProbeHandler};

use super::map::Map;

/// Puts hooks and probes on a container.
pub(super) fn hooks(container: &mut Map<'_>, hooks: &Hooks) {
    let mut lifecycle = Map::default();
    lifecycle.some("preStop", hooks.pre_stop.map(pre_stop));
    container.map("lifecycle", lifecycle);
    let probes = [
        ("startupProbe", &hooks.startup_probe),
        ("livenessProbe", &hooks.liveness_probe),
        ("readinessProbe", &hooks.readiness_probe),
    ];
    for (key, given) in probes {
        container.some(key, given.as_ref().map(probe));
    }
}

fn pre_stop<'a>(hook: PreStop) -> Map<'a> {
    let (mut map, mut handler) = (Map::default(), Map::default());
    let key = match hook {
        PreStop::Sleep(seconds) => {
            handler.number("seconds", Some(seconds));
            "sleep"
        }
        PreStop::Exec => "exec",
        PreStop::HttpGet => "httpGet",
    };
    map.some(key, Some(handler));
    map
}

fn probe<'a>(probe: &Probe) -> Map<'a> {
    let mut map = Map::default();
    let key = match probe.handler {
        ProbeHandler::Exec => "exec",
        ProbeHandler::HttpGet => "httpGet",
        ProbeHandler::TcpSocket => "tcpSocket",
        ProbeHandler::Grpc => "grpc",
    };
    map.some(key, Some(Map::default()));
    let usual = Probe::default();
    let mut number = |key, number: i32, usual: i32| {
        map.number(key, (number != usual).then_some(number));
    };
    number("initialDelaySeconds", probe.initial_delay_seconds, usual.initial_delay_seconds);
    number("periodSeconds", probe.period_seconds, usual.period_seconds);
    number("successThreshold", probe.success_threshold, usual.success_threshold);
    number("failureThreshold", probe.failure_threshold, usual.failure_threshold);
    map.number("terminationGracePeriodSeconds", probe.termination_grace_period_seconds);
    map
}
