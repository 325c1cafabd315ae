//! How many nodes the real scheduler looks for.
//!
//! Mirrors `numFeasibleNodesToFind` of `pkg/scheduler/schedule_one.go`. Nothing here samples: every
//! node is filtered and scored, and whoever shows that says what the real scheduler would do.

/// With fewer nodes than this every one is looked at (`minFeasibleNodesToFind`).
pub const ALL_BELOW: u32 = 100;
/// The adaptive share does not go below this, in percent (`minFeasibleNodesPercentageToFind`).
const LEAST_PERCENTAGE: u32 = 5;

/// The number of feasible nodes after which the real scheduler stops to look for more.
///
/// `percentageOfNodesToScore` of the profile goes before that of the configuration; 0 is adaptive.
pub fn nodes_to_find(profile: Option<i32>, configuration: Option<i32>, nodes: u32) -> u32 {
    if nodes < ALL_BELOW {
        return nodes;
    }
    let percentage = match u32::try_from(profile.or(configuration).unwrap_or(0)) {
        Ok(0) | Err(_) => 50_u32.saturating_sub(nodes / 125).max(LEAST_PERCENTAGE),
        Ok(percentage) => percentage,
    };
    let found = u64::from(nodes) * u64::from(percentage) / 100;
    u32::try_from(found).unwrap_or(u32::MAX).max(ALL_BELOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_falls_as_the_cluster_grows() {
        for (profile, configuration, nodes, found) in [
            (None, None, 99, 99),
            (None, None, 100, 100),
            // 50 − 200 / 125 = 49 %: 98, but at least 100.
            (None, None, 200, 100),
            // 50 − 1000 / 125 = 42 %
            (None, Some(0), 1000, 420),
            // 50 − 5000 / 125 = 10 %
            (Some(0), Some(0), 5000, 500),
            // 50 − 48 = 2 %, but at least 5 %.
            (None, None, 6000, 300),
            (None, Some(30), 5000, 1500),
            (Some(70), Some(30), 5000, 3500),
            (Some(0), Some(30), 5000, 500),
            (None, Some(100), 5000, 5000),
        ] {
            assert_eq!(nodes_to_find(profile, configuration, nodes), found, "{nodes}");
        }
    }
}
