//! The selected pod, top to bottom: verdict, constraints, priority, labels, requests, and the two
//! tables that say how the verdict came about.

mod constraint;
mod fields;
mod filter_matrix;
mod form;
mod requests;
mod score_table;
mod tabs;
mod verdict;

pub use score_table::score_panel;

use super::{Shape, icon, tile};
use crate::app::Intent;
use crate::env::use_env;
use crate::locale::Msg;
use crate::state::{Action, AppState, Sheet, Tab};
use crate::view::{FilterDetail, InspectorView, Mistake};
use form::Form;
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html};

/// Properties of [`Inspector`].
#[derive(PartialEq, Properties)]
pub struct InspectorProps {
    /// The pod; nothing while none is selected.
    pub view: Option<Rc<InspectorView>>,
    /// Which tab is open.
    pub tab: Tab,
    /// The opened cell of the Filter matrix.
    pub cell: Option<(AttrValue, AttrValue)>,
    /// The same, worked out.
    pub detail: Option<Rc<FilterDetail>>,
    /// Whether the plugins that skipped are listed.
    pub skipped: bool,
    /// How far it is pulled up on a phone.
    pub sheet: Sheet,
    /// The values that were refused.
    pub mistakes: Rc<[Mistake]>,
    /// The panel of the open tab, and what stands below the constraints, where a tool draws it.
    pub panels: [Option<Panel>; 2],
}

/// What a tool draws.
#[derive(Clone)]
pub struct Panel {
    /// What it shows.
    pub html: Html,
    /// A number of its own.
    pub number: u32,
}

impl PartialEq for Panel {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl InspectorProps {
    /// The part of the state that the inspector shows.
    pub fn of(state: &AppState, view: Option<Rc<InspectorView>>) -> Self {
        Self {
            view,
            tab: state.tab,
            cell: state.cell.clone(),
            detail: None,
            skipped: state.skipped,
            sheet: state.sheet,
            mistakes: Rc::clone(&state.mistakes),
            panels: Default::default(),
        }
    }
}

/// The inspector.
#[component]
pub fn Inspector(props: &InspectorProps) -> Html {
    let env = use_env();
    let words = &env.words;
    let Some(view) = &props.view else {
        return html! {
            <aside class="side bare" aria-label={words.text(Msg::Inspector)}>
                <p class="dim">{words.text(Msg::NothingSelected)}</p>
            </aside>
        };
    };
    let place = match &view.node {
        Some(node) => words.fill(Msg::OnNode, &[("node", node)]),
        None if view.headline.gated => words.text(Msg::Gated),
        None => words.text(Msg::Pending),
    };
    let sheet = match props.sheet {
        Sheet::Peek => "peek",
        Sheet::Half => "half",
        Sheet::Full => "full",
    };
    let next = props.sheet.next();
    let form = Form { env: &env, view, mistakes: &props.mistakes };
    let [panel, why] = &props.panels;
    // Not every pod has a Preemption tab.
    let tab = match props.tab {
        Tab::Preemption if view.preemption.is_none() => Tab::Filter,
        tab if panel.is_some() => tab,
        _ => Tab::Filter,
    };
    html! {
        <aside class="side" aria-label={words.text(Msg::Inspector)} data-sheet={sheet}>
            <button type="button" class="sheet-grip only-s" aria-label={words.text(Msg::PullSheet)}
                onclick={env.on(Intent::Do(Action::Sheet(next)))}></button>
            <header>
                {tile(&view.app)}
                <h2 class="clip">{view.name.clone()}</h2>
                <span class="dimmer clip">{view.namespace.clone()}</span>
                <span class="tag place">{place}</span>
                <button type="button" class="btn icon-only" aria-label={words.text(Msg::Close)}
                    onclick={env.on(Intent::Select(None))}>{icon(Shape::Cross)}</button>
            </header>
            {verdict::block(&env, view)}
            <div class="side-body">
                {constraint::block(&form)}
                {why.as_ref().map_or_else(Html::default, |panel| panel.html.clone())}
                {fields::priority(&form)}
                {tabs::list(&env, tab, view)}
                {match (tab, panel) {
                    (Tab::Score | Tab::Preemption | Tab::Advice | Tab::Yaml, Some(panel)) => panel.html.clone(),
                    _ => filter_matrix::panel(&env, &view.filter, props.cell.as_ref(), props.detail.as_deref(), props.skipped),
                }}
                {requests::block(&form)}
                {fields::labels(&form)}
            </div>
        </aside>
    }
}
