//! Tables of good and bad JSON, and texts made to hurt.

use super::*;
use crate::tree::write::json;

fn round(text: &str) -> String {
    json(&parse(text).unwrap())
}

fn error(text: &str) -> (u32, String) {
    let error = parse(text).unwrap_err();
    (error.offset, error.message)
}

#[test]
fn values() {
    for (text, want) in [
        ("null", "null"),
        (" true ", "true"),
        ("false", "false"),
        ("0", "0"),
        ("-0.5e+3", "-0.5e+3"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        (r#""a""#, r#""a""#),
        ("[ ]", "[]"),
        ("[1, [2], {}]", "[1,[2],{}]"),
        (r#"{"b": 1, "a": {"c": null}}"#, r#"{"b":1,"a":{"c":null}}"#),
        // A repeated key stays where it is; `get` takes the last.
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#),
    ] {
        assert_eq!(round(text), want, "{text}");
    }
    assert_eq!(parse(r#"{"a":1,"a":2}"#).unwrap().get("a").unwrap().as_i64(), Some(2));
}

#[test]
fn escapes() {
    for (text, want) in [
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u00e9x""#, "éx"),
        (r#""\uD83D\uDE00""#, "😀"),
        // Half a pair, either half, and a half before an ordinary escape.
        (r#""\uD83D""#, "\u{FFFD}"),
        (r#""\uDE00!""#, "\u{FFFD}!"),
        (r#""\uD83D\u0041""#, "\u{FFFD}A"),
        (r#""a\u0000b""#, "a\0b"),
        (r#""plain ß then \n""#, "plain ß then \n"),
    ] {
        assert_eq!(parse(text).unwrap().as_str(), Some(want), "{text}");
    }
    assert!(matches!(parse(r#""plain""#).unwrap().value, Value::String(Cow::Borrowed("plain"))));
}

#[test]
fn places() {
    let node = parse(r#"{"a": [1, "x"], "b" : true}"#).unwrap();
    let [a, b] = node.entries() else { panic!("two keys") };
    assert_eq!((node.start, a.start, a.value.start), (0, 1, 6));
    assert_eq!(a.value.items().iter().map(|item| item.start).collect::<Vec<_>>(), [7, 10]);
    assert_eq!((b.start, b.value.start), (16, 22));
}

#[test]
fn errors() {
    for (text, offset, message) in [
        ("", 0, "unexpected end of JSON input"),
        ("{", 1, "unexpected end of JSON input"),
        (r#"{"a""#, 4, "unexpected end of JSON input"),
        (r#""abc"#, 4, "unexpected end of JSON input"),
        ("{a: 1}", 1, "invalid character 'a' looking for beginning of object key string"),
        (r#"{"a" 1}"#, 5, "invalid character '1' after object key"),
        (r#"{"a":1 "b":2}"#, 7, "invalid character '\"' after object key:value pair"),
        ("[1 2]", 3, "invalid character '2' after array element"),
        ("[1,]", 3, "invalid character ']' looking for beginning of value"),
        ("1 2", 2, "invalid character '2' after top-level value"),
        ("01", 1, "invalid character '1' after top-level value"),
        ("1.", 2, "unexpected end of JSON input"),
        ("-x", 1, "invalid character 'x' in numeric literal"),
        ("nul!", 3, "invalid character '!' in literal null (expecting 'l')"),
        ("\"a\nb\"", 2, "invalid character '\\n' in string literal"),
        ("\"a\0b\"", 2, "invalid character '\\0' in string literal"),
        (r#""\x""#, 2, "invalid character 'x' in string escape code"),
        (r#""\u12g4""#, 5, "invalid character 'g' in \\u hexadecimal character escape"),
        ("ß", 0, "invalid character 'ß' looking for beginning of value"),
    ] {
        assert_eq!(error(text), (offset, message.to_owned()), "{text:?}");
    }
}

#[test]
fn depth_is_limited_and_never_overflows() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(DEPTH as usize)).is_ok());
    assert_eq!(error(&nested(DEPTH as usize + 1)), (DEPTH, "exceeded max depth".to_owned()));
    assert_eq!(error(&"[".repeat(200_000)).1, "exceeded max depth");
    assert_eq!(error(&r#"{"a":"#.repeat(200_000)).1, "exceeded max depth");
}

#[test]
fn number_of_values_is_limited() {
    let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    // The list itself counts too.
    let fits = list(NODES as usize - 1);
    assert!(Parser::new(&fits, 0).top_value().is_ok());
    let over = list(NODES as usize);
    let error = Parser::new(&over, 0).top_value().unwrap_err();
    assert_eq!(error.message, "object has too many values");
}

#[test]
fn values_one_by_one() {
    let mut parser = Parser::new("{\"a\":1}\n[2] 3", 0);
    let mut seen = Vec::new();
    while parser.peek().is_some() {
        seen.push((json(&parser.top_value().unwrap()), parser.offset()));
    }
    assert_eq!(seen, [("{\"a\":1}".to_owned(), 7), ("[2]".to_owned(), 11), ("3".to_owned(), 13)]);
}
