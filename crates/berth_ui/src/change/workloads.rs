//! The workloads, in the inspector's place: how many pods each wants and has, with a stepper.

use super::acts::apply;
use crate::app::{App, Intent};
use crate::components::{Shape, Stepper, icon, stepper, wrong};
use crate::edit::{EditMsg, EditWords};
use crate::editor::Target;
use crate::engine::integer;
use crate::locale::Msg;
use crate::parts::Call;
use crate::state::Action;
use crate::tool::{Tool, task};
use crate::view::Mistake;
use berth_core::api::{Kind, ObjectKey, WorkloadKind};
use berth_core::operations::scale;
use berth_core::playground::Playground;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, html};

/// Opens the panel.
pub(super) fn open(app: &mut App) {
    app.open_side("[role=\"grid\"] [tabindex=\"0\"]", Box::new(Panel { lines: Vec::new() }));
    app.focus("#workloads-title");
}

/// A workload with its pods.
struct Line {
    kind: WorkloadKind,
    key: ObjectKey,
    replicas: Option<i32>,
    placed: u32,
    waiting: u32,
}

struct Panel {
    lines: Vec<Line>,
}

impl Tool for Panel {
    fn follow(&mut self, app: &App) {
        let Some(cluster) = app.engine().playground().map(Playground::cluster) else {
            return;
        };
        self.lines.clear();
        for workload in cluster.workloads().values() {
            let owned_by_other = workload.metadata.controller().is_some();
            if owned_by_other {
                continue;
            }
            let mut line = Line {
                kind: workload.kind,
                key: workload.metadata.key(),
                replicas: workload.replicas,
                placed: 0,
                waiting: 0,
            };
            for (_, info) in cluster.pods() {
                let owner = info.pod.metadata.controller();
                let own = info.pod.metadata.namespace == line.key.namespace
                    && owner.is_some_and(|owner| {
                        let direct =
                            owner.kind == line.kind.as_str() && owner.name == line.key.name;
                        // Through a ReplicaSet of the Deployment.
                        let set = || {
                            let key =
                                ObjectKey::new(line.key.namespace.as_str(), owner.name.as_str());
                            let set = cluster.workload(WorkloadKind::ReplicaSet, &key)?;
                            set.metadata.controller().map(|owner| owner.name == line.key.name)
                        };
                        direct
                            || line.kind == WorkloadKind::Deployment
                                && owner.kind == "ReplicaSet"
                                && set() == Some(true)
                    });
                if own && info.pod.spec.node_name.is_empty() {
                    line.waiting += 1;
                } else if own {
                    line.placed += 1;
                }
            }
            self.lines.push(line);
        }
    }

    fn view(&self, app: &App) -> Html {
        let env = app.env();
        let words: EditWords = env.table();
        html! {
            <aside class="side rules" aria-labelledby="workloads-title" data-sheet="full">
                <header>
                    {icon(Shape::Step)}
                    <h2 id="workloads-title" class="clip" tabindex="-1">{words.text(EditMsg::Workloads)}</h2>
                    <span class="grow"></span>
                    <button type="button" class="btn icon-only" aria-label={env.words.text(Msg::Close)}
                        onclick={env.on(Intent::CloseSide)}>{icon(Shape::Cross)}</button>
                </header>
                <div class="side-body">
                    <section class="block">
                        if self.lines.is_empty() { <p class="dim">{words.text(EditMsg::NoWorkloads)}</p> }
                        {for self.lines.iter().enumerate().map(|(index, line)| block(app, &words, index, line))}
                        <p class="foot-note dim">{words.text(EditMsg::WorkloadsNote)}</p>
                    </section>
                </div>
            </aside>
        }
    }
}

fn block(app: &App, words: &EditWords, index: usize, line: &Line) -> Html {
    let control = AttrValue::from(["replicas-", &index.to_string()].concat());
    let mistakes = &app.state().mistakes;
    let (placed, waiting) = (line.placed.to_string(), line.waiting.to_string());
    let field = if line.kind == WorkloadKind::Job { "parallelism" } else { "replicas" };
    let name = line.key.to_string();
    let (kind, key) = (line.kind, line.key.clone());
    let change: Callback<AttrValue> = {
        let (key, control) = (key.clone(), control.clone());
        app.env().send.reform(move |text: AttrValue| {
            let (key, control) = (key.clone(), control.clone());
            task(move |app| replicas(app, kind, &key, &text, &control))
        })
    };
    let target = Target::Object(Kind::Workload(kind), key.clone());
    let delete = app.env().on(task(move |app| remove(app, kind, &key)));
    let yaml = app.env().on(Call::Yaml(target, "[role=\"grid\"] [tabindex=\"0\"]").into());
    html! {
        <fieldset class="workload" key={[line.kind.as_str(), &name].concat()}>
            <legend><b>{line.key.name.clone()}</b>{" "}<span class="dimmer">{line.kind.as_str()}{" · "}{line.key.namespace.clone()}</span></legend>
            <div class="row">
                if line.replicas.is_some() {
                    <span class="field-name" aria-hidden="true">{field}</span>
                    {stepper(app.env(), mistakes, Stepper {
                        control: control.clone(), name: field, value: line.replicas, least: 0, optional: false, change,
                    })}
                }
                <span class="dim">{words.fill(EditMsg::WorkloadPods, &[("placed", &placed), ("waiting", &waiting)])}</span>
                <span class="grow"></span>
                <button type="button" class="btn small line" aria-label={["YAML ", &name].concat()} onclick={yaml}>{"YAML"}</button>
                <button type="button" class="btn small line" aria-label={words.fill(EditMsg::DidDelete, &[("what", &name)])}
                    onclick={delete}>{words.text(EditMsg::Delete)}</button>
            </div>
            {wrong(mistakes, &control)}
        </fieldset>
    }
}

/// Gives a workload another number of pods.
fn replicas(
    app: &mut App,
    kind: WorkloadKind,
    key: &ObjectKey,
    text: &AttrValue,
    control: &AttrValue,
) {
    let words: EditWords = app.env().table();
    let Some(playground) = app.engine().playground() else { return };
    let name = words.fill(EditMsg::DidScale, &[("what", &key.name), ("n", text)]);
    let command = integer(text).and_then(|replicas| {
        scale::scale(playground, kind, key, replicas, &name).map_err(|error| error.to_string())
    });
    match command {
        Ok(command) => {
            apply(app, command, name);
            app.act(Action::Mistakes(Rc::default()));
        }
        Err(message) => {
            app.tell(message.clone().into());
            let mistake =
                Mistake { control: control.clone(), typed: text.clone(), message: message.into() };
            app.act(Action::Mistakes(Rc::new([mistake])));
        }
    }
}

fn remove(app: &mut App, kind: WorkloadKind, key: &ObjectKey) {
    let words: EditWords = app.env().table();
    let Some(playground) = app.engine().playground() else { return };
    let name =
        words.fill(EditMsg::DidDelete, &[("what", &[kind.as_str(), " ", &key.name].concat())]);
    let command = scale::remove(playground, kind, key, &name);
    apply(app, command, name);
    app.focus("#workloads-title");
}
