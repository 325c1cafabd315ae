//! What kubelets say of their pods, until it is told.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{Kind, ObjectKey, Pod};
use crate::simulation::event::{Signal, What};
use crate::simulation::server::{Report, Source};

/// What was said since it was last told.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Told(Vec<(ObjectKey, What)>);

impl Told {
    /// How much there is to tell.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Everything, in order.
    pub(in crate::simulation) fn take(&mut self) -> Vec<(ObjectKey, What)> {
        core::mem::take(&mut self.0)
    }

    /// A normal event.
    pub(super) fn says(&mut self, pod: &Pod, reason: &'static str, message: String) {
        self.report(pod, false, reason, message);
    }

    /// A warning.
    pub(super) fn warns(&mut self, pod: &Pod, reason: &'static str, message: String) {
        self.report(pod, true, reason, message);
    }

    fn report(&mut self, pod: &Pod, warning: bool, reason: &'static str, message: String) {
        let (source, key) = (Source::Kubelet, pod.metadata.key());
        let report = Report { source, kind: Kind::Pod, key: key.clone(), warning, reason, message };
        self.0.push((key, What::Reported(report)));
    }

    /// A container gets a signal.
    pub(super) fn signal(&mut self, pod: &Pod, container: &str, signal: Signal, grace: i64) {
        let what = What::Signal { container: container.into(), signal, grace };
        self.0.push((pod.metadata.key(), what));
    }
}
