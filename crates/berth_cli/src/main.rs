//! `berth`: the engine in a terminal.

mod advise;
mod answer;
mod bench;
mod explain;
mod lesson;
mod lines;
mod preempt;
mod question;
mod schedule;
mod simulate;
mod table;

use std::process::ExitCode;

const USAGE: &str = "\
berth: the Kubernetes scheduler in a terminal

usage:
  berth advise FILE... --pod NAMESPACE/NAME        say what would change where a pod goes; --help says more
  berth answer < questions.jsonl > answers.jsonl   answer one JSON question a line
  berth bench < workload.json                      work off a workload's waiting pods, and say how fast
  berth explain FILE... --pod NAMESPACE/NAME       say why a pod goes where it goes; --help says more
  berth lesson FILE...                             say whether lessons can be solved; --help says more
  berth preempt FILE... --pod NAMESPACE/NAME       say who would have to go for a pod; --help says more
  berth schedule FILE...                           let the scheduler work off its queue; --help says more
  berth simulate FILE... [--steps FILE]            say what happens, and when; --help says more
  berth --help                                     show this text
";

/// What a command ends with: done, or why not.
type Outcome = Result<ExitCode, String>;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_deref() {
        Some("advise") => advise::run(&rest),
        Some("answer") => no_more(&rest).and_then(|()| answer::run()),
        Some("bench") => no_more(&rest).and_then(|()| bench::run()),
        Some("explain") => explain::run(&rest),
        Some("lesson") => lesson::run(&rest),
        Some("preempt") => preempt::run(&rest),
        Some("schedule") => schedule::run(&rest),
        Some("simulate") => simulate::run(&rest),
        Some("-h" | "--help" | "help") => print(USAGE),
        Some(other) => Err(format!("unknown command {other:?}\n\n{USAGE}")),
        None => Err(USAGE.to_owned()),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{}", error.trim_end());
        ExitCode::from(2)
    })
}

fn no_more(args: &[String]) -> Result<(), String> {
    args.first().map_or(Ok(()), |arg| Err(format!("unexpected argument {arg:?}")))
}

fn print(text: &str) -> Outcome {
    use std::io::Write;
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A reader that has seen enough, like `head`, is no failure.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.to_string()),
    }
}
