//! "Predict first": what the scheduler says is hidden until the learner has said what it will be.

use super::course::{Course, Taken};
use super::{LessonMsg, LessonWords};
use crate::app::{App, Intent};
use crate::components::{Shape, board, icon, small_icon, speak};
use crate::env::Env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use crate::view::{CapacityView, ClusterView, DomainView, Fate, NodeCardView, PodChipView};
use berth_wire::lesson::Prediction;
use std::rc::Rc;
use yew::{AttrValue, Html, MouseEvent, html};

/// What the learner foretells.
pub(super) struct Guess {
    /// Nodes or pods that are marked.
    marked: Vec<String>,
    /// At which revision it was begun: any change of the cluster ends it.
    revision: u32,
    /// What the engine says, once the learner has answered, with a reason for each node or pod.
    answer: Option<Answer>,
}

struct Answer {
    right: Prediction,
    reasons: Vec<(AttrValue, AttrValue)>,
}

/// Hides the verdicts and asks.
pub(super) fn begin(app: &mut App, course: &Course) {
    let revision = app.engine().revision();
    course.0.borrow_mut().guess = Some(Guess { marked: Vec::new(), revision, answer: None });
    app.open(Slot::Board, Box::new(Cover { course: course.clone(), view: None }));
    app.open_side("#lesson-title", Box::new(Panel(course.clone())));
}

/// The intent to do so again.
pub(super) fn again(course: &Course) -> Intent {
    let course = course.clone();
    task(move |app| {
        begin(app, &course);
        app.focus("#predict-title");
    })
}

impl Taken {
    /// Whether the learner has still to answer.
    fn is_asked(&self, app: &App) -> bool {
        let guess = self.guess.as_ref();
        app.state().side
            && guess.is_some_and(|guess| {
                guess.answer.is_none() && guess.revision == app.engine().revision()
            })
    }

    fn toggle(&mut self, name: &str) {
        let one = matches!(self.lesson.predict, Some(Prediction::Best(_)));
        let Some(guess) = &mut self.guess else { return };
        let was = guess.marked.iter().any(|other| other == name);
        guess.marked.retain(|other| !one && other != name);
        if one || !was {
            guess.marked.push(name.to_owned());
        }
    }

    /// Asks the engine.
    fn answer(&mut self, app: &App) {
        let lesson = &self.lesson;
        let (Some(predict), Some(pod)) = (&lesson.predict, &lesson.pod) else { return };
        let Some(playground) = app.engine().playground() else { return };
        let right = predict.asked(&mut playground.scratch(), pod);
        let words: LessonWords = app.env().table();
        let reason = |name: AttrValue| {
            let reason = reason(app, &words, &right, &name);
            (name, reason)
        };
        let reasons = options(app.cluster(), &right).into_iter().map(reason).collect();
        if let Some(guess) = &mut self.guess {
            guess.answer = Some(Answer { right, reasons });
        }
    }
}

/// What can be marked: the nodes of the board, or the pods on them.
fn options(cluster: &ClusterView, of: &Prediction) -> Vec<AttrValue> {
    let nodes = cluster.domains.iter().flat_map(|domain| &domain.nodes);
    match of {
        Prediction::Fit(_) | Prediction::Best(_) => nodes.map(|node| node.name.clone()).collect(),
        Prediction::Victims(_) => {
            nodes.flat_map(|node| &node.pods).map(|pod| pod.key.clone()).collect()
        }
    }
}

fn reason(app: &App, words: &LessonWords, right: &Prediction, name: &AttrValue) -> AttrValue {
    let cluster = app.cluster();
    if let Prediction::Victims(_) = right {
        let fate = cluster.pod(name).map(|pod| pod.fate).unwrap_or_default();
        return words.text(match fate {
            Fate::Goes => LessonMsg::VictimGoes,
            Fate::MayGo => LessonMsg::VictimMayGo,
            Fate::Stays | Fate::Came => LessonMsg::VictimStays,
        });
    }
    let verdict = cluster.node(name).and_then(|node| node.verdict.as_ref());
    verdict.map(|verdict| speak(app.env(), verdict)).unwrap_or_default()
}

/// The board without what the scheduler says.
struct Cover {
    course: Course,
    view: Option<(Rc<ClusterView>, ClusterView)>,
}

impl Tool for Cover {
    fn stays(&self, app: &App) -> bool {
        self.course.0.borrow().is_asked(app)
    }

    fn follow(&mut self, app: &App) {
        let now = app.cluster();
        if self.view.as_ref().is_none_or(|(seen, _)| !Rc::ptr_eq(seen, now)) {
            self.view = Some((Rc::clone(now), silent(now)));
        }
    }

    fn view(&self, app: &App) -> Html {
        let cluster =
            self.view.as_ref().map_or_else(|| silent(app.cluster()), |(_, view)| view.clone());
        board(app.env(), &cluster, app.state())
    }
}

/// A board that says nothing about the selected pod.
fn silent(cluster: &ClusterView) -> ClusterView {
    let domain = |domain: &Rc<DomainView>| {
        let nodes = domain.nodes.iter().map(|node| Rc::new(silent_node(node))).collect();
        Rc::new(DomainView { gauges: Vec::new(), nodes, best: None, ..DomainView::clone(domain) })
    };
    ClusterView { domains: cluster.domains.iter().map(domain).collect(), ..cluster.clone() }
}

