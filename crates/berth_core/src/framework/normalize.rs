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
