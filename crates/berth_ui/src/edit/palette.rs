//! The command palette: every command, found by a few letters.

use super::commands::{COMMANDS, Command};
use super::things::Thing;
use super::{Edit, EditMsg, EditWords, history};
use crate::app::{App, Intent};
use crate::components::use_dialog;
use crate::env::use_env;
use crate::tool::{Slot, Tool, task};
use std::rc::Rc;
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::{
    AttrValue, Callback, Html, InputEvent, KeyboardEvent, MouseEvent, Properties, TargetCast,
    component, html, use_effect_with, use_state,
};

/// Opens it. What a command is done to are these things.
pub(super) fn open(edit: &Edit, app: &mut App, things: &[Thing]) {
    let words: EditWords = app.env().table();
    let listed = COMMANDS.iter().filter(|command| command.name != EditMsg::Palette);
    let items: Vec<Item> = listed.map(|command| item(edit, app, &words, command, things)).collect();
    edit.0.borrow_mut().typed.clear();
    app.open(Slot::Over, Box::new(Palette { edit: edit.clone(), items: Items(items.into()) }));
}

/// Keeps what is written for it as long as it is not drawn: there is no field yet.
pub(super) fn write(edit: &Edit, key: &KeyboardEvent) {
    if !key.ctrl_key() && !key.meta_key() && key.key().chars().count() == 1 {
        edit.0.borrow_mut().typed.push_str(&key.key());
    }
}

/// Something to be chosen.
pub(super) struct Item {
    pub(super) group: AttrValue,
    pub(super) name: AttrValue,
    pub(super) keys: &'static str,
    /// Why it cannot be chosen.
    pub(super) why: Option<AttrValue>,
    /// What is wanted then.
    pub(super) chosen: Intent,
}

/// Several of them. They are as they were when they were listed.
#[derive(Clone)]
pub(super) struct Items(pub(super) Rc<[Item]>);

impl PartialEq for Items {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// A command, as it stands.
pub(super) fn item(
    edit: &Edit,
    app: &App,
    words: &EditWords,
    command: &'static Command,
    things: &[Thing],
) -> Item {
    let why = command.hindrance(app, things);
    let name = words.text(command.name);
    // Undo and redo say of what.
    let step = match command.name {
        EditMsg::Undo => history::next(app, true),
        EditMsg::Redo => history::next(app, false),
        _ => None,
    };
    let name = step.map_or_else(|| name.clone(), |step| [&*name, ": ", &step].concat().into());
    let (edit, things) = (edit.clone(), things.to_vec());
    let chosen = task(move |app| {
        app.close(Slot::Over);
        command.perform(&edit, app, &things);
    });
    Item {
        group: words.text(command.group.title()),
        name,
        keys: command.keys,
        why: why.map(|why| words.text(why)),
        chosen,
    }
}

/// The palette.
struct Palette {
    edit: Edit,
    items: Items,
}

impl Tool for Palette {
    fn view(&self, _app: &App) -> Html {
        let typed = AttrValue::from(self.edit.0.borrow().typed.clone());
        html! { <PaletteDialog items={self.items.clone()} {typed} /> }
    }
}

#[derive(PartialEq, Properties)]
struct PaletteProps {
    items: Items,
    /// What is in the field at first.
    typed: AttrValue,
}

#[component]
fn PaletteDialog(props: &PaletteProps) -> Html {
    let env = use_env();
    let words: EditWords = env.table();
    let dialog = use_dialog();
    let (query, active) = (use_state(|| props.typed.clone()), use_state(|| 0_usize));
    let all = &*props.items.0;
    let found = found(all, &query);
    let at = (*active).min(found.len().saturating_sub(1));
    {
        let dialog = dialog.clone();
        use_effect_with((at, (*query).clone()), move |_| {
            if let Some(dialog) = dialog.cast::<web_sys::Element>() {
                crate::dom::into_sight(&dialog, "[aria-selected=\"true\"]");
            }
        });
    }
    let choose = {
        let (send, items, dialog) = (env.send.clone(), props.items.clone(), dialog.clone());
        Callback::from(move |index: usize| {
            let Some(item) = items.0.get(index).filter(|item| item.why.is_none()) else { return };
            // What had the focus has it again, unless the command moves it.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            send.emit(item.chosen.clone());
        })
    };
    let typed = {
        let (query, active) = (query.clone(), active.clone());
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                query.set(input.value().into());
                active.set(0);
            }
        })
    };
    let pressed = {
        let (choose, found) = (choose.clone(), found.clone());
        Callback::from(move |event: KeyboardEvent| {
            let last = found.len().saturating_sub(1);
            match event.key().as_str() {
                "ArrowDown" => active.set(if at == last { 0 } else { at + 1 }),
                "ArrowUp" => active.set(at.checked_sub(1).unwrap_or(last)),
                "PageDown" => active.set((at + 8).min(last)),
                "PageUp" => active.set(at.saturating_sub(8)),
                "Enter" => {
                    if let Some(index) = found.get(at) {
                        choose.emit(*index);
                    }
                }
                _ => return,
            }
            event.prevent_default();
        })
    };
    let closed = env.on(task(|app| app.close(Slot::Over)));
    let id = |index: usize| AttrValue::from(["command-", &index.to_string()].concat());
    let mut rows: Vec<Html> = Vec::new();
    let mut group = &AttrValue::default();
    for (place, &index) in found.iter().enumerate() {
        let Some(item) = all.get(index) else { continue };
        if query.is_empty() && item.group != *group {
            group = &item.group;
            rows.push(html! { <li class="group" role="presentation" key={group.as_str()}>{group.clone()}</li> });
        }
        let choose = choose.clone();
        let onclick = Callback::from(move |_: MouseEvent| choose.emit(index));
        rows.push(html! {
            <li key={index} id={id(index)} role="option" aria-selected={(place == at).to_string()}
                aria-disabled={item.why.is_some().to_string()} {onclick}>
                <span class="grow">
                    if !query.is_empty() { <span class="dimmer">{item.group.clone()}{": "}</span> }
                    {item.name.clone()}
                    if let Some(why) = &item.why { <span class="dimmer">{" — "}{why.clone()}</span> }
                </span>
                {keys(item.keys)}
            </li>
        });
    }
    let current = found.get(at).map(|index| id(*index));
    html! {
        <dialog class="dialog palette" ref={dialog} onclose={closed} aria-label={words.text(EditMsg::Palette)}>
            <input type="text" class="text" role="combobox" aria-label={words.text(EditMsg::FindCommand)}
                placeholder={words.text(EditMsg::FindCommand)} aria-expanded="true" aria-controls="commands"
                aria-autocomplete="list" aria-activedescendant={current} autocomplete="off" spellcheck="false"
                value={(*query).clone()} oninput={typed} onkeydown={pressed} />
            <ul id="commands" role="listbox" aria-label={words.text(EditMsg::Palette)} tabindex="-1">{for rows}</ul>
            <p class="dimmer" role="status">
                if found.is_empty() { {words.text(EditMsg::NoCommand)} } else { {words.count(EditMsg::Commands, found.len() as u32)} }
            </p>
        </dialog>
    }
}