fn silent_node(node: &NodeCardView) -> NodeCardView {
    let capacity = |view: &CapacityView| CapacityView { adds: 0, over: 0, ..view.clone() };
    let pod = |pod: &Rc<PodChipView>| {
        Rc::new(PodChipView { fate: Fate::Stays, ..PodChipView::clone(pod) })
    };
    NodeCardView {
        capacity: node.capacity.iter().map(capacity).collect(),
        pods: node.pods.iter().map(pod).collect(),
        makes_room: false,
        gauges: Vec::new(),
        verdict: None,
        ..node.clone()
    }
}

/// The question, in the inspector's place, which would tell.
struct Panel(Course);

impl Tool for Panel {
    fn stays(&self, app: &App) -> bool {
        let taken = self.0.0.borrow();
        let stays =
            taken.guess.as_ref().is_some_and(|guess| guess.revision == app.engine().revision());
        app.state().side && stays
    }

    fn view(&self, app: &App) -> Html {
        let taken = self.0.0.borrow();
        let (Some(guess), Some(predict)) = (&taken.guess, &taken.lesson.predict) else {
            return Html::default();
        };
        let (env, words): (&Env, LessonWords) = (app.env(), app.env().table());
        let close = env.on::<MouseEvent>(Intent::CloseSide);
        let body = match &guess.answer {
            None => question(app, &self.0, &taken, guess, predict, &words),
            Some(answer) => answered(env, guess, answer, &words),
        };
        html! {
            <aside class="side predict" aria-labelledby="predict-title" data-sheet="half">
                <header>
                    <h2 id="predict-title" class="clip" tabindex="-1">{words.text(LessonMsg::Predict)}</h2>
                    <span class="grow"></span>
                    <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)} onclick={close}>
                        {icon(Shape::Cross)}
                    </button>
                </header>
                <div class="side-body"><section class="block">{body}</section></div>
            </aside>
        }
    }
}

fn question(
    app: &App,
    course: &Course,
    taken: &Taken,
    guess: &Guess,
    predict: &Prediction,
    words: &LessonWords,
) -> Html {
    let env = app.env();
    let pod = taken.lesson.pod.as_ref().map(|pod| pod.name.clone()).unwrap_or_default();
    let (msg, kind) = match predict {
        Prediction::Fit(_) => (LessonMsg::PredictFit, "checkbox"),
        Prediction::Best(_) => (LessonMsg::PredictBest, "radio"),
        Prediction::Victims(_) => (LessonMsg::PredictVictims, "checkbox"),
    };
    let option = |name: AttrValue| {
        let checked = guess.marked.iter().any(|other| *name == **other);
        let text = name
            .strip_prefix("default/")
            .map_or_else(|| name.clone(), |text| text.to_owned().into());
        let onchange = env.on(course.change(move |_, taken| taken.toggle(&name)));
        html! {
            <label class="mark-row">
                <input type={kind} name="predict" {checked} {onchange} /><span class="mono">{text}</span>
            </label>
        }
    };
    let check = env.on::<MouseEvent>(course.change(|app, taken| {
        taken.answer(app);
        app.focus("#predict-title");
    }));
    html! {
        <>
            <fieldset>
                <legend>{words.fill(msg, &[("pod", &pod)])}</legend>
                {for options(app.cluster(), predict).into_iter().map(option)}
            </fieldset>
            <p class="dim">
                {words.text(LessonMsg::PredictHidden)}
                if kind == "checkbox" { {" "}{words.text(LessonMsg::PredictNone)} }
            </p>
            <div class="work-row">
                <button type="button" class="btn solid" onclick={check}>{words.text(LessonMsg::Check)}</button>
                <button type="button" class="btn line" onclick={env.on::<MouseEvent>(Intent::CloseSide)}>
                    {words.text(LessonMsg::Skip)}
                </button>
            </div>
        </>
    }
}

fn answered(env: &Env, guess: &Guess, answer: &Answer, words: &LessonWords) -> Html {
    let right = answer.right.answer();
    let one = matches!(answer.right, Prediction::Best(_));
    let mut wrong = 0;
    let rows: Vec<Html> = answer
        .reasons
        .iter()
        .map(|(name, reason)| {
            let marked = guess.marked.iter().any(|other| **name == **other);
            let meant = right.iter().any(|other| **name == **other);
            // Of nodes that tie, one is enough.
            let missed = meant && !marked && !(one && answer.right.is_met_by(&guess.marked));
            let fine = !missed && (meant || !marked);
            wrong += u32::from(!fine);
            let msg = match (marked, fine) {
                (true, true) => LessonMsg::RightMarked,
                (true, false) => LessonMsg::WrongMarked,
                (false, true) => LessonMsg::RightUnmarked,
                (false, false) => LessonMsg::WrongUnmarked,
            };
            let (class, shape) =
                if fine { ("c-fit", Shape::Check) } else { ("c-reject", Shape::Cross) };
            html! {
                <li>
                    <span {class}>{small_icon(shape)}</span>
                    <strong class="mono">{name.clone()}</strong>
                    <span {class}>{words.text(msg)}</span>
                    <span class="reason">{reason.clone()}</span>
                </li>
            }
        })
        .collect();
    let verdict = if wrong == 0 {
        words.text(LessonMsg::Right)
    } else {
        words.count(LessonMsg::Wrong, wrong)
    };
    let class = if wrong == 0 { "c-fit" } else { "c-reject" };
    html! {
        <>
            <p role="status" class={class}><strong>{verdict}</strong></p>
            <ul class="marks-list">{for rows}</ul>
            <button type="button" class="btn solid" onclick={env.on::<MouseEvent>(Intent::CloseSide)}>
                {words.text(LessonMsg::WentOn)}
            </button>
        </>
    }
}
