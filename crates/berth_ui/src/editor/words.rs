//! The words of this part.

use crate::locale::Table;
use crate::locale::messages::messages;

/// The words about YAML that is edited.
pub type EditorWords = Table<EditorMsg>;

messages! {
    /// A message about YAML that is edited.
    EditorMsg from "en-editor":
    Applied = "applied",
    Apply = "apply",
    AsForm = "as-form",
    Before = "before",
    Behind = "behind",
    Cluster = "cluster",
    Discard = "discard",
    EditCluster = "edit-cluster",
    Gone = "gone",
    Hint = "hint",
    Kept = "kept",
    Label = "label",
    Large = "large",
    NothingChanged = "nothing-changed",
    Offers = "offers",
    OneObject = "one-object",
    UncheckedCluster = "unchecked-cluster",
    UncheckedConfiguration = "unchecked-configuration",
    UncheckedNode = "unchecked-node",
    UncheckedOther = "unchecked-other",
    UncheckedPod = "unchecked-pod",
    UncheckedRule = "unchecked-rule",
    Unsaved = "unsaved",
    Valid = "valid",
}
