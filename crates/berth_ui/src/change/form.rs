//! A dialog with a few fields. What is wrong is said at its field, in the API server's words; nothing is half done.

use crate::app::App;
use crate::components::{Entry, Shape, choice, entry, icon, use_dialog, wrong};
use crate::dom;
use crate::edit::{EditMsg, EditWords, Thing};
use crate::env::use_env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use crate::view::Mistake;
use berth_core::api::FieldError;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FormData, HtmlFormElement, HtmlInputElement, SubmitEvent};
use yew::{AttrValue, Callback, Html, Properties, TargetCast, component, html, use_effect_with};

/// A field.
#[derive(Clone, PartialEq)]
pub(super) struct Field {
    /// Its name: the API's.
    pub(super) name: &'static str,
    /// What it holds at first.
    pub(super) value: AttrValue,
    /// What it shows while it is empty.
    pub(super) hint: &'static str,
    /// What can be chosen, if it is a list.
    pub(super) options: Vec<AttrValue>,
    /// How the fields of the object begin that it sets: an error about one of them belongs to it.
    pub(super) paths: &'static [&'static str],
}

impl Field {
    /// A line of text.
    pub(super) fn text(
        name: &'static str,
        value: impl Into<AttrValue>,
        paths: &'static [&'static str],
    ) -> Self {
        Self { name, value: value.into(), hint: "", options: Vec::new(), paths }
    }

    /// The same with an example of what can be typed.
    pub(super) fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    /// A list to choose from.
    pub(super) fn list(
        name: &'static str,
        value: impl Into<AttrValue>,
        options: Vec<AttrValue>,
        paths: &'static [&'static str],
    ) -> Self {
        Self { name, value: value.into(), hint: "", options, paths }
    }
}

