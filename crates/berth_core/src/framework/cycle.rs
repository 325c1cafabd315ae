//! A scheduling cycle.
