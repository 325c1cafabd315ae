//! What an unquoted YAML scalar means.
//!
//! Mirrors `resolve` of `go.yaml.in/yaml/v2`, which `sigs.k8s.io/yaml` and so `kubectl` use: YAML 1.1, in which `yes`
//! is a truth value, `010` is eight and `1.30` is 1.3. Numbers come out as Go's JSON encoder writes them.

use super::Value;

/// The value of an unquoted scalar. `Err` is a number that JSON cannot hold.
pub(super) fn resolve(text: &str) -> Result<Option<Value<'static>>, &'static str> {
    let Some(first) = text.bytes().next() else { return Ok(Some(Value::Null)) };
    Ok(match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'.' if is_not_finite(text) => return Err(NOT_FINITE),
        b'.' => float(text).map(number),
        b'+' | b'-'
            if is_not_finite(text.get(1..).unwrap_or_default()) && !text.ends_with(['n', 'N']) =>
        {
            return Err(NOT_FINITE);
        }
        b'+' | b'-' | b'0'..=b'9' => {
            let plain = text.replace('_', "");
            integer(&plain).or_else(|| float(&plain)).map(number)
        }
        _ => None,
    })
}

const NOT_FINITE: &str = "json: unsupported value: a number that is not finite";

fn number(text: String) -> Value<'static> {
    Value::Number(text.into())
}

fn word(text: &str) -> Option<Value<'static>> {
    Some(match text {
        "~" | "null" | "Null" | "NULL" => Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Value::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Value::Bool(false)
        }
        _ => return None,
    })
}

fn is_not_finite(text: &str) -> bool {
    matches!(text, ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF")
}

/// Go's `strconv.ParseInt(text, 0, 64)`, then `ParseUint`, then binary with a sign.
fn integer(text: &str) -> Option<String> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let signed = digits.len() != text.len();
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.get(2..)?, 16),
        [b'0', b'o' | b'O', ..] => (digits.get(2..)?, 8),
        [b'0', b'b' | b'B', ..] => (digits.get(2..)?, 2),
        [b'0', _, ..] => (digits.get(1..)?, 8),
        _ => (digits, 10),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    match (negative, signed) {
        (true, _) if value == 0 => Some("0".to_owned()),
        (true, _) if value <= 1 << 63 => Some(format!("-{value}")),
        (false, true) if value < 1 << 63 => Some(value.to_string()),
        (false, false) => Some(value.to_string()),
        _ => None,
    }
}

/// A decimal number, as Go's JSON encoder writes it: with as few digits as tell it apart, and with an exponent below
/// 1e-6 and from 1e21.
///
/// It stays text: code for floating point would be a good part of the page. Go's number has 53 bits, so digits after
/// the fifteenth may differ from Go's.
fn float(text: &str) -> Option<String> {
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => ("-", text.get(1..)?),
        b'+' => ("", text.get(1..)?),
        _ => ("", text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (unsigned, 0),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    // The value is 0.DIGITS times ten to this power.
    let power = exponent + whole.len() as i64 - (all.len() - significant.len()) as i64;
    let significant = significant.trim_end_matches('0');
    let Some((first, rest)) = significant.split_at_checked(1).filter(|_| power > -324) else {
        return Some(format!("{sign}0"));
    };
    if power > 309 {
        return None;
    }
    if !(-5..=21).contains(&power) {
        let point = if rest.is_empty() { "" } else { "." };
        let plus = if power > 0 { "+" } else { "" };
        return Some(format!("{sign}{first}{point}{rest}e{plus}{}", power - 1));
    }
    let count = significant.len() as i64;
    Some(match usize::try_from(power) {
        Ok(0) | Err(_) => {
            format!("{sign}0.{}{significant}", "0".repeat(power.unsigned_abs() as usize))
        }
        Ok(before) if power >= count => {
            format!("{sign}{significant}{}", "0".repeat(before - significant.len()))
        }
        Ok(before) => {
            let (whole, fraction) = significant.split_at_checked(before)?;
            format!("{sign}{whole}.{fraction}")
        }
    })
}

/// An exponent, cut off where nothing depends on it any more.
fn exponent_of(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size =
        digits.bytes().fold(0_i64, |sum, byte| (sum * 10 + i64::from(byte - b'0')).min(1 << 40));
    Some(sign * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_kubectl_reads_them() {
        for (text, want) in [
            ("", "null"),
            ("~", "null"),
            ("Null", "null"),
            ("nULL", "text"),
            ("yes", "true"),
            ("y", "true"),
            ("On", "true"),
            ("oN", "text"),
            ("no", "false"),
            ("off", "false"),
            ("tRUE", "text"),
            ("1", "1"),
            ("-1", "-1"),
            ("+12", "12"),
            ("-0", "0"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("010", "8"),
            ("08", "8"),
            ("0b101", "5"),
            ("-0b101", "-5"),
            ("9223372036854775807", "9223372036854775807"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "18446744073709551616"),
            ("100000000000000000000", "100000000000000000000"),
            ("1000000000000000000000", "1e+21"),
            ("1234e-3", "1.234"),
            ("0.00120", "0.0012"),
            ("120.50e1", "1205"),
            ("-1.50e-9", "-1.5e-9"),
            ("1e-400", "0"),
            ("-0.0", "-0"),
            ("0e99999999999999999999", "0"),
            ("1e99999999999999999999", "text"),
            ("1.30", "1.3"),
            ("1.", "1"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("1e3", "1000"),
            ("1e21", "1e+21"),
            ("1e-7", "1e-7"),
            ("0.000001", "0.000001"),
            ("1e999", "text"),
            ("100m", "text"),
            ("1Gi", "text"),
            ("1.2.3", "text"),
            ("2026-01-01", "text"),
            ("2026-01-01T00:00:00Z", "text"),
            ("1:30", "text"),
            ("-", "text"),
            ("+", "text"),
            (".", "text"),
            ("..", "text"),
            ("0x", "text"),
            ("0x+1", "text"),
            ("1e", "text"),
            ("e1", "text"),
            ("zone-a", "text"),
            ("<<", "text"),
        ] {
            let got = match resolve(text).unwrap() {
                None => "text".to_owned(),
                Some(value) => crate::tree::write::json(&crate::tree::Node::made(value)),
            };
            assert_eq!(got, want, "{text}");
        }
        for text in [".inf", "-.Inf", "+.INF", ".nan"] {
            assert!(resolve(text).is_err(), "{text}");
        }
    }
}