/// What was typed, by the fields' names.
pub(super) struct Typed(Vec<(&'static str, String)>);

impl Typed {
    /// What was typed at a field.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }
}

/// Why a form is refused.
pub(super) enum Refused {
    /// Something is wrong at this field.
    At(&'static str, String),
    /// The API server refuses some fields.
    Fields(Vec<FieldError>),
}

/// Does what a form asks for: what to say about it, or why not.
pub(super) type Submit = fn(&mut App, &[Thing], &Typed) -> Result<AttrValue, Refused>;

/// A form.
#[derive(Clone)]
pub(super) struct Form {
    /// What it is called.
    pub(super) title: AttrValue,
    /// What there is to know.
    pub(super) note: AttrValue,
    /// The fields.
    pub(super) fields: Vec<Field>,
    /// What it is done to.
    pub(super) things: Vec<Thing>,
    /// Does it.
    pub(super) submit: Submit,
}

/// Opens a form.
pub(super) fn open(app: &mut App, form: Form) {
    app.open(Slot::Over, Box::new(Open { form: Rc::new(form), mistakes: Rc::default() }));
}

struct Open {
    form: Rc<Form>,
    mistakes: Rc<[Mistake]>,
}

impl Tool for Open {
    fn view(&self, app: &App) -> Html {
        let form = Rc::clone(&self.form);
        let props = FormProps {
            title: form.title.clone(),
            note: form.note.clone(),
            fields: form.fields.clone(),
            mistakes: Rc::clone(&self.mistakes),
            submit: app.env().send.reform(move |typed: Rc<Typed>| {
                let form = Rc::clone(&form);
                task(move |app| submitted(app, &form, &typed))
            }),
        };
        html! { <FormDialog ..props /> }
    }
}

/// Does what a form asks for, or shows it again with what is wrong.
fn submitted(app: &mut App, form: &Rc<Form>, typed: &Typed) {
    match (form.submit)(app, &form.things, typed) {
        Ok(said) => {
            app.close(Slot::Over);
            app.tell(said);
            app.focus(crate::edit::ON_BOARD);
        }
        Err(refused) => {
            let mistakes = mistakes(&form.fields, refused, typed);
            let open = Open { form: Rc::clone(form), mistakes };
            app.open(Slot::Over, Box::new(open));
            app.focus(".form [aria-invalid=\"true\"]");
        }
    }
}

/// Each error at its field; one that belongs to none is said at the first.
fn mistakes(fields: &[Field], refused: Refused, typed: &Typed) -> Rc<[Mistake]> {
    let first = fields.first().map_or("", |field| field.name);
    let mut list: Vec<Mistake> = Vec::new();
    let mut say = |name: &'static str, message: String| {
        let control = AttrValue::from(control(name));
        match list.iter_mut().find(|known| known.control == control) {
            Some(known) => known.message = [&*known.message, ", ", &message].concat().into(),
            None => list.push(Mistake {
                control,
                typed: typed.get(name).to_owned().into(),
                message: message.into(),
            }),
        }
    };
    match refused {
        Refused::At(name, message) => say(name, message),
        Refused::Fields(errors) => {
            for error in errors {
                let is_about =
                    |field: &&Field| field.paths.iter().any(|path| error.field.starts_with(path));
                say(
                    fields.iter().find(is_about).map_or(first, |field| field.name),
                    error.to_string(),
                );
            }
        }
    }
    list.into()
}

/// The id of a field in the document.
fn control(name: &str) -> String {
    ["form-", name].concat()
}

#[derive(PartialEq, Properties)]
struct FormProps {
    title: AttrValue,
    note: AttrValue,
    fields: Vec<Field>,
    mistakes: Rc<[Mistake]>,
    submit: Callback<Rc<Typed>>,
}

#[component]
fn FormDialog(props: &FormProps) -> Html {
    let env = use_env();
    let own: EditWords = env.table();
    let dialog = use_dialog();
    {
        let (dialog, fields) = (dialog.clone(), props.fields.clone());
        use_effect_with((), move |()| {
            let Some(dialog) = dialog.cast::<Element>() else { return };
            for field in &fields {
                let found = dialog.query_selector(&["#", &control(field.name)].concat());
                if let Some(input) =
                    found.ok().flatten().and_then(|found| found.dyn_into::<HtmlInputElement>().ok())
                {
                    input.set_value(&field.value);
                }
            }
            dom::focus(&dialog, "form input, form select");
        });
    }
    let close = env.on(task(|app| app.close(Slot::Over)));
    let closed = env.on::<Event>(task(|app| app.close(Slot::Over)));
    let names: Vec<&'static str> = props.fields.iter().map(|field| field.name).collect();
    let submit = {
        let submit = props.submit.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let form = event.target_dyn_into::<HtmlFormElement>();
            let Some(data) = form.and_then(|form| FormData::new_with_form(&form).ok()) else {
                return;
            };
            let mut typed: Vec<(&'static str, String)> = Vec::new();
            for name in &names {
                // A list sends its value under its label.
                let text =
                    data.get(&control(name)).as_string().or_else(|| data.get(name).as_string());
                let text = text.unwrap_or_default();
                typed.push((*name, text.trim().to_owned()));
            }
            submit.emit(Rc::new(Typed(typed)));
        })
    };
    html! {
        <dialog class="dialog form" ref={dialog} onclose={closed} aria-labelledby="form-title">
            <header>
                <h2 id="form-title">{props.title.clone()}</h2>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            if !props.note.is_empty() { <p class="dim">{props.note.clone()}</p> }
            <form onsubmit={submit}>
                {for props.fields.iter().map(|field| line(field, &props.mistakes))}
                <footer>
                    <span class="grow"></span>
                    <button type="submit" class="btn solid">{own.text(EditMsg::Apply)}</button>
                </footer>
            </form>
        </dialog>
    }
}

fn line(field: &Field, mistakes: &[Mistake]) -> Html {
    let control = control(field.name);
    let input = if field.options.is_empty() {
        entry(
            mistakes,
            Entry {
                control: control.clone().into(),
                label: field.name.into(),
                // It keeps what is typed.
                value: None,
                hint: field.hint,
                class: "text mono",
                change: Callback::noop(),
            },
        )
    } else {
        let options: Vec<_> =
            field.options.iter().map(|text| (text.clone(), text.clone())).collect();
        choice(Some(field.name.into()), &options, &field.value, Callback::noop())
    };
    html! {
        <div class="line" key={field.name}>
            <span class="field-name" aria-hidden="true">{field.name}</span>
            <div class="ctl">{input}{wrong(mistakes, &control)}</div>
        </div>
    }
}
