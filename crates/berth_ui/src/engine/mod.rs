//! The adapter (preview on fixed views).
use crate::app::{PodEdit, Source};
use crate::locale::Locale;
use crate::view::{ClusterView, InspectorView, Rejected, ReportView, fixture};
use yew::AttrValue;

#[derive(Default)]
pub struct Engine {
    revision: u32,
}
pub struct Ask {
    pub selected: Option<AttrValue>,
    pub columns: Option<AttrValue>,
}
pub struct Read {
    pub report: ReportView,
    pub opened: bool,
}
pub enum Outcome {
    Placed { node: AttrValue, event: AttrValue, bypassed: bool },
    Refused { node: AttrValue, rejected: Rejected },
    Unschedulable(AttrValue),
    Failed(AttrValue),
}
pub fn example() -> Source {
    Source { name: "".into(), text: "".into() }
}
impl Engine {
    pub fn revision(&self) -> u32 {
        self.revision
    }
    pub fn can_undo(&self) -> bool {
        true
    }
    pub fn can_redo(&self) -> bool {
        false
    }
    pub fn undo(&mut self) -> bool {
        true
    }
    pub fn redo(&mut self) -> bool {
        true
    }
    pub fn read(&mut self, _: &[Source], _: &Locale) -> Read {
        Read { report: ReportView::default(), opened: true }
    }
    pub fn export(&self) -> AttrValue {
        "apiVersion: v1".into()
    }
    pub fn views(&self, ask: &Ask, _: &Locale) -> (ClusterView, Option<InspectorView>) {
        (fixture::cluster(), ask.selected.as_ref().map(|_| fixture::inspector()))
    }
    pub fn place(&mut self, _: &str, node: &AttrValue, bypass: bool) -> Outcome {
        self.revision += 1;
        match fixture::cluster().node(node).and_then(|n| n.verdict.clone()) {
            Some(crate::view::Verdict::Rejected(rejected)) if !bypass => {
                self.revision -= 1;
                Outcome::Refused { node: node.clone(), rejected }
            }
            _ => Outcome::Placed {
                node: node.clone(),
                event: "Successfully assigned".into(),
                bypassed: bypass,
            },
        }
    }
    pub fn schedule(&mut self, _: &str) -> Outcome {
        Outcome::Unschedulable("no".into())
    }
    pub fn release(&mut self, _: &str) -> bool {
        true
    }
    pub fn label_node(&mut self, _: &str, _: &str, _: &str) -> bool {
        true
    }
    pub fn edit(&mut self, _: &str, _: &PodEdit) -> Result<(), AttrValue> {
        self.revision += 1;
        Ok(())
    }
}
