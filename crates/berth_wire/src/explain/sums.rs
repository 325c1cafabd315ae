//! What a plugin sums up for a raw score, found among the facts of the score: for those who write the formula out.

use berth_core::explain::PluginScore;
use berth_core::framework::config::ScoringStrategyType;
use berth_core::framework::fact::Fact;
use berth_core::plugins::node_resources::balanced_allocation;

/// One mebibyte.
const MIB: i64 = 1 << 20;

/// The scores and weights of the resources of which NodeResourcesFit takes the mean.
pub fn means(
    score: &PluginScore,
    strategy: Option<&ScoringStrategyType>,
) -> impl Iterator<Item = (i64, i64)> {
    // A curve's zeros are left out with their weight.
    let curve = matches!(strategy, Some(ScoringStrategyType::RequestedToCapacityRatio(_)));
    score.facts.iter().filter_map(move |fact| match fact {
        Fact::ResourceScore { capacity, score, weight, .. }
            if *capacity != 0 && (!curve || *score > 0) =>
        {
            Some((*score, *weight))
        }
        _ => None,
    })
}

/// How even the use of the resources is for NodeResourcesBalancedAllocation: with the pod, and without it.
pub fn evenness(score: &PluginScore) -> (i64, i64) {
    let of = |with: bool| {
        let shares = score.facts.iter().filter_map(|fact| match fact {
            Fact::BalancedShare { requested, allocated, capacity, .. } => {
                Some((if with { *requested } else { *allocated }, *capacity))
            }
            _ => None,
        });
        balanced_allocation::evenness(shares)
    };
    (of(true), of(false))
}

/// The bytes that ImageLocality counts, kept between a least and a most, and those two.
pub fn images(score: &PluginScore) -> (i64, i64, i64) {
    let (mut sum, mut containers) = (0_i64, 0_i64);
    for fact in &score.facts {
        match fact {
            Fact::Image { scaled, .. } => sum = sum.wrapping_add(*scaled),
            Fact::ImageContainers { containers: count } => containers = *count,
            _ => {}
        }
    }
    let least = 23 * MIB;
    let most = containers.wrapping_mul(1000).wrapping_mul(MIB);
    (sum.min(most).max(least), least, most)
}
