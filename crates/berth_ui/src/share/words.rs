//! The words of this part.

use crate::locale::Table;
use crate::locale::messages::messages;

/// The words about links, files and what is kept.
pub type ShareWords = Table<ShareMsg>;

messages! {
    /// A message about links, files and what is kept, by what it says.
    ShareMsg from "en-share":
    CardBack = "card-back",
    CardExample = "card-example",
    CardRun = "card-run",
    CardStart = "card-start",
    CardTitle = "card-title",
    CardWork = "card-work",
    CardWorkTitle = "card-work-title",
    Copied = "copied",
    Copy = "copy",
    Differs = "differs",
    DropsHistory = "drops-history",
    FileHolds = "file-holds",
    Forget = "forget",
    ForgetAll = "forget-all",
    Forgotten = "forgotten",
    GoOn = "go-on",
    Holds = "holds",
    Json = "json",
    KeepsNothing = "keeps-nothing",
    KeptHere = "kept-here",
    LengthFine = "length-fine",
    LengthLong = "length-long",
    LengthRisky = "length-risky",
    Link = "link",
    LinkContent = "link-content",
    LinkCut = "link-cut",
    LinkDamaged = "link-damaged",
    LinkLong = "link-long",
    LinkMuch = "link-much",
    LinkStep = "link-step",
    LinkVersion = "link-version",
    NoPod = "no-pod",
    Picture = "picture",
    PictureOf = "picture-of",
    Redact = "redact",
    RedactHint = "redact-hint",
    Save = "save",
    Simulator = "simulator",
    SimulatorHolds = "simulator-holds",
    Steps = "steps",
    StripText = "strip-text",
    StripTitle = "strip-title",
    Text = "text",
    TextHolds = "text-holds",
    Title = "title",
    What = "what",
    Yaml = "yaml",
}
