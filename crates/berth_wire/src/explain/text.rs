//! Sums as text, for terminals and pages.
//!
//! Everything is one line of arithmetic with a real minus sign and real signs of comparison, each
//! amount in the unit of its resource, none rounded.

use berth_core::framework::fact::Fact;

use super::normalization::signed;
use super::unit::Unit;

/// The sum of a fact, if it has one: `2 + 1 − 0 = 3 > maxSkew 1`.
pub fn equation(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Spread { matching, self_match, minimum, max_skew, .. } => {
            let skew = matching.wrapping_add(*self_match).wrapping_sub(*minimum);
            let sign = if skew > *max_skew { '>' } else { '≤' };
            format!(
                "{matching} + {self_match} − {minimum} = {} {sign} maxSkew {max_skew}",
                signed(skew)
            )
        }
        Fact::Pods { used, capacity } => fits("pods", *used, 1, *capacity),
        Fact::Resource { resource, requested, used, capacity } => {
            fits(resource, *used, *requested, *capacity)
        }
        Fact::ResourceScore { score, weight, .. } => format!("{score} × {weight}"),
        Fact::BalancedShare { resource, requested, capacity, .. } if *capacity != 0 => {
            let [requested, capacity] = Unit::of(resource).write([*requested, *capacity]);
            format!("{requested} ÷ {capacity}")
        }
        Fact::Image { size, nodes, of, scaled, .. } => {
            format!("{size} × {nodes} ÷ {of} = {scaled}")
        }
        Fact::SpreadScore { matching, weight, size, max_skew, .. } => {
            let value = *matching as f64 * weight + (max_skew - 1) as f64;
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
