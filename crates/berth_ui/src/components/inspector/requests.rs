//! Effective resource requests.

use super::constraint::value_of;
use crate::app::{Intent, PodEdit};
use crate::env::Env;
use crate::locale::Msg;
use crate::view::{InspectorView, Request};
use yew::{Callback, Event, Html, html};

/// The requests of a pod.
pub(super) fn block(env: &Env, view: &InspectorView) -> Html {
    html! {
        <section class="block">
            <h3>{env.words.text(Msg::Requests)}</h3>
            if view.requests.is_empty() {
                <p class="dimmer">{env.words.text(Msg::NoRequests)}</p>
            } else {
                <div class="requests">{for view.requests.iter().map(|request| row(env, view, request))}</div>
            }
        </section>
    }
}

fn row(env: &Env, view: &InspectorView, request: &Request) -> Html {
    let (send, pod, resource) = (env.send.clone(), view.key.clone(), request.resource.clone());
    let onchange = Callback::from(move |event: Event| {
        if let Some(quantity) = value_of(&event) {
            let edit = PodEdit::Request(resource.clone(), quantity);
            send.emit(Intent::Edit { pod: pod.clone(), edit });
        }
    });
    html! {
        <label class="request" key={request.resource.as_str()}>
            <span class="field-name">{request.resource.clone()}</span>
            if request.editable {
                <input class="text mono narrow" type="text" value={request.quantity.clone()} spellcheck="false"
                    autocomplete="off" {onchange} />
            } else {
                <span class="num">{request.quantity.clone()}</span>
            }
        </label>
    }
}
