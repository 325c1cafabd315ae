//! What the comparison looks like: the sentence first, then what differs.

use super::settings::Setting;
use super::work::{MOST_PODS, Work};
use super::{Held, pin, take_back, unpin};
use crate::app::{App, Intent};
use crate::components::{Shape, icon, small_icon};
use crate::config::words::{ConfigMsg, ConfigWords};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::Action;
use crate::tool::task;
use berth_core::api::ObjectKey;
use berth_core::compare::{
    Difference, Fate, FateDifference, Judgement, NodeDifference, PluginDifference, Rehearsal,
    Verdict, fate_differences,
};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use yew::{AttrValue, Html, html};

/// So many pods and nodes are listed.
const MOST_ROWS: usize = 100;
/// So many nodes of a pod.
const MOST_NODES: usize = 20;

/// What everything needs.
struct View<'a> {
    env: &'a Env,
    words: &'a ConfigWords,
}

/// The panel.
pub(super) fn panel(
    app: &App,
    held: &Rc<RefCell<Held>>,
    work: Option<&Rc<RefCell<Work>>>,
    settings: &[Setting],
) -> Html {
    let words: ConfigWords = app.env().table();
    let view = View { env: app.env(), words: &words };
    html! {
        <aside class="side config compare" aria-labelledby="compare-title" data-sheet="full">
            <header>
                {icon(Shape::Table)}
                <h2 id="compare-title" class="clip" tabindex="-1">{words.text(ConfigMsg::Compare)}</h2>
                <span class="grow"></span>
                <button type="button" class="btn icon-only" aria-label={app.env().words.text(Msg::Close)}
                    onclick={app.env().on(Intent::CloseSide)}>{icon(Shape::Cross)}</button>
            </header>
            <div class="side-body">
                {view.sides(app, held)}
                if let Some(work) = work { {view.work(work, settings)} }
            </div>
        </aside>
    }
}

