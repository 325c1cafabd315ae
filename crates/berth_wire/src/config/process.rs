//! Settings of the process, which have no effect on what is scheduled where: leader election, the client, extenders.
//!
//! Mirrors `ValidateLeaderElectionConfiguration` and `ValidateClientConnectionConfiguration` of component-base with
//! kube-scheduler's defaults, and `validateExtenders`.

use berth_core::api::BadValue;
use berth_core::api::field_error::json_string;
use berth_core::api::names::label_key_errors;
use berth_core::api::resources::is_extended_resource;

use super::{duration, invalid};
use crate::manifest::{Cx, Path};
use crate::tree::{Node, Value};

/// Seconds, as a duration has them.
const SECOND: i64 = 1_000_000_000;

/// Nanoseconds; none after an error. `null` is as bad as an empty text.
pub(super) fn span(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) -> Option<i64> {
    let text = match &node.value {
        Value::Null => "",
        Value::String(text) => text,
        _ => {
            // Go decodes the text by itself.
            let kind = node.kind();
            let message = format!("json: cannot unmarshal {kind} into Go value of type string");
            cx.error(at, node, message);
            return None;
        }
    };
    duration::parse(text).map_err(|error| cx.error(at, node, error)).ok()
}

/// A duration as the API shows it.
pub(super) fn shown(nanoseconds: i64) -> BadValue {
    BadValue::Json(json_string(&duration::print(nanoseconds)))
}

pub(super) fn leader_election(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) {
    const TYPE: &str = "v1alpha1.LeaderElectionConfiguration";
    const KNOWN: &[&str] = &[
        "leaderElect",
        "leaseDuration",
        "renewDeadline",
        "retryPeriod",
        "resourceLock",
        "resourceName",
        "resourceNamespace",
    ];
    let mut elects = true;
    let (mut lease, mut deadline, mut retry) = (0, 0, 0);
    let mut lock = String::new();
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "leaderElect" if !node.is_null() => elects = cx.boolean(at, node),
            "leaseDuration" => lease = span(cx, at, node).unwrap_or_default(),
            "renewDeadline" => deadline = span(cx, at, node).unwrap_or_default(),
            "retryPeriod" => retry = span(cx, at, node).unwrap_or_default(),
            "resourceLock" => lock = cx.string(at, node),
            "resourceName" | "resourceNamespace" => _ = cx.string(at, node),
            _ => cx.refuse(at, e, KNOWN),
        }
    }
    if !elects {
        return;
    }
    // Zero is as good as not given.
    for (given, default) in [(&mut lease, 15), (&mut deadline, 10), (&mut retry, 2)] {
        if *given == 0 {
            *given = default * SECOND;
        }
    }
    let spans = [("leaseDuration", lease), ("renewDeadline", deadline), ("retryPeriod", retry)];
    for (name, span) in spans {
        if span <= 0 {
            let error = invalid(shown(span), "must be greater than zero");
            cx.invalid(&at.field(TYPE, name), node, &error);
        }
    }
    if lease <= deadline {
        // It shows the deadline.
        let error = invalid(shown(deadline), "must be greater than `RenewDeadline`");
        cx.invalid(&at.field(TYPE, "leaseDuration"), node, &error);
    }
    if !matches!(&*lock, "" | "leases") {
        let error = invalid(BadValue::Text(lock), r#"resourceLock value must be "leases""#);
        cx.invalid(&at.field(TYPE, "resourceLock"), node, &error);
    }
}

pub(super) fn client_connection(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) {
    const TYPE: &str = "v1alpha1.ClientConnectionConfiguration";
    const KNOWN: &[&str] = &["kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"];
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "burst" => {
                if let Some(burst) = cx.int32(at, node)
                    && burst < 0
                {
                    let error = invalid(BadValue::Integer(burst.into()), "must be non-negative");
                    cx.invalid(at, node, &error);
                }
            }
            "kubeconfig" | "acceptContentTypes" | "contentType" => _ = cx.string(at, node),
            _ => cx.refuse(at, e, KNOWN),
        }
    }
}

