//! Bringing raw scores to 0–100.
//!
//! Mirrors `pkg/scheduler/framework/plugins/helper/normalize_score.go`.

use super::profile::MAX_NODE_SCORE;

/// Scales by the highest score; reversed, the highest becomes 0 (`DefaultNormalizeScore`).
pub fn default_normalize(scores: &mut [i64], reverse: bool) {
    let highest = scores.iter().copied().max().unwrap_or(0).max(0);
    if highest == 0 {
        if reverse {
            scores.fill(MAX_NODE_SCORE);
        }
        return;
    }
    for score in scores {
        let scaled = MAX_NODE_SCORE.wrapping_mul(*score) / highest;
        *score = if reverse { MAX_NODE_SCORE - scaled } else { scaled };
    }
}

/// Cuts a score to an integer as Go does on amd64: what does not fit becomes the lowest number.
pub fn to_integer(score: f64) -> i64 {
    const BOUND: f64 = 9_223_372_036_854_775_808.0; // 2^63
    if (-BOUND..BOUND).contains(&score) { score as i64 } else { i64::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        for (score, want) in [
            (0.0, 0),
            (-0.9, 0),
            (99.999, 99),
            (-1.5, -1),
            (9_223_372_036_854_774_784.0, 9_223_372_036_854_774_784),
            (9_223_372_036_854_775_808.0, i64::MIN),
            (-9_223_372_036_854_775_808.0, i64::MIN),
            (f64::INFINITY, i64::MIN),
            (f64::NAN, i64::MIN),
        ] {
            assert_eq!(to_integer(score), want, "{score}");
        }
    }
}
