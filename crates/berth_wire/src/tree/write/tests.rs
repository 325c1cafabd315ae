//! What is written reads as what it was.

use super::*;
use crate::testing::{Random, random_tree};
use crate::tree::{Node, same_data};

fn text(text: &str) -> Node<'_> {
    Node::made(Value::String(text.into()))
}

#[test]
fn yaml_as_kubectl_prints_it() {
    let tree = crate::tree::json::parse(
        r#"{"apiVersion":"v1","items":[{"a":[],"b":{},"c":[1,[2,3],{"d":null}]},"x"],"s":"a\nb\n","t":"a\nb","u":"a\n\nb\n\n"}"#,
    )
    .unwrap();
    let want = "\
apiVersion: v1
items:
- a: []
  b: {}
  c:
  - 1
  - - 2
    - 3
  - d: null
- x
s: |
  a
  b
t: |-
  a
  b
u: |+
  a

  b

";
    assert_eq!(yaml(&tree), want);
}

#[test]
fn quotes_where_a_text_could_be_something_else() {
    for (plain, want) in [
        ("abc", "abc"),
        ("10Gi", "10Gi"),
        ("100m", "100m"),
        ("a:b", "a:b"),
        ("a#b", "a#b"),
        ("topology.kubernetes.io/zone", "topology.kubernetes.io/zone"),
        ("ß😀", "ß😀"),
        ("", "\"\""),
        ("yes", "\"yes\""),
        ("n", "\"n\""),
        ("null", "\"null\""),
        ("~", "\"~\""),
        ("1", "\"1\""),
        ("1.30", "\"1.30\""),
        ("1e3", "\"1e3\""),
        ("0x1F", "\"0x1F\""),
        ("1_000", "\"1_000\""),
        (".inf", "\".inf\""),
        ("12:30:45", "\"12:30:45\""),
        ("2026-01-01T00:00:00Z", "\"2026-01-01T00:00:00Z\""),
        ("- a", "\"- a\""),
        ("a: b", "\"a: b\""),
        ("a #b", "\"a #b\""),
        ("a:", "\"a:\""),
        (" a", "\" a\""),
        ("*a", "\"*a\""),
        ("<<", "\"<<\""),
        ("---", "\"---\""),
        ("a\tb", "\"a\\tb\""),
        ("a\u{0}b", "\"a\\u0000b\""),
        ("a\u{85}\u{2028}b", "\"a\\u0085\\u2028b\""),
        ("a\u{7f}b", "\"a\\u007fb\""),
        ("\n", "\"\\n\""),
        (" a\nb", "\" a\\nb\""),
        ("a\r\nb", "\"a\\r\\nb\""),
    ] {
        assert_eq!(yaml(&text(plain)).trim_end(), want);
    }
}

#[test]
fn whatever_is_written_reads_the_same() {
    let mut random = Random::new(1);
    for round in 0..2000 {
        let tree = random_tree(&mut random, 4);
        let printed = json(&tree);
        let again = crate::tree::json::parse(&printed).unwrap();
        assert!(same_data(&tree, &again), "{printed}");
        let pretty = json_pretty(&tree);
        let again = crate::tree::json::parse(&pretty).unwrap();
        assert!(same_data(&tree, &again), "{pretty}");
        let block = yaml(&tree);
        let again = crate::tree::yaml::parse(&block)
            .unwrap_or_else(|error| panic!("{round}: {error}\n{block}\n{printed}"));
        assert!(same_data(&tree, &again), "{round}:\n{block}\n{printed}\n{}", json(&again));
    }
}
