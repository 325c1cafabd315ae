//! The parts of the program that are fetched when they are first needed.
//!
//! The rest of the page reaches a part through [`Late`] alone, so what only they need can be linked into a module of its
//! own: with the feature `split` it is, and `cargo xtask build` cuts there; without, everything is one module and there
//! is nothing to wait for.

use crate::app::{App, PodEdit, Source};
use crate::change::Change;
use crate::edit::Thing;
use crate::editor::Target;
use crate::languages::Tongue;
use crate::state::Tab;
use crate::time::{Stage, Tick};
use crate::{
    advice, change, config, edit, editor, fields, files, languages, lessons, rules, scale, share,
    tables, time, why,
};
use berth_core::api::Object;
use std::rc::Rc;
use web_sys::{Element, Event, FileList};
use yew::AttrValue;

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What changes nodes, pods and workloads other than by hand.
    Change,
    /// The scheduler's configuration.
    Config,
    /// Commands, menus, search and selection.
    Edit,
    /// Advice about a pod.
    Advice,
    /// YAML of anything.
    Editor,
    /// What is typed into a pod's fields.
    Fields,
    /// Manifests in and out.
    Files,
    /// Lessons.
    Lessons,
    /// PriorityClasses, disruption budgets and the queue run.
    Rules,
    /// The tables behind the verdict that are not open at first.
    Tables,
    /// Large clusters, and tables of any.
    Scale,
    /// Links, files, pictures, and what the browser keeps.
    Share,
    /// Virtual time.
    Time,
    /// What every plugin compared, and who was counted.
    Why,
    /// 简体中文.
    Chinese,
    /// Bahasa Indonesia.
    Indonesian,
    /// Українська.
    Ukrainian,
}

impl Part {
    /// How many there are.
    pub const COUNT: usize = Self::Ukrainian as usize + 1;

    /// Fetches it, or finds it here.
    pub async fn fetch(self) -> Result<New, NotFetched> {
        match self {
            Self::Change => change::fetch().await,
            Self::Config => config::fetch().await,
            Self::Edit => edit::fetch().await,
            Self::Advice => advice::fetch().await,
            Self::Editor => editor::fetch().await,
            Self::Fields => fields::fetch().await,
            Self::Files => files::fetch().await,
            Self::Lessons => lessons::fetch().await,
            Self::Rules => rules::fetch().await,
            Self::Tables => tables::fetch().await,
            Self::Scale => scale::fetch().await,
            Self::Share => share::fetch().await,
            Self::Time => time::fetch().await,
            Self::Why => why::fetch().await,
            Self::Chinese => languages::chinese::fetch().await,
            Self::Indonesian => languages::indonesian::fetch().await,
            Self::Ukrainian => languages::ukrainian::fetch().await,
        }
    }
}

/// What a part is asked for.
#[derive(Clone, Debug)]
pub enum Call {
    /// A change of these things.
    Change(Change, Rc<[Thing]>),
    /// The scheduler's configuration; the control that asks, by a selector, has the focus again afterwards.
    Config(&'static str),
    /// The board held against another: A and B; as above.
    Compare(&'static str),
    /// The list of all commands.
    Palette,
    /// A key, a click, a menu or a paste that means something to the editor, and where it happened.
    Edit(Event, Element),
    /// YAML of something, to be edited; the control that asks, by a selector, has the focus again afterwards.
    Yaml(Target, &'static str),
    /// Another value of a field of the pod `namespace/name`.
    Field(AttrValue, PodEdit),
    /// The import dialog.
    Import,
    /// The dialog with everything that can be taken away.
    Share,
    /// Open what the address holds; offer what the browser keeps; keep what changes from now on.
    Wake,
    /// Texts, to be opened as a cluster.
    Read(Rc<[Source]>),
    /// Files, to be opened as a cluster.
    Files(FileList),
    /// The gallery of lessons.
    Lessons,
    /// A lesson's text, to be opened.
    Lesson(AttrValue),
    /// Texts, to be added to the cluster as one step of this name.
    Add(Rc<[Source]>, AttrValue),
    /// Objects, to be copied as manifests, and what to say about it.
    Copy(Rc<Vec<Object>>, AttrValue),
    /// The priority classes and the budgets; the control that asks, by a selector, has the focus again afterwards.
    Rules(&'static str),
    /// Let the scheduler take one pod from the queue, or all.
    Run(bool),
    /// The panel of a tab.
    Tab(Tab),
    /// The view of a large cluster, or a table of any; from the table back to the board.
    Scale {
        /// Whether the table is asked for.
        table: bool,
    },
    /// Virtual time.
    Time(Tick),
    /// A lesson that is played in virtual time: to begin, or to be solved.
    Stage(Rc<Stage>, bool),
    /// The Why panel: open or shut.
    Why(bool),
    /// Another language.
    Speak(Tongue),
}

impl Call {
    /// The part that answers; none if the page needs nobody for it.
    pub fn part(&self) -> Option<Part> {
        Some(match self {
            Self::Change(..) => Part::Change,
            Self::Config(_) | Self::Compare(_) => Part::Config,
            Self::Palette | Self::Edit(..) => Part::Edit,
            Self::Yaml(..) | Self::Tab(Tab::Yaml) => Part::Editor,
            Self::Field(..) => Part::Fields,
            Self::Lessons | Self::Lesson(_) => Part::Lessons,
            Self::Import | Self::Read(_) | Self::Files(_) | Self::Add(..) | Self::Copy(..) => {
                Part::Files
            }
            Self::Rules(_) | Self::Run(_) => Part::Rules,
            Self::Share | Self::Wake => Part::Share,
            Self::Tab(Tab::Filter) => return None,
            Self::Speak(tongue) => return tongue.part(),
            Self::Tab(Tab::Advice) => Part::Advice,
            Self::Tab(Tab::Score | Tab::Preemption) => Part::Tables,
            Self::Scale { .. } => Part::Scale,
            Self::Time(_) | Self::Stage(..) => Part::Time,
            Self::Why(_) => Part::Why,
        })
    }
}

/// A part that has come.
pub trait Late {
    /// Does what is asked. To ask something of its own or another part, it sends an intent.
    fn call(&mut self, app: &mut App, call: Call);
}

/// Makes a part that has come.
pub type New = fn(&mut App) -> Box<dyn Late>;

/// The part could not be fetched.
#[derive(Clone, Copy, Debug)]
pub struct NotFetched;

#[cfg(feature = "split")]
impl From<wasm_split_helpers::SplitLoaderError> for NotFetched {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// Defines `fetch`, which fetches the part of this name, or finds it here; `new` makes it.
macro_rules! late {
    ($name:ident, $new:expr) => {
        /// Fetches this part, or finds it here.
        #[cfg(feature = "split")]
        #[wasm_split_helpers::wasm_split($name, fallible)]
        pub fn fetch() -> Result<$crate::parts::New, $crate::parts::NotFetched> {
            Ok($new)
        }

        /// Fetches this part, or finds it here.
        #[cfg(not(feature = "split"))]
        pub async fn fetch() -> Result<$crate::parts::New, $crate::parts::NotFetched> {
            Ok($new)
        }
    };
}
pub(crate) use late;
