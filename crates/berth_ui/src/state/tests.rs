//! The reducer.

use super::{Action, AppState, Sheet, Tab, Theme};
use crate::drag::{By, Drag, Subject, Target};

fn after(actions: impl IntoIterator<Item = Action>) -> AppState {
    actions.into_iter().fold(AppState::default(), AppState::reduce)
}

fn held(pod: &'static str) -> Drag {
    let over = Some(Target::Node("a1".into()));
    Drag::Held { subject: Subject::Pod(pod.into()), by: By::Keys, over }
}

#[test]
fn holding_a_pod_selects_it() {
    let state = after([Action::Select(Some("shop/a".into())), Action::Drag(held("shop/b"))]);
    assert_eq!(state.selected, Some("shop/b".into()));
    assert_eq!(state.drag, held("shop/b"));
}

#[test]
fn a_refusal_stays_until_something_else_happens() {
    let refused =
        [Action::Select(Some("shop/b".into())), Action::Refused("shop/b".into(), "a1".into())];
    assert!(after(refused.clone()).refused.is_some());
    for next in [
        Action::Revised(4),
        Action::Drag(held("shop/b")),
        Action::Select(None),
        Action::Select(Some("shop/c".into())),
    ] {
        assert_eq!(after(refused.clone().into_iter().chain([next])).refused, None);
    }
    for next in
        [Action::Select(Some("shop/b".into())), Action::Tab(Tab::Score), Action::Drag(Drag::Idle)]
    {
        assert!(after(refused.clone().into_iter().chain([next])).refused.is_some());
    }
}

#[test]
fn opened_cells_belong_to_the_selected_pod() {
    let cell = || Some(("NodeName".into(), "a1".into()));
    let open = [Action::Select(Some("shop/b".into())), Action::Cell(cell())];
    assert_eq!(after(open.clone()).cell, cell());
    assert_eq!(after(open.clone().into_iter().chain([Action::Cell(cell())])).cell, None);
    assert_eq!(after(open.into_iter().chain([Action::Select(Some("shop/c".into()))])).cell, None);
}

#[test]
fn another_cluster_keeps_the_settings_only() {
    let state = after([
        Action::Theme(Theme::Dark),
        Action::Tab(Tab::Score),
        Action::Side(true),
        Action::Columns("zone".into()),
        Action::Select(Some("shop/b".into())),
        Action::Opened(9),
    ]);
    assert_eq!(
        (state.revision, state.theme, state.tab, state.side),
        (9, Theme::Dark, Tab::Score, false)
    );
    assert_eq!((state.selected, state.columns), (None, None));
}

#[test]
fn toggles_come_back() {
    let term = || Action::Term("ImageLocality".into());
    assert_eq!(after([term()]).term, Some("ImageLocality".into()));
    assert_eq!(after([term(), term()]).term, None);
    assert!(after([Action::Skipped]).skipped);
    assert!(!after([Action::Skipped, Action::Skipped]).skipped);
    assert_eq!(Sheet::Peek.next().next().next(), Sheet::Peek);
}
