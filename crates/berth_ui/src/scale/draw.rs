//! The view, drawn: the bar with its switches, columns of rows or cells, the table, the card that is open.

use super::data::{NodeRow, Outcome, Zone, is_large};
use super::heat::{Heat, Metric, SHADES};
use super::table::{Source, Table};
use super::tables;
use super::words::{ScaleMsg, ScaleWords};
use super::{Look, MOST_ROWS, ON_BOARD, Shown, View, open_card};
use crate::app::{App, Intent};
use crate::components::{Bar, NodeCard, NodeCardProps, Shape, choice, gauge, icon, speak};
use crate::cursor::{Cursor, Step};
use crate::drag::{By, Input, Target};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::Theme;
use crate::tool::task;
use crate::view::NodeCardView;
use std::ops::Range;
use std::rc::Rc;
use web_sys::{Element, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, KeyboardEvent, MouseEvent, TargetCast, classes, html};

/// One drawing of the view.
pub(super) struct Drawing<'a> {
    pub(super) app: &'a App,
    pub(super) env: &'a Env,
    pub(super) words: &'a ScaleWords,
    pub(super) view: &'a View,
    pub(super) shown: &'a Shown,
}

impl Drawing<'_> {
    /// A callback that changes what is shown.
    fn on<E: 'static>(&self, change: impl Fn(&mut Shown, &E) + 'static) -> Callback<E> {
        let (shown, send, change) =
            (Rc::clone(&self.view.shown), self.env.send.clone(), Rc::new(change));
        Callback::from(move |event: E| {
            change(&mut shown.borrow_mut(), &event);
            // The change is made; the page looks at it anew.
            send.emit(task(|_| {}));
        })
    }

    /// T goes from the board to the table and back, Escape closes the card, arrows walk the rows.
    pub(super) fn keys(&self) -> Callback<KeyboardEvent> {
        let drag = &self.app.state().drag;
        let (idle, keys) = (drag.held().is_none(), drag.by() == Some(By::Keys));
        let (shown, send) = (Rc::clone(&self.view.shown), self.env.send.clone());
        Callback::from(move |event: KeyboardEvent| {
            let plain = !event.ctrl_key() && !event.alt_key() && !event.meta_key();
            let target = event.target_dyn_into::<Element>();
            let on_row = target.is_some_and(|target| target.class_list().contains("node-row"));
            let intent = match event.key().as_str() {
                "t" | "T" if plain && !crate::dom::is_typing(&event) => {
                    Intent::Call(Call::Scale { table: true })
                }
                "Escape" if idle && shown.borrow().open.is_some() => open_card(&shown, None),
                "ArrowUp" if on_row => Intent::Walk(Step::Up),
                "ArrowDown" if on_row => Intent::Walk(Step::Down),
                "ArrowLeft" if on_row => Intent::Walk(Step::ZoneLeft),
                "ArrowRight" if on_row => Intent::Walk(Step::ZoneRight),
                "Enter" | " " if on_row && keys => {
                    Intent::Drag(Input::Drop { target: None, bypass: event.alt_key() })
                }
                _ => return,
            };
            send.emit(intent);
            event.prevent_default();
            event.stop_propagation();
        })
    }

    /// What is shown, what is hidden, and the switches.
    pub(super) fn bar(&self) -> Html {
        let (words, own) = (&self.env.words, self.words);
        let look = |look: Look, msg: ScaleMsg| {
            let pressed = self.shown.look == look;
            let shown = Rc::clone(&self.view.shown);
            let onclick = self.env.on(task(move |app| {
                shown.borrow_mut().look = look;
                // The button goes with the table.
                if look == Look::Board && !is_large(app.cluster()) {
                    app.focus(ON_BOARD);
                }
            }));
            html! { <button type="button" aria-pressed={pressed.to_string()} {onclick}>{own.text(msg)}</button> }
        };
        let board =
            if is_large(self.app.cluster()) { ScaleMsg::LookMap } else { ScaleMsg::LookBoard };
        let nodes = words.count(Msg::Nodes, self.view.data.nodes.len() as u32);
        let pods = words.count(Msg::Pods, self.view.data.pods);
        let hidden = match self.shown.look {
            Look::Board if self.maps() => ScaleMsg::ShownMap,
            Look::Board => ScaleMsg::ShownRows,
            _ => ScaleMsg::ShownTable,
        };
        html! {
            <div class="scale-bar row">
                <span class="seg" role="group" aria-label={own.text(ScaleMsg::Look)}>
                    {look(Look::Board, board)}{look(Look::Nodes, ScaleMsg::LookNodes)}{look(Look::Pods, ScaleMsg::LookPods)}
                </span>
                if self.shown.look == Look::Board && self.maps() { {self.metrics()} }
                if self.shown.look != Look::Pods { {self.second()} }
                <p class="dim">{own.fill(hidden, &[("nodes", &nodes), ("pods", &pods)])}</p>
            </div>
        }
    }

    /// Whether the nodes are cells.
    fn maps(&self) -> bool {
        self.view.data.nodes.len() > MOST_ROWS
    }

    fn metrics(&self) -> Html {
        let buttons = Metric::ALL.into_iter().map(|(metric, msg)| {
            let pressed = self.shown.metric == metric;
            let onclick = self.on(move |shown: &mut Shown, _: &MouseEvent| shown.metric = metric);
            html! { <button type="button" aria-pressed={pressed.to_string()} {onclick}>{self.words.text(msg)}</button> }
        });
        html! {
            <>
                <span class="seg" role="group" aria-label={self.words.text(ScaleMsg::Metric)}>{for buttons}</span>
                <span class="legend row dim">
                    {self.words.text(ScaleMsg::LegendLow)}
                    {for (0..=SHADES).map(|shade| html! { <i class={["k", &shade.to_string()].concat()}></i> })}
                    {self.words.text(ScaleMsg::LegendHigh)}<i class="ink"></i>{self.words.text(ScaleMsg::LegendOut)}
                </span>
            </>
        }
    }

    /// The key below the columns' key.
    fn second(&self) -> Html {
        let cluster = self.app.cluster();
        let mut keys: Vec<(AttrValue, AttrValue)> =
            vec![(AttrValue::default(), self.words.text(ScaleMsg::NoSecond))];
        for key in cluster.keys.iter().filter(|key| **key != cluster.key) {
            keys.push((key.clone(), key.clone()));
        }
        if keys.len() < 2 {
            return Html::default();
        }
        let onchange = self.on(|shown: &mut Shown, event: &Event| {
            if let Some(list) = event.target_dyn_into::<HtmlSelectElement>() {
                let value = list.value();
                shown.second = (!value.is_empty()).then(|| value.into());
            }
        });
        let now = self.shown.second.clone().unwrap_or_default();
        html! {
            <label class="row">{self.words.text(ScaleMsg::Second)}{choice(None, &keys, &now, onchange)}</label>
        }
    }

    /// The node where something is: held over it, the keyboard, or its card is open.
    fn at(&self) -> Option<AttrValue> {
        let state = self.app.state();
        match (state.drag.over(), &state.cursor) {
            (Some(Target::Node(name)), _) | (None, Some(Cursor::Node(name))) => Some(name.clone()),
            _ => self.shown.open.clone(),
        }
    }

    pub(super) fn table(&self, source: &Rc<dyn Source>) -> Html {
        let label = match self.shown.look {
            Look::Pods => self.words.text(ScaleMsg::LookPods),
            _ => self.words.text(ScaleMsg::LookNodes),
        };
        let key = label.to_string();
        let over = match self.app.state().drag.over() {
            Some(Target::Node(name)) => Some(name.clone()),
            _ => self.shown.open.clone(),
        };
        let tapping = matches!(self.app.state().drag.by(), Some(By::Taps | By::Keys));
        html! { <Table {key} source={Rc::clone(source)} {label} at={over} {tapping} /> }
    }

    pub(super) fn columns(&self) -> Html {
        let at = self.at().and_then(|name| self.view.data.position(&name));
        html! {
            <div class="scale-zones" data-scroll="board">
                {for self.view.data.zones.iter().map(|zone| self.zone(zone, at))}
            </div>
        }
    }

    fn zone(&self, zone: &Zone, at: Option<usize>) -> Html {
        let state = self.app.state();
        let over = state.drag.over() == Some(&Target::Zone(zone.id.clone()));
        let tapping = state.drag.by() == Some(By::Taps);
        let (send, id) = (self.env.send.clone(), zone.id.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            if tapping {
                let target = Some(Target::Zone(id.clone()));
                send.emit(Intent::Drag(Input::Drop { target, bypass: false }));
            }
        });
        html! {
            <section class={classes!("zone", over.then_some("over"))} key={zone.id.as_str()} aria-label={zone.title.clone()}
                data-drop="zone" data-name={zone.id.clone()} data-scroll="zone">
                <div class="zone-row" {onclick}>
                    <div class="zone-head">
                        <h2 class="clip">{zone.title.clone()}<span>{self.env.words.count(Msg::Nodes, zone.nodes() as u32)}</span></h2>
                        {for zone.gauges.iter().map(|view| gauge(self.env, view, false))}
                        if self.view.data.fits.is_some() {
                            <p class="math"><b>{self.words.fill(ScaleMsg::FitHere, &[("n", &zone.fits.to_string())])}</b>
                                if let Some(best) = &zone.best { {" · "}{self.words.fill(ScaleMsg::Best, &[("node", best)])} }
                            </p>
                        }
                    </div>
                </div>
                {for zone.groups.iter().enumerate().map(|(index, (group, range))| html! {
                    <div key={index} class="group">
                        if let Some(group) = group { <h3 class="dim">{group.clone()}{" "}<span class="num">{range.len()}</span></h3> }
                        if self.maps() { {self.heat(zone, group.as_ref(), range.clone(), at)} }
                        else { {for range.clone().zip(self.view.data.nodes.get(range.clone()).unwrap_or_default()).map(|(index, node)| self.row(node, index == at.unwrap_or(0)))} }
                    </div>
                })}
            </section>
        }
    }

    fn heat(
        &self,
        zone: &Zone,
        group: Option<&AttrValue>,
        range: Range<usize>,
        at: Option<usize>,
    ) -> Html {
        let state = self.app.state();
        let data = &self.view.data;
        let inside = at.filter(|at| range.contains(at));
        let here = at.map_or(range.start == 0, |at| range.contains(&at));
        let speak = inside
            .and_then(|at| data.nodes.get(at))
            .map(|node| self.speak(node))
            .unwrap_or_default();
        let label = match group {
            Some(group) => [&*zone.title, ", ", group].concat().into(),
            None => zone.title.clone(),
        };
        let send = self.env.send.clone();
        let shown = Rc::clone(&self.view.shown);
        let open = Callback::from(move |name: AttrValue| send.emit(open_card(&shown, Some(name))));
        html! {
            <Heat data={Rc::clone(data)} {range} {label} metric={self.shown.metric} at={inside}
                {here}
                tapping={state.drag.by() == Some(By::Taps)} held={state.drag.by() == Some(By::Keys)}
                theme={match state.theme { Theme::System => 0, Theme::Light => 1, Theme::Dark => 2 }}
                {speak} words={self.words.clone()} {open} />
        }
    }

    /// A node in words.
    fn speak(&self, node: &NodeRow) -> AttrValue {
        let verdict = match &node.outcome {
            Outcome::NotAsked => None,
            _ => self.app.engine().verdict(&node.name, &self.env.words),
        };
        match verdict {
            Some(verdict) => [&*node.name, ", ", &*speak(self.env, &verdict)].concat().into(),
            None => node.name.clone(),
        }
    }

    /// A node as a row.
    fn row(&self, node: &NodeRow, here: bool) -> Html {
        let state = self.app.state();
        let target = Target::Node(node.name.clone());
        let over =
            state.drag.over() == Some(&target) || self.shown.open.as_ref() == Some(&node.name);
        let (class, text): (_, AttrValue) = match &node.outcome {
            Outcome::NotAsked => ("", AttrValue::default()),
            Outcome::Fits(rank, total) => {
                ("fit", ["✓ ", &total.to_string(), " · #", &rank.to_string()].concat().into())
            }
            Outcome::Refused(plugin) => ("no", ["✕ ", plugin].concat().into()),
        };
        let onclick = if state.drag.by() == Some(By::Taps) {
            self.env.on(Intent::Drag(Input::Drop { target: Some(target), bypass: false }))
        } else {
            self.env.on(open_card(&self.view.shown, Some(node.name.clone())))
        };
        let used = tables::taken(node.cpu);
        html! {
            <button type="button" class={classes!("node-row", class, over.then_some("over"))} key={node.name.as_str()} data-drop="node"
                data-name={node.name.clone()} aria-expanded={over.to_string()} tabindex={if here { "0" } else { "-1" }}
                data-here={here.then_some("true")} {onclick}>
                <b class="clip">{node.name.clone()}</b>
                <span class="num">{node.pods}</span>
                <span class="track" aria-hidden="true"><Bar class="used" width={used} /></span>
                <span class="clip verdict">{text}</span>
            </button>
        }
    }

    /// The card that is open.
    pub(super) fn card(&self) -> Html {
        let Some(name) = &self.shown.open else { return Html::default() };
        let Some(node) = self.app.engine().card(name, &self.app.cluster().key, &self.env.words)
        else {
            return Html::default();
        };
        let state = self.app.state();
        let node: Rc<NodeCardView> = Rc::new(node);
        let holds = |key: &AttrValue| node.pods.iter().any(|pod| pod.key == *key);
        let held = state.drag.held_pod();
        let props = NodeCardProps {
            dense: false,
            live: held.is_some(),
            over: state.drag.over() == Some(&Target::Node(name.clone())),
            selected: state.selected.clone(),
            slot: held.filter(|key| holds(key)).cloned(),
            tapping: state.drag.by() == Some(By::Taps),
            refused: state.refused.as_ref().is_some_and(|(_, refused)| refused == name),
            chosen: state.node.as_ref() == Some(name),
            cursor: None,
            node,
        };
        let close = self.env.on(open_card(&self.view.shown, None));
        html! {
            <section class="open-card" aria-label={self.words.fill(ScaleMsg::CardOf, &[("node", name)])}>
                <button type="button" class="btn small icon-only" aria-label={self.env.words.text(Msg::Close)} onclick={close}>{icon(Shape::Cross)}</button>
                <div role="grid" aria-label={name.clone()}><NodeCard ..props /></div>
            </section>
        }
    }
}
