//! A dialog that is shown as long as it is drawn.

use web_sys::HtmlDialogElement;
use yew::{NodeRef, hook, use_effect_with, use_node_ref};

/// The reference for a `<dialog>`: it is opened when it is first drawn.
#[hook]
pub(crate) fn use_dialog() -> NodeRef {
    let dialog = use_node_ref();
    let opened = dialog.clone();
    use_effect_with((), move |()| {
        if let Some(dialog) = opened.cast::<HtmlDialogElement>() {
            // Opening what is open already is the only failure.
            let _ = dialog.show_modal();
        }
    });
    dialog
}
