//! The fields of the form: each is a path of the configuration, shows what stands there, and marks what differs from
//! the default.

use super::change::{Edit, intent, scalar};
use super::words::{ConfigMsg, ConfigWords};
use super::{Read, Shown};
use crate::components::{Entry, Shape, changed, entry, small_icon, wrong};
use crate::env::Env;
use crate::view::Mistake;
use berth_wire::config::edit::{Step, find, number, text};
use berth_wire::tree::{Node, same_data};
use std::cell::RefCell;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, html};

/// What every field needs.
pub(super) struct Form<'a> {
    pub(super) env: &'a Env,
    pub(super) words: &'a ConfigWords,
    pub(super) shared: &'a Rc<RefCell<Shown>>,
    pub(super) shown: &'a Shown,
    pub(super) read: &'a Read,
    pub(super) mistakes: &'a [Mistake],
}

/// How a typed text becomes a value.
type Reading = fn(&str) -> Node<'static>;

impl Form<'_> {
    /// The path of the profile that is shown.
    pub(super) fn profile(&self) -> String {
        ["profiles[", &self.shown.profile.to_string(), "]"].concat()
    }

    pub(super) fn find(&self, path: &str) -> Option<&Node<'static>> {
        find(&self.read.tree, path)
    }

    /// The text of a field; empty if it has no value.
    pub(super) fn value(&self, path: &str) -> String {
        self.find(path).and_then(scalar).unwrap_or_default()
    }

    /// How many items a list has.
    pub(super) fn len(&self, path: &str) -> usize {
        self.find(path).map_or(0, |list| list.items().len())
    }

    /// What stands there by default: every profile is held against the default one.
    pub(super) fn default_at(&self, path: &str) -> Option<&Node<'static>> {
        let own = self.profile();
        let usual = path.strip_prefix(&*own).map(|rest| ["profiles[0]", rest].concat());
        find(&self.read.default, usual.as_deref().unwrap_or(path))
    }

    /// Whether it is other than by default.
    pub(super) fn differs(&self, path: &str) -> bool {
        match (self.find(path), self.default_at(path)) {
            (Some(now), Some(default)) => !same_data(now, default),
            (None, None) => false,
            _ => true,
        }
    }

    /// A callback that makes a change.
    pub(super) fn on<E: 'static>(&self, edit: Edit) -> Callback<E> {
        self.env.on(intent(self.shared, edit))
    }

    /// The name of a change of a field.
    pub(super) fn named(&self, what: &str, value: &str) -> AttrValue {
        self.words.fill(ConfigMsg::DidSet, &[("what", what), ("value", value)])
    }

    /// A callback that gives a field what was typed.
    fn taking(&self, path: &str, what: &str, reading: Reading) -> Callback<AttrValue> {
        let (shared, words) = (Rc::clone(self.shared), self.words.clone());
        let (path, what) = (path.to_owned(), what.to_owned());
        self.env.send.reform(move |typed: AttrValue| {
            let step = if typed.is_empty() {
                Step::Remove(path.clone())
            } else {
                Step::Set(path.clone(), reading(&typed))
            };
            let name = words.fill(ConfigMsg::DidSet, &[("what", &what), ("value", &typed)]);
            let edit =
                Edit { control: path.clone(), typed, name, steps: vec![step], ..Edit::default() };
            intent(&shared, edit)
        })
    }

    /// A field for a text or a number, without its name.
    pub(super) fn input(
        &self,
        path: &str,
        label: AttrValue,
        what: &str,
        class: &'static str,
        reading: Reading,
    ) -> Html {
        let field = Entry {
            control: path.to_owned().into(),
            label,
            value: Some(self.value(path).into()),
            hint: "–",
            class,
            change: self.taking(path, what, reading),
        };
        entry(self.mistakes, field)
    }

    /// A field for a whole number, with its name.
    pub(super) fn number(&self, path: &str, name: &'static str, owner: &str) -> Html {
        let what = called(owner, name);
        let field = self.input(path, name.into(), &what, "text narrow", number);
        self.line(name, path, &what, field)
    }

    /// A field for a text, with its name.
    pub(super) fn text(&self, path: &str, name: &'static str, owner: &str) -> Html {
        let what = called(owner, name);
        let field = self.input(path, name.into(), &what, "text", text);
        self.line(name, path, &what, field)
    }

    /// A share of 1 to 100 or so, as a slider beside a number.
    pub(super) fn slider(&self, path: &str, label: AttrValue, what: &str) -> Html {
        let value = match &*self.value(path) {
            "" | "0" => "1".to_owned(),
            text => text.to_owned(),
        };
        let field = Entry {
            control: path.to_owned().into(),
            label: label.clone(),
            value: Some(value.clone().into()),
            hint: "1",
            class: "text digits",
            change: self.taking(path, what, number),
        };
        let most = value.parse().map_or(10, |value: i32| value.clamp(10, 100)).to_string();
        html! {
            <>
                <input type="range" min="1" max={most} {value} aria-label={label}
                    onchange={changed(self.taking(path, what, number))} />
                {entry(self.mistakes, field)}
            </>
        }
    }

    /// Words to choose from, each with what choosing it does.
    pub(super) fn segments(
        &self,
        path: &str,
        label: &'static str,
        current: &str,
        options: Vec<(&'static str, Edit)>,
    ) -> Html {
        let refused = Mistake::at(self.mistakes, path).is_some();
        html! {
            <span class="seg" role="group" id={path.to_owned()} aria-label={label} data-wrong={refused.then_some("")}>
                {for options.into_iter().map(|(word, edit)| {
                    let pressed = word == current;
                    let onclick = if pressed { Callback::noop() } else { self.on(edit) };
                    html! { <button type="button" aria-pressed={pressed.to_string()} {onclick}>{word}</button> }
                })}
            </span>
        }
    }

    /// A field that is true or false, with its name.
    pub(super) fn flag(&self, path: &str, name: &'static str, owner: &str) -> Html {
        let what = called(owner, name);
        let option = |word: &'static str, value: bool| {
            let value = Node::made(berth_wire::tree::Value::Bool(value));
            (word, self.set(path, &what, word, value))
        };
        let options = vec![option("true", true), option("false", false)];
        let field = self.segments(path, name, &self.value(path), options);
        self.line(name, path, &what, field)
    }

    /// The change of one field.
    pub(super) fn set(&self, path: &str, what: &str, typed: &str, value: Node<'static>) -> Edit {
        Edit {
            control: path.to_owned(),
            typed: typed.to_owned().into(),
            name: self.named(what, typed),
            steps: vec![Step::Set(path.to_owned(), value)],
            ..Edit::default()
        }
    }

    /// A field's name, the field, what is wrong with it, and the way back to the default.
    pub(super) fn line(&self, name: &'static str, path: &str, what: &str, field: Html) -> Html {
        html! {
            <div class="line">
                <span class="field-name">{name}</span>
                <div class="ctl">
                    {field}
                    {self.was(path, what)}
                    {wrong(self.mistakes, path)}
                </div>
            </div>
        }
    }

    /// The way back to the default, where a field differs from it.
    pub(super) fn was(&self, path: &str, what: &str) -> Html {
        if !self.differs(path) {
            return Html::default();
        }
        let default = self.default_at(path);
        let value = match default.map(|node| scalar(node).unwrap_or_default()) {
            Some(text) if text.is_empty() => self.words.text(ConfigMsg::Usual).to_string(),
            Some(text) => text,
            None => "–".to_owned(),
        };
        let step = match default {
            Some(node) => Step::Set(path.to_owned(), node.clone()),
            None => Step::Remove(path.to_owned()),
        };
        let edit = Edit {
            control: path.to_owned(),
            name: self.words.fill(ConfigMsg::DidReset, &[("what", what)]),
            steps: vec![step],
            focus: Some(path.to_owned()),
            ..Edit::default()
        };
        let text = self.words.fill(ConfigMsg::DefaultIs, &[("value", &value)]);
        let label = self.words.fill(ConfigMsg::ResetWhat, &[("what", what), ("value", &value)]);
        html! { <button type="button" class="was" aria-label={label} onclick={self.on(edit)}>{text}</button> }
    }

    /// A small button with an icon.
    pub(super) fn icon_button(
        &self,
        id: Option<String>,
        shape: Shape,
        label: AttrValue,
        edit: Option<Edit>,
    ) -> Html {
        let disabled = edit.is_none().to_string();
        let onclick = edit.map_or_else(Callback::noop, |edit| self.on(edit));
        html! {
            <button type="button" {id} class="btn small icon-only" title={label.clone()} aria-label={label}
                aria-disabled={disabled} {onclick}>{small_icon(shape)}</button>
        }
    }
}

/// What a field is called in the name of a change.
pub(super) fn called(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.to_owned() } else { [owner, " ", name].concat() }
}
