//! The strip above the board that leads through a lesson.

use super::course::{Course, Taken};
use super::predict;
use super::{LessonMsg, LessonWords};
use crate::app::{App, Intent};
use crate::components::{Shape, icon, small_icon};
use crate::env::Env;
use crate::locale::Msg;
use crate::parts::Call;
use crate::tool::{Slot, Tool, task};
use berth_wire::lesson::Goal;
use berth_wire::lesson::goal::{Found, State};
use yew::{AttrValue, Callback, Html, MouseEvent, classes, html};

/// The strip.
pub(super) struct Strip(pub(super) Course);

impl Tool for Strip {
    fn stays(&self, app: &App) -> bool {
        self.0.0.borrow().stays(app)
    }

    fn follow(&mut self, app: &App) {
        let mut taken = self.0.0.borrow_mut();
        taken.follow(&self.0, app);
        taken.look(app);
    }

    fn view(&self, app: &App) -> Html {
        let taken = self.0.0.borrow();
        let words: LessonWords = app.env().table();
        let drawing = Drawing { env: app.env(), words: &words, course: &self.0, taken: &taken };
        drawing.strip()
    }
}

/// What every piece of the strip needs.
struct Drawing<'a> {
    env: &'a Env,
    words: &'a LessonWords,
    course: &'a Course,
    taken: &'a Taken,
}

