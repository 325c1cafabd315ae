//! How long things take: another value begins time anew.

use super::run::{Run, Shared};
use super::{TimeMsg, TimeWords, moment, words};
use crate::app::App;
use crate::components::wrong;
use crate::env::Env;
use crate::state::Action;
use crate::tool::task;
use crate::view::Mistake;
use berth_core::queue::time::SECOND;
use berth_core::simulation::{Parameters, Times};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{AttrValue, Callback, Event, Html, TargetCast, html};

/// The longest time that can be typed, in seconds.
const LONGEST: f64 = 86_400.0;

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Start,
    Exit,
    Run,
}

impl Field {
    const ALL: [Self; 3] = [Self::Start, Self::Exit, Self::Run];

    /// Its name in the steps of `berth simulate`.
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "startSeconds",
            Self::Exit => "exitSeconds",
            Self::Run => "runSeconds",
        }
    }

    const fn about(self) -> TimeMsg {
        match self {
            Self::Start => TimeMsg::StartSeconds,
            Self::Exit => TimeMsg::ExitSeconds,
            Self::Run => TimeMsg::RunSeconds,
        }
    }

    /// Its value in nanoseconds; none for never.
    fn value(self, times: Times) -> Option<i64> {
        match self {
            Self::Start => Some(times.start()),
            Self::Exit => Some(times.exit()),
            Self::Run => times.run,
        }
    }

    fn set(self, parameters: &mut Parameters, value: Option<i64>) {
        let times = &mut parameters.kubelet.times;
        match self {
            Self::Start => times.start = value,
            Self::Exit => times.exit = value,
            Self::Run => times.run = value,
        }
    }
}

/// The parameters.
pub(super) fn view(app: &App, words: &TimeWords, run: &Run, shared: &Shared) -> Html {
    let mistakes = &app.state().mistakes;
    let line = |field: Field| {
        let value = field.value(run.parameters.kubelet.times);
        let value = value.map(|nanos| (nanos as f64 / SECOND as f64).to_string());
        html! {
            <label class="row" key={field.name()}>
                <code>{field.name()}</code>
                <input type="text" inputmode="decimal" id={field.name()} class="text narrow" value={value.unwrap_or_default()}
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
    let value = match typed.trim() {
        "" => Some(None),
        text => text
            .parse::<f64>()
            .ok()
            .filter(|seconds| (0.0..=LONGEST).contains(seconds))
            .map(|seconds| Some((seconds * 1000.0).round() as i64 * (SECOND / 1000))),
    };
    let Some(value) = value else {
        let message = words(app).text(TimeMsg::NotTyped);
        let control = field.name().into();
        app.act(Action::Mistakes(Rc::new([Mistake { control, typed: typed.clone(), message }])));
        return;
    };
    app.act(Action::Mistakes(Rc::default()));
    field.set(&mut shared.borrow_mut().parameters, value);
    moment::restart(shared, app);
    let said = words(app).text(TimeMsg::SayAnew);
    app.tell(said);
}
