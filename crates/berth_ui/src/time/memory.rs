//! Memory pressure: what a node and its pods use, as sliders, and in which order its kubelet would evict them.

use super::asked::ask;
use super::run::{Run, Shared, clock};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::components::choice;
use crate::env::Env;
use crate::tool::task;
use berth_core::api::ObjectKey;
use berth_core::kubelet::eviction::PodStats;
use berth_core::simulation::{Command, Outlook, Ranked, Supposed, UsageOf};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{AttrValue, Callback, Event, Html, InputEvent, MouseEvent, TargetCast, classes, html};

const MEBI: i64 = 1 << 20;
/// So many pods are listed.
const MOST: usize = 60;

/// What is tried out.
#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    node: Option<String>,
    supposed: Supposed,
}

/// Bytes in mebibytes.
fn mebi(bytes: i64) -> String {
    let tenths = bytes.saturating_mul(10) / MEBI;
    let sign = if tenths < 0 { "−" } else { "" };
    let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if rest == 0 { format!("{sign}{whole}Mi") } else { format!("{sign}{whole}.{rest}Mi") }
}

/// The node that is looked at: the one that was chosen if it is still there, else the first.
fn node(run: &Run) -> Option<String> {
    let objects = run.timeline.state().objects();
    let chosen = run.trial.node.as_ref().filter(|name| objects.node(name).is_some());
    chosen.cloned().or_else(|| objects.nodes().next().map(|node| node.metadata.name.clone()))
}

/// What happens next, in words.
fn verdict(words: &TimeWords, outlook: &Outlook) -> AttrValue {
    let Some(first) = outlook.pods.iter().find(|pod| !pod.is_critical) else {
        return words.text(TimeMsg::NobodyGoes);
    };
    let crossed = || outlook.thresholds.iter().filter(|(_, crossed)| *crossed);
    let grace = crossed().map(|(threshold, _)| threshold.grace_seconds.unwrap_or(0)).min();
    let pod = first.pod.to_string();
    match grace {
        None => words.text(TimeMsg::NobodyGoes),
        Some(0) => words.fill(TimeMsg::GoesAtOnce, &[("pod", &pod)]),
        Some(n) => words.fill(TimeMsg::GoesAfter, &[("pod", &pod), ("n", &n.to_string())]),
    }
}

/// The node, its thresholds, and its pods.
pub(super) fn view(env: &Env, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let state = run.timeline.state();
    let chosen = node(run);
    let outlook =
        chosen.as_deref().and_then(|node| state.memory_outlook(node, &run.trial.supposed));
    let (Some(name), Some(outlook)) = (chosen, outlook) else {
        return html! { <p class="dim">{words.text(TimeMsg::NobodyGoes)}</p> };
    };
    let names: Vec<(AttrValue, AttrValue)> = state
        .objects()
        .nodes()
        .map(|node| AttrValue::from(node.metadata.name.clone()))
        .map(|name| (name.clone(), name))
        .collect();
    let onnode = {
        let (shared, send) = (Rc::clone(shared), env.send.clone());
        Callback::from(move |event: Event| {
            let Some(select) = event.target_dyn_into::<HtmlSelectElement>() else { return };
            let (shared, node) = (Rc::clone(&shared), select.value());
            send.emit(task(move |_| {
                let node = Some(node.clone());
                shared.borrow_mut().trial = Trial { node, supposed: Supposed::default() };
            }));
        })
    };
    let onsubmit = {
        let shared = Rc::clone(shared);
        env.on::<MouseEvent>(task(move |app| submit(&shared, app)))
    };
    let is_tried = run.trial.supposed != Supposed::default();
    html! {
        <>
            <div class="row act">
                {choice(Some(words.text(TimeMsg::ActOn)), &names, &name.into(), onnode)}
                <span class="num">{facts(words, &outlook)}</span>
                <span class="grow"></span>
                <button type="button" class="btn small line" id="time-use" aria-disabled={(!is_tried).to_string()} onclick={onsubmit}>
                    {words.text(TimeMsg::UseSoMuch)}
                </button>
            </div>
            {thresholds(words, &outlook)}
            {table(env, words, shared, &outlook)}
        </>
    }
}

fn facts(words: &TimeWords, outlook: &Outlook) -> AttrValue {
    let capacity = outlook.capacity.map_or_else(|| "–".to_owned(), mebi);
    let available = mebi(outlook.available);
    words.fill(TimeMsg::MemoryLeft, &[("n", &available), ("all", &capacity)])
}

fn thresholds(words: &TimeWords, outlook: &Outlook) -> Html {
    let line = |(threshold, crossed): &(berth_core::simulation::MemoryThreshold, bool)| {
        let bytes = mebi(threshold.bytes);
        let text = match threshold.grace_seconds {
            None => ["evictionHard memory.available<", &*bytes].concat(),
            Some(n) => format!("evictionSoft memory.available<{bytes}, {n} s"),
        };
        html! { <li><code class={classes!(crossed.then_some("warning"))}>{text}</code></li> }
    };
    html! {
        <div class="row thresholds">
            <ul class="row">{for outlook.thresholds.iter().map(line)}</ul>
            <p role="status">{verdict(words, outlook)}</p>
        </div>
    }
}