/// The checks of extenders, which are not called.
pub(super) fn extenders(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) {
    const TYPE: &str = "v1.Extender";
    const KNOWN: &[&str] = &[
        "urlPrefix",
        "filterVerb",
        "preemptVerb",
        "prioritizeVerb",
        "weight",
        "bindVerb",
        "enableHTTPS",
        "tlsConfig",
        "httpTimeout",
        "nodeCacheCapable",
        "managedResources",
        "ignorable",
    ];
    let mut binders = 0;
    let mut managed = Vec::new();
    for (i, node) in node.items().iter().enumerate() {
        let at = &at.index(i);
        let (mut prioritizes, mut weight) = (false, 0);
        for e in cx.fields(at, node, TYPE) {
            let (at, node) = (&at.field(TYPE, &e.key), &e.value);
            match &*e.key {
                "prioritizeVerb" => prioritizes = !cx.string(at, node).is_empty(),
                "weight" => weight = cx.int64(at, node).unwrap_or_default(),
                "bindVerb" => binders += u32::from(!cx.string(at, node).is_empty()),
                "urlPrefix" | "filterVerb" | "preemptVerb" => _ = cx.string(at, node),
                "enableHTTPS" | "nodeCacheCapable" | "ignorable" => _ = cx.boolean(at, node),
                "httpTimeout" => _ = span(cx, at, node),
                "tlsConfig" => tls(cx, at, node),
                "managedResources" => managed_resources(cx, at, node, &mut managed),
                _ => cx.refuse(at, e, KNOWN),
            }
        }
        if prioritizes && weight <= 0 {
            let why = "must have a positive weight applied to it";
            let error = invalid(BadValue::Integer(weight), why);
            cx.invalid(&at.field(TYPE, "weight"), node, &error);
        }
    }
    if binders > 1 {
        let found = BadValue::Text(format!("found {binders} extenders implementing bind"));
        cx.invalid(at, node, &invalid(found, "only one extender can implement bind"));
    }
}

fn tls(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>) {
    const TYPE: &str = "v1.ExtenderTLSConfig";
    const KNOWN: &[&str] = &[
        "insecure",
        "serverName",
        "certFile",
        "keyFile",
        "caFile",
        "certData",
        "keyData",
        "caData",
    ];
    for e in cx.fields(at, node, TYPE) {
        let (at, node) = (&at.field(TYPE, &e.key), &e.value);
        match &*e.key {
            "insecure" => _ = cx.boolean(at, node),
            key if KNOWN.contains(&key) => _ = cx.string(at, node),
            _ => cx.refuse(at, e, KNOWN),
        }
    }
}

/// Resources of one extender; `seen` are the names of all extenders so far.
fn managed_resources(cx: &mut Cx, at: &Path<'_>, node: &Node<'_>, seen: &mut Vec<String>) {
    const TYPE: &str = "v1.ExtenderManagedResource";
    for (i, node) in node.items().iter().enumerate() {
        let at = &at.index(i);
        let mut name = String::new();
        for e in cx.fields(at, node, TYPE) {
            let (at, node) = (&at.field(TYPE, &e.key), &e.value);
            match &*e.key {
                "name" => name = cx.string(at, node),
                "ignoredByScheduler" => _ = cx.boolean(at, node),
                _ => cx.refuse(at, e, &["name", "ignoredByScheduler"]),
            }
        }
        let at = &at.field(TYPE, "name");
        let text = || BadValue::Text(name.clone());
        let complaints = label_key_errors(&name);
        for complaint in &complaints {
            cx.invalid(at, node, &invalid(BadValue::word(&name), complaint));
        }
        if complaints.is_empty() && !is_extended_resource(&name) {
            cx.invalid(at, node, &invalid(text(), "is an invalid extended resource name"));
        }
        if seen.contains(&name) {
            cx.invalid(at, node, &invalid(text(), "duplicate extender managed resource name"));
        }
        seen.push(name);
    }
}
