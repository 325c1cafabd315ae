//! Amounts as people read them. Everything is exact: a number that would need rounding is shown in
//! a smaller unit.

use std::borrow::Cow;

/// The number that was typed for a field of type `int32`; the error is what decoding a manifest would say.
pub(crate) fn integer(text: &str) -> Result<i32, String> {
    let text = text.trim();
    text.parse().map_err(|_| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let found = if is_number { ["number ", text].concat() } else { "string".to_owned() };
        ["json: cannot unmarshal ", &found, " into Go value of type int32"].concat()
    })
}

/// What a resource's numbers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Thousandths of a core.
    MilliCpu,
    /// Bytes.
    Bytes,
    /// Things.
    Count,
}

impl Measure {
    /// The measure of a resource.
    pub(crate) fn of(resource: &str) -> Self {
        match resource {
            "cpu" => Self::MilliCpu,
            "memory" | "ephemeral-storage" => Self::Bytes,
            name if name.starts_with("hugepages-") => Self::Bytes,
            _ => Self::Count,
        }
    }

    /// The largest unit in which all these amounts have at most three decimals.
    pub(crate) fn unit(self, amounts: &[i64]) -> Unit {
        match self {
            Self::MilliCpu => Unit { size: 1000, suffix: "" },
            Self::Count => Unit { size: 1, suffix: "" },
            Self::Bytes => {
                let largest =
                    amounts.iter().map(|amount| i128::from(*amount).abs()).max().unwrap_or(0);
                let fits = |unit: &Unit| {
                    let exact = |amount: &i64| i128::from(*amount) * 1000 % unit.size == 0;
                    unit.size == 1 || largest >= unit.size && amounts.iter().all(exact)
                };
                BINARY.into_iter().find(fits).unwrap_or(Unit { size: 1, suffix: "" })
            }
        }
    }
}

const BINARY: [Unit; 6] = [
    Unit { size: 1 << 50, suffix: " Pi" },
    Unit { size: 1 << 40, suffix: " Ti" },
    Unit { size: 1 << 30, suffix: " Gi" },
    Unit { size: 1 << 20, suffix: " Mi" },
    Unit { size: 1 << 10, suffix: " Ki" },
    Unit { size: 1, suffix: "" },
];

/// How many of the measure make one, and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    size: i128,
    /// What follows the number, with its space.
    pub(crate) suffix: &'static str,
}

impl Unit {
    /// An amount in this unit, without the suffix.
    pub(crate) fn show(self, amount: i64) -> String {
        decimal(i128::from(amount), self.size)
    }

    /// An amount in this unit.
    pub(crate) fn full(self, amount: i64) -> String {
        [&self.show(amount), self.suffix].concat()
    }
}

/// `amount ÷ size`, with at most three decimals and a real minus sign.
pub(crate) fn decimal(amount: i128, size: i128) -> String {
    let sign = if amount < 0 { "−" } else { "" };
    let amount = amount.unsigned_abs();
    let size = size.unsigned_abs().max(1);
    let whole = (amount / size).to_string();
    let thousandths = amount % size * 1000 / size;
    if thousandths == 0 {
        return [sign, &whole].concat();
    }
    let digits = (1000 + thousandths).to_string();
    let digits = digits.get(1..).unwrap_or_default().trim_end_matches('0');
    [sign, &whole, ".", digits].concat()
}

/// An amount of a resource in a unit of its own.
pub(crate) fn amount(resource: &str, amount: i64) -> String {
    Measure::of(resource).unit(&[amount]).full(amount)
}

/// A number with a real minus sign.
pub(crate) fn signed(value: i64) -> String {
    decimal(i128::from(value), 1)
}

/// `used` of `capacity` in thousandths, at most all of it.
pub(crate) fn share(used: i64, capacity: i64) -> u16 {
    if capacity <= 0 {
        return 0;
    }
    let share = i128::from(used.max(0)) * 1000 / i128::from(capacity);
    u16::try_from(share.min(1000)).unwrap_or(1000)
}

/// A resource's short name on a card.
pub(crate) fn short_name(resource: &str) -> Cow<'_, str> {
    match resource {
        "memory" => "mem".into(),
        "ephemeral-storage" => "disk".into(),
        other => other.rsplit('/').next().unwrap_or(other).into(),
    }
}

#[cfg(test)]
mod tests {
    //! Amounts and their units.
    use super::{Measure, decimal, share};

    #[test]
    fn decimals_are_as_many_as_needed() {
        let cases = [
            (3500, 1000, "3.5"),
            (4000, 1000, "4"),
            (5, 1000, "0.005"),
            (1250, 1000, "1.25"),
            (-500, 1000, "−0.5"),
            (0, 1000, "0"),
        ];
        for (amount, size, text) in cases {
            assert_eq!(decimal(amount, size), text);
        }
    }

    #[test]
    fn bytes_take_the_largest_exact_unit() {
        let (ki, mi, gi) = (1 << 10, 1 << 20, 1 << 30);
        let cases = [
            (vec![8 * gi, 4 * gi + gi / 2], "4.5 Gi"),
            // 128 Mi are 0.125 Gi, 100 Mi are no three decimals of a Gi.
            (vec![8 * gi, 128 * mi], "0.125 Gi"),
            (vec![8 * gi, 100 * mi], "100 Mi"),
            (vec![8 * gi, 10 * ki], "10 Ki"),
            (vec![8 * gi, 1], "1"),
            (vec![0], "0"),
        ];
        for (amounts, text) in cases {
            let last = amounts[amounts.len() - 1];
            assert_eq!(Measure::Bytes.unit(&amounts).full(last), text);
        }
    }

    #[test]
    fn shares_stay_on_the_bar() {
        assert_eq!(share(1750, 4000), 437);
        assert_eq!(share(9000, 4000), 1000);
        assert_eq!(share(-1, 4000), 0);
        assert_eq!(share(1, 0), 0);
    }
}
