//! What there is to say about an input, and where.

use crate::tree::Position;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The API server would refuse this, so Berth does too.
    Error,
    /// The answer leaves something out.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// One word, for people and programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// How far Kubernetes gets with an object before it says so. Warnings and notes are said while it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// It cannot be decoded.
    Decoding,
    /// It has a value of another type. Go reads on and says so at the end.
    Typing,
    /// It is decoded, but not by a strict decoder.
    StrictDecoding,
    /// It is decoded, and then its fields are validated.
    Validation,
    /// It is valid, and nothing can be made of it.
    Construction,
}

/// Something about one value of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// When it is said.
    pub stage: Stage,
    /// Byte offset in the text that the tree was read from.
    pub offset: u32,
    /// Path of the field, like `spec.containers[0].image`; empty for the object itself.
    pub path: String,
    /// What it is, in the API server's words where it has any.
    pub message: String,
    /// What was probably meant, as it would be written: a name, or a text in its quotes.
    pub suggestion: Option<String>,
}

impl Finding {
    /// Of several findings the one with which Go's decoder gives up.
    pub(crate) fn fault<'f>(findings: impl Iterator<Item = &'f Self> + Clone) -> Option<&'f Self> {
        let mut errors = findings.filter(|finding| finding.severity == Severity::Error);
        let mut typing = errors.clone().filter(|finding| finding.stage == Stage::Typing);
        errors.find(|finding| finding.stage == Stage::Decoding).or_else(|| typing.next())
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, " (did you mean {suggestion}?)")?;
        }
        Ok(())
    }
}

/// A finding with the file and the object that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Name of the source.
    pub source: String,
    /// Kind, namespace and name of the object, like `Pod default/web`; empty if it has none.
    pub object: String,
    /// Line, column and offset in the source.
    pub position: Position,
    /// What it is.
    pub finding: Finding,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Position { line, column, .. } = self.position;
        write!(f, "{}:{line}:{column}: {}: ", self.source, self.finding.severity.as_str())?;
        if !self.object.is_empty() {
            write!(f, "{}: ", self.object)?;
        }
        write!(f, "{}", self.finding)
    }
}
