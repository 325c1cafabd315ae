//! Sums that a fact holds by itself.

use berth_core::framework::fact::Fact;

use crate::explain::normalization::signed;
use crate::explain::unit::Unit;

/// The sum of a fact, if it has one: `2 + 1 − 0 = 3 > maxSkew 1`.
pub fn equation(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Spread { matching, self_match, minimum, max_skew, .. } => {
            let skew = matching.wrapping_add(*self_match).wrapping_sub(*minimum);
            let sign = if skew > *max_skew { '>' } else { '≤' };
            let skew = signed(skew);
            format!("{matching} + {self_match} − {minimum} = {skew} {sign} maxSkew {max_skew}")
        }
        Fact::Pods { used, capacity } => fits("pods", *used, 1, *capacity),
        Fact::Resource { resource, requested, used, capacity } => {
            fits(resource, *used, *requested, *capacity)
        }
        Fact::BalancedShare { resource, requested, capacity, .. } if *capacity != 0 => {
            let [requested, capacity] = Unit::of(resource).write([*requested, *capacity]);
            format!("{requested} ÷ {capacity}")
        }
        Fact::Image { size, nodes, of, scaled, .. } => {
            format!("{size} × {nodes} ÷ {of} = {scaled}")
        }
        Fact::SpreadScore { matching, weight, size, max_skew, .. } => {
            let value = *matching as f64 * weight + (max_skew.wrapping_sub(1)) as f64;
            format!("{matching} × ln({size} + 2) + ({max_skew} − 1) = {value:.3}")
        }
        _ => return None,
    })
}

/// `used + requested = sum ≤ capacity`.
fn fits(resource: &str, used: i64, requested: i64, capacity: i64) -> String {
    let sum = used.wrapping_add(requested);
    let sign = if requested > capacity.wrapping_sub(used) { '>' } else { '≤' };
    let [used, requested, sum, capacity] =
        Unit::of(resource).write([used, requested, sum, capacity]);
    format!("{used} + {requested} = {sum} {sign} {capacity}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_worked_out() {
        let spread = |matching, self_match, minimum| Fact::Spread {
            constraint: 0,
            domain: "zoneA".into(),
            matching,
            self_match,
            minimum,
            max_skew: 1,
        };
        let cpu = |requested, used| Fact::Resource {
            resource: "cpu".into(),
            requested,
            used,
            capacity: 4000,
        };
        let soft = Fact::SpreadScore {
            constraint: 0,
            domain: "zoneA".into(),
            matching: 2,
            weight: 1.386_294_361_119_890_6,
            size: 2,
            max_skew: 3,
        };
        for (fact, sum) in [
            (spread(2, 1, 1), "2 + 1 − 1 = 2 > maxSkew 1"),
            (spread(0, 1, 0), "0 + 1 − 0 = 1 ≤ maxSkew 1"),
            (spread(0, 0, 2), "0 + 0 − 2 = −2 ≤ maxSkew 1"),
            (cpu(500, 3600), "3600m + 500m = 4100m > 4000m"),
            (cpu(1000, 3000), "3 + 1 = 4 ≤ 4"),
            (Fact::Pods { used: 110, capacity: 110 }, "110 + 1 = 111 > 110"),
            // 2 × 1.386 + 2
            (soft, "2 × ln(2 + 2) + (3 − 1) = 4.773"),
        ] {
            assert_eq!(equation(&fact).as_deref(), Some(sum));
        }
        assert_eq!(equation(&Fact::NodeName { matches: true }), None);
    }
}
