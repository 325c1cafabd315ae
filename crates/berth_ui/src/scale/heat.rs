//! The nodes of a column as cells of a drawing: a heat map that answers to the pointer and to keys.

use super::data::{Data, NodeRow, Outcome};
use super::words::{ScaleMsg, ScaleWords};
use crate::app::Intent;
use crate::cursor::Cursor;
use crate::dom::set_css;
use crate::drag::{Input, Target};
use crate::env::use_env;
use crate::locale::Msg;
use crate::state::Action;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};
use yew::{
    AttrValue, Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html,
    use_effect_with, use_node_ref, use_state,
};

/// What the cells show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Metric {
    /// Fits, or not.
    #[default]
    Verdict,
    /// The total score.
    Score,
    /// The largest skew.
    Skew,
    /// What is free of the cpu.
    FreeCpu,
}

impl Metric {
    pub(super) const ALL: [(Self, ScaleMsg); 4] = [
        (Self::Verdict, ScaleMsg::MetricVerdict),
        (Self::Score, ScaleMsg::MetricScore),
        (Self::Skew, ScaleMsg::MetricSkew),
        (Self::FreeCpu, ScaleMsg::MetricFreeCpu),
    ];
}

/// How many shades there are besides "nothing to show".
pub(super) const SHADES: usize = 6;

/// A cell's shade, 0 to show nothing, and whether it is crossed out.
pub(super) fn shade(data: &Data, node: &NodeRow, metric: Metric) -> (usize, bool) {
    let step = |share: i128| 1 + (share.clamp(0, 999) * SHADES as i128 / 1000) as usize;
    let refused = matches!(node.outcome, Outcome::Refused(_));
    let shade = match (metric, &node.outcome) {
        (Metric::Verdict, Outcome::Fits(..)) => SHADES,
        (Metric::Score, Outcome::Fits(_, total)) => {
            let (high, low) = data.totals.unwrap_or_default();
            let span = i128::from(high) - i128::from(low);
            if span == 0 {
                SHADES
            } else {
                step((i128::from(*total) - i128::from(low)) * 1000 / span)
            }
        }
        (Metric::Verdict | Metric::Score, _) => 0,
        (Metric::Skew, _) => node
            .skew
            .map_or(0, |(skew, limit)| step(i128::from(skew) * 500 / i128::from(limit.max(1)))),
        (Metric::FreeCpu, _) => step(i128::from(node.free_cpu())),
    };
    let over = node.skew.is_some_and(|(skew, limit)| skew > limit);
    (
        shade,
        match metric {
            Metric::Skew => over,
            Metric::FreeCpu => false,
            _ => refused,
        },
    )
}

/// Properties of [`Heat`].
#[derive(Properties)]
pub(super) struct HeatProps {
    pub(super) data: Rc<Data>,
    /// Which nodes.
    pub(super) range: Range<usize>,
    /// The name of the group.
    pub(super) label: AttrValue,
    pub(super) metric: Metric,
    /// The node where the keyboard, or what is held, is.
    pub(super) at: Option<usize>,
    /// Whether the keyboard's place is here, or would begin here.
    pub(super) here: bool,
    /// Whether what is held waits for a tap.
    pub(super) tapping: bool,
    /// Whether keys hold something.
    pub(super) held: bool,
    /// Changes with the colours.
    pub(super) theme: u8,
    /// What a cell's node says, in words.
    pub(super) speak: AttrValue,
    pub(super) words: ScaleWords,
    /// Shows a node's card.
    pub(super) open: Callback<AttrValue>,
}

impl PartialEq for HeatProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.data, &other.data)
            && self.range == other.range
            && (self.metric, self.at, self.here, self.tapping, self.held, self.theme)
                == (other.metric, other.at, other.here, other.tapping, other.held, other.theme)
            && self.label == other.label
            && self.speak == other.speak
            && self.words == other.words
    }
}

/// The distance from one cell to the next, in CSS pixels.
fn pitch(nodes: usize) -> i32 {
    if nodes > 1500 { 16 } else { 24 }
}

/// How many cells a row of the drawing has.
fn across(canvas: &Element, nodes: usize) -> usize {
    (canvas.client_width() / pitch(nodes)).max(1) as usize
}

