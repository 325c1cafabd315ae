//! NodeResourcesFit and NodeResourcesBalancedAllocation: what is asked for against what is free.
//!
//! Mirrors the package `pkg/scheduler/framework/plugins/noderesources`. Resources that DRA devices
//! back are not simulated.

pub mod allocation;
pub mod balanced_allocation;
pub mod fit;
pub mod hint;
pub mod requested_to_capacity_ratio;
