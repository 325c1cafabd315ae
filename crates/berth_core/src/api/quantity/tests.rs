//! Tests of the module above.

use alloc::string::{String, ToString};

use super::*;

fn q(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn is_compact() {
    assert!(size_of::<Quantity>() <= 24);
    assert_eq!(size_of::<Option<Quantity>>(), size_of::<Quantity>());
}

/// Text, value, milli-value, printed, printed after arithmetic.
#[test]
fn values_and_texts() {
    for (text, value, milli, printed, recomputed) in [
        ("0", 0, 0, "0", "0"),
        ("-0", 0, 0, "0", "0"),
        ("Ki", 0, 0, "0", "0"),
        ("00Ei", 0, 0, "0", "0"),
        (".", 0, 0, "0", "0"),
        ("500m", 1, 500, "500m", "500m"),
        ("-500m", -1, -500, "-500m", "-500m"),
        ("0.5m", 1, 1, "500u", "500u"),
        // Three decimals are a power of a thousand, so the text is kept.
        ("1.500", 2, 1500, "1.500", "1500m"),
        ("+1", 1, 1000, "+1", "1"),
        ("1.5", 2, 1500, "1500m", "1500m"),
        ("1000", 1000, 1_000_000, "1k", "1k"),
        ("1024Ki", 1 << 20, 1000 << 20, "1Mi", "1Mi"),
        ("1.5Gi", 3 << 29, (3 << 29) * 1000, "1536Mi", "1536Mi"),
        // 0.1 × 1024 = 102.4, below 1024 and with a fraction.
        ("0.1Ki", 103, 102_400, "102400m", "102400m"),
        ("12e6", 12_000_000, 12_000_000_000, "12e6", "12e6"),
        ("1e2", 100, 100_000, "100", "100"),
        // Rounded up to a billionth.
        ("0.1n", 1, 1, "1n", "1n"),
        ("-0.1n", 1, 1, "-1n", "-1n"),
        // Binary ones are capped; a thousand times the cap wraps.
        ("16Ei", i64::MAX, -1000, "9223372036854775807", "9223372036854775807"),
        // 2^63 as a decimal is not: its low 64 bits as an integer are the smallest one.
        ("9223372036854775808", i64::MIN, 0, "9223372036854775808", "9223372036854775808"),
        // Beyond the letters nothing is printed for the power of ten.
        ("1000E", 0, 0, "1", "1"),
        ("1e18", 1_000_000_000_000_000_000, 0, "1e18", "1e18"),
        ("1e400", 0, 0, "10e399", "10e399"),
        ("1e-400", 1, 1, "1e-9", "1e-9"),
        // Exponents are cut to 32 bits.
        ("5e4294967296", 5, 5000, "5e4294967296", "5"),
        (
            "123456789012345678901e2000000000",
            0,
            0,
            "12345678901234567890100e1999999998",
            "12345678901234567890100e1999999998",
        ),
        ("1e-2000000000", 1, 1, "1e-9", "1e-9"),
    ] {
        let quantity = q(text);
        let got =
            (quantity.value(), quantity.milli_value(), quantity.to_string(), quantity.recomputed());
        assert_eq!(got, (value, milli, printed.to_string(), recomputed.to_string()), "{text}");
    }
}

#[test]
fn errors() {
    for (texts, want) in [
        (["", "abc", "1 ", " 1", "1.2.3", "1-1-1", "0x10", "1_0", "1ä"], QuantityError::Format),
        (
            ["1K", "1i", "1Kim", "1mi", "1ee1", "1e+", "1-", "--1", "1e99999999999999999999"],
            QuantityError::Suffix,
        ),
        (["Ei", ".Ei", "+Pi", "-.Ei", ".Pi", "Pi", "-Pi", "-Ei", "+Ei"], QuantityError::Numeric),
    ] {
        for text in texts {
            assert!(matches!(Quantity::parse(text), Err(e) if e == want), "{text}");
        }
    }
}

/// Both texts, and their order.
#[test]
fn order_is_by_number() {
    for (a, b, want) in [
        ("1", "1000m", Ordering::Equal),
        ("1Ki", "1024", Ordering::Equal),
        ("1", "1001m", Ordering::Less),
        ("-1", "-1001m", Ordering::Greater),
        ("9223372036854775808", "9223372036854775807", Ordering::Greater),
        ("-9223372036854775808", "-9223372036854775807", Ordering::Less),
        ("123456789012345678901", "123456789012345678901000m", Ordering::Equal),
        ("1e2000000000", "1e-9", Ordering::Greater),
        ("-1e2000000000", "0", Ordering::Less),
        ("0", "-0.00000000001", Ordering::Greater),
    ] {
        assert_eq!(q(a).cmp(&q(b)), want, "{a} {b}");
        assert_eq!(q(b).cmp(&q(a)), want.reverse(), "{b} {a}");
    }
}

/// Both texts, their sum and their difference.
#[test]
fn sums() {
    for (a, b, sum, difference) in [
        ("1", "500m", "1500m", "500m"),
        // Zero takes the other's format.
        ("0", "1Ki", "1Ki", "-1Ki"),
        ("1Mi", "1Mi", "2Mi", "0"),
        ("1Ki", "1", "1025", "1023"),
        ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806"),
        ("1", "123456789012345678901", "123456789012345678902", "-123456789012345678900"),
        ("-1", "123456789012345678901m", "123456789012345677901m", "-123456789012345679901m"),
        ("1e30", "999", "1000000000000000000000000000999", "999999999999999999999999999001"),
        ("8Ei", "8Ei", "18446744073709551614", "0"),
    ] {
        let (mut plus, mut minus) = (q(a), q(a));
        plus.add(&q(b));
        minus.sub(&q(b));
        let got: (String, String) = (plus.to_string(), minus.to_string());
        assert_eq!(got, (sum.to_string(), difference.to_string()), "{a} {b}");
    }
}

#[test]
fn terms_too_far_apart_keep_the_larger() {
    for (a, b) in
        [("1e2000000000", "1"), ("1", "1e2000000000"), ("1e2000000000", "-123456789012345678901")]
    {
        let mut sum = q(a);
        sum.add(&q(b));
        assert_eq!(sum.cmp(&q("1e2000000000")), Ordering::Equal);
    }
    let mut sum = q("1Ki");
    sum.add(&q("1e2000000000"));
    assert_eq!((sum.format(), sum.to_string()), (Format::BinarySI, "100".to_string()));
}

#[test]
fn from_numbers() {
    assert_eq!(Quantity::from_value(2048, Format::BinarySI).to_string(), "2Ki");
    assert_eq!(Quantity::from_milli(1500, Format::DecimalSI).to_string(), "1500m");
    assert_eq!(Quantity::from_milli(1500, Format::BinarySI).value(), 2);
    assert_eq!(
        Quantity::from_value(i64::MIN, Format::BinarySI).to_string(),
        "-9223372036854775808"
    );
    assert!(Quantity::default().is_zero());
}

/// Text, and what is printed after rounding.
#[test]
fn rounding_to_thousandths() {
    for (text, want) in [
        ("1n", "1m"),
        ("-1u", "-1m"),
        ("1500u", "2m"),
        ("+1500m", "+1500m"),
        ("1e-9", "1e-3"),
        ("123456789012345678901n", "123456789012346m"),
        ("123456789012345678901", "123456789012345678901"),
    ] {
        let mut quantity = q(text);
        quantity.round_up_to_milli();
        assert_eq!(quantity.to_string(), want, "{text}");
    }
}
