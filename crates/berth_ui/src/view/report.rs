//! What reading the pasted text brought to light.

use berth_wire::manifest;
use yew::AttrValue;

/// The outcome of reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportView {
    /// Everything worth saying, errors first.
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub left_out: u32,
    /// Sentences about what was expanded or adopted.
    pub notes: Vec<AttrValue>,
}

impl ReportView {
    /// How many problems are errors.
    pub fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.severity == Severity::Error).count()
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// It can, but something in it has no effect here.
    Warning,
    /// A field that Kubernetes does not know.
    Note,
}

/// One problem with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file, empty for pasted text.
    pub source: AttrValue,
    /// `Pod default/web`, empty when unknown.
    pub object: AttrValue,
    /// The field's path.
    pub path: AttrValue,
    /// 1-based; 0 when the problem has no place.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: AttrValue,
    /// The likely intended word.
    pub suggestion: Option<AttrValue>,
}

impl Problem {
    /// A problem that has no place in the text.
    pub fn general(severity: Severity, message: impl Into<AttrValue>) -> Self {
        Self {
            severity,
            source: AttrValue::default(),
            object: AttrValue::default(),
            path: AttrValue::default(),
            line: 0,
            column: 0,
            message: message.into(),
            suggestion: None,
        }
    }
}

impl From<&manifest::Problem> for Problem {
    fn from(problem: &manifest::Problem) -> Self {
        let finding = &problem.finding;
        let text = |text: &str| AttrValue::from(text.to_owned());
        Self {
            severity: match finding.severity {
                manifest::Severity::Error => Severity::Error,
                manifest::Severity::Warning => Severity::Warning,
                manifest::Severity::Note => Severity::Note,
            },
            source: text(&problem.source),
            object: text(&problem.object),
            path: text(&finding.path),
            line: problem.position.line,
            column: problem.position.column,
            message: text(&finding.message),
            suggestion: finding.suggestion.as_deref().map(text),
        }
    }
}
