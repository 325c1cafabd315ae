//! The arguments of the plugins that take any.

use super::change::Edit;
use super::form::{Form, called};
use super::words::ConfigMsg;
use crate::components::{Shape, wrong};
use berth_wire::config::edit::{Step, mapping, number, text};
use berth_wire::tree::{Node, Value, write, yaml};
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// Draws the fields of a plugin's arguments.
type Fields = fn(&Arguments<'_, '_>) -> Html;

/// The plugins that take arguments, in the order of the whole configuration.
const PLUGINS: [(&str, Fields); 6] = [
    ("DefaultPreemption", default_preemption),
    ("InterPodAffinity", inter_pod_affinity),
    ("NodeAffinity", node_affinity),
    ("NodeResourcesBalancedAllocation", balanced_allocation),
    ("NodeResourcesFit", fit),
    ("PodTopologySpread", topology_spread),
];

/// The arguments of one plugin.
struct Arguments<'f, 'a> {
    form: &'f Form<'a>,
    plugin: &'static str,
    /// The path of its arguments.
    path: String,
}

/// The arguments of all plugins of the profile that is shown.
pub(super) fn block(form: &Form<'_>) -> Html {
    html! {
        <section class="block">
            <h3>{form.words.text(ConfigMsg::Arguments)}</h3>
            {for PLUGINS.into_iter().enumerate().map(|(place, (plugin, fields))| {
                let path = [&*form.profile(), ".pluginConfig[", &place.to_string(), "].args"].concat();
                let differs = form.differs(&path);
                let of = Arguments { form, plugin, path };
                html! {
                    <details class="rule" key={plugin}>
                        <summary><span class="mono">{plugin}</span>
                            if differs { {" "}<span class="tag differs">{form.words.text(ConfigMsg::Changed)}</span> }
                        </summary>
                        {fields(&of)}
                    </details>
                }
            })}
        </section>
    }
}

impl Arguments<'_, '_> {
    fn at(&self, field: &str) -> String {
        [&*self.path, ".", field].concat()
    }

    fn number(&self, field: &'static str) -> Html {
        self.form.number(&self.at(field), field, self.plugin)
    }

    /// A line for a field that is not a single value.
    fn line(&self, field: &'static str, content: Html) -> Html {
        let path = self.at(field);
        self.form.line(field, &path, &called(self.plugin, field), content)
    }

    /// A list of rows, with a button for one more.
    fn list(
        &self,
        field: &'static str,
        row: impl Fn(usize, &str) -> Html,
        more: Node<'static>,
    ) -> Html {
        let form = self.form;
        let path = self.at(field);
        let count = form.len(&path);
        let what = called(self.plugin, field.rsplit('.').next().unwrap_or(field));
        let one = |place: usize| {
            let own = [&*path, "[", &place.to_string(), "]"].concat();
            let remove = Edit {
                control: path.clone(),
                name: form.words.fill(ConfigMsg::DidRemove, &[("what", &what)]),
                steps: vec![Step::Remove(own.clone())],
                focus: Some(["add-", &*path].concat()),
                ..Edit::default()
            };
            let label = form
                .words
                .fill(ConfigMsg::RemoveWhat, &[("what", &what), ("n", &(place + 1).to_string())]);
            html! {
                <li key={place}>
                    {row(place, &own)}
                    {form.icon_button(None, Shape::Cross, label, Some(remove))}
                    {wrong(form.mistakes, &own)}
                </li>
            }
        };
        let add = Edit {
            control: path.clone(),
            name: form.words.fill(ConfigMsg::DidAdd, &[("what", &what)]),
            steps: vec![Step::Insert(path.clone(), usize::MAX, more)],
            ..Edit::default()
        };
        let id = ["add-", &*path].concat();
        let label = form.words.fill(ConfigMsg::AddWhat, &[("what", &what)]);
        html! {
            <div class="items">
                <ol>{for (0..count).map(one)}</ol>
                {form.icon_button(Some(id), Shape::Plus, label, Some(add))}
            </div>
        }
    }

    /// Resources with their weights.
    fn resources(&self, field: &'static str) -> Html {
        const NAMES: [&str; 4] = ["cpu", "memory", "ephemeral-storage", "nvidia.com/gpu"];
        let form = self.form;
        let path = self.at(field);
        let items = form.find(&path).map(Node::items).unwrap_or_default();
        let has = |name: &str| {
            items.iter().any(|item| item.get("name").and_then(Node::as_str) == Some(name))
        };
        let next = NAMES.into_iter().find(|name| !has(name)).unwrap_or("example.com/device");
        let more = mapping([("name", text(next)), ("weight", number("1"))]);
        let row = |_: usize, own: &str| {
            let (name, weight) = ([own, ".name"].concat(), [own, ".weight"].concat());
            let resource = form.value(&name);
            let what = called(self.plugin, &resource);
            let label = form.words.fill(ConfigMsg::WeightOf, &[("what", &resource)]);
            html! {
                <>
                    {form.input(&name, "name".into(), &called(self.plugin, "resource"), "text grow", text)}
                    <span class="weigh">{form.slider(&weight, label, &called(&what, "weight"))}</span>
                    {wrong(form.mistakes, &name)}
                    {wrong(form.mistakes, &weight)}
                </>
            }
        };
        self.list(field, row, more)
    }
}

