//! Verdicts: codes, and statuses with their reasons.
//!
//! Mirrors `Status` and `Code` of `k8s.io/kube-scheduler/framework/interface.go`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::plugin::PluginId;

/// What a plugin decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Code {
    /// Fine.
    Success,
    /// The plugin could not work.
    Error,
    /// Not here, but preemption might help.
    Unschedulable,
    /// Not here, and preemption cannot help.
    UnschedulableAndUnresolvable,
    /// Nothing to do for this pod.
    Skip,
}

impl Code {
    /// Kubernetes' word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "Success",
            Self::Error => "Error",
            Self::Unschedulable => "Unschedulable",
            Self::UnschedulableAndUnresolvable => "UnschedulableAndUnresolvable",
            Self::Skip => "Skip",
        }
    }

    /// Whether the pod may go on.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Success)
    }

    /// Whether the pod was refused.
    pub const fn is_rejected(self) -> bool {
        matches!(self, Self::Unschedulable | Self::UnschedulableAndUnresolvable)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A verdict with the plugin it comes from and Kubernetes' texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The plugin; none where the framework itself decided.
    pub plugin: Option<PluginId>,
    /// The code.
    pub code: Code,
    /// Kubernetes' texts.
    pub reasons: Vec<String>,
}
