//! The words of this part.

use crate::locale::Table;
use crate::locale::messages::messages;

/// The words about large clusters and tables.
pub type ScaleWords = Table<ScaleMsg>;

messages! {
    /// A message about large clusters and tables, by what it says.
    ScaleMsg from "en-scale":
    Best = "best",
    CardOf = "card-of",
    ColumnCpu = "column-cpu",
    ColumnMemory = "column-memory",
    ColumnNode = "column-node",
    ColumnPod = "column-pod",
    ColumnPods = "column-pods",
    ColumnPriority = "column-priority",
    ColumnScore = "column-score",
    ColumnSkew = "column-skew",
    ColumnVerdict = "column-verdict",
    FitHere = "fit-here",
    FreeOf = "free-of",
    HeatLabel = "heat-label",
    LegendHigh = "legend-high",
    LegendLow = "legend-low",
    LegendOut = "legend-out",
    Look = "look",
    LookBoard = "look-board",
    LookMap = "look-map",
    LookNodes = "look-nodes",
    LookPods = "look-pods",
    Metric = "metric",
    MetricFreeCpu = "metric-free-cpu",
    MetricScore = "metric-score",
    MetricSkew = "metric-skew",
    MetricVerdict = "metric-verdict",
    NoSecond = "no-second",
    Second = "second",
    ShownMap = "shown-map",
    ShownRows = "shown-rows",
    ShownTable = "shown-table",
    Waits = "waits",
}