fn default_preemption(of: &Arguments<'_, '_>) -> Html {
    html! {
        <>
            {of.number("minCandidateNodesPercentage")}
            {of.number("minCandidateNodesAbsolute")}
        </>
    }
}

fn inter_pod_affinity(of: &Arguments<'_, '_>) -> Html {
    const IGNORE: &str = "ignorePreferredTermsOfExistingPods";
    html! {
        <>
            {of.number("hardPodAffinityWeight")}
            {of.form.flag(&of.at(IGNORE), IGNORE, of.plugin)}
        </>
    }
}

/// Added affinity is as deep as a pod's, so it is written as YAML.
fn node_affinity(of: &Arguments<'_, '_>) -> Html {
    const FIELD: &str = "addedAffinity";
    const HINT: &str = "requiredDuringSchedulingIgnoredDuringExecution:\n  nodeSelectorTerms:\n  - matchExpressions:\n    - {key: disk, operator: In, values: [ssd]}";
    let form = of.form;
    let path = of.at(FIELD);
    let what = called(of.plugin, FIELD);
    let mistake = crate::view::Mistake::at(form.mistakes, &path);
    let now = form.find(&path).map(write::yaml).unwrap_or_default();
    let value = mistake.map_or_else(|| AttrValue::from(now), |mistake| mistake.typed.clone());
    let (shared, words) = (Rc::clone(form.shared), form.words.clone());
    let control = path.clone();
    let send = form.env.send.clone();
    let onchange = Callback::from(move |event: Event| {
        let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() else { return };
        let typed = area.value();
        let step = match yaml::parse(&typed) {
            _ if typed.trim().is_empty() => Step::Remove(control.clone()),
            Ok(node) => Step::Set(control.clone(), node.into_owned()),
            // The decoder says that a text is no affinity.
            Err(_) => Step::Set(control.clone(), text(&typed)),
        };
        let name = words.fill(ConfigMsg::DidChange, &[("what", &what)]);
        let edit = Edit {
            control: control.clone(),
            typed: typed.into(),
            name,
            steps: vec![step],
            ..Edit::default()
        };
        send.emit(super::change::intent(&shared, edit));
    });
    let area = html! {
        <textarea id={path} class="written" rows="6" aria-label={FIELD} {value} placeholder={HINT} spellcheck="false"
            autocomplete="off" wrap="off" aria-invalid={mistake.map(|_| "true")} {onchange} />
    };
    of.line(FIELD, area)
}

fn balanced_allocation(of: &Arguments<'_, '_>) -> Html {
    of.line("resources", of.resources("resources"))
}

fn fit(of: &Arguments<'_, '_>) -> Html {
    const STRATEGY: &str = "scoringStrategy";
    const RATIO: &str = "RequestedToCapacityRatio";
    let form = of.form;
    let (kind, shape) =
        (of.at("scoringStrategy.type"), of.at("scoringStrategy.requestedToCapacityRatio"));
    let what = called(of.plugin, STRATEGY);
    let current = form.value(&kind);
    let option = |word: &'static str| {
        let mut edit = form.set(&kind, &what, word, text(word));
        if word != RATIO {
            edit.steps.push(Step::Remove(shape.clone()));
        } else if current != RATIO {
            let points = Value::Sequence(vec![point("0", "0"), point("100", "10")]);
            edit.steps.push(Step::Set([&*shape, ".shape"].concat(), Node::made(points)));
        }
        (word, edit)
    };
    let types = ["LeastAllocated", "MostAllocated", RATIO].map(option).into();
    let own = of.at(STRATEGY);
    html! {
        <>
            <div class="line wide"><span class="field-name">{"scoringStrategy.type"}</span>
                <div class="ctl">
                    {form.segments(&kind, "scoringStrategy.type", &current, types)}
                    {form.was(&own, &what)}
                    {wrong(form.mistakes, &kind)}{wrong(form.mistakes, &own)}
                </div>
            </div>
            <div class="line wide"><span class="field-name">{"resources"}</span>
                {of.resources("scoringStrategy.resources")}
            </div>
            if current == RATIO {
                <div class="line wide"><span class="field-name">{"shape"}</span>{curve(of)}</div>
            }
            {words_list(of, "ignoredResources")}
            {words_list(of, "ignoredResourceGroups")}
        </>
    }
}

