//! `berth answer`: one answer for each question on standard input, in order.

use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::process::ExitCode;

use crate::Outcome;

/// Answers everything on standard input.
pub(crate) fn run() -> Outcome {
    match answer_all(std::io::stdin().lock(), std::io::stdout().lock()) {
        // A reader that has seen enough, like `head`, is no failure.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.to_string()),
        Ok(()) => Ok(ExitCode::SUCCESS),
    }
}

fn answer_all(input: impl Read, output: impl Write) -> std::io::Result<()> {
    let mut input = BufReader::new(input);
    let mut output = BufWriter::new(output);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        writeln!(
            output,
            "{}",
            berth_wire::answer::answer_line(text.trim_end_matches(['\n', '\r']))
        )?;
        line.clear();
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_gets_a_line_in_order() {
        let input = b"{\"kind\":\"quantity\",\"input\":{\"s\":\"1Ki\"}}\n\nno json\n\xff\n{\"kind\":\"quantity\",\"input\":{\"s\":\"2\"}}";
        let mut output = Vec::new();
        answer_all(&input[..], &mut output).expect("memory can be written to");
        let text = String::from_utf8(output).expect("answers are text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert!(lines[0].contains("1024") && lines[4].contains("\"value\":2"), "{text}");
        assert!(lines[1..4].iter().all(|line| line.contains("error")), "{text}");
    }
}
