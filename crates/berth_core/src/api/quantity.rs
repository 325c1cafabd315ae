//! Resource quantities: `500m`, `1.5Gi`, `12e6`.
//!
//! Mirrors `resource.Quantity` of apimachinery (`api/resource/{quantity,amount,math,scale_int,suffix}.go`), with its
//! roundings, caps, wrap-arounds and printing quirks.
//!
//! Deviations, all of them where Kubernetes itself would run out of time or memory: exponents of any size are taken
//! without writing out their zeros, and a sum whose terms are more than [`decimal::WIDEST`] decimal places apart is
//! its larger term.

mod decimal;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;

use decimal::{Decimal, Sign};

/// Ten to the power of 0..=18, the powers that an `i64` holds.
const POW10: [i64; 19] = {
    let mut table = [1_i64; 19];
    let mut i = 1;
    while i < 19 {
        table[i] = table[i - 1] * 10;
        i += 1;
    }
    table
};

/// How a quantity is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `12M`: powers of 1000 with a letter.
    #[default]
    DecimalSI,
    /// `12Mi`: powers of 1024 with two letters.
    BinarySI,
    /// `12e6`: powers of ten.
    DecimalExponent,
}

impl Format {
    /// The name that Kubernetes gives the format.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DecimalSI => "DecimalSI",
            Self::BinarySI => "BinarySI",
            Self::DecimalExponent => "DecimalExponent",
        }
    }
}

/// Why a text is not a quantity. `Display` gives Kubernetes' words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuantityError {
    /// The text is not a number with a suffix.
    Format,
    /// The part before the suffix is not a number.
    Numeric,
    /// The suffix is not one of the known ones.
    Suffix,
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => {
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            }
            Self::Numeric => "unable to parse numeric part of quantity",
            Self::Suffix => "unable to parse quantity's suffix",
        })
    }
}

impl core::error::Error for QuantityError {}

/// A number of something that a node has and a pod asks for.
///
/// Almost every quantity is `value × 10^scale` in an `i64`; the rest is boxed. Comparison is by number, as Kubernetes'
/// `Cmp`: `1` equals `1000m` whatever the format.
///
/// ```
/// use berth_core::api::Quantity;
/// let half = Quantity::parse("500m")?;
/// assert_eq!((half.value(), half.milli_value()), (1, 500));
/// # Ok::<(), berth_core::api::QuantityError>(())
/// ```
#[derive(Clone)]
pub struct Quantity {
    format: Format,
    amount: Amount,
}

#[derive(Clone)]
enum Amount {
    /// The usual case: a [`Scaled`], spelt out because that takes 8 bytes less.
    Int { value: i64, scale: i32 },
    /// As `Int`, with the text as it was written, which differs from what would be printed.
    Written(Box<Written>),
    /// Too large or too fine for `Int`.
    Decimal(Box<Decimal>),
}

#[derive(Clone)]
struct Written {
    scaled: Scaled,
    text: Box<str>,
}

/// `value × 10^scale`.
#[derive(Clone, Copy)]
struct Scaled {
    value: i64,
    scale: i32,
}

impl Quantity {
    /// Reads a quantity as the API server does (`ParseQuantity`). Surrounding white space, which the JSON decoder
    /// drops first, is an error here.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        parse::quantity(text)
    }

    /// Zero, in [`Format::DecimalSI`].
    #[must_use]
    pub const fn zero() -> Self {
        Self { format: Format::DecimalSI, amount: Amount::Int { value: 0, scale: 0 } }
    }

    /// A whole number (`NewQuantity`).
    #[must_use]
    pub const fn from_value(value: i64, format: Format) -> Self {
        Self { format, amount: Amount::Int { value, scale: 0 } }
    }

    /// A number of thousandths (`NewMilliQuantity`).
    #[must_use]
    pub const fn from_milli(value: i64, format: Format) -> Self {
        Self { format, amount: Amount::Int { value, scale: -3 } }
    }

    /// The number rounded up to a whole one (`Value`). Wraps where Kubernetes' does.
    #[must_use]
    pub fn value(&self) -> i64 {
        self.scaled_value(0)
    }

    /// The number of thousandths, rounded up (`MilliValue`). Wraps where Kubernetes' does.
    #[must_use]
    pub fn milli_value(&self) -> i64 {
        self.scaled_value(-3)
    }

    /// -1, 0 or 1.
    #[must_use]
    pub fn sign(&self) -> i32 {
        match self.repr() {
            Repr::Int(s) => s.value.signum() as i32,
            Repr::Decimal(d) => match d.sign() {
                Sign::Negative => -1,
                Sign::Zero => 0,
                Sign::Positive => 1,
            },
        }
    }

    /// Whether the number is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// How the quantity was written, and is printed unless that would lose precision.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds `other`. Zero takes the format of what is added to it.
    pub fn add(&mut self, other: &Self) {
        if self.is_zero() {
            self.format = other.format;
        }
        self.amount = match (self.repr(), other.repr()) {
            (Repr::Int(a), Repr::Int(b)) => a.add(b),
            _ => None,
        }
        .map_or_else(
            || Amount::Decimal(Box::new(self.to_decimal().add(&other.to_decimal()))),
            Amount::from,
        );
    }

    /// Subtracts `other`. Zero takes the format of what is subtracted from it.
    pub fn sub(&mut self, other: &Self) {
        if self.is_zero() {
            self.format = other.format;
        }
        self.amount = match (self.repr(), other.repr()) {
            (Repr::Int(a), Repr::Int(b)) => a.add(Scaled { value: b.value.wrapping_neg(), ..b }),
            _ => None,
        }
        .map_or_else(
            || Amount::Decimal(Box::new(self.to_decimal().add(&other.to_decimal().negated()))),
            Amount::from,
        );
    }

    /// Rounds up to whole thousandths, away from zero (`RoundUp` to milli), as the API server does with every amount
    /// that a container or a node names.
    pub fn round_up_to_milli(&mut self) {
        self.amount = match self.repr() {
            Repr::Int(s) if s.scale >= -3 => return,
            Repr::Int(s) => Amount::Int { value: s.at_scale(-3).0, scale: -3 },
            Repr::Decimal(d) => Amount::Decimal(Box::new(d.clone().rounded_up(3))),
        };
    }

    /// The canonical text (`CanonicalizeBytes`): what is printed after any arithmetic.
    #[must_use]
    pub fn recomputed(&self) -> String {
        print::canonical(self)
    }

    fn scaled_value(&self, scale: i32) -> i64 {
        match self.repr() {
            Repr::Int(s) => s.at_scale(scale).0,
            Repr::Decimal(d) => d.scaled_value(-i64::from(scale)),
        }
    }

    fn repr(&self) -> Repr<'_> {
        match &self.amount {
            Amount::Int { value, scale } => Repr::Int(Scaled { value: *value, scale: *scale }),
            Amount::Written(w) => Repr::Int(w.scaled),
            Amount::Decimal(d) => Repr::Decimal(d),
        }
    }

    fn to_decimal(&self) -> Decimal {
        match self.repr() {
            Repr::Int(s) => s.to_decimal(),
            Repr::Decimal(d) => d.clone(),
        }
    }
}