impl Drawing<'_> {
    fn strip(&self) -> Html {
        let lesson = &self.taken.lesson;
        html! {
            <section class="lesson" aria-labelledby="lesson-title">
                <header>
                    <span class="tag">{lesson.id.clone()}</span>
                    <h2 id="lesson-title" class="clip" tabindex="-1">{lesson.title.clone()}</h2>
                    {self.source()}
                    <span class="grow"></span>
                    {self.button("btn small", LessonMsg::StartOver, self.course.again())}
                    {self.button("btn small", LessonMsg::AllLessons, Call::Lessons.into())}
                    <button type="button" class="btn small icon-only" aria-label={self.env.words.text(Msg::Close)}
                        onclick={self.env.on(close())}>{icon(Shape::Cross)}</button>
                </header>
                <div class="lesson-body">
                    {self.told()}
                    {self.goals()}
                    {self.work()}
                    {self.hints()}
                    {self.solution()}
                    {self.explanation()}
                </div>
            </section>
        }
    }

    fn button(&self, class: &'static str, msg: LessonMsg, intent: Intent) -> Html {
        html! {
            <button type="button" {class} onclick={self.env.on::<MouseEvent>(intent)}>{self.words.text(msg)}</button>
        }
    }

    /// Where the lesson is from: a document's section, or a thread to read.
    fn source(&self) -> Html {
        let lesson = &self.taken.lesson;
        let from = [&lesson.document, &lesson.thread].into_iter().flatten();
        html! {
            {for from.map(|text| match address(text) {
                Some(href) => html! {
                    <a class="source" {href} target="_blank" rel="noopener noreferrer">{text.clone()}</a>
                },
                None => html! { <span class="source dim hide-m">{text.clone()}</span> },
            })}
        }
    }

    fn told(&self) -> Html {
        let (texts, step) = (&self.taken.lesson.text, self.taken.step);
        let count = texts.len();
        let blanks = [("n", &*(step + 1).to_string()), ("of", &*count.to_string())];
        let go = |msg, flip: Option<&'static str>, to: Option<usize>| {
            let onclick = match to.filter(|to| *to < count) {
                Some(to) => self.env.on(self.course.change(move |_, taken| taken.step = to)),
                None => Callback::<MouseEvent>::noop(),
            };
            let disabled = to.is_none_or(|to| to >= count);
            html! {
                <button type="button" class={classes!("btn", "small", "line", "icon-only", flip)} aria-label={self.words.text(msg)}
                    aria-disabled={disabled.to_string()} {onclick}>{icon(Shape::Right)}</button>
            }
        };
        html! {
            <div class="told">
                <span class="turn">
                    {go(LessonMsg::Back, Some("flip"), step.checked_sub(1))}
                    <span class="num">{self.words.fill(LessonMsg::TextStep, &blanks)}</span>
                    {go(LessonMsg::Next, None, step.checked_add(1))}
                </span>
                <p aria-live="polite">{texts.get(step).cloned()}</p>
            </div>
        }
    }

    fn goals(&self) -> Html {
        let lesson = &self.taken.lesson;
        let all = self.taken.goals.1.iter().all(|state| state.met);
        html! {
            <div class={classes!("goals", all.then_some("met"))}>
                <h3>{self.words.text(LessonMsg::Goal)}</h3>
                <ul>{for lesson.goal.iter().zip(&self.taken.goals.1).map(|(goal, state)| self.goal(goal, state))}</ul>
                <p class="vh" role="status">
                    if all { {self.words.fill(LessonMsg::GoalMetSay, &[("title", &lesson.title)])} }
                </p>
            </div>
        }
    }

    fn goal(&self, goal: &Goal, state: &State) -> Html {
        let found = self.found(&state.found);
        let (class, shape) =
            if state.met { ("c-fit", Shape::Check) } else { ("dim", Shape::Clock) };
        html! {
            <li>
                <span {class}>{small_icon(shape)}</span>
                <code>{goal.text.clone()}</code>
                if state.met {
                    <span class="c-fit">{self.words.text(LessonMsg::GoalMet)}</span>
                } else if !found.is_empty() {
                    <span class="dim">{self.words.fill(LessonMsg::Found, &[("found", &found)])}</span>
                }
            </li>
        }
    }

    fn found(&self, found: &Found) -> AttrValue {
        match found {
            Found::Pending => self.env.words.text(Msg::Pending),
            Found::Gone => self.words.text(LessonMsg::FoundGone),
            Found::Node(text) | Found::Text(text) => text.clone().into(),
            Found::Number(number) => number.to_string().into(),
            Found::Names(names) if names.is_empty() => self.words.text(LessonMsg::FoundNone),
            Found::Names(names) => names.join(", ").into(),
            Found::Phase(phase) => AttrValue::Static(phase.as_str()),
            Found::At(at) => {
                format!("{}.{:03} s", at.0 / 1_000_000_000, at.0 / 1_000_000 % 1000).into()
            }
        }
    }

    /// What the learner can ask for.
    fn work(&self) -> Html {
        let taken = self.taken;
        let guessing = taken.guess.is_some();
        let (shown, hints) = (taken.hints, taken.lesson.hints.len());
        let solved = taken.stage.is_none()
            && taken
                .played
                .as_ref()
                .is_some_and(|played| played.len() == taken.lesson.solution.len());
        html! {
            <div class="work-row">
                if taken.lesson.predict.is_some() && !guessing {
                    {self.button("btn small line", LessonMsg::Predict, predict::again(self.course))}
                }
                if shown < hints { {self.hint_button(shown, hints)} }
                if !solved { {self.play_button()} }
                if taken.met && let Some(next) = self.course.next() {
                    {self.button("btn small solid", LessonMsg::NextLesson, next)}
                }
            </div>
        }
    }

    fn hint_button(&self, shown: usize, hints: usize) -> Html {
        let blanks = [("n", &*(shown + 1).to_string()), ("of", &*hints.to_string())];
        let onclick = self.env.on::<MouseEvent>(self.course.change(|_, taken| taken.hints += 1));
        html! {
            <button type="button" class="btn small line" {onclick}>{self.words.fill(LessonMsg::Hint, &blanks)}</button>
        }
    }

    fn play_button(&self) -> Html {
        let text = match &self.taken.played {
            None => self.words.text(LessonMsg::Solution),
            Some(_) if self.taken.stage.is_some() => self.words.text(LessonMsg::Solution),
            Some(played) => {
                let (n, of) = (played.len() + 1, self.taken.lesson.solution.len());
                let blanks = [("n", &*n.to_string()), ("of", &*of.to_string())];
                self.words.fill(LessonMsg::SolutionPlay, &blanks)
            }
        };
        let onclick = self.env.on::<MouseEvent>(self.course.change(|app, taken| taken.play(app)));
        html! { <button type="button" class="btn small line" {onclick}>{text}</button> }
    }

    fn hints(&self) -> Html {
        let shown = self.taken.lesson.hints.iter().take(self.taken.hints);
        html! {
            <div aria-live="polite">
                if self.taken.hints > 0 {
                    <h3>{self.words.text(LessonMsg::Hints)}</h3>
                    <ol class="lines">{for shown.map(|hint| html! { <li>{hint.clone()}</li> })}</ol>
                }
            </div>
        }
    }

    fn solution(&self) -> Html {
        let Some(played) = &self.taken.played else { return Html::default() };
        let steps = self.taken.lesson.solution.iter().enumerate().map(|(index, step)| {
            let done = index < played.len();
            html! {
                <li class={done.then_some("c-fit")}>
                    <code>{step.text.clone()}</code>
                    if done { {small_icon(Shape::Check)}<span class="vh">{self.words.text(LessonMsg::Done)}</span> }
                </li>
            }
        });
        html! {
            <div>
                <h3>{self.words.text(LessonMsg::SolutionSteps)}</h3>
                <ol class="lines">
                    {for steps}
                    {for self.taken.stage.iter().flat_map(|stage| &stage.time.solution).map(|request| html! {
                        <li><code>{request.line()}</code></li>
                    })}
                </ol>
                {for self.taken.failure.iter().map(|text| html! { <p class="c-reject">{text.clone()}</p> })}
            </div>
        }
    }

    fn explanation(&self) -> Html {
        if !self.taken.met {
            return Html::default();
        }
        html! {
            <div class="why-so">
                <h3>{self.words.text(LessonMsg::Explanation)}</h3>
                {for self.taken.lesson.explanation.iter().map(|text| html! { <p>{text.clone()}</p> })}
            </div>
        }
    }
}

/// The intent to put the lesson away. The cluster stays.
fn close() -> Intent {
    task(|app| {
        app.close(Slot::Lesson);
        app.close(Slot::Board);
        app.close(Slot::Side);
        app.focus_on_work();
    })
}

/// Where a thread of the form `owner/repository#number`, or a repository, can be read.
fn address(text: &str) -> Option<AttrValue> {
    let (repository, number) = text.split_once('#').unwrap_or((text, ""));
    let (owner, name) = repository.split_once('/')?;
    let is_name = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    if !is_name(owner) || !is_name(name) || !number.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let place = if number.is_empty() { String::new() } else { ["/issues/", number].concat() };
    Some(["https://github.com/", repository, &place].concat().into())
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn only_threads_and_repositories_are_links() {
        let thread = address("kubernetes/kubernetes#105072");
        assert_eq!(
            thread.as_deref(),
            Some("https://github.com/kubernetes/kubernetes/issues/105072")
        );
        assert_eq!(address("a/b").as_deref(), Some("https://github.com/a/b"));
        for text in
            ["Pod priority: preemption", "a/b#c", "a/b/c", "//x", "javascript:a/b", "a/b#1?x"]
        {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
