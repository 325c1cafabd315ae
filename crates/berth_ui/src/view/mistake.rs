//! A value that was refused.

use yew::AttrValue;

/// A value that was refused, at the field where it was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The control, by the id that it has in the document.
    pub control: AttrValue,
    /// What was typed.
    pub typed: AttrValue,
    /// What is wrong with it, in the API server's words.
    pub message: AttrValue,
}

impl Mistake {
    /// The one at a control, if any.
    pub fn at<'a>(mistakes: &'a [Self], control: &str) -> Option<&'a Self> {
        mistakes.iter().find(|mistake| mistake.control == control)
    }
}
