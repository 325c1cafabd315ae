//! Indices into the dense store.

/// Declares a `u32` index.
macro_rules! index {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as the type that slices want.
            pub const fn at(self) -> usize {
                self.0 as usize
            }
        }
    )+ };
}

index! {
    /// A node's slot. It stays the node's for as long as the store lives.
    NodeIdx,
    /// A pod's slot.
    PodIdx,
    /// An interned text.
    StrId,
    /// An interned set of labels.
    LabelSetId,
    /// A column of topology domains.
    TopologyIdx,
    /// A column of counts.
    CounterIdx,
}
