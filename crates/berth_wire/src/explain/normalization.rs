//! How raw scores become 0–100: the rule of each plugin, and the two numbers that it needs.

use berth_core::explain::{Explanation, NodeReport, PluginScore};
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;

/// How a plugin's raw scores are brought to 0–100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// They are there already.
    None,
    /// `100 × raw ÷ highest`; 0 if the highest is 0.
    ByHighest,
    /// `100 − 100 × raw ÷ highest`; 100 if the highest is 0.
    ByHighestReversed,
    /// `100 × (highest + lowest − raw) ÷ highest`; 100 if the highest is 0. Nodes that lack a label
    /// get 0 and are left out of both.
    Spread,
    /// `100 × (raw − lowest) ÷ (highest − lowest)`; 0 if both are the same.
    Stretched,
}

impl Rule {
    /// The rule of a plugin.
    pub const fn of(plugin: PluginId) -> Self {
        match plugin {
            PluginId::TaintToleration => Self::ByHighestReversed,
            PluginId::NodeAffinity => Self::ByHighest,
            PluginId::PodTopologySpread => Self::Spread,
            PluginId::InterPodAffinity => Self::Stretched,
            _ => Self::None,
        }
    }

    /// One word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ByHighest => "byHighest",
            Self::ByHighestReversed => "byHighestReversed",
            Self::Spread => "spread",
            Self::Stretched => "stretched",
        }
    }
}

/// A rule with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Normalization {
    /// The rule.
    pub rule: Rule,
    /// Lowest raw score of the nodes that count; none if there is no such node.
    pub lowest: Option<i64>,
    /// Highest raw score of the nodes that count.
    pub highest: Option<i64>,
}

impl Normalization {
    /// The numbers of a plugin over all feasible nodes.
    pub fn new(explanation: &Explanation, plugin: PluginId) -> Self {
        let counted = || {
            let scores = explanation.nodes.iter().filter_map(|node| score_of(node, plugin));
            scores.filter(|score| !is_left_out(score)).map(|score| score.raw)
        };
        Self { rule: Rule::of(plugin), lowest: counted().min(), highest: counted().max() }
    }

    /// The sum that gives a node's normalized score; none if the raw score is used as it is.
    pub fn equation(&self, score: &PluginScore) -> Option<String> {
        let PluginScore { raw, normalized, .. } = score;
        let (lowest, highest) = (self.lowest.unwrap_or(0), self.highest.unwrap_or(0));
        Some(match self.rule {
            Rule::None => return None,
            Rule::Spread if is_left_out(score) => "left out: 0".to_owned(),
            Rule::ByHighest if highest <= 0 => "the highest is 0: 0".to_owned(),
            Rule::ByHighestReversed | Rule::Spread if highest <= 0 => {
                "the highest is 0: 100".to_owned()
            }
            Rule::Stretched if highest <= lowest => "all are the same: 0".to_owned(),
            Rule::ByHighest => format!("100 × {raw} ÷ {highest} = {normalized}"),
            Rule::ByHighestReversed => format!("100 − 100 × {raw} ÷ {highest} = {normalized}"),
            Rule::Spread => {
                format!("100 × ({highest} + {lowest} − {raw}) ÷ {highest} = {normalized}")
            }
            Rule::Stretched => format!(
                "100 × ({} − {}) ÷ ({} − {}) = {normalized}",
                signed(*raw),
                signed(lowest),
                signed(highest),
                signed(lowest)
            ),
        })
    }
}

/// A number with a real minus sign, as in every sum.
pub(super) fn signed(number: i64) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { number.to_string() }
}

/// What a plugin gave a node, if the node was scored.
pub(super) fn score_of(node: &NodeReport, plugin: PluginId) -> Option<&PluginScore> {
    node.scores.as_ref()?.plugins.iter().find(|score| score.plugin == plugin)
}

/// Whether PodTopologySpread does not score the node.
fn is_left_out(score: &PluginScore) -> bool {
    score.facts.contains(&Fact::SpreadIgnored)
}
