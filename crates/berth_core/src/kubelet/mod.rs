//! What the kubelet of a node decides about the pods that run there: how long one gets to end, and which have to go
//! when the node runs short; how its containers are looked at, and when they are started again.

pub mod backoff;
pub mod eviction;
pub mod probe;
pub mod termination;
