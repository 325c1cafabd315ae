//! Keys of the board and of the page, as intents.

use super::intent::Intent;
use crate::cursor::{Cursor, Step};
use crate::drag::{By, Drag, Input, Subject};
use crate::parts::Call;
use crate::state::AppState;
use yew::AttrValue;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key<'a> {
    /// As in `KeyboardEvent.key`.
    pub(super) name: &'a str,
    /// Control, or Command on a Mac.
    pub(super) ctrl: bool,
    /// Shift.
    pub(super) shift: bool,
    /// Alt.
    pub(super) alt: bool,
}

/// Where the focus is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// On the board.
    Board,
    /// On a pod in the tray.
    Tray(AttrValue),
    /// In a field where letters are text.
    Field,
    /// Elsewhere.
    Page,
}

/// What a key means, if anything.
pub(super) fn intent(
    state: &AppState,
    cursor: Option<&Cursor>,
    region: &Region,
    key: Key<'_>,
) -> Option<Intent> {
    if key.name == "Escape" {
        return escape(state);
    }
    let letter = key.name.len() == 1 && key.name != " " && plain(key);
    if *region == Region::Field || state.letters_off && letter {
        return None;
    }
    if key.ctrl && !key.alt {
        match key.name {
            "z" | "Z" if key.shift => return Some(Intent::Redo),
            "z" => return Some(Intent::Undo),
            "y" => return Some(Intent::Redo),
            _ => {}
        }
    }
    match region {
        Region::Board if state.drag.by() == Some(By::Keys) => holding(key),
        Region::Board | Region::Tray(_) if plain(key) && matches!(key.name, "t" | "T") => {
            Some(Intent::Call(Call::Scale { table: true }))
        }
        Region::Board => walking(cursor?, key),
        Region::Tray(pod) if plain(key) && matches!(key.name, " " | "m" | "M") => {
            Some(lift(Subject::Pod(pod.clone())))
        }
        _ => None,
    }
}

fn plain(key: Key<'_>) -> bool {
    !key.ctrl && !key.alt
}

fn escape(state: &AppState) -> Option<Intent> {
    if state.drag != Drag::Idle {
        Some(Intent::Drag(Input::Abort))
    } else if state.node.is_some() {
        Some(Intent::SelectNode(None))
    } else if state.side {
        Some(Intent::CloseSide)
    } else {
        None
    }
}

fn lift(subject: Subject) -> Intent {
    Intent::Drag(Input::Lift { subject, by: By::Keys, over: None })
}

fn holding(key: Key<'_>) -> Option<Intent> {
    Some(match key.name {
        "ArrowLeft" => Intent::Walk(Step::ZoneLeft),
        "ArrowRight" => Intent::Walk(Step::ZoneRight),
        "ArrowUp" if key.ctrl => Intent::Walk(Step::ZoneLeft),
        "ArrowDown" if key.ctrl => Intent::Walk(Step::ZoneRight),
        "ArrowUp" if key.shift => Intent::NextFitting(false),
        "ArrowDown" if key.shift => Intent::NextFitting(true),
        "ArrowUp" => Intent::Walk(Step::Up),
        "ArrowDown" => Intent::Walk(Step::Down),
        "Enter" | " " => Intent::Drag(Input::Drop { target: None, bypass: key.alt }),
        "w" | "W" if plain(key) => Intent::Why,
        _ => return None,
    })
}

