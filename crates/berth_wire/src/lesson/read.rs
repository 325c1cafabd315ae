//! Lessons, read.

use berth_core::queue::Instant;

use super::predict::Prediction;
use super::scan::Wrong;
use super::time::Request;
use super::{API_VERSION, Goal, KIND, Lesson, Mistake, Opened, Question, Step, Words, pod_key};
use crate::manifest::{Content, Report, Source, decode, read as read_manifests, type_of};
use crate::tree::{Lines, Node, Piece, Stream, Value};

/// Whether a text begins with a lesson, as far as its first lines say.
pub fn is_lesson(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .by_ref()
        .take(2)
        .any(|line| line.strip_prefix("kind:").is_some_and(|of| of.trim() == KIND))
}

/// Reads a lesson with its cluster; the errors are everything that is wrong with either.
pub fn read(text: &str) -> Result<Opened, Vec<Mistake>> {
    let lesson = head(text);
    let mut report = read_manifests(&[Source { name: "", text }]);
    report.others.retain(|other| !is_own(&other.foreign.api_version, &other.foreign.kind));
    let mut mistakes = lesson.as_ref().err().cloned().unwrap_or_default();
    mistakes.extend(cluster_mistakes(&report));
    match lesson {
        Ok(lesson) if mistakes.is_empty() => Ok(Opened { lesson, report }),
        _ => Err(mistakes),
    }
}

fn cluster_mistakes(report: &Report) -> impl Iterator<Item = Mistake> {
    use crate::manifest::Severity;
    let errors = report.problems.iter().filter(|of| of.finding.severity == Severity::Error);
    errors.map(|problem| Mistake {
        position: problem.position,
        message: match problem.object.as_str() {
            "" => problem.finding.message.clone(),
            object => format!("{object}: {}", problem.finding.message),
        },
    })
}

fn is_own(version: &str, kind: &str) -> bool {
    version == API_VERSION && kind == KIND
}

/// Reads the lesson without its cluster.
pub fn head(text: &str) -> Result<Lesson, Vec<Mistake>> {
    first(text, Header::lesson)
}

/// Reads some lines of a lesson's first document, of which none need be there, and not what it begins with.
pub fn listed(lines: &str) -> Result<Lesson, Vec<Mistake>> {
    first(lines, Header::fields)
}

/// Reads what a lesson says in another language.
pub fn words(text: &str) -> Result<Words, Vec<Mistake>> {
    first(text, Header::words)
}

/// Reads the first document.
fn first<'a, T: Default>(
    text: &'a str,
    read: fn(&mut Header<'a>, &Node<'_>) -> T,
) -> Result<T, Vec<Mistake>> {
    let mut header = Header { wrong: Vec::new(), text };
    let found = match first_document(text) {
        Ok(Some(node)) => read(&mut header, &node),
        Ok(None) => {
            header.wrong(0, "there is nothing to read");
            T::default()
        }
        Err((offset, message)) => {
            header.wrong(offset, message);
            T::default()
        }
    };
    if header.wrong.is_empty() {
        return Ok(found);
    }
    let lines = Lines::new(text);
    let place = |(offset, message)| Mistake { position: lines.locate(offset), message };
    Err(header.wrong.into_iter().map(place).collect())
}

fn first_document(text: &str) -> Result<Option<Node<'_>>, (u32, String)> {
    let mut stream = Stream::new(text);
    while !stream.is_done() {
        match stream.advance() {
            Ok(Some(Piece::Document(node) | Piece::Item(node))) => return Ok(Some(node)),
            Ok(None) => {}
            Err(error) => return Err((error.offset, error.message)),
        }
    }
    Ok(None)
}

/// Collects what is wrong while a lesson is read.
pub(super) struct Header<'a> {
    pub(super) wrong: Vec<(u32, String)>,
    text: &'a str,
}

