//! Amounts as the scheduler counts them: plain 64-bit numbers.
//!
//! Mirrors `framework.Resource` of `pkg/scheduler/framework/types.go`. Sums wrap, as Go's do.

use alloc::vec::Vec;

use super::{StrId, Strings};
use crate::api::ResourceList;
use crate::api::resources::{is_extended_resource, is_huge_page_resource};

/// What a container without a cpu request counts as when scoring, in thousandths of a core.
pub const DEFAULT_MILLI_CPU_REQUEST: i64 = 100;
/// What a container without a memory request counts as when scoring, in bytes.
pub const DEFAULT_MEMORY_REQUEST: i64 = 200 * 1024 * 1024;

/// Amounts of each resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Thousandths of a core.
    pub milli_cpu: i64,
    /// Bytes.
    pub memory: i64,
    /// Bytes.
    pub ephemeral_storage: i64,
    /// Everything else that scheduling counts, by name in order of number. A name can be there with 0.
    pub scalars: Vec<(StrId, i64)>,
}

impl Resources {
    /// Amounts of a list, and what it says of `pods`.
    pub fn from_list(list: &ResourceList, strings: &mut Strings) -> (Self, i64) {
        let mut resources = Self::default();
        let mut pods = 0_i64;
        for (name, quantity) in list {
            match name.as_str() {
                "cpu" => resources.milli_cpu = quantity.milli_value(),
                "memory" => resources.memory = quantity.value(),
                "ephemeral-storage" => resources.ephemeral_storage = quantity.value(),
                "pods" => pods = quantity.value(),
                other if is_scalar_resource(other) => {
                    let id = strings.intern(other);
                    resources.add_scalar(id, quantity.value());
                }
                _ => {}
            }
        }
        (resources, pods)
    }

    /// As `from_list`, but amounts below zero count as zero (`SetMaxResource` on an empty resource).
    pub fn from_list_at_least_zero(list: &ResourceList, strings: &mut Strings) -> Self {
        let (mut resources, _) = Self::from_list(list, strings);
        resources.milli_cpu = resources.milli_cpu.max(0);
        resources.memory = resources.memory.max(0);
        resources.ephemeral_storage = resources.ephemeral_storage.max(0);
        for (_, amount) in &mut resources.scalars {
            *amount = (*amount).max(0);
        }
        resources
    }

    /// The amount of a scalar resource, if it is there.
    pub fn scalar(&self, id: StrId) -> Option<i64> {
        self.scalars
            .binary_search_by_key(&id, |(known, _)| *known)
            .ok()
            .and_then(|i| self.scalars.get(i))
            .map(|(_, amount)| *amount)
    }

    fn add_scalar(&mut self, id: StrId, amount: i64) {
        match self.scalars.binary_search_by_key(&id, |(known, _)| *known) {
            Ok(i) => {
                if let Some((_, known)) = self.scalars.get_mut(i) {
                    *known = known.wrapping_add(amount);
                }
            }
            Err(i) => self.scalars.insert(i, (id, amount)),
        }
    }

    /// Adds `other`.
    pub fn add(&mut self, other: &Self) {
        self.milli_cpu = self.milli_cpu.wrapping_add(other.milli_cpu);
        self.memory = self.memory.wrapping_add(other.memory);
        self.ephemeral_storage = self.ephemeral_storage.wrapping_add(other.ephemeral_storage);
        for &(id, amount) in &other.scalars {
            self.add_scalar(id, amount);
        }
    }

    /// Takes `other` away. Names stay, with 0, as in the scheduler's map.
    pub fn sub(&mut self, other: &Self) {
        self.milli_cpu = self.milli_cpu.wrapping_sub(other.milli_cpu);
        self.memory = self.memory.wrapping_sub(other.memory);
        self.ephemeral_storage = self.ephemeral_storage.wrapping_sub(other.ephemeral_storage);
        for &(id, amount) in &other.scalars {
            self.add_scalar(id, amount.wrapping_neg());
        }
    }

    /// Whether nothing at all is asked for, not even with 0 of a scalar resource.
    pub fn is_empty(&self) -> bool {
        self.milli_cpu == 0
            && self.memory == 0
            && self.ephemeral_storage == 0
            && self.scalars.is_empty()
    }
}

/// Whether a resource other than cpu, memory and storage is counted (`IsScalarResourceName`).
pub fn is_scalar_resource(name: &str) -> bool {
    is_extended_resource(name)
        || is_huge_page_resource(name)
        || name.contains("kubernetes.io/")
        || name.starts_with("attachable-volumes-")
}