/// The heat map.
#[component]
pub(super) fn Heat(props: &HeatProps) -> Html {
    let env = use_env();
    let (canvas, mark) = (use_node_ref(), use_node_ref());
    let width = use_state(|| 0);
    let (start, count, all) = (props.range.start, props.range.len(), props.data.nodes.len());
    {
        let (canvas, width) = (canvas.clone(), width.clone());
        // The drawing follows the width that it is given.
        use_effect_with((), move |()| {
            let measure = move || {
                if let Some(canvas) = canvas.cast::<Element>() {
                    width.set(canvas.parent_element().map_or(0, |parent| parent.client_width()));
                }
            };
            measure();
            let window = web_sys::window();
            let listener = window
                .map(|window| crate::dom::Listener::new(&window, "resize", move |_| measure()));
            move || drop(listener)
        });
    }
    {
        let (canvas, data, range, metric) =
            (canvas.clone(), Rc::clone(&props.data), props.range.clone(), props.metric);
        let key = (Rc::as_ptr(&props.data), props.range.clone(), props.metric, props.theme, *width);
        use_effect_with(key, move |_| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                draw(&canvas, &data, range, metric);
            }
        });
    }
    let here = props.at.and_then(|at| at.checked_sub(start)).filter(|at| *at < count);
    {
        let (canvas, mark) = (canvas.clone(), mark.clone());
        use_effect_with((here, *width, count), move |(here, ..)| {
            let (Some(canvas), Some(mark)) = (canvas.cast::<Element>(), mark.cast::<HtmlElement>())
            else {
                return;
            };
            let (Some(at), across, pitch) = (*here, across(&canvas, all), pitch(all)) else {
                set_css(&mark, "display", "none");
                return;
            };
            let (x, y) = ((at % across) as i32 * pitch, (at / across) as i32 * pitch);
            set_css(&mark, "display", "block");
            set_css(&mark, "width", &[&(pitch - 2).to_string(), "px"].concat());
            set_css(&mark, "translate", &[&x.to_string(), "px ", &y.to_string(), "px"].concat());
        });
    }
    let onclick = {
        let (data, range, tapping) = (Rc::clone(&props.data), props.range.clone(), props.tapping);
        let (send, open) = (env.send.clone(), props.open.clone());
        Callback::from(move |event: MouseEvent| {
            let Some(canvas) = event.target().and_then(|target| target.dyn_into::<Element>().ok())
            else {
                return;
            };
            let Some(name) = cell_at(&canvas, &data, &range, event.client_x(), event.client_y())
            else {
                return;
            };
            if tapping {
                let target = Some(Target::Node(name));
                send.emit(Intent::Drag(Input::Drop { target, bypass: false }));
            } else {
                open.emit(name);
            }
        })
    };
    let onkeydown = {
        let (canvas, data, range, held) =
            (canvas.clone(), Rc::clone(&props.data), props.range.clone(), props.held);
        let (send, open) = (env.send.clone(), props.open.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some(canvas) = canvas.cast::<Element>() else { return };
            let (last, row) = (range.len().saturating_sub(1), across(&canvas, data.nodes.len()));
            let at = here.unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowLeft" => at.saturating_sub(1),
                "ArrowRight" => at + 1,
                "ArrowUp" => at.checked_sub(row).unwrap_or(at),
                "ArrowDown" => at + row,
                "Home" => 0,
                "End" => last,
                "Enter" | " " => {
                    event.prevent_default();
                    event.stop_propagation();
                    if held {
                        send.emit(Intent::Drag(Input::Drop {
                            target: None,
                            bypass: event.alt_key(),
                        }));
                    } else if let Some(node) = data.nodes.get(range.start + at) {
                        open.emit(node.name.clone());
                    }
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            if let Some(node) = data.nodes.get(range.start + to.min(last)) {
                let name = node.name.clone();
                if held {
                    send.emit(Intent::Drag(Input::Aim(Target::Node(name.clone()))));
                }
                send.emit(Intent::Do(Action::Cursor(Cursor::Node(name))));
            }
        })
    };
    // Where the pointer lets go, the page asks for the node under it.
    {
        let (canvas, data, range) = (canvas.clone(), Rc::clone(&props.data), props.range.clone());
        use_effect_with((Rc::as_ptr(&props.data), props.range.clone()), move |_| {
            let element = canvas.cast::<Element>();
            let look = {
                let element = element.clone();
                move |x, y| cell_at(element.as_ref()?, &data, &range, x, y)
            };
            let cells = element.map(|element| crate::dom::Cells::new(&element, look));
            move || drop(cells)
        });
    }
    let label = props.words.fill(
        ScaleMsg::HeatLabel,
        &[("name", &props.label), ("nodes", &env.words.count(Msg::Nodes, count as u32))],
    );
    let position = here.map(|at| (at + 1).to_string());
    html! {
        <div class="heat" role="listbox" aria-label={label} tabindex="0" data-here={props.here.then_some("true")} {onkeydown}
            aria-activedescendant={here.map(|_| "heat-at")}>
            <canvas ref={canvas} data-drop="cells" aria-hidden="true" {onclick}></canvas>
            <i class="mark" ref={mark} aria-hidden="true"></i>
            if here.is_some() {
                <span class="vh" role="option" id="heat-at" aria-selected="true" aria-posinset={position}
                    aria-setsize={count.to_string()}>{props.speak.clone()}</span>
            }
        </div>
    }
}