/// Keys, each as it is written on the keyboard.
pub(super) fn keys(keys: &str) -> Html {
    let each = keys.split(' ').filter(|key| !key.is_empty());
    html! { <span class="keys">{for each.map(|key| html! { <kbd>{key.to_owned()}</kbd> })}</span> }
}

/// The items that a few letters find, the best first; all of them without.
fn found(items: &[Item], query: &str) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    let score = |(index, item): (usize, &Item)| {
        let text = [&*item.name, " ", &*item.group].concat().to_lowercase();
        Some((score(&text, &query)?, index))
    };
    let mut scores: Vec<(u32, usize)> = items.iter().enumerate().filter_map(score).collect();
    // The order of the table among equals.
    scores.sort_by_key(|(score, index)| (u32::MAX - score, *index));
    scores.into_iter().map(|(_, index)| index).collect()
}

/// How well letters match a text: they have to come in this order; those that begin a word or follow each other count
/// more. None if they do not match.
fn score(text: &str, query: &str) -> Option<u32> {
    let mut score = 0;
    let mut run = 0;
    let mut before = ' ';
    let mut wanted = query.chars().filter(|char| !char.is_whitespace()).peekable();
    for char in text.chars() {
        if wanted.peek() == Some(&char) {
            wanted.next();
            run += if before.is_alphanumeric() { 1 } else { 4 };
            score += run;
        } else {
            run = 0;
        }
        before = char;
    }
    wanted.peek().is_none().then_some(score)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_in_their_order_match_and_words_count_more() {
        assert_eq!(score("schedule all", ""), Some(0));
        assert_eq!(score("schedule all", "la"), Some(5));
        assert!(score("schedule all", "sa") > score("cordon as", "sa"));
        assert!(score("add node", "an") > score("cannot", "an"));
        assert!(score("undo", "undo") > score("unnamed do", "undo"));
        assert_eq!(score("undo", "undone"), None);
        assert_eq!(score("undo", "du"), None);
    }
}
