//! Label selectors in kubectl's notation: `app=web,tier in (a,b),!old`.

use berth_core::api::{LabelSelector, LabelSelectorRequirement};

/// What selects everything.
const ALL: &str = "{}";

/// The selector as one line; empty for none, which selects nothing.
pub(crate) fn write(selector: Option<&LabelSelector>) -> String {
    let Some(selector) = selector else { return String::new() };
    if *selector == LabelSelector::default() {
        return ALL.to_owned();
    }
    let mut parts: Vec<String> =
        selector.match_labels.iter().map(|(key, value)| [key, "=", value].concat()).collect();
    for requirement in &selector.match_expressions {
        let LabelSelectorRequirement { key, operator, values } = requirement;
        let values = values.join(",");
        parts.push(match operator.as_str() {
            "In" => [key, " in (", &values, ")"].concat(),
            "NotIn" => [key, " notin (", &values, ")"].concat(),
            "Exists" => key.clone(),
            "DoesNotExist" => ["!", key].concat(),
            other => [key, " ", other, " (", &values, ")"].concat(),
        });
    }
    parts.join(",")
}

/// The selector that a line means, whether or not Kubernetes takes it; none for an empty one.
pub(crate) fn parse(text: &str) -> Option<LabelSelector> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let mut selector = LabelSelector::default();
    if text == ALL {
        return Some(selector);
    }
    for part in split(text) {
        let part = part.trim();
        if let Some(key) = part.strip_prefix('!') {
            selector.match_expressions.push(requirement(key, "DoesNotExist", ""));
        } else if let Some((key, values)) = part.split_once(" notin ") {
            selector.match_expressions.push(requirement(key, "NotIn", values));
        } else if let Some((key, values)) = part.split_once(" in ") {
            selector.match_expressions.push(requirement(key, "In", values));
        } else if let Some((key, value)) = part.split_once("!=") {
            selector.match_expressions.push(requirement(key, "NotIn", value));
        } else if let Some((key, value)) = part.split_once('=') {
            let value = value.strip_prefix('=').unwrap_or(value);
            selector.match_labels.insert(key.trim().to_owned(), value.trim().to_owned());
        } else {
            selector.match_expressions.push(requirement(part, "Exists", ""));
        }
    }
    Some(selector)
}

fn requirement(key: &str, operator: &str, values: &str) -> LabelSelectorRequirement {
    let values = values.trim().trim_start_matches('(').trim_end_matches(')');
    let values =
        values.split(',').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    LabelSelectorRequirement {
        key: key.trim().to_owned(),
        operator: operator.to_owned(),
        values: values.collect(),
    }
}

/// The parts between commas that are not in brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (index, char) in text.char_indices() {
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..index).unwrap_or_default());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

#[cfg(test)]
mod tests {
    //! There and back.
    use super::{parse, write};

    #[test]
    fn what_was_written_reads_the_same() {
        for text in
            ["app=web", "a=1,b=2", "a=1,tier in (x,y),old", "a=1,tier notin (x),!old", "", "{}"]
        {
            let selector = parse(text);
            assert_eq!(write(selector.as_ref()), text);
        }
    }

    #[test]
    fn other_notations_mean_the_same() {
        for (text, canonical) in
            [("a==1", "a=1"), (" a = 1 , b ", "a=1,b"), ("a!=1", "a notin (1)")]
        {
            assert_eq!(write(parse(text).as_ref()), canonical);
        }
    }
}
