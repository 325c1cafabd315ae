//! `berth lesson`: whether lessons can be solved as they say, and not without.

use berth_core::playground::Playground;
use berth_wire::intake::{SEED, take_in};
use berth_wire::lesson::goal::{Found, State};
use berth_wire::lesson::{self, Goal, Opened};

use crate::Outcome;
use crate::lines::finish;
use crate::question::{Answer, Args, Asking, text_of};
use crate::simulate::time;

const ASKING: Asking = Asking {
    usage: "\
berth lesson FILE... [--questions]

  FILE            a lesson: docs/lessons.md describes the form; - is standard input
  --questions     of lessons in time, print start and solution as the reference takes them, a line each

Says of each goal whether it is met at the start, and whether it is after the solution. Ends with 0 if of each lesson the
start does not meet all goals and the solution does, with 1 if not, with 2 if a file cannot be read. What is wrong with a
lesson is printed with its line and column.
",
    seeded: false,
    of_a_pod: false,
    timed: false,
    of_lessons: true,
};

/// Looks at the lessons that the arguments name.
pub(crate) fn run(args: &[String]) -> Outcome {
    ASKING.answer(args, |args| answer(&args))
}

fn answer(args: &Args) -> Answer {
    if args.json {
        return Err("lessons have no form for programs".to_owned());
    }
    if args.questions {
        return questions(args);
    }
    let (mut out, mut code) = (Vec::new(), 0);
    for name in args.files() {
        let good = match look(name, &text_of(name)?, &mut out) {
            Ok(good) => good,
            Err(error) => {
                out.push(format!("{name}: {error}"));
                false
            }
        };
        code = if good { code } else { 1 };
    }
    Ok((finish(&out), code))
}

/// The start and the solution of each lesson in time.
fn questions(args: &Args) -> Answer {
    let mut out = String::new();
    for name in args.files() {
        let wrong = |error| format!("{name}: {error}");
        let opened = lesson::read(&text_of(name)?);
        let Opened { lesson, report } =
            opened.map_err(|_| wrong("it is no lesson as it should be".to_owned()))?;
        for solved in [false, true] {
            if let Some(question) = lesson.question(&report, solved) {
                out += &question.map_err(wrong)?.to_string();
                out.push('\n');
            }
        }
    }
    Ok((out, 0))
}

/// Says how a lesson's goals stand, and whether it is good.
fn look(name: &str, text: &str, out: &mut Vec<String>) -> Result<bool, String> {
    let opened = match lesson::read(text) {
        Ok(opened) => opened,
        Err(mistakes) => {
            out.extend(mistakes.iter().map(|mistake| format!("{name}:{mistake}")));
            return Ok(false);
        }
    };
    let (start, solved) = (states(&opened, false)?, states(&opened, true)?);
    let all = |states: &[State]| states.iter().all(|state| state.met);
    let (verdict, good) = match (all(&start), all(&solved)) {
        (false, true) => ("good", true),
        (true, true) => ("the start meets the goal already", false),
        (_, false) => ("the solution does not meet the goal", false),
    };
    out.push(format!("{name}: {}: {verdict}", opened.lesson.id));
    out.push("  START   SOLVED  GOAL".to_owned());
    let goals = opened.lesson.goal.iter().zip(start.iter().zip(&solved));
    out.extend(goals.map(|(goal, (start, solved))| line(goal, start, solved)));
    Ok(good)
}

fn line(goal: &Goal, start: &State, solved: &State) -> String {
    let met = |state: &State| if state.met { "met" } else { "unmet" };
    let (before, after) = (found(&start.found), found(&solved.found));
    let between = if before == after { after } else { format!("{before} → {after}") };
    format!("  {:<7} {:<7} {} ({between})", met(start), met(solved), goal.text)
}

fn found(found: &Found) -> String {
    match found {
        Found::Pending => "pending".to_owned(),
        Found::Gone => "none".to_owned(),
        Found::Node(text) | Found::Text(text) => text.clone(),
        Found::Number(number) => number.to_string(),
        Found::Names(names) => format!("[{}]", names.join(", ")),
        Found::Phase(phase) => phase.to_string(),
        Found::At(at) => time(*at),
    }
}

/// How the goals stand at the start, or once the solution is carried out.
fn states(opened: &Opened, solved: bool) -> Result<Vec<State>, String> {
    let Opened { lesson, report } = opened;
    if let Some(states) = lesson.play(report, solved) {
        return states.map_err(|error| error.to_string());
    }
    let configuration = report.configuration.clone().unwrap_or_default();
    let mut playground = Playground::new(take_in(report, SEED).objects, configuration)
        .map_err(|error| error.to_string())?;
    for step in lesson.solution.iter().filter(|_| solved) {
        let done = step.carry_out(&mut playground);
        done.map_err(|failure| format!("{}: {failure}", step.text))?;
    }
    Ok(lesson.goal.iter().map(|goal| goal.evaluate(&mut playground)).collect())
}