impl View<'_> {
    /// What is A, what is B, and what can be done with them.
    fn sides(&self, app: &App, held: &Rc<RefCell<Held>>) -> Html {
        let words = self.words;
        let act = |msg: ConfigMsg, act: fn(&mut App, &RefCell<Held>)| {
            let held = Rc::clone(held);
            let onclick = self.env.on(task(move |app| act(app, &held)));
            html! { <button type="button" class="btn small line" {onclick}>{words.text(msg)}</button> }
        };
        let configure = self.env.on(Call::Config("#open-rules").into());
        let a = held.borrow().a.as_ref().map(|a| a.name.clone());
        let is_held = a.is_some();
        html! {
            <section class="block">
                if let Some(name) = a {
                    <p class="side-of">{mark("A")}<span>{words.fill(ConfigMsg::AIs, &[("name", &name)])}</span></p>
                    <p class="side-of">{mark("B")}<span>{words.fill(ConfigMsg::BIs, &[("name", &super::board_name(app))])}</span></p>
                } else {
                    <p class="foot">{words.text(ConfigMsg::CompareHint)}</p>
                }
                <div class="row wrap">
                    {act(if is_held { ConfigMsg::PinAnew } else { ConfigMsg::Pin }, pin)}
                    if is_held {
                        {act(ConfigMsg::Swap, |app, held| take_back(app, held, true))}
                        {act(ConfigMsg::TakeBack, |app, held| take_back(app, held, false))}
                        {act(ConfigMsg::Unpin, unpin)}
                    }
                    <button type="button" class="btn small line" onclick={configure}>{words.text(ConfigMsg::Title)}</button>
                </div>
            </section>
        }
    }

    fn work(&self, shared: &Rc<RefCell<Work>>, settings: &[Setting]) -> Html {
        let Ok(work) = shared.try_borrow() else { return Html::default() };
        let [a, b] = &work.rehearsals;
        let fates = fate_differences(a.fates(), b.fates());
        html! {
            <>
                <section class="block" aria-live="polite">
                    {self.summary(shared, &work, fates.len())}
                </section>
                if !settings.is_empty() {
                    <section class="block">
                        <h3>{self.words.text(ConfigMsg::ConfigDiffers)}<span class="num">{settings.len()}</span></h3>
                        <ul class="differences">{for settings.iter().take(MOST_ROWS).map(setting_line)}</ul>
                        {self.rest(settings.len(), MOST_ROWS)}
                    </section>
                }
                if !work.found.is_empty() {
                    <section class="block">
                        <h3>{self.words.text(ConfigMsg::NextDiffers)}<span class="num">{work.found.len()}</span></h3>
                        <ul class="differences">{for work.found.iter().take(MOST_ROWS).map(|found| self.difference(found))}</ul>
                        {self.rest(work.found.len(), MOST_ROWS)}
                        if work.waiting > MOST_PODS {
                            <p class="foot dimmer">{self.words.fill(ConfigMsg::FirstPods, &[("most", &MOST_PODS.to_string()), ("n", &work.waiting.to_string())])}</p>
                        }
                    </section>
                }
                if work.is_over() && !fates.is_empty() {
                    <section class="block">
                        <h3>{self.words.text(ConfigMsg::AllDiffers)}<span class="num">{fates.len()}</span></h3>
                        <ul class="differences">{for fates.iter().take(MOST_ROWS).map(|fate| self.fate(fate))}</ul>
                        {self.rest(fates.len(), MOST_ROWS)}
                    </section>
                }
            </>
        }
    }

    /// How much is left out of a list.
    fn rest(&self, all: usize, shown: usize) -> Html {
        let left = all.saturating_sub(shown);
        if left == 0 {
            return Html::default();
        }
        html! { <p class="foot dimmer">{self.words.count(ConfigMsg::MoreRows, left as u32)}</p> }
    }

    /// What differs in one sentence, or how far the work is.
    fn summary(&self, shared: &Rc<RefCell<Work>>, work: &Work, elsewhere: usize) -> Html {
        let words = self.words;
        let judged = work.pods.len().to_string();
        if !work.is_over() {
            let attempts: u64 = work.rehearsals.iter().map(Rehearsal::attempts).sum();
            let blanks = [
                ("done", &*work.judged.to_string()),
                ("n", &*judged),
                ("attempts", &*attempts.to_string()),
            ];
            let shared = Rc::clone(shared);
            let stop = self.env.on(task(move |app| {
                if let Ok(mut work) = shared.try_borrow_mut() {
                    work.stopped = true;
                }
                app.focus("#compare-title");
            }));
            return html! {
                <p class="cap-line"><span>{words.fill(ConfigMsg::Comparing, &blanks)}</span>
                    <button type="button" class="btn small line" onclick={stop}>{self.env.words.text(Msg::Cancel)}</button></p>
            };
        }
        let [a, b] = work.rehearsals.each_ref().map(Rehearsal::sums);
        let otherwise = work.found.len();
        let first = match otherwise {
            0 => words.fill(ConfigMsg::SameNext, &[("n", &judged)]),
            _ => words.fill(ConfigMsg::SumNext, &[("n", &otherwise.to_string()), ("all", &judged)]),
        };
        let sums = |land: u32, wait: u32, go: u32| {
            let [land, wait, go] = [land, wait, go].map(|count| count.to_string());
            words.fill(ConfigMsg::Sums, &[("land", &land), ("wait", &wait), ("go", &go)])
        };
        let all = match elsewhere {
            0 => words.text(ConfigMsg::SameAll),
            n => words.count(ConfigMsg::SumAll, n as u32),
        };
        html! {
            <>
                <p class="summary"><strong>{first}{" "}{all}</strong></p>
                <p class="side-of">{mark("A")}<span>{sums(a.land, a.wait, a.go)}</span></p>
                <p class="side-of">{mark("B")}<span>{sums(b.land, b.wait, b.go)}</span></p>
                if work.stopped { <p class="foot c-warn">{words.text(ConfigMsg::Stopped)}</p> }
                if let Some(error) = &work.error { <p class="foot c-warn mono">{error.clone()}</p> }
            </>
        }
    }

    /// The button that selects a pod on the board, and leaves the comparison where it is.
    fn pod(&self, pod: &ObjectKey) -> Html {
        let key = AttrValue::from(pod.to_string());
        let onclick = {
            let key = key.clone();
            self.env.on(task(move |app| {
                app.act(Action::Select(Some(key.clone())));
                app.act(Action::Side(true));
            }))
        };
        html! { <button type="button" class="link mono" {onclick}>{key}</button> }
    }

    fn difference(&self, found: &Difference) -> Html {
        let [a, b] = &found.judgements;
        let nodes = &found.nodes;
        html! {
            <li key={found.pod.to_string()}>
                {self.pod(&found.pod)}
                if found.in_verdict() { {pair(self.verdict(&a.verdict), self.verdict(&b.verdict), false)} }
                if found.in_best() { {pair(self.best(a), self.best(b), false)} }
                if !nodes.is_empty() {
                    <details>
                        <summary>{self.words.count(ConfigMsg::NodesDiffer, nodes.len() as u32)}</summary>
                        {self.table(nodes)}
                        {self.rest(nodes.len(), MOST_NODES)}
                    </details>
                }
            </li>
        }
    }

    fn best(&self, of: &Judgement) -> Html {
        let names: Vec<&str> = of.best.iter().take(MOST_NODES).map(Arc::as_ref).collect();
        let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
        html! { {self.words.fill(ConfigMsg::BestNodes, &[("nodes", &names)])} }
    }

    fn verdict(&self, verdict: &Verdict) -> Html {
        let words = self.words;
        let (class, text) = match verdict {
            Verdict::Absent => ("dim", words.text(ConfigMsg::Absent)),
            Verdict::Fits { nodes } => ("c-fit", words.count(ConfigMsg::FitsOn, *nodes)),
            Verdict::Preempts { node, victims } => {
                let victims: Vec<String> = victims.iter().map(ToString::to_string).collect();
                let blanks = [("node", &**node), ("victims", &*victims.join(", "))];
                ("c-warn", words.fill(ConfigMsg::PreemptsOn, &blanks))
            }
            Verdict::Refused(text) | Verdict::Gated(text) => ("c-reject", text.clone().into()),
        };
        html! { <span {class}>{text}</span> }
    }

    fn table(&self, nodes: &[NodeDifference]) -> Html {
        let total = |total: Option<i64>| match total {
            Some(total) => total.to_string(),
            None => "–".to_owned(),
        };
        html! {
            <table>
                <thead><tr>
                    <th scope="col">{self.words.text(ConfigMsg::Node)}</th>
                    <th scope="col">{"A"}</th>
                    <th scope="col">{"B"}</th>
                    <th scope="col">{self.words.text(ConfigMsg::Because)}</th>
                </tr></thead>
                <tbody>{for nodes.iter().take(MOST_NODES).map(|node| {
                    let [a, b] = node.totals;
                    html! {
                        <tr key={node.node.to_string()}>
                            <th scope="row" class="mono">{node.node.to_string()}</th>
                            <td>{total(a)}</td><td>{total(b)}</td>
                            <td>{for node.plugins.iter().map(plugin)}</td>
                        </tr>
                    }
                })}</tbody>
            </table>
        }
    }

    fn fate(&self, difference: &FateDifference) -> Html {
        let [a, b] = difference.fates.each_ref().map(|fate| self.came_to(fate.as_ref()));
        html! {
            <li key={difference.pod.to_string()}>{self.pod(&difference.pod)}{pair(a, b, false)}</li>
        }
    }

    fn came_to(&self, fate: Option<&Fate>) -> Html {
        let words = self.words;
        match fate {
            None => html! { <span class="dim">{words.text(ConfigMsg::Untouched)}</span> },
            Some(Fate::Lands { node, ties }) => html! {
                <span class="c-fit">{small_icon(Shape::Check)}<span class="mono">{node.clone()}</span>
                    if *ties > 1 { {" "}<span class="dim">{words.fill(ConfigMsg::OneOf, &[("n", &ties.to_string())])}</span> }
                </span>
            },
            Some(Fate::Waits { message }) => {
                let waits = words.text(ConfigMsg::WaitsStill);
                let text = if message.is_empty() {
                    waits
                } else {
                    [&*waits, ": ", message].concat().into()
                };
                html! { <span class="c-reject">{text}</span> }
            }
            Some(Fate::Goes { preemptor }) => {
                let text = words.fill(ConfigMsg::GoesFor, &[("pod", &preemptor.to_string())]);
                html! { <span class="c-warn">{text}</span> }
            }
        }
    }
}

