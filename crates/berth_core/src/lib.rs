//! The Kubernetes scheduler as a pure, deterministic value.
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]
extern crate alloc;
