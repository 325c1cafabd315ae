//! Effective resource requests.

use super::form::Form;
use crate::app::PodEdit;
use crate::locale::Msg;
use crate::view::Request;
use yew::{Html, html};

/// The requests of a pod.
pub(super) fn block(form: &Form<'_>) -> Html {
    let requests = &form.view.requests;
    html! {
        <section class="block">
            <h3>{form.env.words.text(Msg::Requests)}</h3>
            if requests.is_empty() {
                <p class="dimmer">{form.env.words.text(Msg::NoRequests)}</p>
            } else {
                <div class="requests">{for requests.iter().map(|request| row(form, request))}</div>
            }
        </section>
    }
}

fn row(form: &Form<'_>, request: &Request) -> Html {
    let (name, quantity) = (&request.resource, &request.quantity);
    let resource = name.clone();
    let edit = move |quantity| PodEdit::Request(resource.clone(), quantity);
    html! {
        <div class="ctl" key={name.as_str()}>
            <span class="request">
                <span class="field-name">{name.clone()}</span>
                if request.editable {
                    {form.text(edit, name.clone(), quantity.clone(), "–", "text mono narrow")}
                } else {
                    <span class="num">{quantity.clone()}</span>
                }
            </span>
            {form.remarks(&["request-", name].concat())}
        </div>
    }
}