/// A field of the configuration that differs.
fn setting_line(setting: &Setting) -> Html {
    let value = |index: usize| {
        let value = setting.values.get(index).cloned().flatten();
        value.unwrap_or_else(|| "–".to_owned())
    };
    html! {
        <li key={setting.path.clone()}>
            <p class="field-name">{setting.path.clone()}</p>
            {pair(html! { {value(0)} }, html! { {value(1)} }, true)}
        </li>
    }
}

/// A plugin that scores differently: by how much.
fn plugin(difference: &PluginDifference) -> Html {
    let by = difference.by();
    let [a, b] =
        difference.weighted.map(|score| score.map_or("–".to_owned(), |score| score.to_string()));
    let sign = if by > 0 { "+" } else { "−" };
    html! {
        <div><span class="mono">{difference.plugin.name()}</span>{" "}
            <span class="num">{a}{" → "}{b}{" ("}{sign}{by.unsigned_abs()}{")"}</span></div>
    }
}

/// Which of the two.
fn mark(letter: &'static str) -> Html {
    html! { <b class="which">{letter}</b> }
}

/// What each of the two says.
fn pair(a: Html, b: Html, mono: bool) -> Html {
    let class = if mono { "side-of mono" } else { "side-of" };
    html! {
        <>
            <p {class}>{mark("A")}<span>{a}</span></p>
            <p {class}>{mark("B")}<span>{b}</span></p>
        </>
    }
}