fn point(utilization: &str, score: &str) -> Node<'static> {
    mapping([("utilization", number(utilization)), ("score", number(score))])
}

/// The points of the curve of score over utilization.
fn curve(of: &Arguments<'_, '_>) -> Html {
    const FIELD: &str = "scoringStrategy.requestedToCapacityRatio.shape";
    let form = of.form;
    let last = form.find(&of.at(FIELD)).and_then(|list| list.items().last());
    let of_last = |field: &str| {
        last.and_then(|point| point.get(field)).and_then(Node::as_i64).unwrap_or_default()
    };
    let further = (of_last("utilization") + 10).to_string();
    let more = point(&further, &of_last("score").to_string());
    let row = |_: usize, own: &str| {
        let field = |name: &'static str| {
            let path = [own, ".", name].concat();
            html! {
                <label class="pair"><span class="note mono">{name}</span>
                    {form.input(&path, name.into(), &called(of.plugin, name), "text digits", number)}
                    {wrong(form.mistakes, &path)}
                </label>
            }
        };
        html! { <>{field("utilization")}{field("score")}</> }
    };
    of.list(FIELD, row, more)
}

/// Texts, separated by commas.
fn words_list(of: &Arguments<'_, '_>, field: &'static str) -> Html {
    let form = of.form;
    let path = of.at(field);
    let items = form.find(&path).map(Node::items).unwrap_or_default();
    let now: Vec<&str> = items.iter().filter_map(Node::as_str).collect();
    let what = called(of.plugin, field);
    let (shared, words, control) = (Rc::clone(form.shared), form.words.clone(), path.clone());
    let change = form.env.send.reform(move |typed: AttrValue| {
        let pieces = typed.split(',').map(str::trim).filter(|piece| !piece.is_empty());
        let list: Vec<Node<'static>> = pieces.map(text).collect();
        let step = if list.is_empty() {
            Step::Remove(control.clone())
        } else {
            Step::Set(control.clone(), Node::made(Value::Sequence(list)))
        };
        let name = words.fill(ConfigMsg::DidSet, &[("what", &what), ("value", &typed)]);
        let edit =
            Edit { control: control.clone(), typed, name, steps: vec![step], ..Edit::default() };
        super::change::intent(&shared, edit)
    });
    let entry = crate::components::Entry {
        control: path.into(),
        label: field.into(),
        value: Some(now.join(", ").into()),
        hint: "–",
        class: "text",
        change,
    };
    of.line(field, crate::components::entry(form.mistakes, entry))
}

fn topology_spread(of: &Arguments<'_, '_>) -> Html {
    const LIST: &str = "defaultConstraints";
    let form = of.form;
    let (kind, list) = (of.at("defaultingType"), of.at(LIST));
    let current = form.value(&kind);
    let what = called(of.plugin, "defaultingType");
    let mut system = form.set(&kind, &what, "System", text("System"));
    system.steps.push(Step::Remove(list));
    let options = vec![("System", system), ("List", form.set(&kind, &what, "List", text("List")))];
    let more = mapping([
        ("maxSkew", number("1")),
        ("topologyKey", text("topology.kubernetes.io/zone")),
        ("whenUnsatisfiable", text("ScheduleAnyway")),
    ]);
    html! {
        <>
            <div class="line"><span class="field-name">{"defaultingType"}</span>
                <div class="ctl">
                    {form.segments(&kind, "defaultingType", &current, options)}
                    {form.was(&of.path, of.plugin)}
                    {wrong(form.mistakes, &kind)}
                </div>
            </div>
            if current == "List" {
                <div class="line wide"><span class="field-name">{LIST}</span>
                    {of.list(LIST, |_, own| constraint(of, own), more)}
                    {wrong(form.mistakes, &of.at(LIST))}
                </div>
            } else {
                <p class="line dim">{form.words.text(ConfigMsg::SystemDefaults)}</p>
            }
        </>
    }
}

fn constraint(of: &Arguments<'_, '_>, own: &str) -> Html {
    let form = of.form;
    let at = |field: &str| [own, ".", field].concat();
    let (skew, key, action) = (at("maxSkew"), at("topologyKey"), at("whenUnsatisfiable"));
    let what = |field: &str| called(of.plugin, field);
    let option = |word: &'static str| {
        (word, form.set(&action, &what("whenUnsatisfiable"), word, text(word)))
    };
    let options = ["ScheduleAnyway", "DoNotSchedule"].map(option).into();
    html! {
        <>
            {form.input(&key, "topologyKey".into(), &what("topologyKey"), "text grow", text)}
            {form.input(&skew, "maxSkew".into(), &what("maxSkew"), "text digits", number)}
            {form.segments(&action, "whenUnsatisfiable", &form.value(&action), options)}
            {for [&key, &skew, &action].map(|path| wrong(form.mistakes, path))}
        </>
    }
}
