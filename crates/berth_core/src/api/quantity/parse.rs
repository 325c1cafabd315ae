//! Reading a quantity: `ParseQuantity` and `suffix.go`.

use alloc::boxed::Box;

use super::decimal::{Decimal, Sign};
use super::{Amount, Format, POW10, Quantity, QuantityError, Scaled, Written};

/// The finest amount that is kept: everything is rounded up to billionths.
const NANO: i64 = 9;
/// Decimal digits that surely fit in an `i64`.
const SAFE_DIGITS: i64 = 18;

/// What the suffix multiplies by.
#[derive(Clone, Copy)]
enum Factor {
    /// `10^exponent`, written in the given format.
    Ten(i32, Format),
    /// `2^exponent`.
    Two(u32),
}

/// The parts of the text.
struct Parts<'a> {
    negative: bool,
    /// Digits before the point without leading zeros; `0` if there are none.
    whole: &'a str,
    fraction: &'a str,
    suffix: &'a str,
    /// Whether there is any digit at all.
    has_digits: bool,
}

pub(super) fn quantity(text: &str) -> Result<Quantity, QuantityError> {
    if text.is_empty() {
        return Err(QuantityError::Format);
    }
    let parts = split(text)?;
    let factor = factor(parts.suffix).ok_or(QuantityError::Suffix)?;
    match small(&parts, factor) {
        Some(scaled) => Ok(remember(scaled, factor, &parts, text)),
        None => large(&parts, factor),
    }
}

fn split(text: &str) -> Result<Parts<'_>, QuantityError> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..)),
        Some(b'+') => (false, text.get(1..)),
        _ => (false, Some(text)),
    };
    let unsigned = unsigned.unwrap_or_default();
    let significant = unsigned.trim_start_matches('0');
    let (whole, rest) = digits(significant);
    let (fraction, suffix) = match rest.strip_prefix('.') {
        Some(rest) => digits(rest),
        None => ("", rest),
    };
    let exponent = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    if !digits(exponent).1.is_empty() {
        return Err(QuantityError::Format);
    }
    let has_digits = unsigned.starts_with('0') || !(whole.is_empty() && fraction.is_empty());
    Ok(Parts {
        negative,
        whole: if whole.is_empty() { "0" } else { whole },
        fraction,
        suffix,
        has_digits,
    })
}

/// The leading ASCII digits, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn factor(suffix: &str) -> Option<Factor> {
    let si = |exponent| Some(Factor::Ten(exponent, Format::DecimalSI));
    match suffix {
        "n" => si(-9),
        "u" => si(-6),
        "m" => si(-3),
        "" => si(0),
        "k" => si(3),
        "M" => si(6),
        "G" => si(9),
        "T" => si(12),
        "P" => si(15),
        "E" => si(18),
        "Ki" => Some(Factor::Two(10)),
        "Mi" => Some(Factor::Two(20)),
        "Gi" => Some(Factor::Two(30)),
        "Ti" => Some(Factor::Two(40)),
        "Pi" => Some(Factor::Two(50)),
        "Ei" => Some(Factor::Two(60)),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E'])?.parse::<i64>().ok()?;
            // Cut to 32 bits, as Kubernetes does.
            Some(Factor::Ten(exponent as i32, Format::DecimalExponent))
        }
    }
}

/// The amount in an `i64`, where few enough digits show beforehand that it fits.
fn small(parts: &Parts<'_>, factor: Factor) -> Option<Scaled> {
    let (whole, fraction) = (parts.whole.len() as i64, parts.fraction.len() as i64);
    let (scale, precision, multiplier) = match factor {
        Factor::Ten(exponent, _) => (i64::from(exponent), SAFE_DIGITS - whole - fraction, 1),
        Factor::Two(exponent) if fraction == 0 => {
            (0, 15 - whole - i64::from(exponent) * 3 / 10 - 1, 1_i64 << exponent)
        }
        Factor::Two(_) => return None,
    };
    let scale = scale - fraction;
    if precision < 0 || scale < -NANO {
        return None;
    }
    let value = unscaled(parts).checked_mul(multiplier)?;
    Some(Scaled {
        value: if parts.negative { -value } else { value },
        scale: i32::try_from(scale).ok()?,
    })
}

/// All digits as one number; only called with few enough of them.
fn unscaled(parts: &Parts<'_>) -> i64 {
    let digits = parts.whole.bytes().chain(parts.fraction.bytes());
    digits.fold(0_i64, |n, b| n.wrapping_mul(10).wrapping_add(i64::from(b.wrapping_sub(b'0'))))
}

/// Keeps the text where Kubernetes takes it for canonical, unless it is what would be printed anyway.
fn remember(scaled: Scaled, factor: Factor, parts: &Parts<'_>, text: &str) -> Quantity {
    let (format, keeps) = match factor {
        Factor::Two(_) => (Format::BinarySI, unscaled(parts) % 8 != 0),
        Factor::Ten(_, format) => {
            let zeros = trailing_zeros(parts.fraction);
            let round = if zeros == parts.fraction.len() {
                zeros + trailing_zeros(parts.whole) >= 3
            } else {
                zeros >= 3
            };
            (format, scaled.scale % 3 == 0 && !round && !parts.whole.starts_with('0'))
        }
    };
    let plain = Quantity { format, amount: scaled.into() };
    if keeps && plain.recomputed() != text {
        Quantity {
            format,
            amount: Amount::Written(Box::new(Written { scaled, text: text.into() })),
        }
    } else {
        plain
    }
}

fn trailing_zeros(digits: &str) -> usize {
    digits.len() - digits.trim_end_matches('0').len()
}

/// The amount with all its digits: rounded up to billionths, and capped if its suffix is a binary one.
fn large(parts: &Parts<'_>, factor: Factor) -> Result<Quantity, QuantityError> {
    if !parts.has_digits {
        return Err(QuantityError::Numeric);
    }
    let digits = |exponent| Decimal::from_digits(false, parts.whole, parts.fraction, exponent);
    let (amount, mut format) = match factor {
        Factor::Ten(exponent, format) => (digits(exponent.into()), format),
        Factor::Two(exponent) => (digits(0).shifted_left(exponent), Format::BinarySI),
    };
    let mut amount = if amount.sign() == Sign::Zero { amount } else { amount.rounded_up(NANO) };
    if format == Format::BinarySI {
        let max = Decimal::from_scaled(i64::MAX, 0);
        if amount.cmp(&max).is_gt() {
            amount = max;
        }
        if amount.sign() == Sign::Positive && amount.cmp(&Decimal::from_scaled(POW10[0], 0)).is_lt()
        {
            format = Format::DecimalSI;
        }
    }
    let amount = if parts.negative { amount.negated() } else { amount };
    Ok(Quantity { format, amount: Amount::Decimal(Box::new(amount)) })
}
