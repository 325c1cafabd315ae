//! The page of shortcuts: every key, made from the table of commands.

use super::commands::{COMMANDS, OTHER_KEYS};
use super::palette::keys;
use super::{EditMsg, EditWords};
use crate::app::App;
use crate::components::{Shape, icon, use_dialog};
use crate::env::use_env;
use crate::locale::Msg;
use crate::tool::{Slot, Tool, task};
use yew::{AttrValue, Html, component, html};

/// Opens it.
pub(super) fn open(app: &mut App) {
    app.open(Slot::Over, Box::new(Shortcuts));
}

struct Shortcuts;

impl Tool for Shortcuts {
    fn view(&self, _app: &App) -> Html {
        html! { <ShortcutsDialog /> }
    }
}

#[component]
fn ShortcutsDialog() -> Html {
    let env = use_env();
    let words: EditWords = env.table();
    let dialog = use_dialog();
    let close = env.on(task(|app| app.close(Slot::Over)));
    let closed = env.on(task(|app| app.close(Slot::Over)));
    let mut groups: Vec<(AttrValue, Vec<(&str, EditMsg)>)> = Vec::new();
    for command in COMMANDS.iter().filter(|command| !command.keys.is_empty()) {
        let (title, line) = (words.text(command.group.title()), (command.keys, command.name));
        match groups.last_mut() {
            Some((last, lines)) if *last == title => lines.push(line),
            _ => groups.push((title, vec![line])),
        }
    }
    groups.push((words.text(EditMsg::GroupBoard), OTHER_KEYS.to_vec()));
    html! {
        <dialog class="dialog shortcuts" ref={dialog} onclose={closed} aria-labelledby="shortcuts-title">
            <header>
                <h2 id="shortcuts-title">{words.text(EditMsg::Shortcuts)}</h2>
                <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)} onclick={close}>
                    {icon(Shape::Cross)}
                </button>
            </header>
            <div class="columns-of" tabindex="0" role="group" aria-labelledby="shortcuts-title">
                {for groups.into_iter().map(|(title, lines)| html! {
                    <section>
                        <h3>{title}</h3>
                        <dl>
                            {for lines.into_iter().map(|(key, name)| html! {
                                <div><dt>{words.text(name)}</dt><dd>{keys(key)}</dd></div>
                            })}
                        </dl>
                    </section>
                })}
            </div>
            <p class="dim">{words.text(EditMsg::LettersHint)}</p>
        </dialog>
    }
}