fn walking(cursor: &Cursor, key: Key<'_>) -> Option<Intent> {
    Some(match key.name {
        "ArrowUp" if key.ctrl => Intent::Walk(Step::ZoneLeft),
        "ArrowDown" if key.ctrl => Intent::Walk(Step::ZoneRight),
        // With Shift they select several.
        _ if !plain(key) || key.shift && key.name.starts_with("Arrow") => return None,
        "ArrowLeft" => Intent::Walk(Step::Left),
        "ArrowRight" => Intent::Walk(Step::Right),
        "ArrowUp" => Intent::Walk(Step::Up),
        "ArrowDown" => Intent::Walk(Step::Down),
        "Home" => Intent::Walk(Step::Home),
        "End" => Intent::Walk(Step::End),
        "w" | "W" => Intent::Why,
        " " | "m" | "M" => match cursor {
            Cursor::Pod(key) => lift(Subject::Pod(key.clone())),
            Cursor::Node(name) => lift(Subject::Node(name.clone())),
            Cursor::Zone(_) => return None,
        },
        "Enter" => match cursor {
            Cursor::Pod(key) => Intent::Select(Some(key.clone())),
            Cursor::Node(name) => Intent::SelectNode(Some(name.clone())),
            Cursor::Zone(_) => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    //! Keys, by where the focus is.
    use super::{Key, Region, intent};
    use crate::app::Intent;
    use crate::cursor::{Cursor, Step};
    use crate::drag::{By, Drag, Input, Subject};
    use crate::state::AppState;

    fn key(name: &str) -> Key<'_> {
        Key { name, ctrl: false, shift: false, alt: false }
    }

    fn meaning(state: &AppState, cursor: &Cursor, region: &Region, key: Key<'_>) -> String {
        format!("{:?}", intent(state, Some(cursor), region, key))
    }

    fn some(intent: Intent) -> String {
        format!("{:?}", Some(intent))
    }

    fn holding() -> AppState {
        let drag = Drag::Held { subject: Subject::Pod("a/b".into()), by: By::Keys, over: None };
        AppState { drag, ..AppState::default() }
    }

    #[test]
    fn letters_are_text_in_fields() {
        let (state, pod) = (AppState::default(), Cursor::Pod("a/b".into()));
        for name in ["m", "w", " ", "Enter", "ArrowUp", "z"] {
            for ctrl in [false, true] {
                assert!(
                    intent(&state, Some(&pod), &Region::Field, Key { ctrl, ..key(name) }).is_none()
                );
            }
        }
    }

    #[test]
    fn letters_can_be_turned_off() {
        let state = AppState { letters_off: true, ..AppState::default() };
        let pod = Cursor::Pod("a/b".into());
        for (name, means) in [("m", false), ("w", false), (" ", true), ("ArrowUp", true)] {
            assert_eq!(
                intent(&state, Some(&pod), &Region::Board, key(name)).is_some(),
                means,
                "{name}"
            );
        }
        assert!(
            intent(&state, Some(&pod), &Region::Board, Key { ctrl: true, ..key("z") }).is_some()
        );
    }

    #[test]
    fn space_picks_up_what_the_focus_is_on() {
        let state = AppState::default();
        let lift = |subject| some(Intent::Drag(Input::Lift { subject, by: By::Keys, over: None }));
        let (pod, node, zone) =
            (Cursor::Pod("a/b".into()), Cursor::Node("n".into()), Cursor::Zone("z".into()));
        assert_eq!(
            meaning(&state, &pod, &Region::Board, key(" ")),
            lift(Subject::Pod("a/b".into()))
        );
        assert_eq!(
            meaning(&state, &node, &Region::Board, key("m")),
            lift(Subject::Node("n".into()))
        );
        assert_eq!(meaning(&state, &zone, &Region::Board, key(" ")), "None");
        let tray = Region::Tray("a/c".into());
        assert_eq!(meaning(&state, &pod, &tray, key(" ")), lift(Subject::Pod("a/c".into())));
        assert_eq!(meaning(&state, &pod, &Region::Page, key(" ")), "None");
    }

    #[test]
    fn arrows_mean_cells_when_empty_handed_and_columns_when_not() {
        let pod = Cursor::Pod("a/b".into());
        let right = |state: &AppState| meaning(state, &pod, &Region::Board, key("ArrowRight"));
        assert_eq!(right(&AppState::default()), some(Intent::Walk(Step::Right)));
        assert_eq!(right(&holding()), some(Intent::Walk(Step::ZoneRight)));
    }

    #[test]
    fn enter_drops_and_alt_bypasses() {
        let node = Cursor::Node("n".into());
        for alt in [false, true] {
            let meaning = meaning(&holding(), &node, &Region::Board, Key { alt, ..key("Enter") });
            assert_eq!(meaning, some(Intent::Drag(Input::Drop { target: None, bypass: alt })));
        }
    }

    #[test]
    fn escape_cancels_from_anywhere() {
        let node = Cursor::Node("n".into());
        for region in [Region::Board, Region::Page, Region::Field] {
            assert_eq!(
                meaning(&holding(), &node, &region, key("Escape")),
                some(Intent::Drag(Input::Abort))
            );
            assert_eq!(meaning(&AppState::default(), &node, &region, key("Escape")), "None");
        }
    }

    #[test]
    fn undo_and_redo_work_outside_fields() {
        let (state, node) = (AppState::default(), Cursor::Node("n".into()));
        let with = |name, shift| Key { ctrl: true, shift, ..key(name) };
        assert_eq!(meaning(&state, &node, &Region::Page, with("z", false)), some(Intent::Undo));
        assert_eq!(meaning(&state, &node, &Region::Board, with("Z", true)), some(Intent::Redo));
        assert_eq!(meaning(&state, &node, &Region::Page, with("y", false)), some(Intent::Redo));
    }
}
