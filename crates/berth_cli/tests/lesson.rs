//! `berth lesson`: each goal at the start and after the solution, the exit codes, and mistakes with their places.

mod berth;

use std::process::Output;

fn lesson(args: &[&str]) -> Output {
    berth::run("tests/lesson", "lesson", args)
}

#[test]
fn goals_are_held_against_start_and_solution() {
    let output = lesson(&["grace.yaml", "../../../../web/lessons/L1.yaml"]);
    berth::check(&output, 0, include_str!("lesson/good.txt"));
}

#[test]
fn what_cannot_be_solved_is_an_error() {
    let output = lesson(&["unsolved.yaml", "mistaken.yaml", "grace.yaml"]);
    berth::check(&output, 1, include_str!("lesson/bad.txt"));
    berth::refused(&lesson(&["nowhere.yaml"]), "nowhere.yaml: ");
    berth::refused(&lesson(&["grace.yaml", "--json"]), "lessons have no form for programs");
    berth::refused(&lesson(&[]), "no file is given");
}
