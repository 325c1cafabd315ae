//! Search against brute force, strips, copies, and findings.

mod cluster;
mod counterfactuals;
mod space;
mod strips;
