//! The gallery of lessons: by question, by document, by thread, and what a search finds.

use super::dialog::use_dialog;
use super::{Shape, icon, small_icon};
use crate::env::use_env;
use crate::lessons::{LessonMsg, LessonWords};
use crate::locale::Msg;
use berth_wire::lesson::Question;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{
    AttrValue, Callback, Event, Html, InputEvent, MouseEvent, Properties, TargetCast, component,
    html, use_state_eq,
};

/// A lesson that can be opened.
#[derive(Debug, PartialEq)]
pub struct GalleryEntry {
    /// What a search looks through, in lower case.
    pub words: String,
    /// What it is known by.
    pub id: AttrValue,
    /// What it is called.
    pub title: AttrValue,
    /// The section of a document.
    pub document: Option<AttrValue>,
    /// The thread.
    pub thread: Option<AttrValue>,
    /// What it answers.
    pub questions: Vec<Question>,
}

/// Properties of [`Gallery`].
#[derive(PartialEq, Properties)]
pub struct GalleryProps {
    /// The lessons, in order.
    pub entries: Rc<[Rc<GalleryEntry>]>,
    /// What is wrong with a lesson that could not be opened.
    pub mistakes: Rc<[AttrValue]>,
    /// The ids of those that are done.
    pub done: Rc<[String]>,
    /// Opens a lesson, by its id.
    pub open: Callback<AttrValue>,
    /// Forgets which are done.
    pub forget: Callback<()>,
    /// Saves a lesson of the cluster.
    pub make: Callback<()>,
    /// Closes the dialog.
    pub close: Callback<()>,
}

/// The dialog.
#[component]
pub fn Gallery(props: &GalleryProps) -> Html {
    let env = use_env();
    let words: LessonWords = env.table();
    let dialog = use_dialog();
    let query = use_state_eq(String::new);
    let oninput = {
        let query = query.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                query.set(input.value().to_lowercase());
            }
        })
    };
    let wanted: Vec<&str> = query.split_whitespace().collect();
    let found: Vec<&GalleryEntry> = (props.entries.iter().map(|entry| &**entry))
        .filter(|entry| wanted.iter().all(|word| entry.words.contains(word)))
        .collect();
    let drawing = Drawing { words: &words, props, found: &found };
    html! {
        <dialog class="dialog gallery" ref={dialog} onclose={props.close.reform(|_: Event| ())} aria-labelledby="gallery-title">
            <header>
                <h2 id="gallery-title">{words.text(LessonMsg::Title)}</h2>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)}
                    onclick={props.close.reform(|_: MouseEvent| ())}>{icon(Shape::Cross)}</button>
            </header>
            {drawing.mistakes()}
            <input class="text" type="search" autofocus=true autocomplete="off" spellcheck="false"
                aria-label={words.text(LessonMsg::Search)} placeholder={words.text(LessonMsg::Search)} {oninput} />
            <p class="vh" role="status">{words.count(LessonMsg::LessonsFound, found.len() as u32)}</p>
            <div class="groups" tabindex="0" role="group" aria-label={words.text(LessonMsg::Title)}>{drawing.groups()}</div>
            <footer>
                <button type="button" class="btn line" onclick={props.make.reform(|_: MouseEvent| ())}>
                    {icon(Shape::Export)}{words.text(LessonMsg::Make)}
                </button>
                <span class="grow"></span>
                if !props.done.is_empty() {
                    <button type="button" class="btn" onclick={props.forget.reform(|_: MouseEvent| ())}>
                        {words.text(LessonMsg::Forget)}
                    </button>
                }
            </footer>
        </dialog>
    }
}

/// What every piece of the gallery needs.
struct Drawing<'a> {
    words: &'a LessonWords,
    props: &'a GalleryProps,
    found: &'a [&'a GalleryEntry],
}

impl Drawing<'_> {
    fn mistakes(&self) -> Html {
        if self.props.mistakes.is_empty() {
            return Html::default();
        }
        html! {
            <div role="alert">
                <p class="c-reject">{self.words.text(LessonMsg::Mistakes)}</p>
                <ul class="lines">{for self.props.mistakes.iter().map(|text| html! { <li>{text.clone()}</li> })}</ul>
            </div>
        }
    }

    fn groups(&self) -> Html {
        if self.found.is_empty() {
            return html! { <p class="dim">{self.words.text(LessonMsg::NoneFound)}</p> };
        }
        let by_question = self.found.iter().any(|entry| !entry.questions.is_empty());
        html! {
            <>
                if by_question {
                    <section>
                        <h3>{self.words.text(LessonMsg::ByQuestion)}</h3>
                        {self.list(Some(LessonMsg::QuestionPending), |entry| entry.questions.contains(&Question::Pending))}
                        {self.list(Some(LessonMsg::QuestionEvicted), |entry| entry.questions.contains(&Question::Evicted))}
                        {self.list(Some(LessonMsg::QuestionUneven), |entry| entry.questions.contains(&Question::Uneven))}
                    </section>
                }
                {self.section(LessonMsg::References, |entry| entry.document.is_some())}
                {self.section(LessonMsg::Threads, |entry| entry.thread.is_some())}
            </>
        }
    }

    fn section(&self, title: LessonMsg, of: fn(&GalleryEntry) -> bool) -> Html {
        if !self.found.iter().any(|entry| of(entry)) {
            return Html::default();
        }
        html! { <section><h3>{self.words.text(title)}</h3>{self.list(None, of)}</section> }
    }

    fn list(&self, title: Option<LessonMsg>, of: fn(&GalleryEntry) -> bool) -> Html {
        let entries: Vec<&&GalleryEntry> = self.found.iter().filter(|entry| of(entry)).collect();
        if entries.is_empty() {
            return Html::default();
        }
        // Under the documents and the threads it says where it is from.
        let from = title.is_none();
        html! {
            <>
                {for title.map(|title| html! { <h4>{self.words.text(title)}</h4> })}
                <ul class="entries">{for entries.into_iter().map(|entry| self.entry(entry, from))}</ul>
            </>
        }
    }

    fn entry(&self, entry: &GalleryEntry, from: bool) -> Html {
        let id = entry.id.clone();
        let onclick = self.props.open.reform(move |_: MouseEvent| id.clone());
        let source = entry.thread.as_ref().or(entry.document.as_ref()).filter(|_| from);
        let done = self.props.done.iter().any(|id| *entry.id == **id);
        html! {
            <li>
                <button type="button" class="open-lesson" {onclick}>
                    <span class="tag">{entry.id.clone()}</span>
                    <span class="grow">
                        {entry.title.clone()}
                        {for source.map(|source| html! { <span class="dim">{" "}{source.clone()}</span> })}
                    </span>
                    if done {
                        <span class="c-fit">{small_icon(Shape::Check)}<span class="vh">{self.words.text(LessonMsg::Done)}</span></span>
                    }
                </button>
            </li>
        }
    }
}
