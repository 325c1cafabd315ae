//! What gauges showed, as series: taken in as it comes, and drawn once for each piece of news.

use berth_core::collections::Map;
use berth_core::queue::Instant;
use berth_core::simulation::{BranchId, Gauge, Timeline};
use std::cell::RefCell;
use yew::AttrValue;

/// How wide and how high a chart is in its own units.
pub(super) const WIDTH: i64 = 1000;
pub(super) const HEIGHT: i64 = 24;
/// How much of the height lines take: a line at the top is to be seen whole.
const INNER: i64 = 21;

/// The values of a gauge, each from a moment on; none where there is nothing to be measured.
#[derive(Default)]
pub(super) struct Series {
    pub(super) steps: Vec<(Instant, Option<i64>)>,
    drawn: RefCell<Option<(Scale, usize, AttrValue)>>,
}

/// What a drawing hangs on besides the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// What the width stands for, in nanoseconds.
    pub(super) span: i64,
    /// What the height stands for.
    pub(super) most: i64,
    /// Whether what is below the line is filled.
    pub(super) filled: bool,
}

impl Series {
    /// A value that there is always.
    pub(super) fn fixed(value: i64) -> Self {
        Self { steps: vec![(Instant::default(), Some(value))], ..Self::default() }
    }

    /// The value at a moment.
    pub(super) fn at(&self, moment: Instant) -> Option<i64> {
        let later = self.steps.partition_point(|(at, _)| *at <= moment);
        self.steps.get(later.checked_sub(1)?)?.1
    }

    /// The largest value.
    pub(super) fn most(&self) -> i64 {
        self.steps.iter().filter_map(|(_, value)| *value).max().unwrap_or(0)
    }

    /// The values as a path; the last one holds to the right edge.
    pub(super) fn path(&self, scale: Scale) -> AttrValue {
        let mut drawn = self.drawn.borrow_mut();
        if let Some((known, steps, path)) = &*drawn
            && (*known, *steps) == (scale, self.steps.len())
        {
            return path.clone();
        }
        let path = AttrValue::from(path(&self.steps, scale));
        *drawn = Some((scale, self.steps.len(), path.clone()));
        path
    }
}

/// A stretch of values as steps: between two moments that are one on the screen, only the extremes and the last.
fn path(steps: &[(Instant, Option<i64>)], Scale { span, most, filled }: Scale) -> String {
    let x = |at: Instant| (at.0.clamp(0, span) as f64 / span.max(1) as f64 * WIDTH as f64) as i64;
    let y = |value: i64| HEIGHT - value * INNER / most.max(1);
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    let mut rest = steps;
    while let Some((first, _)) = rest.first() {
        let at = x(*first);
        let (here, later) = rest.split_at(rest.partition_point(|(other, _)| x(*other) <= at));
        rest = later;
        let values = || here.iter().filter_map(|(_, value)| *value);
        if let (Some(least), Some(greatest)) = (values().min(), values().max()) {
            let ground = if filled { HEIGHT } else { y(least) };
            out.push(if open { format!("H{at}") } else { format!("M{at} {ground}") });
            out.push(format!("V{}V{}", y(least), y(greatest)));
            open = true;
        }
        let end = rest.first().map_or(WIDTH, |(next, _)| x(*next));
        match here.last().and_then(|(_, value)| *value) {
            Some(last) => out.push(format!("V{}H{end}", y(last))),
            None if open && filled => out.push(format!("H{at}V{HEIGHT}Z")),
            None => {}
        }
        open = open && here.last().is_some_and(|(_, value)| value.is_some());
    }
    if open && filled {
        out.push(format!("V{HEIGHT}Z"));
    }
    out.concat()
}

/// What the gauges of a branch showed as far as it has come.
#[derive(Default)]
pub(in crate::time) struct Charts {
    of: Option<BranchId>,
    taken: usize,
    pub(super) series: Map<Gauge, Series>,
}

impl Charts {
    /// Takes in what has come since it was last asked to.
    pub(in crate::time) fn follow(&mut self, timeline: &Timeline) {
        let branch = Some(timeline.current());
        if self.of != branch || timeline.samples().count() < self.taken {
            *self = Self { of: branch, ..Self::default() };
        }
        for sample in timeline.samples().skip(self.taken) {
            let series = self.series.or_default(sample.gauge.clone());
            series.steps.push((sample.at, sample.value));
            self.taken += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(steps: &[(i64, Option<i64>)], filled: bool) -> String {
        let steps: Vec<_> = steps.iter().map(|(at, value)| (Instant(*at), *value)).collect();
        path(&steps, Scale { span: 1000, most: 7, filled })
    }

    #[test]
    fn values_are_drawn_as_steps() {
        assert_eq!(
            drawn(&[(0, Some(0)), (500, Some(7))], false),
            "M0 24V24V24V24H500H500V3V3V3H1000"
        );
        // Where nothing is measured, nothing is drawn.
        let gone = drawn(&[(0, Some(7)), (200, None), (400, Some(7))], true);
        assert_eq!(gone, "M0 24V3V3V3H200H200V24ZM400 24V3V3V3H1000V24Z");
        // What is one on the screen: the extremes, then what holds on.
        let short = [(100, Some(0)), (100, Some(7)), (100, Some(3))];
        assert_eq!(drawn(&short, false), "M100 24V24V3V15H1000");
        assert_eq!(drawn(&[], true), "");
    }

    #[test]
    fn a_value_holds_until_the_next() {
        let steps = vec![(Instant(0), Some(1)), (Instant(5), Some(4)), (Instant(9), None)];
        let series = Series { steps, ..Series::default() };
        let values = [0, 4, 5, 8, 9].map(|at| series.at(Instant(at)));
        assert_eq!(values, [Some(1), Some(1), Some(4), Some(4), None]);
        assert_eq!((series.at(Instant(-1)), series.most()), (None, 4));
    }
}