/// The pods by name, each with its place in the order in which they would go: what is moved by hand stays where it is.
fn table(env: &Env, words: &TimeWords, shared: &Shared, outlook: &Outlook) -> Html {
    let most = outlook.capacity.unwrap_or(0) / MEBI;
    let mut pods: Vec<(usize, &Ranked)> = (1..).zip(&outlook.pods).collect();
    pods.sort_by(|(_, a), (_, b)| a.pod.cmp(&b.pod));
    let line = |(place, pod): &(usize, &Ranked)| {
        let name = pod.pod.to_string();
        let key = pod.pod.clone();
        let slider = slider(env, shared, &name, (pod.usage, most), move |supposed, bytes| {
            supposed.pods.insert(key.clone(), bytes);
        });
        let place = if pod.is_critical { "–".to_owned() } else { place.to_string() };
        html! {
            <tr key={name.clone()}>
                <td class="num">{place}</td><th scope="row">{name}</th><td>{slider}</td>
                <td class="num">{mebi(pod.usage as i64)}</td>
                <td>{words.text(if pod.exceeds { TimeMsg::Yes } else { TimeMsg::No })}</td>
                <td class="num">{pod.priority}</td>
                <td class="num">{mebi(pod.above)}</td>
            </tr>
        }
    };
    let beside = words.text(TimeMsg::BesidePods);
    let own = slider(env, shared, &beside, (outlook.beside, most), |supposed, bytes| {
        supposed.beside = Some(bytes);
    });
    let columns = [
        TimeMsg::Order,
        TimeMsg::Pod,
        TimeMsg::Memory,
        TimeMsg::Uses,
        TimeMsg::OverRequest,
        TimeMsg::Priority,
        TimeMsg::AboveRequest,
    ];
    html! {
        <table class="compared memory">
            <thead><tr>{for columns.map(|msg| html! { <th scope="col">{words.text(msg)}</th> })}</tr></thead>
            <tbody>
                <tr key="">
                    <td class="num">{"–"}</td><th scope="row">{beside}</th><td>{own}</td>
                    <td class="num">{mebi(outlook.beside as i64)}</td><td>{"–"}</td><td>{"–"}</td><td>{"–"}</td>
                </tr>
                {for pods.iter().take(MOST).map(line)}
            </tbody>
        </table>
    }
}

/// A slider for bytes that are used, of so many mebibytes.
fn slider(
    env: &Env,
    shared: &Shared,
    label: &str,
    (bytes, most): (u64, i64),
    set: impl Fn(&mut Supposed, u64) + Clone + 'static,
) -> Html {
    let (shared, send) = (Rc::clone(shared), env.send.clone());
    let oninput = Callback::from(move |event: InputEvent| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let bytes = (input.value_as_number() as u64).saturating_mul(MEBI as u64);
        let (shared, set) = (Rc::clone(&shared), set.clone());
        send.emit(task(move |_| set(&mut shared.borrow_mut().trial.supposed, bytes)));
    });
    let now = bytes as i64 / MEBI;
    // A hundred steps, in whole sixteens.
    let step = (most / 100 / 16 * 16).max(16);
    html! {
        <input type="range" min="0" max={most.max(now).to_string()} step={step.to_string()} value={now.to_string()}
            aria-label={label.to_owned()} aria-valuetext={mebi(bytes as i64)} {oninput} />
    }
}

/// What is tried out is so from the moment on.
fn submit(shared: &Shared, app: &mut App) {
    let words = words(app);
    let said = {
        let mut run = shared.borrow_mut();
        let Some(node) = node(&run) else { return };
        let supposed = std::mem::take(&mut run.trial.supposed);
        let memory = |bytes| PodStats { memory: Some(bytes), ..PodStats::default() };
        let of_pod = |(pod, bytes): (&ObjectKey, &u64)| Command::Usage {
            of: UsageOf::Pod(pod.clone()),
            usage: memory(*bytes),
        };
        let own = supposed
            .beside
            .map(|bytes| Command::Usage { of: UsageOf::Node(node.clone()), usage: memory(bytes) });
        let is_there = |pod: &ObjectKey| run.timeline.state().objects().pod(pod).is_some();
        let pods = supposed.pods.iter().filter(|(pod, _)| is_there(pod)).map(of_pod);
        let requests: Vec<Command> = own.into_iter().chain(pods).collect();
        if requests.is_empty() {
            return;
        }
        let what = AttrValue::from([&*words.text(TimeMsg::Memory), ": ", &*node].concat());
        let forked = ask(&mut run, what.clone(), requests);
        let msg = if forked { TimeMsg::SayForked } else { TimeMsg::SayAsked };
        words.fill(msg, &[("what", &what), ("time", &clock(run.timeline.now()))])
    };
    moment::show(shared, app);
    app.tell(said);
}

#[cfg(test)]
mod tests {
    use super::mebi;

    #[test]
    fn bytes_are_written_in_mebibytes() {
        for (bytes, want) in [
            (0, "0Mi"),
            (100 << 20, "100Mi"),
            ((1 << 20) + (1 << 19), "1.5Mi"),
            (-(64 << 20), "−64Mi"),
        ] {
            assert_eq!(mebi(bytes), want);
        }
    }
}
