//! Where the keyboard is on the board, and where each key takes it.
//!
//! The board is one Tab stop: rows are the column headers and the nodes, a row's cells are the
//! node itself and its pods. Everything here is a pure function of the view.

#[cfg(test)]
mod tests;

use crate::drag::Target;
use crate::view::{ClusterView, DomainView};
use yew::AttrValue;

/// A place on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cursor {
    /// A column's header, by the column's id.
    Zone(AttrValue),
    /// A node's header, by name.
    Node(AttrValue),
    /// A pod on a node, by `namespace/name`.
    Pod(AttrValue),
}

/// A key that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Previous cell of the row.
    Left,
    /// Next cell of the row.
    Right,
    /// Previous row.
    Up,
    /// Next row.
    Down,
    /// Previous column.
    ZoneLeft,
    /// Next column.
    ZoneRight,
    /// First cell of the row.
    Home,
    /// Last cell of the row.
    End,
}

impl Cursor {
    /// The place as a drop target.
    pub fn target(&self, cluster: &ClusterView) -> Option<Target> {
        match self {
            Self::Zone(id) => Some(Target::Zone(id.clone())),
            Self::Node(name) => Some(Target::Node(name.clone())),
            Self::Pod(key) => node_of(cluster, key).map(Target::Node),
        }
    }
}

fn node_of(cluster: &ClusterView, pod: &str) -> Option<AttrValue> {
    let mut nodes = cluster.domains.iter().flat_map(|domain| &domain.nodes);
    nodes.find(|node| node.pods.iter().any(|chip| chip.key == pod)).map(|node| node.name.clone())
}

/// The cells of one row.
fn row_of(cluster: &ClusterView, cursor: &Cursor) -> Vec<Cursor> {
    let name = match cursor {
        Cursor::Zone(_) => return vec![cursor.clone()],
        Cursor::Node(name) => Some(name.clone()),
        Cursor::Pod(key) => node_of(cluster, key),
    };
    let Some(node) = name.and_then(|name| cluster.node(&name)) else { return Vec::new() };
    let pods = node.pods.iter().map(|pod| Cursor::Pod(pod.key.clone()));
    std::iter::once(Cursor::Node(node.name.clone())).chain(pods).collect()
}

/// The first cells of one column's rows.
fn column_of(domain: &DomainView) -> Vec<Cursor> {
    let nodes = domain.nodes.iter().map(|node| Cursor::Node(node.name.clone()));
    std::iter::once(Cursor::Zone(domain.id())).chain(nodes).collect()
}

/// The column and row index of a place.
fn position(cluster: &ClusterView, cursor: &Cursor) -> Option<(usize, usize)> {
    let head = match cursor {
        Cursor::Pod(key) => Cursor::Node(node_of(cluster, key)?),
        other => other.clone(),
    };
    cluster.domains.iter().enumerate().find_map(|(column, domain)| {
        column_of(domain).iter().position(|cell| *cell == head).map(|row| (column, row))
    })
}

/// The place to begin at: the first node, or the first column when there is none.
pub fn start(cluster: &ClusterView) -> Option<Cursor> {
    let node = cluster.domains.iter().find_map(|domain| domain.nodes.first());
    node.map(|node| Cursor::Node(node.name.clone()))
        .or_else(|| cluster.domains.first().map(|domain| Cursor::Zone(domain.id())))
}

/// The place, if it is still on the board, else where to begin.
pub fn resolve(cluster: &ClusterView, cursor: Option<&Cursor>) -> Option<Cursor> {
    cursor.filter(|cursor| position(cluster, cursor).is_some()).cloned().or_else(|| start(cluster))
}

/// Where a key leads; the same place at an edge.
pub fn walk(cluster: &ClusterView, cursor: &Cursor, step: Step) -> Cursor {
    next(cluster, cursor, step).unwrap_or_else(|| cursor.clone())
}

fn next(cluster: &ClusterView, cursor: &Cursor, step: Step) -> Option<Cursor> {
    let (column, row) = position(cluster, cursor)?;
    let cells = row_of(cluster, cursor);
    let cell = cells.iter().position(|cell| cell == cursor)?;
    match step {
        Step::Left if cell > 0 => cells.get(cell - 1).cloned(),
        Step::Left | Step::ZoneLeft => beside(cluster, column.checked_sub(1)?, row),
        Step::Right if cell + 1 < cells.len() => cells.get(cell + 1).cloned(),
        Step::Right | Step::ZoneRight => beside(cluster, column + 1, row),
        Step::Up => column_of(cluster.domains.get(column)?).get(row.checked_sub(1)?).cloned(),
        Step::Down => column_of(cluster.domains.get(column)?).get(row + 1).cloned(),
        Step::Home => cells.first().cloned(),
        Step::End => cells.last().cloned(),
    }
}

/// The same row of another column, or its last one.
fn beside(cluster: &ClusterView, column: usize, row: usize) -> Option<Cursor> {
    let cells = column_of(cluster.domains.get(column)?);
    cells.get(row).or_else(|| cells.last()).cloned()
}

/// The next node in reading order that fits the held pod, going down or up and wrapping round.
pub fn next_fitting(cluster: &ClusterView, cursor: &Cursor, down: bool) -> Cursor {
    let all: Vec<Cursor> = cluster.domains.iter().flat_map(|domain| column_of(domain)).collect();
    let fits = |cell: &Cursor| match cell {
        Cursor::Node(name) => cluster
            .node(name)
            .and_then(|node| node.verdict.as_ref())
            .is_some_and(crate::view::Verdict::fits),
        _ => false,
    };
    let from = all.iter().position(|cell| cell == cursor).unwrap_or(0);
    let count = all.len();
    (1..=count)
        .map(|offset| if down { from + offset } else { from + count - offset } % count)
        .filter_map(|index| all.get(index))
        .find(|cell| fits(cell))
        .unwrap_or(cursor)
        .clone()
}
