//! What is typed into a pod's fields: read, checked and made a change of the cluster. A part of the program that is
//! fetched when a field is first changed, see [`crate::parts`].

use crate::app::{App, PodEdit};
use crate::parts::{Call, Late, late};
use crate::state::Action;
use crate::view::Mistake;
use std::rc::Rc;

late!(fields, |_| Box::new(Fields));

/// This part.
struct Fields;

impl Late for Fields {
    fn call(&mut self, app: &mut App, call: Call) {
        if let Call::Field(pod, edit) = call {
            change(app, &pod, &edit);
        }
    }
}

/// Changes a field of a pod, or says at its control why not.
fn change(app: &mut App, pod: &str, edit: &PodEdit) {
    let key = app.cluster().key.clone();
    match app.engine_mut().edit(pod, edit, &key) {
        Ok(()) => {
            app.act(Action::Mistakes(Rc::default()));
            app.renew();
            // The new verdict in one sentence.
            if let Some(message) = app.inspector().map(|view| view.event.message.clone()) {
                app.tell(message);
            }
        }
        Err(message) => {
            let (control, typed) = (edit.control(), edit.value());
            app.tell(message.clone());
            app.act(Action::Mistakes(Rc::new([Mistake { control, typed, message }])));
        }
    }
}
