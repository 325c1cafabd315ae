//! The strategy that follows a curve of score over utilization.
//!
//! Mirrors `requested_to_capacity_ratio.go` and `plugins/helper/shape_score.go`.

use crate::framework::config::UtilizationShapePoint;

/// A curve's scores go to 10, those of nodes to 100.
const SCALE: i64 = 10;
const MAX_UTILIZATION: i64 = 100;

/// Score of one resource. An overfull node counts as full.
pub fn score(shape: &[UtilizationShapePoint], requested: i64, capacity: i64) -> i64 {
    if capacity == 0 || requested > capacity {
        return on_curve(shape, MAX_UTILIZATION);
    }
    on_curve(shape, requested.wrapping_mul(MAX_UTILIZATION).wrapping_div(capacity))
}

/// Linear between two points, flat before the first and after the last.
fn on_curve(shape: &[UtilizationShapePoint], at: i64) -> i64 {
    let mut before: Option<(i64, i64)> = None;
    for point in shape {
        let (x, y) = (i64::from(point.utilization), i64::from(point.score) * SCALE);
        if at <= x {
            return match before {
                None => y,
                Some((x0, y0)) => y0 + ((y - y0) * (at - x0)).checked_div(x - x0).unwrap_or(0),
            };
        }
        before = Some((x, y));
    }
    before.map_or(0, |(_, y)| y)
}