impl Header<'_> {
    pub(super) fn wrong(&mut self, offset: u32, message: impl Into<String>) {
        self.wrong.push((offset, message.into()));
    }

    fn lesson(&mut self, node: &Node<'_>) -> Lesson {
        if !matches!(type_of(node), (Some(version), Some(kind)) if is_own(version, kind)) {
            let message =
                format!("a lesson begins with apiVersion: {API_VERSION} and kind: {KIND}");
            self.wrong(node.start, message);
            return Lesson::default();
        }
        let lesson = self.fields(node);
        self.complete(node.start, &lesson);
        lesson
    }

    fn fields(&mut self, node: &Node<'_>) -> Lesson {
        let mut lesson = Lesson::default();
        let until = self.until(node);
        let mut requests = Vec::new();
        for entry in node.entries() {
            let value = &entry.value;
            match &*entry.key {
                "apiVersion" | "kind" => {}
                "time" => lesson.time = until.map(|until| self.time(value, until)),
                "id" => lesson.id = self.string(value),
                "title" => lesson.title = self.string(value),
                "questions" => lesson.questions = self.questions(value),
                "document" => lesson.document = Some(self.string(value)),
                "thread" => lesson.thread = Some(self.string(value)),
                "pod" => lesson.pod = Some(pod_key(&self.string(value))),
                "text" => lesson.text = self.strings(value),
                "predict" => lesson.predict = self.prediction(value),
                "goal" => lesson.goal = self.goals(value, until),
                "hints" => lesson.hints = self.strings(value),
                "explanation" => lesson.explanation = self.strings(value),
                "solution" => (lesson.solution, requests) = self.steps(value, until),
                other => self.wrong(entry.start, format!("unknown field {other:?}")),
            }
        }
        if let Some(time) = &mut lesson.time {
            time.solution = requests;
        }
        lesson
    }

    fn words(&mut self, node: &Node<'_>) -> Words {
        let mut words = Words::default();
        for entry in node.entries() {
            let value = &entry.value;
            match &*entry.key {
                "id" => words.id = self.string(value),
                "title" => words.title = self.string(value),
                "document" => words.document = Some(self.string(value)),
                "text" => words.text = self.strings(value),
                "hints" => words.hints = self.strings(value),
                "explanation" => words.explanation = self.strings(value),
                other => self.wrong(entry.start, format!("unknown field {other:?}")),
            }
        }
        let needed = [("id", words.id.is_empty()), ("title", words.title.is_empty())];
        self.need(node.start, &needed);
        words
    }

    /// What every lesson needs.
    fn complete(&mut self, start: u32, lesson: &Lesson) {
        let in_time = lesson.time.as_ref();
        let needed = [
            ("id", lesson.id.is_empty()),
            ("title", lesson.title.is_empty()),
            ("text", lesson.text.is_empty()),
            ("goal", lesson.goal.is_empty()),
            (
                "solution",
                lesson.solution.is_empty() && in_time.is_none_or(|time| time.solution.is_empty()),
            ),
            ("pod", lesson.predict.is_some() && lesson.pod.is_none()),
        ];
        self.need(start, &needed);
    }

    /// Says which fields are missing, if nothing else is wrong.
    fn need(&mut self, start: u32, needed: &[(&str, bool)]) {
        if !self.wrong.is_empty() {
            return;
        }
        for (field, missing) in needed {
            if *missing {
                self.wrong(start, format!("{field} is missing"));
            }
        }
    }

    fn string(&mut self, node: &Node<'_>) -> String {
        let Value::String(text) = &node.value else {
            self.wrong(node.start, format!("expected a text, found {}", node.kind()));
            return String::new();
        };
        // Folded lines end with a line break.
        text.trim().to_owned()
    }

    pub(super) fn items<'n, 'a>(&mut self, node: &'n Node<'a>) -> &'n [Node<'a>] {
        if !matches!(node.value, Value::Sequence(_)) {
            self.wrong(node.start, format!("expected a list, found {}", node.kind()));
        }
        node.items()
    }

    fn strings(&mut self, node: &Node<'_>) -> Vec<String> {
        self.items(node).iter().map(|item| self.string(item)).collect()
    }

    fn questions(&mut self, node: &Node<'_>) -> Vec<Question> {
        let mut questions = Vec::new();
        for item in self.items(node) {
            let word = self.string(item);
            if let Some((question, _)) = Question::ALL.iter().find(|(_, name)| *name == word) {
                questions.push(*question);
            } else {
                let names = Question::ALL.map(|(_, name)| name).join(", ");
                self.wrong(item.start, format!("expected one of {names}; found {word:?}"));
            }
        }
        questions
    }

    fn prediction(&mut self, node: &Node<'_>) -> Option<Prediction> {
        let [entry] = node.entries() else {
            self.wrong(node.start, "expected one of fit, best, victims");
            return None;
        };
        let mut names = self.strings(&entry.value);
        names.sort();
        match &*entry.key {
            "fit" => Some(Prediction::Fit(names)),
            "best" => Some(Prediction::Best(names)),
            "victims" => {
                let keys = names.iter().map(|name| pod_key(name).to_string());
                Some(Prediction::Victims(keys.collect()))
            }
            other => {
                let message = format!("expected one of fit, best, victims; found {other:?}");
                self.wrong(entry.start, message);
                None
            }
        }
    }

    fn goals(&mut self, node: &Node<'_>, until: Option<Instant>) -> Vec<Goal> {
        let mut goals = Vec::new();
        for item in self.items(node) {
            let Some(end) = until else {
                goals.extend(self.line(item, Goal::parse_timeless));
                continue;
            };
            let Some(goal) = self.line(item, Goal::parse) else { continue };
            self.in_time(goal.moment(end), end, item.start);
            goals.push(goal);
        }
        goals
    }

    /// A line of one of the two languages.
    fn line<T>(&mut self, node: &Node<'_>, parse: impl Fn(&str) -> Result<T, Wrong>) -> Option<T> {
        let Value::String(line) = &node.value else {
            self.wrong(node.start, format!("expected a text, found {}", node.kind()));
            return None;
        };
        match parse(line) {
            Ok(read) => Some(read),
            Err(Wrong { at, message }) => {
                let quoted = self.text.get(node.start as usize..).unwrap_or_default();
                let quote = u32::from(quoted.starts_with(['"', '\'']));
                self.wrong(node.start + quote + crate::tree::offset32(at), message);
                None
            }
        }
    }

    /// What is done on the board, and, in a lesson that ends then, what is asked for in time.
    fn steps(&mut self, node: &Node<'_>, until: Option<Instant>) -> (Vec<Step>, Vec<Request>) {
        let (mut steps, mut requests) = (Vec::new(), Vec::new());
        for item in self.items(node) {
            match (item.get("at"), until) {
                (None, _) => steps.extend(self.step(item)),
                (Some(_), Some(until)) => requests.extend(self.request(item, until)),
                (Some(_), None) => self.wrong(item.start, super::time::TIMELESS),
            }
        }
        requests.sort_by_key(|request| request.at);
        (steps, requests)
    }

    fn step(&mut self, node: &Node<'_>) -> Option<Step> {
        let [entry] = node.entries() else { return self.line(node, Step::parse) };
        if entry.key != "apply" {
            self.wrong(entry.start, format!("expected \"apply\", found {:?}", entry.key));
            return None;
        }
        match decode(&entry.value, None) {
            Ok(decoded) => match decoded.content {
                Content::Object(object) => return Some(Step::apply(object)),
                Content::Configuration(configuration) => {
                    return Some(Step::configure(*configuration));
                }
                Content::Other(other) => {
                    self.wrong(entry.value.start, format!("no kind {:?} is known", other.kind));
                }
            },
            Err(findings) => {
                for found in findings {
                    self.wrong(found.offset, format!("{}: {}", found.path, found.message));
                }
            }
        }
        None
    }
}
