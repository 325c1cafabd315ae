//! Names that Kubernetes accepts.
