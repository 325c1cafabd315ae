//! What an input says of itself in its first lines.

use crate::app::{Heading, Source};

/// What the comments at the top of the first source say of it: `# name: …`, `# pod: namespace/name`, then sentences. An
/// input without a name has its files'.
pub(super) fn heading(sources: &[Source]) -> Heading {
    let mut heading = Heading::default();
    let mut story: Vec<&str> = Vec::new();
    let first = sources.first().map_or("", |source| source.text.as_str());
    for line in first.lines().map_while(|line| line.strip_prefix("# ")) {
        if let Some(name) = line.strip_prefix("name: ") {
            heading.name = name.trim().to_owned().into();
        } else if heading.name.is_empty() {
            break;
        } else if let Some(pod) = line.strip_prefix("pod: ") {
            heading.pod = Some(pod.trim().to_owned().into());
        } else {
            story.push(line.trim());
        }
    }
    heading.story = story.join(" ").into();
    if heading.name.is_empty() {
        let files = sources.iter().map(|source| &*source.name).filter(|name| !name.is_empty());
        heading.name = files.collect::<Vec<_>>().join(", ").into();
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::heading;
    use crate::app::{Heading, Source};

    fn of(text: &str) -> Heading {
        heading(&[Source { name: "a.yaml".into(), text: text.to_owned().into() }])
    }

    #[test]
    fn a_heading_has_a_name_a_pod_and_a_story() {
        let found = of("# name: N\n# pod: ns/p\n# One\n# two.\n---\n# no more\n");
        let want = Heading { name: "N".into(), pod: Some("ns/p".into()), story: "One two.".into() };
        assert_eq!(found, want);
    }

    #[test]
    fn comments_without_a_name_are_no_heading() {
        let want = Heading { name: "a.yaml".into(), ..Heading::default() };
        assert_eq!(of("# pod: ns/p\n# words\n"), want);
        assert_eq!(of(""), want);
    }
}
