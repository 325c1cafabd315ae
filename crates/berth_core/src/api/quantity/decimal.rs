//! A decimal of any size, for the rare quantities that an `i64` cannot hold. Stands where Kubernetes uses `inf.Dec`
//! (`gopkg.in/inf.v0`).

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::iter::repeat_n;

/// How many decimal places apart the terms of a sum may be, beyond which the smaller one is left out.
pub(super) const WIDEST: i64 = 20_000;

/// The sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Negative,
    Zero,
    Positive,
}

/// `±digits × 10^exponent`.
///
/// `inf.Dec` writes the same number as `unscaled × 10^-scale`, and its roundings depend on that scale, so the scale is
/// carried along. The digits have neither leading nor trailing zeros, so a large exponent costs nothing; zero has none.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    negative: bool,
    /// Each 0..=9, most significant first.
    digits: Vec<u8>,
    exponent: i64,
    /// Decimal places of the unscaled form; at least `-exponent`.
    places: i64,
}

impl Decimal {
    pub(super) fn from_scaled(value: i64, scale: i32) -> Self {
        let mut rest = value.unsigned_abs();
        let mut digits = Vec::new();
        while rest > 0 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
        digits.reverse();
        Self { negative: value < 0, digits, exponent: scale.into(), places: -i64::from(scale) }
            .trimmed()
    }

    /// The digits of `whole` and `fraction` (ASCII, anything else is dropped) times `10^exponent`.
    pub(super) fn from_digits(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Self {
        let digits = whole
            .bytes()
            .chain(fraction.bytes())
            .filter(u8::is_ascii_digit)
            .map(|b| b - b'0')
            .collect();
        let exponent = exponent - fraction.len() as i64;
        Self { negative, digits, exponent, places: -exponent }.trimmed()
    }

    pub(super) fn sign(&self) -> Sign {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => Sign::Zero,
            (false, true) => Sign::Negative,
            (false, false) => Sign::Positive,
        }
    }

    pub(super) fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    pub(super) fn magnitude(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    /// Drops leading zeros and moves trailing ones into the exponent.
    fn trimmed(mut self) -> Self {
        let leading = self.digits.iter().take_while(|&&d| d == 0).count();
        self.digits.drain(..leading);
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
        self
    }

    /// The exponent just above the most significant digit.
    fn top(&self) -> i64 {
        self.exponent.saturating_add(self.digits.len() as i64)
    }

    /// Multiplies by `2^exponent`, at most 2^60.
    pub(super) fn shifted_left(mut self, exponent: u32) -> Self {
        let factor = 1_u128 << exponent.min(60);
        let mut carry = 0_u128;
        for digit in self.digits.iter_mut().rev() {
            carry += u128::from(*digit) * factor;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        let mut head = Vec::new();
        while carry > 0 {
            head.push((carry % 10) as u8);
            carry /= 10;
        }
        head.reverse();
        head.append(&mut self.digits);
        self.digits = head;
        self.trimmed()
    }

    /// Rounds to `places` decimal places, away from zero, and takes that scale.
    pub(super) fn rounded_up(mut self, places: i64) -> Self {
        self.places = places;
        if self.digits.is_empty() || self.exponent >= -places {
            return self;
        }
        let kept = self.top() + places;
        if kept <= 0 {
            self.digits = alloc::vec![1];
            self.exponent = -places;
            return self;
        }
        // The last digit is never 0, so what is cut off is not nothing.
        self.digits.truncate(kept as usize);
        self.exponent = -places;
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return self.trimmed();
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.trimmed()
    }

    /// Whether the number has no fraction.
    pub(super) fn is_whole(&self) -> bool {
        self.digits.is_empty() || self.exponent >= 0
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let places = self.places.max(other.places);
        let (large, small) =
            if self.cmp_magnitude(other) == Ordering::Less { (other, self) } else { (self, other) };
        if small.digits.is_empty() || large.top() - small.exponent > WIDEST {
            return Self { places, ..large.clone() };
        }
        let exponent = large.exponent.min(small.exponent);
        let width = (large.top() - exponent) as usize;
        let subtract = large.negative != small.negative;
        let (a, b) = (large.column(exponent, width), small.column(exponent, width));
        let mut digits: Vec<u8> = Vec::with_capacity(width + 1);
        let mut carry = 0_i16;
        for (x, y) in a.iter().zip(&b).rev() {
            let y = i16::from(*y);
            let sum = i16::from(*x) + carry + if subtract { -y } else { y };
            digits.push(sum.rem_euclid(10) as u8);
            carry = sum.div_euclid(10);
        }
        // A difference leaves no carry, because the larger magnitude is the one that is subtracted from.
        digits.push(carry.max(0) as u8);
        digits.reverse();
        Self { negative: large.negative, digits, exponent, places }.trimmed()
    }

    /// The digits from `10^exponent` up, padded to `width` on both sides.
    fn column(&self, exponent: i64, width: usize) -> Vec<u8> {
        let below = (self.exponent - exponent).max(0) as usize;
        let above = width.saturating_sub(below + self.digits.len());
        repeat_n(0, above).chain(self.digits.iter().copied()).chain(repeat_n(0, below)).collect()
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Without trailing zeros, digits compare as fractions do: by the first difference, then by length.
            (false, false) => {
                self.top().cmp(&other.top()).then_with(|| self.digits.cmp(&other.digits))
            }
        }
    }

    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let sign = self.sign();
        sign.cmp(&other.sign()).then_with(|| {
            let magnitudes = self.cmp_magnitude(other);
            if sign == Sign::Negative { magnitudes.reverse() } else { magnitudes }
        })
    }

