//! How a kubelet looks after a container: what it runs before the end, and what it looks at meanwhile.
//!
//! Mirrors `Lifecycle` and `Probe` of `k8s.io/api/core/v1/types.go`, as far as time goes: what commands and requests are
//! made of is left out.

/// The hooks and probes of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hooks {
    /// `lifecycle.preStop`: runs before the container gets SIGTERM.
    pub pre_stop: Option<PreStop>,
    /// `startupProbe`: the others wait until it passes once.
    pub startup_probe: Option<Probe>,
    /// `livenessProbe`: a container that fails it is ended.
    pub liveness_probe: Option<Probe>,
    /// `readinessProbe`: a pod is ready while its containers pass it.
    pub readiness_probe: Option<Probe>,
}

/// What runs before a container gets SIGTERM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreStop {
    /// `sleep`: so many seconds.
    Sleep(i64),
    /// `exec`: a command.
    Exec,
    /// `httpGet`: a request.
    HttpGet,
}

/// How often something is looked at, and how many answers in a row count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// What is looked at.
    pub handler: ProbeHandler,
    /// Seconds from the container's start in which nothing is looked at.
    pub initial_delay_seconds: i32,
    /// Seconds from one look to the next.
    pub period_seconds: i32,
    /// So many good answers in a row, and it passes.
    pub success_threshold: i32,
    /// So many bad answers in a row, and it fails.
    pub failure_threshold: i32,
    /// Seconds that a container gets to end when it has failed, in the place of the pod's.
    pub termination_grace_period_seconds: Option<i64>,
}

impl Default for Probe {
    /// As `SetDefaults_Probe` has it.
    fn default() -> Self {
        Self {
            handler: ProbeHandler::Exec,
            initial_delay_seconds: 0,
            period_seconds: 10,
            success_threshold: 1,
            failure_threshold: 3,
            termination_grace_period_seconds: None,
        }
    }
}

/// What a probe looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProbeHandler {
    /// `exec`: whether a command ends well.
    Exec,
    /// `httpGet`: the answer to a request.
    HttpGet,
    /// `tcpSocket`: whether a port takes connections.
    TcpSocket,
    /// `grpc`: the health service.
    Grpc,
}

/// The probes of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProbeKind {
    /// `startupProbe`.
    Startup,
    /// `livenessProbe`.
    Liveness,
    /// `readinessProbe`.
    Readiness,
}

impl ProbeKind {
    /// All of them, those first that others wait for.
    pub const ALL: [Self; 3] = [Self::Startup, Self::Liveness, Self::Readiness];

    /// As kubelets call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Startup => "Startup",
            Self::Liveness => "Liveness",
            Self::Readiness => "Readiness",
        }
    }
}

impl Hooks {
    /// A probe, if there is such a one.
    pub const fn probe(&self, kind: ProbeKind) -> Option<&Probe> {
        match kind {
            ProbeKind::Startup => self.startup_probe.as_ref(),
            ProbeKind::Liveness => self.liveness_probe.as_ref(),
            ProbeKind::Readiness => self.readiness_probe.as_ref(),
        }
    }
}
