//! Names that Kubernetes accepts, and what it says about the others.
//!
//! Mirrors `api/validate/content/{kube,dns,errors}.go` of apimachinery and, for names, `util/validation/validation.go`,
//! which counts characters where the others count bytes. Each function returns the complaints, none if
//! the name is good.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const NAME_WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_PATTERN: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME_EXAMPLES: [&str; 3] = ["MyName", "my.name", "123-abc"];
const DNS_LABEL_PATTERN: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/// Complaints about the key of a label (`IsLabelKey`, also called qualified name): `[prefix/]name`.
#[must_use]
pub fn label_key_errors(key: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let name = match key.split_once('/') {
        None => key,
        Some((_, name)) if name.contains('/') => {
            let words = pattern_error(NAME_WORDS, NAME_PATTERN, &NAME_EXAMPLES);
            return alloc::vec![format!(
                "a valid label key {words} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some(("", name)) => {
            errors.push("prefix part must be non-empty".to_owned());
            name
        }
        Some((prefix, name)) => {
            errors.extend(
                subdomain_errors(prefix, "bytes").into_iter().map(|e| format!("prefix part {e}")),
            );
            name
        }
    };
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        errors.push(format!("name part {}", too_long(63, "bytes")));
    }
    if !is_name(name) {
        errors
            .push(format!("name part {}", pattern_error(NAME_WORDS, NAME_PATTERN, &NAME_EXAMPLES)));
    }
    errors
}

/// Complaints about the value of a label (`IsLabelValue`).
#[must_use]
pub fn label_value_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > 63 {
        errors.push(too_long(63, "bytes"));
    }
    if !value.is_empty() && !is_name(value) {
        errors.push(pattern_error(
            &format!(
                "a valid label must be an empty string or {}",
                NAME_WORDS.trim_start_matches("must ")
            ),
            &format!("({NAME_PATTERN})?"),
            &["MyValue", "my_value", "12345"],
        ));
    }
    errors
}

/// Complaints about one part of a DNS name (`IsDNS1123Label`), such as the name of a namespace.
#[must_use]
pub fn dns_label_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > 63 {
        errors.push(too_long(63, "characters"));
    }
    if !is_dns_label(value) {
        errors.push(if is_dns_subdomain(value) {
            "must not contain dots".to_owned()
        } else {
            pattern_error(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
                 start and end with an alphanumeric character",
                DNS_LABEL_PATTERN,
                &["my-name", "123-abc"],
            )
        });
    }
    errors
}

/// Complaints about a DNS name (`IsDNS1123Subdomain`), such as the name of a pod or a node.
#[must_use]
pub fn dns_subdomain_errors(value: &str) -> Vec<String> {
    subdomain_errors(value, "characters")
}

fn subdomain_errors(value: &str, unit: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > 253 {
        errors.push(too_long(253, unit));
    }
    if !is_dns_subdomain(value) {
        errors.push(pattern_error(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
             start and end with an alphanumeric character",
            &format!("{DNS_LABEL_PATTERN}(\\.{DNS_LABEL_PATTERN})*"),
            &["example.com"],
        ));
    }
    errors
}

/// Complaints about a share such as `50%` (`IsValidPercent`).
#[must_use]
pub fn percent_errors(value: &str) -> Vec<String> {
    let digits = value.strip_suffix('%').unwrap_or_default();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let words = "a valid percent string must be a numeric string followed by an ending '%'";
    alloc::vec![pattern_error(words, "[0-9]+%", &["1%", "93%"])]
}

/// Complaints about the name of a port (`IsValidPortName`).
#[must_use]
pub fn port_name_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    let is_known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if value.len() > 15 {
        errors.push(too_long(15, "characters"));
    }
    if value.is_empty() || !value.bytes().all(is_known) {
        errors.push(
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".to_owned(),
        );
    }
    if !value.bytes().any(|b| b.is_ascii_lowercase()) {
        errors.push("must contain at least one letter (a-z)".to_owned());
    }
    if value.contains("--") {
        errors.push("must not contain consecutive hyphens".to_owned());
    }
    if value.starts_with('-') || value.ends_with('-') {
        errors.push("must not begin or end with a hyphen".to_owned());
    }
    errors
}