/// The name of the node under a point of the viewport.
fn cell_at(
    canvas: &Element,
    data: &Data,
    range: &Range<usize>,
    x: i32,
    y: i32,
) -> Option<AttrValue> {
    let area = canvas.get_bounding_client_rect();
    let (all, pitch) = (data.nodes.len(), pitch(data.nodes.len()));
    let (x, y) =
        ((f64::from(x) - area.left()) as i32 / pitch, (f64::from(y) - area.top()) as i32 / pitch);
    let across = across(canvas, all);
    let column = usize::try_from(x).ok().filter(|column| *column < across)?;
    let index = usize::try_from(y).ok()? * across + column;
    Some(data.nodes.get(range.start..range.end)?.get(index)?.name.clone())
}

/// The colours, as the legend has them: the drawing itself knows no custom properties.
fn colours(canvas: &Element) -> Option<Vec<String>> {
    let board = canvas.closest(".scale").ok()??;
    let swatches = board.query_selector_all(".legend i").ok()?;
    let window = web_sys::window()?;
    let mut colours = Vec::new();
    for index in 0..swatches.length() {
        let swatch = swatches.item(index)?.dyn_into::<Element>().ok()?;
        let style = window.get_computed_style(&swatch).ok()??;
        colours.push(style.get_property_value("background-color").ok()?);
    }
    Some(colours)
}

fn draw(canvas: &HtmlCanvasElement, data: &Data, range: Range<usize>, metric: Metric) {
    let pitch = pitch(data.nodes.len());
    let width = canvas.parent_element().map_or(0, |parent| parent.client_width());
    let across = (width / pitch).max(1) as usize;
    let height = range.len().div_ceil(across) as i32 * pitch;
    let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
    canvas.set_width((f64::from(width) * ratio) as u32);
    canvas.set_height((f64::from(height) * ratio) as u32);
    set_css(canvas, "height", &[&height.to_string(), "px"].concat());
    let Some(colours) = colours(canvas) else { return };
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) =
        context.and_then(|context| context.dyn_into::<CanvasRenderingContext2d>().ok())
    else {
        return;
    };
    // It fails for no finite numbers.
    let _ = context.scale(ratio, ratio);
    let (size, ink) = (f64::from(pitch - 2), colours.last().cloned().unwrap_or_default());
    context.set_line_width(1.5);
    for wanted in 0..=SHADES {
        let Some(colour) = colours.get(wanted) else { break };
        context.set_fill_style_str(colour);
        context.set_stroke_style_str(&ink);
        context.begin_path();
        for (index, node) in data.nodes.get(range.clone()).unwrap_or_default().iter().enumerate() {
            let (shade, crossed) = shade(data, node, metric);
            if shade != wanted {
                continue;
            }
            let x = f64::from((index % across) as i32 * pitch);
            let y = f64::from((index / across) as i32 * pitch);
            context.fill_rect(x, y, size, size);
            if crossed {
                let (near, far) = (size * 0.3, size * 0.7);
                context.move_to(x + near, y + near);
                context.line_to(x + far, y + far);
                context.move_to(x + far, y + near);
                context.line_to(x + near, y + far);
            }
        }
        context.stroke();
    }
}
