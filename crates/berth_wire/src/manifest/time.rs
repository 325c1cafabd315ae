//! Times as the API writes them (RFC 3339), in whole seconds.

use berth_core::api::Time;

/// Reads a time. Fractions of a second are dropped.
pub(crate) fn parse(text: &str) -> Option<Time> {
    let (date, rest) = text.split_once('T')?;
    let mut parts = date.split('-');
    let (year, month, day) =
        (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || day < 1 || day > days_of(year, month)
    {
        return None;
    }
    let zone = rest.find(['Z', '+', '-'])?;
    let (clock, zone) = rest.split_at(zone);
    let whole = match clock.split_once('.') {
        Some((whole, fraction))
            if !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit()) =>
        {
            whole
        }
        Some(_) => return None,
        None => clock,
    };
    let mut parts = whole.split(':');
    let (hour, minute, second) =
        (number(parts.next()?, 2)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let ahead = match zone.split_at_checked(1)? {
        ("Z", "") => 0,
        (sign, offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            if hours > 24 || minutes > 60 {
                return None;
            }
            (hours * 60 + minutes) * if sign == "+" { 60 } else { -60 }
        }
    };
    Some(Time(days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - ahead))
}

/// Writes a time in UTC.
pub(crate) fn print(time: Time) -> String {
    let (days, second) = (time.0.div_euclid(86_400), time.0.rem_euclid(86_400));
    // Start at or before the year, and walk.
    let mut year = 1970 + days.div_euclid(if days < 0 { 365 } else { 366 });
    while days_before(year + 1, 1, 1) <= days {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days_before(year, month + 1, 1) <= days {
        month += 1;
    }
    let day = days - days_before(year, month, 1) + 1;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn number(text: &str, width: usize) -> Option<i64> {
    (text.len() == width && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + is_leap(year) as i64,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let past = year - 1;
    let leap_days = past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    // Up to 1969 there were 477 leap days.
    let to_year = (year - 1970) * 365 + leap_days - 477;
    let to_month: i64 = (1..month).map(|month| days_of(year, month)).sum();
    to_year + to_month + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for (text, want) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("1969-12-31T23:59:59Z", Some(-1)),
            ("2000-03-01T00:00:00Z", Some(951_868_800)),
            ("2026-01-01T00:37:00Z", Some(1_767_227_820)),
            ("2026-01-01T00:37:00.987654Z", Some(1_767_227_820)),
            ("2026-01-01T02:07:00+01:30", Some(1_767_227_820)),
            ("2025-12-31T19:37:00-05:00", Some(1_767_227_820)),
            ("0001-01-01T00:00:00Z", Some(-62_135_596_800)),
            ("9999-12-31T23:59:59Z", Some(253_402_300_799)),
            ("2024-02-29T00:00:00Z", Some(1_709_164_800)),
            ("2023-02-29T00:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-00-01T00:00:00Z", None),
            ("2026-01-01T24:00:00Z", None),
            ("2026-01-01T00:00:60Z", None),
            ("2026-01-01T00:00:00", None),
            ("2026-01-01T00:00:00.Z", None),
            ("2026-01-01 00:00:00Z", None),
            ("26-01-01T00:00:00Z", None),
            ("2026-1-1T00:00:00Z", None),
            ("Z", None),
            ("", None),
            ("TZ", None),
            ("2026-01-01T00:00:00+", None),
            ("2026-01-01T00:00:00Zß", None),
        ] {
            assert_eq!(parse(text).map(|time| time.0), want, "{text}");
        }
        for second in
            [0, -1, 951_868_800, 1_767_227_820, -62_135_596_800, 253_402_300_799, 1_709_164_800]
        {
            assert_eq!(parse(&print(Time(second))), Some(Time(second)), "{second}");
        }
    }
}
