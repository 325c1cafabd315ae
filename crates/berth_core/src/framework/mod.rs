//! The scheduling framework: configuration, extension points, statuses.

pub mod config;
