//! Search against brute force, strips, copies, and findings.

mod cluster;
mod counterfactuals;
mod lint;
mod space;
mod strips;