/// [`Amount`] without the text.
enum Repr<'a> {
    Int(Scaled),
    Decimal(&'a Decimal),
}

impl From<Scaled> for Amount {
    fn from(Scaled { value, scale }: Scaled) -> Self {
        Self::Int { value, scale }
    }
}

impl Scaled {
    /// The value in units of `10^scale`, rounded away from zero, and whether it is in range. Out of range it is what
    /// Kubernetes' unchecked callers see: the wrapped product for some shifts, 0 for the others.
    fn at_scale(self, scale: i32) -> (i64, bool) {
        let shift = i64::from(self.scale) - i64::from(scale);
        if self.value == 0 || shift == 0 {
            return (self.value, true);
        }
        if shift < 0 {
            let Some(divisor) = pow10(-shift) else { return (self.value.signum(), true) };
            let rest = self.value % divisor;
            return (self.value / divisor + rest.signum(), true);
        }
        match pow10(shift).and_then(|p| self.value.checked_mul(p)) {
            Some(product) => (product, true),
            None if matches!(shift, 1..=3 | 6 | 9) => {
                (pow10(shift).map_or(0, |p| self.value.wrapping_mul(p)), false)
            }
            None => (0, false),
        }
    }

    /// The sum, at the finer of the two scales, or nothing if that is out of range.
    fn add(self, other: Self) -> Option<Self> {
        if other.value == 0 {
            return Some(self);
        }
        if self.value == 0 {
            return Some(other);
        }
        let scale = self.scale.min(other.scale);
        let (a, a_fits) = self.at_scale(scale);
        let (b, b_fits) = other.at_scale(scale);
        if !(a_fits && b_fits) {
            return None;
        }
        Some(Self { value: a.checked_add(b)?, scale })
    }

    fn to_decimal(self) -> Decimal {
        Decimal::from_scaled(self.value, self.scale)
    }

    fn cmp(self, other: Self) -> Ordering {
        let scale = self.scale.min(other.scale);
        let (a, a_fits) = self.at_scale(scale);
        let (b, b_fits) = other.at_scale(scale);
        if a_fits && b_fits { a.cmp(&b) } else { self.to_decimal().cmp(&other.to_decimal()) }
    }
}

/// `10^exponent`, if an `i64` holds it.
fn pow10(exponent: i64) -> Option<i64> {
    POW10.get(usize::try_from(exponent).ok()?).copied()
}

impl Default for Quantity {
    fn default() -> Self {
        Self::zero()
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.repr(), other.repr()) {
            (Repr::Int(a), Repr::Int(b)) => a.cmp(b),
            _ => self.to_decimal().cmp(&other.to_decimal()),
        }
    }
}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quantity {}

impl core::hash::Hash for Quantity {
    /// Equal numbers have equal parts, however they are written.
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.value(), self.milli_value()).hash(state);
    }
}

/// Kubernetes' `String`: the text as it was written if that was nearly canonical, else the canonical text.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.amount {
            Amount::Written(w) => f.pad(&w.text),
            _ => f.pad(&self.recomputed()),
        }
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quantity({self})")
    }
}

impl core::str::FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}
