//! A sortable table of which only the rows in sight are in the document.

use crate::app::Intent;
use crate::components::{Shape, small_icon};
use crate::dom::set_css;
use crate::drag::{Input, Target};
use crate::env::use_env;
use berth_core::collections::sort_by;
use std::cmp::Ordering;
use std::rc::Rc;
use web_sys::{Element, HtmlElement};
use yew::{
    AttrValue, Callback, Event, Html, MouseEvent, Properties, TargetCast, classes, component, html,
    use_effect_with, use_memo, use_node_ref, use_state,
};

/// What a table shows.
pub(super) trait Source {
    /// The columns: a name, and whether it has numbers.
    fn heads(&self) -> Vec<(AttrValue, bool)>;
    /// How many rows there are.
    fn len(&self) -> usize;
    /// What a cell says; the first of a row is its name.
    fn cell(&self, row: usize, column: usize) -> AttrValue;
    /// How two rows compare by a column.
    fn compare(&self, a: usize, b: usize, column: usize) -> Ordering;
    /// A look for the row: `fit`, `no`, or nothing.
    fn class(&self, row: usize) -> &'static str;
    /// The node that something can be dropped on.
    fn node(&self, row: usize) -> Option<AttrValue>;
    /// What the row's button wants.
    fn open(&self, row: usize) -> Intent;
}

/// Properties of [`Table`].
#[derive(Properties)]
pub(super) struct TableProps {
    pub(super) source: Rc<dyn Source>,
    /// The table's name.
    pub(super) label: AttrValue,
    /// The name of the row that something is held over, or that is open.
    pub(super) at: Option<AttrValue>,
    /// Whether what is held waits for a tap.
    pub(super) tapping: bool,
}

impl PartialEq for TableProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.source, &other.source)
            && self.at == other.at
            && self.tapping == other.tapping
            && self.label == other.label
    }
}

/// Rows that are drawn above and below those in sight.
const SPARE: usize = 12;
/// A row's height until one is there to be measured.
const HEIGHT: i32 = 28;

/// What is in sight.
#[derive(Clone, Copy, PartialEq)]
struct Sight {
    first: usize,
    rows: usize,
    height: i32,
}

/// The table.
#[component]
pub(super) fn Table(props: &TableProps) -> Html {
    let env = use_env();
    // The order of the board, until one is asked for.
    let sort = use_state(|| None::<(usize, bool)>);
    let sight = use_state(|| Sight { first: 0, rows: 40, height: HEIGHT });
    let (above, below, frame) = (use_node_ref(), use_node_ref(), use_node_ref());
    let source = &props.source;
    let order = {
        let source = Rc::clone(source);
        use_memo((Same(Rc::clone(&props.source)), *sort), move |(_, sort)| {
            let mut order: Vec<usize> = (0..source.len()).collect();
            if let Some((column, down)) = *sort {
                sort_by(&mut order, |a, b| {
                    let found = source.compare(*a, *b, column);
                    if down { found.reverse() } else { found }
                });
            }
            order
        })
    };
    let count = order.len();
    let first = sight.first.min(count.saturating_sub(sight.rows)).saturating_sub(SPARE);
    let last = (sight.first + sight.rows + SPARE).min(count);
    {
        let (above, below) = (above.clone(), below.clone());
        let spaces = (first as i32 * sight.height, (count - last) as i32 * sight.height);
        use_effect_with(spaces, move |(over, under)| {
            for (space, height) in [(above, over), (below, under)] {
                if let Some(space) = space.cast::<HtmlElement>() {
                    set_css(&space, "height", &[&height.to_string(), "px"].concat());
                }
            }
        });
    }
    // What is seen is known once the frame stands.
    {
        let (frame, sight) = (frame.clone(), sight.clone());
        use_effect_with((), move |()| look(frame.cast::<Element>().as_ref(), &sight));
    }
    let onscroll = {
        Callback::from(move |event: Event| {
            look(event.target_dyn_into::<Element>().as_ref(), &sight);
        })
    };
    let heads = source.heads();
    let head = |(column, (name, number)): (usize, &(AttrValue, bool))| {
        let down = sort.filter(|(by, _)| *by == column).map(|(_, down)| down);
        let sorted = match down {
            None => "none",
            Some(false) => "ascending",
            Some(true) => "descending",
        };
        let sort = sort.clone();
        let onclick =
            Callback::from(move |_: MouseEvent| sort.set(Some((column, down == Some(false)))));
        html! {
            <th scope="col" class={number.then_some("n")} aria-sort={sorted}>
                <button type="button" {onclick}>{name.clone()}
                    if let Some(down) = down { <span aria-hidden="true">{if down { " ▾" } else { " ▴" }}</span> }
                </button>
            </th>
        }
    };
    let row = |index: usize| {
        let Some(&row) = order.get(index) else { return Html::default() };
        let name = source.cell(row, 0);
        let node = source.node(row);
        let on = props.at.as_ref() == Some(&name);
        let cells = heads.iter().enumerate().skip(1).map(|(column, (_, number))| {
            html! {
                <td class={number.then_some("n")}>{source.cell(row, column)}</td>
            }
        });
        let pick = match &node {
            Some(node) if props.tapping => Intent::Drag(Input::Drop {
                target: Some(Target::Node(node.clone())),
                bypass: false,
            }),
            _ => source.open(row),
        };
        html! {
            <tr key={name.as_str()} aria-rowindex={(index + 2).to_string()} class={classes!(source.class(row), on.then_some("on"))}
                data-drop={node.as_ref().map(|_| "node")} data-name={node.clone()}>
                <th scope="row"><button type="button" aria-expanded={node.map(|_| if on { "true" } else { "false" })}
                    onclick={env.on(pick)}>{name}</button></th>
                {for cells}
            </tr>
        }
    };
    html! {
        <div class="rows-frame" ref={frame} role="region" aria-label={props.label.clone()} tabindex="0" data-here="true" {onscroll} data-scroll="board">
            <div ref={above}></div>
            <table aria-label={props.label.clone()} aria-rowcount={(count + 1).to_string()}>
                <thead><tr aria-rowindex="1">{for heads.iter().enumerate().map(head)}</tr></thead>
                <tbody>{for (first..last).map(row)}</tbody>
            </table>
            <div ref={below}></div>
            if count == 0 { <p class="dim">{small_icon(Shape::Minus)}</p> }
        </div>
    }
}

/// Compares by identity.
struct Same(Rc<dyn Source>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Notes what is in sight.
fn look(frame: Option<&Element>, sight: &yew::UseStateHandle<Sight>) {
    let Some(frame) = frame else { return };
    let row = frame.query_selector("tbody tr").ok().flatten();
    let height = row.map_or(HEIGHT, |row| row.client_height()).max(1);
    let rows = (frame.client_height() / height + 1).max(1) as usize;
    let first = (frame.scroll_top() / height).max(0) as usize;
    let now = Sight { first, rows, height };
    // Small steps stay within the spare rows.
    if now.rows != sight.rows
        || now.height != sight.height
        || first.abs_diff(sight.first) >= SPARE / 2
    {
        sight.set(now);
    }
}
