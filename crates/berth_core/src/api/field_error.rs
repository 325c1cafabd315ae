//! Errors about a field, in the API server's words.
/// Errors about fields.
pub type FieldErrors = alloc::vec::Vec<FieldError>;
/// An error about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError;
