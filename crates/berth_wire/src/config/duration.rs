//! Durations as Go writes them: `1m30s`.
//!
//! Mirrors `time.ParseDuration` and `Duration.String`.

/// Units, the first being what a nanosecond is counted in.
const UNITS: &[(&str, i64)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Nanoseconds of a text, or what Go's decoder says of it.
pub(crate) fn parse(text: &str) -> Result<i64, String> {
    let fail = |what: &str| Err(format!("time: {what} duration {}", quote(text)));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..).unwrap_or_default()),
        Some(b'+') => (false, text.get(1..).unwrap_or_default()),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return fail("invalid");
    }
    // The sum is a magnitude: of negative durations one more exists than of positive ones.
    let mut sum: u64 = 0;
    while !rest.is_empty() {
        let (whole, after) = split(rest, |byte| byte.is_ascii_digit());
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => split(after, |byte| byte.is_ascii_digit()),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return fail("invalid");
        }
        let (unit, after) = split(after, |byte| byte != b'.' && !byte.is_ascii_digit());
        if unit.is_empty() {
            return fail("missing unit in");
        }
        let Some((_, scale)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            let unit = quote(unit);
            return Err(format!("time: unknown unit {unit} in duration {}", quote(text)));
        };
        let part = magnitude(whole, fraction, scale.unsigned_abs());
        let Some(total) = part.and_then(|part| sum.checked_add(part)) else {
            return fail("invalid");
        };
        (sum, rest) = (total, after);
    }
    match (negative, i64::try_from(sum)) {
        (true, Ok(sum)) => Ok(-sum),
        (false, Ok(sum)) => Ok(sum),
        (true, Err(_)) if sum == 1 << 63 => Ok(i64::MIN),
        _ => fail("invalid"),
    }
}

/// Go keeps digits of the fraction as long as they fit into its number, and multiplies in floating point; here the
/// nanoseconds are exact, which differs in none of the digits that count.
fn magnitude(whole: &str, fraction: &str, scale: u64) -> Option<u64> {
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let (mut digits, mut power) = (0_u128, 1_u128);
    for byte in fraction.bytes().take(18) {
        digits = digits * 10 + u128::from(byte - b'0');
        power *= 10;
    }
    let part = u64::try_from(digits * u128::from(scale) / power).ok()?;
    whole.checked_mul(scale)?.checked_add(part).filter(|sum| *sum <= 1 << 63)
}

fn split(text: &str, belongs: fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| !belongs(byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn quote(text: &str) -> String {
    berth_core::api::field_error::quote(text)
}

const SECOND: u64 = 1_000_000_000;

/// Nanoseconds as a text, with as many units as it takes and no zeros at the end.
pub(super) fn print(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let size = nanoseconds.unsigned_abs();
    if size == 0 {
        return "0s".to_owned();
    }
    for (unit, scale) in [("ns", 1), ("µs", 1_000), ("ms", 1_000_000)] {
        if size < scale * 1_000 {
            return format!("{sign}{}{unit}", decimal(size, scale));
        }
    }
    let (minutes, rest) = (size / (60 * SECOND), size % (60 * SECOND));
    let seconds = decimal(rest, SECOND);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// `size / scale`, where the scale is a power of ten.
fn decimal(size: u64, scale: u64) -> String {
    let (whole, rest) = (size / scale, size % scale);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = scale.to_string().len() - 1;
    format!("{whole}.{}", format!("{rest:0digits$}").trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_go_reads_them() {
        // What `time.ParseDuration` gives, and what its result prints.
        for (text, want, printed) in [
            ("0", 0, "0s"),
            ("-0", 0, "0s"),
            ("10s", 10_000_000_000, "10s"),
            ("1m30s", 90_000_000_000, "1m30s"),
            ("1h", 3_600_000_000_000, "1h0m0s"),
            ("1.5h", 5_400_000_000_000, "1h30m0s"),
            (".5s", 500_000_000, "500ms"),
            ("1.s", 1_000_000_000, "1s"),
            ("-1.25ms", -1_250_000, "-1.25ms"),
            ("1us", 1_000, "1µs"),
            ("1µs", 1_000, "1µs"),
            ("7ns", 7, "7ns"),
            ("61.05s", 61_050_000_000, "1m1.05s"),
            ("9223372036854775807ns", i64::MAX, "2562047h47m16.854775807s"),
            ("-9223372036854775808ns", i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(parse(text), Ok(want), "{text}");
            assert_eq!(print(want), printed);
        }
        for (text, want) in [
            ("", "time: invalid duration \"\""),
            ("x", "time: invalid duration \"x\""),
            ("-", "time: invalid duration \"-\""),
            (".s", "time: invalid duration \".s\""),
            ("3", "time: missing unit in duration \"3\""),
            ("3d", "time: unknown unit \"d\" in duration \"3d\""),
            ("1s1", "time: missing unit in duration \"1s1\""),
            ("9223372036854775808ns", "time: invalid duration \"9223372036854775808ns\""),
            ("99999999999999999999s", "time: invalid duration \"99999999999999999999s\""),
            ("9999999999999h", "time: invalid duration \"9999999999999h\""),
        ] {
            assert_eq!(parse(text), Err(want.to_owned()), "{text}");
        }
    }
}
