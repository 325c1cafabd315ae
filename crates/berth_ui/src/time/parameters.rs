//! How long things take, and what has to be left of a node's memory: another value begins time anew.

use super::run::{Run, Shared};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::components::wrong;
use crate::env::Env;
use crate::state::Action;
use crate::tool::task;
use crate::view::Mistake;
use berth_core::api::Quantity;
use berth_core::kubelet::eviction::{Signal, Threshold, ThresholdValue};
use berth_core::queue::time::SECOND;
use berth_core::simulation::Parameters;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// The longest time that can be typed, in seconds.
const LONGEST: f64 = 86_400.0;
/// What a soft threshold has that does not say for how long, in nanoseconds: Kubernetes has no default.
const SOFT_GRACE: u64 = 30 * SECOND.cast_unsigned();

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Start,
    Exit,
    Run,
    Hard,
    Soft,
    SoftGrace,
    MaxGrace,
    Transition,
}

impl Field {
    const ALL: [Self; 8] = [
        Self::Start,
        Self::Exit,
        Self::Run,
        Self::Hard,
        Self::Soft,
        Self::SoftGrace,
        Self::MaxGrace,
        Self::Transition,
    ];

    /// Its name in the steps of `berth simulate`.
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "startSeconds",
            Self::Exit => "exitSeconds",
            Self::Run => "runSeconds",
            Self::Hard => "evictionHard",
            Self::Soft => "evictionSoft",
            Self::SoftGrace => "evictionSoftGracePeriod",
            Self::MaxGrace => "evictionMaxPodGracePeriod",
            Self::Transition => "evictionPressureTransitionPeriod",
        }
    }

    const fn about(self) -> TimeMsg {
        match self {
            Self::Start => TimeMsg::StartSeconds,
            Self::Exit => TimeMsg::ExitSeconds,
            Self::Run => TimeMsg::RunSeconds,
            Self::Hard => TimeMsg::EvictionHard,
            Self::Soft => TimeMsg::EvictionSoft,
            Self::SoftGrace => TimeMsg::EvictionSoftGrace,
            Self::MaxGrace => TimeMsg::EvictionMaxGrace,
            Self::Transition => TimeMsg::EvictionTransition,
        }
    }

    /// The keyboard that a phone shows for it.
    const fn keyboard(self) -> &'static str {
        if matches!(self, Self::Hard | Self::Soft) { "text" } else { "decimal" }
    }

    /// Its value as it is typed; empty where there is none.
    fn text(self, parameters: &Parameters) -> String {
        let times = parameters.kubelet.times;
        let eviction = &parameters.kubelet.eviction;
        let seconds = |nanos: i64| (nanos as f64 / SECOND as f64).to_string();
        let memory = |is_hard| find(&eviction.thresholds, is_hard);
        match self {
            Self::Start => seconds(times.start()),
            Self::Exit => seconds(times.exit()),
            Self::Run => times.run.map(seconds).unwrap_or_default(),
            Self::Hard => memory(true).map(|known| amount(&known.value)).unwrap_or_default(),
            Self::Soft => memory(false).map(|known| amount(&known.value)).unwrap_or_default(),
            Self::SoftGrace => {
                memory(false).map(|known| seconds(known.grace as i64)).unwrap_or_default()
            }
            Self::MaxGrace => eviction.max_pod_grace_period_seconds.to_string(),
            Self::Transition => seconds(eviction.pressure_transition_period),
        }
    }

    /// Takes another value; none if it is not one.
    fn set(self, parameters: &mut Parameters, typed: &str) -> Option<()> {
        let typed = typed.trim();
        let nanos = match typed {
            "" => None,
            text => nanos(text),
        };
        let is_time = typed.is_empty() || nanos.is_some();
        let times = &mut parameters.kubelet.times;
        let eviction = &mut parameters.kubelet.eviction;
        let thresholds = &mut eviction.thresholds;
        match self {
            Self::Start => times.start = is_time.then_some(nanos)?,
            Self::Exit => times.exit = is_time.then_some(nanos)?,
            Self::Run => times.run = is_time.then_some(nanos)?,
            Self::Hard | Self::Soft => {
                let is_hard = self == Self::Hard;
                let grace = find(thresholds, false).map_or(SOFT_GRACE, |known| known.grace);
                let value = if typed.is_empty() { None } else { Some(value(typed)?) };
                let is_replaced = |known: &Threshold| {
                    known.signal == Signal::MemoryAvailable && known.is_hard() == is_hard
                };
                thresholds.retain(|known| !is_replaced(known));
                let new = value.map(|value| Threshold::hard(Signal::MemoryAvailable, value));
                let grace = if is_hard { 0 } else { grace };
                thresholds.extend(new.map(|new| Threshold { grace, ..new }));
            }
            Self::SoftGrace => {
                let soft = |known: &&mut Threshold| {
                    known.signal == Signal::MemoryAvailable && !known.is_hard()
                };
                let soft = thresholds.iter_mut().find(soft)?;
                soft.grace = nanos.filter(|nanos| *nanos > 0)?.cast_unsigned();
            }
            Self::MaxGrace => eviction.max_pod_grace_period_seconds = nanos? / SECOND,
            Self::Transition => eviction.pressure_transition_period = nanos?,
        }
        Some(())
    }
}

