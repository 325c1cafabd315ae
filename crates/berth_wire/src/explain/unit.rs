//! What amounts are counted in, and how they are written.

/// What a resource is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Thousandths of a core.
    Millicores,
    /// Bytes.
    Bytes,
    /// Pods.
    Pods,
    /// Whole pieces, such as devices.
    Count,
}

/// Suffixes with the powers of 1024 that they stand for, the largest first.
const BINARY: [(&str, i64); 4] =
    [("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10)];

impl Unit {
    /// What the scheduler counts a resource in.
    pub fn of(resource: &str) -> Self {
        match resource {
            "cpu" => Self::Millicores,
            "memory" | "ephemeral-storage" => Self::Bytes,
            "pods" => Self::Pods,
            other if other.starts_with("hugepages-") => Self::Bytes,
            _ => Self::Count,
        }
    }

    /// One word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Millicores => "millicores",
            Self::Bytes => "bytes",
            Self::Pods => "pods",
            Self::Count => "count",
        }
    }

    /// Amounts of one sum, all written in the same unit and none of them rounded.
    pub fn write<const N: usize>(self, amounts: [i64; N]) -> [String; N] {
        let all = |size: i64| amounts.iter().all(|amount| amount % size == 0);
        match self {
            Self::Millicores if all(1000) => amounts.map(|amount| (amount / 1000).to_string()),
            Self::Millicores => amounts.map(|amount| match amount {
                0 => "0".to_owned(),
                amount => format!("{amount}m"),
            }),
            Self::Bytes => {
                let (suffix, size) =
                    BINARY.into_iter().find(|(_, size)| all(*size)).unwrap_or(("", 1));
                amounts.map(|amount| match amount / size {
                    0 => "0".to_owned(),
                    amount => format!("{amount}{suffix}"),
                })
            }
            Self::Pods | Self::Count => amounts.map(|amount| amount.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_a_sum_share_a_unit() {
        for (resource, amounts, written) in [
            ("cpu", [500, 3600, 4000], ["500m", "3600m", "4000m"]),
            ("cpu", [0, 1000, 4000], ["0", "1", "4"]),
            ("cpu", [0, 500, 4000], ["0", "500m", "4000m"]),
            ("memory", [0, 1 << 30, 3 << 29], ["0", "1024Mi", "1536Mi"]),
            ("memory", [1, 1024, 2048], ["1", "1024", "2048"]),
            ("hugepages-2Mi", [1 << 21, 1 << 31, 1 << 32], ["2Mi", "2048Mi", "4096Mi"]),
            ("example.com/gpu", [1, 1024, 1 << 20], ["1", "1024", "1048576"]),
            ("pods", [109, 1, 110], ["109", "1", "110"]),
        ] {
            assert_eq!(Unit::of(resource).write(amounts), written, "{resource}");
        }
    }
}