fn is_name(name: &str) -> bool {
    bounded(name, u8::is_ascii_alphanumeric, b"-_.")
}

fn is_dns_label(label: &str) -> bool {
    bounded(label, |b| b.is_ascii_lowercase() || b.is_ascii_digit(), b"-")
}

fn is_dns_subdomain(name: &str) -> bool {
    name.split('.').all(is_dns_label)
}

/// Whether the text starts and ends with an `outer` character and has nothing else but those and `inner` ones.
fn bounded(text: &str, outer: impl Fn(&u8) -> bool, inner: &[u8]) -> bool {
    let ends = [text.as_bytes().first(), text.as_bytes().last()];
    ends.into_iter().all(|end| end.is_some_and(&outer))
        && text.bytes().all(|b| outer(&b) || inner.contains(&b))
}

fn too_long(most: u32, unit: &str) -> String {
    format!("must be no more than {most} {unit}")
}

fn pattern_error(words: &str, pattern: &str, examples: &[&str]) -> String {
    let quoted: Vec<String> = examples.iter().map(|e| format!("'{e}', ")).collect();
    format!("{words} (e.g. {}regex used for validation is '{pattern}')", quoted.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(errors: &[String]) -> bool {
        errors.is_empty()
    }

    #[test]
    fn label_keys() {
        let long = "a".repeat(63);
        for key in ["a", "A-b_c.9", "example.com/x", "x/Y", &long, &format!("a.b/{long}")] {
            assert!(good(&label_key_errors(key)), "{key}");
        }
        for key in
            ["", "-a", "a-", "a b", "ä", "/x", "x/", "x/y/z", "X/y", "a..b/y", &format!("{long}a")]
        {
            assert!(!good(&label_key_errors(key)), "{key}");
        }
        assert_eq!(
            label_key_errors("/"),
            [
                "prefix part must be non-empty",
                "name part must be non-empty",
                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an \
                 alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
                 '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            ]
        );
    }

    #[test]
    fn port_names() {
        for name in ["a", "http", "a-b", "1x", "123456789012-ab"] {
            assert!(good(&port_name_errors(name)), "{name}");
        }
        for (name, count) in [
            ("", 2),
            ("A", 2),
            ("1", 1),
            ("-a", 1),
            ("a--b", 1),
            ("--", 3),
            ("a234567890123456", 1),
        ] {
            assert_eq!(port_name_errors(name).len(), count, "{name}");
        }
    }

    #[test]
    fn label_values() {
        for value in ["", "a", "A-b_c.9", &"a".repeat(63)] {
            assert!(good(&label_value_errors(value)), "{value}");
        }
        for value in ["-", "a-", ".a", "a b", "a/b", &"a".repeat(64)] {
            assert!(!good(&label_value_errors(value)), "{value}");
        }
        assert_eq!(
            label_value_errors("-x"),
            [
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must \
              start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used \
              for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
            ]
        );
    }

    #[test]
    fn dns_names() {
        for name in ["a", "a-b", "1", "a.b-c.d"] {
            assert!(good(&dns_subdomain_errors(name)), "{name}");
        }
        for name in ["", "A", "a.", ".a", "a-", "a..b", "a_b", &"a".repeat(254)] {
            assert!(!good(&dns_subdomain_errors(name)), "{name}");
        }
        assert_eq!(dns_label_errors("a.b"), ["must not contain dots"]);
        let long = "a".repeat(254);
        assert_eq!(dns_subdomain_errors(&long), ["must be no more than 253 characters"]);
        assert_eq!(
            label_key_errors(&format!("{long}/x")),
            ["prefix part must be no more than 253 bytes"]
        );
        assert!(good(&dns_label_errors("a-b")));
    }
}
