//! Printing a quantity: `CanonicalizeBytes` and `suffix.go`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::decimal::Decimal;
use super::{Format, Quantity, Repr, Scaled};

pub(super) fn canonical(quantity: &Quantity) -> String {
    if quantity.is_zero() {
        return "0".to_owned();
    }
    let binary = match quantity.repr() {
        _ if quantity.format != Format::BinarySI => None,
        Repr::Int(s) => binary_int(s),
        Repr::Decimal(d) => binary_decimal(d),
    };
    if let Some(text) = binary {
        return text;
    }
    let (digits, exponent) = match quantity.repr() {
        Repr::Int(s) => mantissa(s),
        Repr::Decimal(d) => d.mantissa_1000(),
    };
    match quantity.format {
        // Beyond the known letters there is none, and the number is printed without its zeros: so does Kubernetes.
        Format::DecimalSI | Format::BinarySI => format!("{digits}{}", si_suffix(exponent)),
        Format::DecimalExponent if exponent == 0 => digits,
        Format::DecimalExponent => format!("{digits}e{exponent}"),
    }
}

/// The digits of the amount in units of a power of 1000, and that power as one of ten.
fn mantissa(Scaled { mut value, scale }: Scaled) -> (String, i64) {
    let mut exponent = i64::from(scale);
    while value % 10 == 0 && value != 0 {
        value /= 10;
        exponent += 1;
    }
    let zeros = exponent.rem_euclid(3);
    (format!("{value}{}", "0".repeat(zeros as usize)), exponent - zeros)
}

/// Nothing where powers of 1024 would lose precision: between -1024 and 1024, and for fractions.
fn binary_int(amount: Scaled) -> Option<String> {
    let small = |n: i64| -1024 < n && n < 1024;
    if amount.scale < 0 {
        let (value, _) = amount.at_scale(0);
        let whole = Scaled { value, scale: 0 };
        return if whole.cmp(amount).is_eq() { binary_int(whole) } else { None };
    }
    let (mut value, fits) = amount.at_scale(0);
    if !fits {
        return binary_decimal(&amount.to_decimal());
    }
    if small(value) {
        return None;
    }
    let mut times = 0;
    // The smallest i64 has no positive counterpart, and Kubernetes leaves it as it is.
    while value != i64::MIN && value % 1024 == 0 {
        value /= 1024;
        times += 1;
    }
    Some(format!("{value}{}", binary_suffix(times)))
}

fn binary_decimal(amount: &Decimal) -> Option<String> {
    let magnitude = amount.magnitude();
    if !amount.is_whole() || magnitude.cmp(&Decimal::from_scaled(1024, 0)).is_lt() {
        return None;
    }
    let (digits, times) = amount.mantissa_1024()?;
    Some(format!("{digits}{}", binary_suffix(times)))
}

fn si_suffix(exponent: i64) -> &'static str {
    match exponent {
        -9 => "n",
        -6 => "u",
        -3 => "m",
        3 => "k",
        6 => "M",
        9 => "G",
        12 => "T",
        15 => "P",
        18 => "E",
        _ => "",
    }
}

fn binary_suffix(times: i64) -> &'static str {
    match times {
        1 => "Ki",
        2 => "Mi",
        3 => "Gi",
        4 => "Ti",
        5 => "Pi",
        6 => "Ei",
        _ => "",
    }
}