    /// The number times `10^places` as Kubernetes' `scaledValue` gives it: rounded up, except that a negative
    /// fraction is cut off and then has one added, and only the low 64 bits of what is out of range.
    pub(super) fn scaled_value(&self, places: i64) -> i64 {
        let dropped = self.places - places;
        let unscaled = self.low_bits(self.places);
        if dropped == 0 {
            return unscaled;
        }
        if dropped < 0 {
            // A float beyond the range of an i64 becomes the smallest one (on amd64).
            return unscaled.wrapping_mul(super::pow10(-dropped).unwrap_or(i64::MIN));
        }
        let below_max = {
            let max = Self { places: self.places, ..Self::from_scaled(i64::MAX, 0) };
            let unscaled = Self { exponent: self.exponent + self.places, ..self.clone() };
            unscaled.cmp(&max) == Ordering::Less
        };
        if let (true, Some(divisor)) = (below_max, super::pow10(dropped)) {
            let up = i64::from(unscaled % divisor != 0);
            return (unscaled / divisor).wrapping_add(up);
        }
        let exact = self.digits.is_empty() || self.exponent >= -places;
        // Floor division, then one up: for a negative number that is the quotient cut off.
        let quotient = self.low_bits(places);
        if exact || self.negative { quotient } else { quotient.wrapping_add(1) }
    }

    /// The low 64 bits of the whole part of the number times `10^places`, negated if the number is negative.
    fn low_bits(&self, places: i64) -> i64 {
        let shift = self.exponent + places;
        let kept = self.digits.len() as i64 + shift.min(0);
        let mut bits = 0_u64;
        for digit in self.digits.iter().take(kept.max(0) as usize) {
            bits = bits.wrapping_mul(10).wrapping_add((*digit).into());
        }
        // 10^64 is a multiple of 2^64.
        for _ in 0..shift.clamp(0, 64) {
            bits = bits.wrapping_mul(10);
        }
        if self.negative { (bits as i64).wrapping_neg() } else { bits as i64 }
    }

    /// The digits with their sign, and the power of 1000 (given as a power of ten) that they are to be multiplied by.
    pub(super) fn mantissa_1000(&self) -> (String, i64) {
        let exponent = self.exponent - self.exponent.rem_euclid(3);
        (self.text(exponent), exponent)
    }

    /// The whole part's digits with their sign, and the power of 1024 that they are to be multiplied by. Nothing if
    /// the number has too many digits to be written out.
    pub(super) fn mantissa_1024(&self) -> Option<(String, i64)> {
        if self.top() > WIDEST {
            return None;
        }
        let mut digits = self.column(0, self.top().max(0) as usize);
        let mut times = 0;
        loop {
            let mut rest = 0_u32;
            let quotient: Vec<u8> = digits
                .iter()
                .map(|&d| {
                    rest = rest * 10 + u32::from(d);
                    let digit = rest / 1024;
                    rest %= 1024;
                    digit as u8
                })
                .collect();
            if rest != 0 || quotient.iter().all(|&d| d == 0) {
                break;
            }
            digits = quotient;
            times += 1;
        }
        let whole = Self { digits, exponent: 0, ..self.clone() }.trimmed();
        Some((whole.text(0), times))
    }

    /// The number in units of `10^exponent`, which is at most the number's own exponent.
    fn text(&self, exponent: i64) -> String {
        let sign = if self.negative { "-" } else { "" };
        let zeros = (self.exponent - exponent).max(0) as usize;
        let digits = self.digits.iter().map(|d| char::from(b'0' + d));
        sign.chars().chain(digits).chain(repeat_n('0', zeros)).collect()
    }
}
