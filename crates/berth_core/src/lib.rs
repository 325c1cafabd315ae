//! The Kubernetes scheduler as a pure, deterministic value.
//!
//! Nothing here reads a clock, draws a random number it was not given, or touches anything
//! outside its arguments: the crate is `no_std`, so the types say so.
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

pub mod admission;
pub mod advice;
pub mod api;
pub mod apiserver;
pub mod cluster;
pub mod collections;
pub mod compare;
pub mod controllers;
pub mod explain;
pub mod framework;
pub mod kubelet;
pub mod operations;
pub mod playground;
pub mod plugins;
pub mod preemption;
pub mod queue;
pub mod simulation;
mod sort_slice;
