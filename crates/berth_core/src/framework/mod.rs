//! The scheduling framework: configuration, extension points, statuses.

pub mod config;
pub mod cycle;
pub mod fact;
pub mod hint;
pub mod memo;
pub mod normalize;
pub mod plugin;
pub mod profile;
pub mod sampling;
pub mod state;
pub mod status;