/// The threshold for memory of a kind.
fn find(thresholds: &[Threshold], is_hard: bool) -> Option<&Threshold> {
    let of_memory = |known: &&Threshold| known.signal == Signal::MemoryAvailable;
    thresholds.iter().filter(of_memory).find(|known| known.is_hard() == is_hard)
}

fn amount(value: &ThresholdValue) -> String {
    match value {
        ThresholdValue::Quantity(quantity) => quantity.to_string(),
        ThresholdValue::Share(share) => format!("{}%", share * 100.0),
    }
}

/// A quantity, or a share in percent.
fn value(text: &str) -> Option<ThresholdValue> {
    if let Some(share) = text.strip_suffix('%') {
        let share = share.parse::<f32>().ok().filter(|share| (0.0..=100.0).contains(share))?;
        return Some(ThresholdValue::Share(share / 100.0));
    }
    let quantity = Quantity::parse(text).ok().filter(|quantity| quantity.value() >= 0)?;
    Some(ThresholdValue::Quantity(quantity))
}

/// Seconds, in nanoseconds.
fn nanos(text: &str) -> Option<i64> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds))?;
    Some((seconds * 1000.0).round() as i64 * (SECOND / 1000))
}

/// The parameters.
pub(super) fn view(app: &App, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let mistakes = &app.state().mistakes;
    let line = |field: Field| {
        html! {
            <label class="row" key={field.name()}>
                <code>{field.name()}</code>
                <input type="text" inputmode={field.keyboard()} id={field.name()} class="text narrow" value={field.text(&run.parameters)}
                    placeholder={words.text(TimeMsg::Never)} autocomplete="off" spellcheck="false"
                    onchange={typed(app.env(), shared, field)} />
                <span class="dim">{words.text(field.about())}</span>
                {wrong(mistakes, field.name())}
            </label>
        }
    };
    html! {
        <div class="parameters">
            <p class="dim">{words.text(TimeMsg::ParametersNote)}</p>
            {for Field::ALL.map(line)}
        </div>
    }
}

fn typed(env: &Env, shared: &Shared, field: Field) -> Callback<Event> {
    let (shared, send) = (Rc::clone(shared), env.send.clone());
    Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let (shared, typed) = (Rc::clone(&shared), AttrValue::from(input.value()));
        send.emit(task(move |app| set(&shared, app, field, &typed)));
    })
}

fn set(shared: &Shared, app: &mut App, field: Field, typed: &AttrValue) {
    if field.set(&mut shared.borrow_mut().parameters, typed).is_none() {
        let message = words(app).text(TimeMsg::NotTyped);
        let control = field.name().into();
        app.act(Action::Mistakes(Rc::new([Mistake { control, typed: typed.clone(), message }])));
        return;
    }
    app.act(Action::Mistakes(Rc::default()));
    moment::restart(shared, app);
    let said = words(app).text(TimeMsg::SayAnew);
    app.tell(said);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_is_shown() {
        let mut parameters = Parameters::default();
        let shown = |parameters: &Parameters| Field::ALL.map(|field| field.text(parameters));
        assert_eq!(shown(&parameters), ["1", "0.5", "", "100Mi", "", "", "0", "300"]);
        for (field, typed, is_taken) in [
            (Field::Hard, "500Mi", true),
            (Field::SoftGrace, "90", false),
            (Field::Soft, "12.5%", true),
            (Field::SoftGrace, "90", true),
            (Field::SoftGrace, "0", false),
            (Field::Soft, "much", false),
            (Field::Hard, "-1Mi", false),
            (Field::MaxGrace, "20", true),
            (Field::Transition, "", false),
            (Field::Run, "7", true),
        ] {
            assert_eq!(field.set(&mut parameters, typed).is_some(), is_taken, "{field:?} {typed}");
        }
        assert_eq!(shown(&parameters), ["1", "0.5", "7", "500Mi", "12.5%", "90", "20", "300"]);
        assert!(Field::Soft.set(&mut parameters, "").is_some());
        assert_eq!(Field::Soft.text(&parameters), "");
    }
}
