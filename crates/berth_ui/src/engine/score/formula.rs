//! How a plugin came to its points, each formula filled in: what it summed, how that was normalised over the nodes that
//! passed, and the weight.

use crate::engine::facts::{Subject, row, total};
use crate::engine::number::{Measure, decimal, signed};
use crate::locale::{ScoreMsg, ScoreWords};
use crate::view::SumRow;
use berth_core::explain::PluginScore;
use berth_core::framework::config::ScoringStrategyType;
use berth_core::framework::fact::Fact;
use berth_core::framework::plugin::PluginId;
use berth_core::framework::profile::Profile;
use berth_wire::explain::{Normalization, Rule, sums};
use std::rc::Rc;
use yew::AttrValue;

/// What the formulas of a node are made from.
pub(super) struct Formula<'a> {
    /// The explanation and the node.
    pub(super) subject: Subject<'a>,
    /// The profile, for its arguments.
    pub(super) profile: Option<&'a Profile>,
    /// The words.
    pub(super) words: &'a ScoreWords,
}

impl Formula<'_> {
    /// A plugin's rule in one sentence.
    pub(super) fn rule(&self, plugin: PluginId) -> AttrValue {
        let msg = match plugin {
            PluginId::TaintToleration => ScoreMsg::RuleTaintToleration,
            PluginId::NodeAffinity => ScoreMsg::RuleNodeAffinity,
            PluginId::NodeResourcesFit => match self.strategy() {
                Some(ScoringStrategyType::MostAllocated) => ScoreMsg::RuleMost,
                Some(ScoringStrategyType::RequestedToCapacityRatio(_)) => ScoreMsg::RuleRatio,
                _ => ScoreMsg::RuleLeast,
            },
            PluginId::NodeResourcesBalancedAllocation => ScoreMsg::RuleBalanced,
            PluginId::PodTopologySpread => ScoreMsg::RuleSpread,
            PluginId::InterPodAffinity => ScoreMsg::RuleInterPodAffinity,
            PluginId::ImageLocality => ScoreMsg::RuleImageLocality,
            _ => return AttrValue::default(),
        };
        self.words.text(msg)
    }

    /// From what was summed to the weighted score.
    pub(super) fn sum(&self, score: &PluginScore, weight: i64) -> Rc<[SumRow]> {
        let words = self.words;
        let mut rows: Vec<SumRow> =
            score.facts.iter().filter_map(|fact| self.summand(fact)).collect();
        rows.extend(self.evenness(score));
        rows.push(total(self.raw(score), signed(score.raw)));
        rows.extend(self.normalized(score));
        let (normalized, weight) = (signed(score.normalized), signed(weight));
        let blanks = [("normalized", normalized.as_str()), ("weight", &weight)];
        rows.push(total(words.fill(ScoreMsg::Weighted, &blanks), signed(score.weighted)));
        rows.into()
    }

    fn strategy(&self) -> Option<&ScoringStrategyType> {
        self.profile.map(|profile| &profile.args.node_resources_fit.scoring_strategy.kind)
    }

    /// A fact as a row.
    fn summand(&self, fact: &Fact) -> Option<SumRow> {
        let words = self.words;
        Some(match fact {
            Fact::ResourceScore { resource, capacity: 0, .. }
            | Fact::BalancedShare { resource, capacity: 0, .. } => {
                row(words.fill(ScoreMsg::LeftOut, &[("resource", resource)]), "–")
            }
            Fact::ResourceScore { resource, requested, capacity, score, .. } => {
                let sum = self.resource(resource, *requested, *capacity);
                row([resource, ": ", &*sum].concat(), signed(*score))
            }
            Fact::BalancedShare { resource, requested, allocated, capacity } => {
                let unit = Measure::of(resource).unit(&[*requested, *allocated, *capacity]);
                let all = [" ÷ ", &unit.full(*capacity)].concat();
                let with = [&unit.show(*requested), &*all].concat();
                let without = [&unit.show(*allocated), &*all].concat();
                let blanks =
                    [("resource", &**resource), ("with", with.as_str()), ("without", &without)];
                let percent = share(*requested, *capacity);
                row(words.fill(ScoreMsg::Share, &blanks), percent)
            }
            Fact::PreferNoScheduleTaint { index, tolerated } => {
                row(self.subject.taint(*index), if *tolerated { "0" } else { "1" })
            }
            Fact::PreferredTerm { added, term, weight, matches } => {
                let affinity = &self.subject.explanation.node_affinity;
                let list = if *added { &affinity.added_preferred } else { &affinity.preferred };
                let text = list.get(*term as usize).map_or("", |(_, text)| text);
                row(text.to_owned(), if *matches { signed(*weight) } else { "0".to_owned() })
            }
            Fact::Image { name, size, nodes, of, scaled } => {
                let (nodes, of) = (nodes.to_string(), of.to_string());
                let size = Measure::Bytes.unit(&[*size]).full(*size);
                let blanks =
                    [("image", &**name), ("size", size.as_str()), ("nodes", &nodes), ("of", &of)];
                row(words.fill(ScoreMsg::Image, &blanks), signed(*scaled))
            }
            Fact::ImageContainers { containers } => {
                row(words.text(ScoreMsg::Containers), signed(*containers))
            }
            Fact::SpreadIgnored => row(words.text(ScoreMsg::Ignored), "0"),
            Fact::SpreadScore { constraint, domain, matching, weight, size, max_skew } => {
                let spreads = &self.subject.explanation.spread_score;
                let spread = spreads.iter().find(|spread| spread.index == *constraint);
                let place = [spread.map_or("", |spread| &*spread.topology_key), "=", domain];
                let (place, matching_text) = (place.concat(), signed(*matching));
                let (size, skew) = (size.to_string(), signed(*max_skew));
                let blanks = [
                    ("place", place.as_str()),
                    ("matching", &matching_text),
                    ("size", &size),
                    ("skew", &skew),
                ];
                let value = *matching as f64 * weight + max_skew.wrapping_sub(1) as f64;
                row(words.fill(ScoreMsg::Spread, &blanks), thousandths(value))
            }
            Fact::AffinityScore { key, domain, sum } => {
                row([key, "=", domain].concat(), signed(*sum))
            }
            _ => return None,
        })
    }

    /// What a resource is worth, without the outcome.
    fn resource(&self, resource: &str, requested: i64, capacity: i64) -> AttrValue {
        let unit = Measure::of(resource).unit(&[requested, capacity]);
        let (requested_text, capacity_text) = (unit.show(requested), unit.show(capacity));
        let text = match self.strategy() {
            Some(ScoringStrategyType::RequestedToCapacityRatio(_)) => {
                let blanks = [("requested", requested_text.as_str()), ("capacity", &capacity_text)];
                return self.words.fill(ScoreMsg::Curve, &blanks);
            }
            Some(ScoringStrategyType::MostAllocated) => {
                let used = if requested > capacity { &capacity_text } else { &requested_text };
                [used, " × 100 ÷ ", &capacity_text].concat()
            }
            _ if requested > capacity => [requested_text, " > ".into(), capacity_text].concat(),
            _ => {
                ["(", &capacity_text, " − ", &requested_text, ") × 100 ÷ ", &capacity_text].concat()
            }
        };
        text.into()
    }

    /// The two numbers that NodeResourcesBalancedAllocation compares.
    fn evenness(&self, score: &PluginScore) -> Option<SumRow> {
        if score.plugin != PluginId::NodeResourcesBalancedAllocation {
            return None;
        }
        let (with, without) = sums::evenness(score);
        let (with, without) = (signed(with), signed(without));
        let blanks = [("with", with.as_str()), ("without", &without)];
        let label = self.words.fill(ScoreMsg::Evenness, &blanks);
        Some(row(label, [with, " − ".into(), without].concat()))
    }

    /// How the summands make the raw score.
    fn raw(&self, score: &PluginScore) -> AttrValue {
        let sum = match score.plugin {
            PluginId::NodeResourcesFit => self.mean(score),
            PluginId::NodeResourcesBalancedAllocation => {
                let (with, without) = sums::evenness(score);
                ["50 + (50 + ", &signed(with), " − ", &signed(without), ") ÷ 2"].concat()
            }
            PluginId::ImageLocality => images(score),
            PluginId::PodTopologySpread => return self.words.text(ScoreMsg::RawRounded),
            _ => "Σ".to_owned(),
        };
        self.words.fill(ScoreMsg::RawSum, &[("sum", &sum)])
    }

    /// `(12 × 1 + 43 × 1) ÷ (1 + 1)`.
    fn mean(&self, score: &PluginScore) -> String {
        let (mut scores, mut weights): (Vec<String>, Vec<String>) = Default::default();
        for (score, weight) in sums::means(score, self.strategy()) {
            scores.push([&signed(score), " × ", &*signed(weight)].concat());
            weights.push(signed(weight));
        }
        if scores.is_empty() {
            return "0".to_owned();
        }
        ["(", &scores.join(" + "), ") ÷ (", &weights.join(" + "), ")"].concat()
    }

    /// How the raw score was brought to 0–100, with the two numbers that this takes.
    fn normalized(&self, score: &PluginScore) -> Vec<SumRow> {
        let words = self.words;
        let found = Normalization::new(self.subject.explanation, score.plugin);
        let normalized = signed(score.normalized);
        let (lowest, highest) = (found.lowest.unwrap_or(0), found.highest.unwrap_or(0));
        let (raw, low, high) = (signed(score.raw), signed(lowest), signed(highest));
        let none = || words.fill(ScoreMsg::HighestNone, &[("score", &normalized)]).to_string();
        let sum = match found.rule {
            Rule::None => return vec![row(words.text(ScoreMsg::NormalizedAsIs), normalized)],
            Rule::Spread if score.facts.contains(&Fact::SpreadIgnored) => {
                return vec![row(words.text(ScoreMsg::Ignored), normalized)];
            }
            Rule::Stretched if highest <= lowest => words.text(ScoreMsg::AllSame).to_string(),
            Rule::ByHighest | Rule::ByHighestReversed | Rule::Spread if highest <= 0 => none(),
            Rule::ByHighest => ["100 × ", &raw, " ÷ ", &high].concat(),
            Rule::ByHighestReversed => ["100 − 100 × ", &raw, " ÷ ", &high].concat(),
            Rule::Spread => ["100 × (", &high, " + ", &low, " − ", &raw, ") ÷ ", &high].concat(),
            Rule::Stretched => {
                ["100 × (", &raw, " − ", &low, ") ÷ (", &high, " − ", &low, ")"].concat()
            }
        };
        let over = words.fill(ScoreMsg::Over, &[("low", &low), ("high", &high)]);
        let label = words.fill(ScoreMsg::Normalized, &[("sum", &sum)]);
        vec![row(over, [&low, " … ", &*high].concat()), row(label, normalized)]
    }
}

/// `100 × (sum − 23 Mi) ÷ (1000 Mi × containers − 23 Mi)`, the sum kept between the two bounds.
fn images(score: &PluginScore) -> String {
    let (counted, least, most) = sums::images(score);
    let (least, most) = (signed(least), signed(most));
    ["100 × (", &signed(counted), " − ", &least, ") ÷ (", &most, " − ", &least, ")"].concat()
}

/// What part of all is used, as it is compared: at most all of it.
fn share(used: i64, capacity: i64) -> String {
    let share = i128::from(used) * 1000 / i128::from(capacity.max(1));
    decimal(share.min(1000), 1000)
}

/// A number with three decimals: enough to redo a sum by hand.
fn thousandths(value: f64) -> String {
    decimal((value * 1000.0) as i128, 1000)
}
