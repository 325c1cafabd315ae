//! What the kubelet of a node decides about the pods that run there: how long one gets to end, and which have to go
//! when the node runs short.

pub mod eviction;
pub mod termination;
