//! What `go-spew` prints of a quantity.
//!
//! The API server hands out quantities in canonical form. `ParseQuantity` keeps those as a number with a power of ten
//! and often the text, but great binary ones as a `big.Int` of thousandths. More than 18 decimal digits are not told.

use std::fmt::{self, Write};

use berth_core::api::{Format, Quantity};

/// Decimal places that the fast path of `ParseQuantity` counts on for binary numbers.
const BINARY_PLACES: i32 = 15;

pub(super) fn write(out: &mut impl Write, text: &str) -> fmt::Result {
    let mut quantity = Quantity::parse(text).unwrap_or_default();
    quantity.round_up_to_milli();
    let canonical = quantity.to_string();
    let digits = canonical.trim_end_matches(|c: char| !c.is_ascii_digit());
    let suffix = canonical.get(digits.len()..).unwrap_or_default();
    // Read anew, since the canonical text may have another format than what was written.
    let format = Quantity::parse(&canonical).unwrap_or_default().format();
    match format {
        Format::BinarySI if !is_small(digits, suffix) => {
            let thousandths = i128::from(quantity.value()) * 1000;
            let magnitude = thousandths.unsigned_abs();
            let (low, high) = (magnitude as u64, (magnitude >> 64) as u64);
            let words = if high == 0 { low.to_string() } else { format!("{low} {high}") };
            write!(
                out,
                "{{i:(resource.int64Amount){{value:(int64)0 scale:(resource.Scale)0}} \
                 d:(resource.infDecAmount){{Dec:(*inf.Dec){{unscaled:(big.Int){{neg:(bool){} abs:(big.nat)[{words}]}} \
                 scale:(inf.Scale)3}}}} s:(string) Format:(resource.Format)BinarySI}}",
                thousandths < 0
            )
        }
        _ => {
            let (value, scale, kept) = if format == Format::BinarySI {
                let odd = digits.parse::<i64>().is_ok_and(|value| value % 8 != 0);
                (quantity.value().to_string(), 0, odd)
            } else {
                let (value, scale) = decimal(&canonical, digits, suffix);
                let kept = scale % 3 == 0 && !value.ends_with("000");
                (value, scale, kept)
            };
            let kept = if kept { &*canonical } else { "" };
            write!(
                out,
                "{{i:(resource.int64Amount){{value:(int64){value} scale:(resource.Scale){scale}}} \
                 d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} s:(string){kept} Format:(resource.Format){}}}",
                format.as_str()
            )
        }
    }
}

fn decimal(canonical: &str, digits: &str, suffix: &str) -> (String, i32) {
    if let Some((value, exponent)) = canonical.split_once('e') {
        return (value.to_owned(), exponent.parse().unwrap_or(0));
    }
    let scale = match suffix {
        "n" => -9,
        "u" => -6,
        "m" => -3,
        "k" => 3,
        "M" => 6,
        "G" => 9,
        "T" => 12,
        "P" => 15,
        "E" => 18,
        _ => 0,
    };
    (digits.to_owned(), scale)
}

/// Whether the fast path takes it.
fn is_small(digits: &str, suffix: &str) -> bool {
    let exponent = match suffix {
        "Ki" => 10,
        "Mi" => 20,
        "Gi" => 30,
        "Ti" => 40,
        "Pi" => 50,
        "Ei" => 60,
        _ => 0,
    };
    let length = i32::try_from(digits.trim_start_matches('-').len()).unwrap_or(i32::MAX);
    BINARY_PLACES.saturating_sub(length).saturating_sub(exponent * 3 / 10 + 1) >= 0
}
