//! Tables of good and bad YAML, and texts made to hurt.

use std::fmt::Write;

use super::*;
use crate::tree::write::json as print;
use crate::tree::{Lines, Position};

fn read(text: &str) -> String {
    print(&parse(text).unwrap())
}

/// All pieces of a stream, items marked.
fn pieces(text: &str) -> Result<Vec<String>, SyntaxError> {
    let mut parser = Parser::new(text, 0)?;
    let mut out = Vec::new();
    while !parser.is_done() {
        match parser.advance()? {
            Some(Piece::Item(node)) => out.push(format!("- {}", print(&node))),
            Some(Piece::Document(node)) => out.push(print(&node)),
            None => {}
        }
    }
    Ok(out)
}

fn error(text: &str) -> (u32, u32, String) {
    let error = pieces(text).unwrap_err();
    let Position { line, column, .. } = Lines::new(text).locate(error.offset);
    (line, column, error.message)
}

#[test]
fn values() {
    for (text, want) in [
        ("a: 1\nb: [x, 'y', \"z\"]\nc:\n", r#"{"a":1,"b":["x","y","z"],"c":null}"#),
        ("a:\n- b: yes\n  c: 'yes'\n- !!str yes\n", r#"{"a":[{"b":true,"c":"yes"},"yes"]}"#),
        ("v: 1.30\nw: \"1.30\"\n", r#"{"v":1.3,"w":"1.30"}"#),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", r#"{"a":"x\ny\n","b":"x y"}"#),
        ("a: &x {k: [1]}\nb: *x\n", r#"{"a":{"k":[1]},"b":{"k":[1]}}"#),
        ("a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  l: 3\n", r#"{"a":{"k":1,"l":2},"b":{"l":3,"k":1}}"#),
        (
            "a: &x {k: 1}\nc: &y {k: 2, m: 3}\nb: {<<: [*x, *y]}\n",
            r#"{"a":{"k":1},"c":{"k":2,"m":3},"b":{"k":1,"m":3}}"#,
        ),
        ("1: a\ntrue: b\n1.50: c\n", r#"{"1":"a","true":"b","1.5":"c"}"#),
        ("\"<<\": 1\n", r#"{"<<":1}"#),
        ("a: !custom 5\nb: !!float 5\nc: !!int '5'\n", r#"{"a":"5","b":5,"c":5}"#),
        ("a: \"\\u00e9\\x41\\/\"\n", r#"{"a":"éA/"}"#),
        ("{\"a\": [1, 2], \"b\": {}}", r#"{"a":[1,2],"b":{}}"#),
        ("", "null"),
        ("# nothing\n", "null"),
    ] {
        assert_eq!(read(text), want, "{text}");
    }
}

#[test]
fn documents_and_items() {
    for (text, want) in [
        (
            "a: 1\n---\nb: 2\n...\n---\n# empty\n---\nc: 3\n",
            &["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"][..],
        ),
        (
            "kind: List\nitems:\n- a: 1\n- b: [2]\nx: z\n",
            &["- {\"a\":1}", "- {\"b\":[2]}", "{\"kind\":\"List\",\"items\":[],\"x\":\"z\"}"],
        ),
        ("- a: 1\n- 2\n", &["- {\"a\":1}", "- 2", "[]"]),
        // Only at the top.
        ("a:\n  items: [1]\n", &["{\"a\":{\"items\":[1]}}"]),
        // Something that an alias may repeat stays whole.
        ("items: &x [1]\nz: *x\n", &["{\"items\":[1],\"z\":[1]}"]),
    ] {
        assert_eq!(pieces(text).unwrap(), want, "{text}");
    }
}

#[test]
fn places_are_bytes_whatever_the_characters() {
    for text in ["a: 1\nb:\n- c: x\n", "ß: 1\r\nbb:\r\n- 😀c: x\r\n"] {
        let node = parse(text).unwrap();
        let lines = Lines::new(text);
        let at = |offset| {
            let p = lines.locate(offset);
            (p.line, p.column)
        };
        let [a, b] = node.entries() else { panic!("two keys") };
        assert_eq!((at(a.start), at(a.value.start)), ((1, 1), (1, 4)), "{text:?}");
        let inner = &b.value.items()[0].entries()[0];
        assert_eq!((at(b.start), at(inner.start)), ((2, 1), (3, 3)), "{text:?}");
        assert!(text[inner.value.start as usize..].starts_with('x'), "{text:?}");
    }
}

#[test]
fn errors() {
    for (text, line, column, message) in [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "key \"a\" already set in map"),
        ("1: a\n\"1\": b\n", 2, 1, "key \"1\" already set in map"),
        ("a: *b\n", 1, 4, "while parsing node, found unknown anchor"),
        ("a: &b [*b]\n", 1, 8, "alias to a value that contains it"),
        ("a: .inf\n", 1, 4, "json: unsupported value: a number that is not finite"),
        ("a: !!int x\n", 1, 4, "cannot decode !!str `x` as a !!int"),
        ("a: !!binary eA==\n", 1, 4, "cannot decode !!str `eA==` as a !!binary"),
        ("? [a]\n: b\n", 1, 3, "a key must be a single word"),
        ("~: b\n", 1, 1, "unsupported map key of type: null"),
        ("a: {<<: 1}\n", 1, 9, "map merge requires map or sequence of maps as the value"),
        ("a: \"x\0y\"\n", 1, 6, "control characters are not allowed"),
    ] {
        assert_eq!(error(text), (line, column, message.to_owned()), "{text:?}");
    }
    for text in ["a: b: c\n", "a: [1\n", "a: 'x\n", "a: @x\n", "%YAML\n", "- a\nb: c\n"] {
        assert!(pieces(text).is_err(), "{text:?}");
    }
}

#[test]
fn billion_laughs() {
    let mut text = "a0: &a0 lol\n".to_owned();
    for i in 1..30 {
        let before = format!("*a{}", i - 1);
        writeln!(text, "a{i}: &a{i} [{}]", vec![before; 9].join(", ")).unwrap();
    }
    assert_eq!(error(&text).2, "document contains excessive aliasing");
    // The same with merge keys, which do not grow, but with too many of them.
    let many = format!("a: &a {{k: 1}}\nb: [{}]\n", vec!["*a"; 5000].join(", "));
    assert_eq!(error(&many).2, "document contains excessive aliasing");
}

#[test]
fn depth_is_limited_and_never_overflows() {
    let flow = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&flow(json::DEPTH as usize)).is_ok());
    assert_eq!(error(&flow(json::DEPTH as usize + 1)).2, "exceeded max depth");
    assert!(pieces(&"[".repeat(200_000)).is_err());
    assert!(pieces(&"{a: ".repeat(200_000)).is_err());
    assert!(pieces(&"- ".repeat(200_000)).is_err());
    let mut indented = String::new();
    for depth in 0..1000 {
        writeln!(indented, "{}a:", " ".repeat(depth)).unwrap();
    }
    assert_eq!(error(&indented).2, "exceeded max depth");
    // An alias adds the depth of what it stands for.
    let deep = flow(150).replace("[]", "[1]");
    let text = format!("a: &a {deep}\nb: {}*a{}\n", "[".repeat(60), "]".repeat(60));
    assert_eq!(error(&text).2, "exceeded max depth");
}

#[test]
fn any_cut_of_a_text_is_read_or_refused() {
    let text =
        "a: &x {k: [1, 'ß', \"\\n\"]}\nb: |\n  😀\n  y\nc: *x\n---\n- <<: *x\n- ? q\n  : r\n";
    for end in 0..=text.len() {
        if let Some(cut) = text.get(..end) {
            // Whatever comes out, it comes out.
            drop(pieces(cut));
        }
    }
}

#[test]
fn budgets_just_below_and_just_above() {
    // Aliases: 100, and one for every 100 bytes.
    let with_aliases = |count: usize| {
        let text = format!("a: &a 1\nb: [{}]\n", vec!["*a"; count].join(", "));
        (text.len(), pieces(&text).is_ok())
    };
    // 4 bytes an alias and 12 around them: 100 + (4 n + 12) / 100 >= n up to n = 104.
    assert_eq!((with_aliases(104), with_aliases(105)), ((428, true), (432, false)));

    // Values: 10,000, and one a byte. A list of 1,000 values copied some times.
    let with_values = |copies: usize| {
        let list = vec!["1"; 1000].join(",");
        let text = format!("a: &a [{list}]\nb: [{}]\n", vec!["*a"; copies].join(", "));
        let budget = LEAST_NODES + text.len();
        // Both lists, both keys, the mapping, the values; an alias copies the list and its values.
        let nodes = 2 + 2 + 1 + 1000 + copies * 1001;
        (nodes <= budget, pieces(&text).map_err(|error| error.message))
    };
    let (fits, read) = with_values(11);
    assert!(fits && read.is_ok());
    let (fits, read) = with_values(12);
    assert_eq!((fits, read), (false, Err("document contains excessive aliasing".to_owned())));
}
