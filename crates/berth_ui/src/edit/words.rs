//! The words of this part.

use crate::locale::Table;
use crate::locale::messages::messages;

/// The editor's words.
pub type EditWords = Table<EditMsg>;

messages! {
    /// A message of the editor, by what it says.
    EditMsg from "en-edit":
    Commands = "commands",
    FindCommand = "find-command",
    GroupBoard = "group-board",
    GroupCluster = "group-cluster",
    GroupHelp = "group-help",
    GroupHistory = "group-history",
    GroupPod = "group-pod",
    GroupScheduler = "group-scheduler",
    GroupView = "group-view",
    Import = "import",
    KeyBypass = "key-bypass",
    KeyEnds = "key-ends",
    KeyEscape = "key-escape",
    KeyNextFitting = "key-next-fitting",
    KeyOpen = "key-open",
    KeyPickUp = "key-pick-up",
    KeyWalk = "key-walk",
    KeyWhy = "key-why",
    KeyZones = "key-zones",
    Lessons = "lessons",
    LettersAreOff = "letters-are-off",
    LettersAreOn = "letters-are-on",
    LettersHint = "letters-hint",
    LettersOff = "letters-off",
    LettersOn = "letters-on",
    Move = "move",
    NoCommand = "no-command",
    NoPodSelected = "no-pod-selected",
    NothingToRedo = "nothing-to-redo",
    NothingToUndo = "nothing-to-undo",
    NothingWaits = "nothing-waits",
    OnlyNodes = "only-nodes",
    OnlyOne = "only-one",
    OnlyPods = "only-pods",
    OnlyThings = "only-things",
    OnlyZones = "only-zones",
    Palette = "palette",
    Redo = "redo",
    Rules = "rules",
    ScheduleAll = "schedule-all",
    ScheduleNext = "schedule-next",
    Share = "share",
    Shortcuts = "shortcuts",
    TabFilter = "tab-filter",
    TabPreemption = "tab-preemption",
    TabScore = "tab-score",
    ThemeDark = "theme-dark",
    ThemeLight = "theme-light",
    ThemeSystem = "theme-system",
    Undo = "undo",
}
