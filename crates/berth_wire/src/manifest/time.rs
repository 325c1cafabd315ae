//! Times as the API writes them (RFC 3339), in whole seconds.

use berth_core::api::Time;

/// Reads a time. Fractions of a second are dropped. Errors are in the words of Go's `time.Parse`.
pub(crate) fn parse(text: &str) -> Result<Time, String> {
    let mut rest = Rest { text, at: text };
    let year = rest.number("2006", 4, 4)?;
    rest.separator("-")?;
    let month = rest.number("01", 2, 2)?;
    rest.in_range("month", (1..=12).contains(&month))?;
    rest.separator("-")?;
    let day = rest.number("02", 2, 2)?;
    rest.separator("T")?;
    // Go takes an hour of one digit, too.
    let hour = rest.number("15", 1, 2)?;
    rest.in_range("hour", hour < 24)?;
    rest.separator(":")?;
    let minute = rest.number("04", 2, 2)?;
    rest.in_range("minute", minute < 60)?;
    rest.separator(":")?;
    let second = rest.number("05", 2, 2)?;
    rest.in_range("second", second < 60)?;
    rest.fraction();
    let ahead = rest.zone()?;
    if !rest.at.is_empty() {
        return Err(format!("parsing time {text:?}: extra text: {:?}", rest.at));
    }
    rest.in_range("day", day >= 1 && day <= days_of(year, month))?;
    Ok(Time(days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - ahead))
}

/// What is left of a text.
struct Rest<'t> {
    text: &'t str,
    at: &'t str,
}

impl Rest<'_> {
    fn cannot_parse<T>(&self, layout: &str) -> Result<T, String> {
        const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";
        Err(format!(
            "parsing time {:?} as {LAYOUT:?}: cannot parse {:?} as {layout:?}",
            self.text, self.at
        ))
    }

    fn in_range(&self, what: &str, is: bool) -> Result<(), String> {
        if is { Ok(()) } else { Err(format!("parsing time {:?}: {what} out of range", self.text)) }
    }

    fn number(&mut self, layout: &str, least: usize, most: usize) -> Result<i64, String> {
        let digits = self.at.bytes().take(most).take_while(u8::is_ascii_digit).count();
        match self.at.split_at_checked(digits) {
            Some((number, rest)) if digits >= least => {
                self.at = rest;
                Ok(number.bytes().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
            }
            _ => self.cannot_parse(layout),
        }
    }

    fn separator(&mut self, separator: &str) -> Result<(), String> {
        match self.at.strip_prefix(separator) {
            Some(rest) => {
                self.at = rest;
                Ok(())
            }
            None => self.cannot_parse(separator),
        }
    }

    fn fraction(&mut self) {
        if let Some(rest) = self.at.strip_prefix(['.', ','])
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            self.at = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }

    /// Seconds that the zone is ahead of UTC.
    fn zone(&mut self) -> Result<i64, String> {
        if let Some(rest) = self.at.strip_prefix('Z') {
            self.at = rest;
            return Ok(0);
        }
        let Some((zone, rest)) = self.at.split_at_checked(6) else {
            return self.cannot_parse("Z07:00");
        };
        let pair = |text: Option<&str>| {
            text.filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?.parse::<i64>().ok()
        };
        let (Some(hours), Some(":"), Some(minutes)) =
            (pair(zone.get(1..3)), zone.get(3..4), pair(zone.get(4..6)))
        else {
            return self.cannot_parse("Z07:00");
        };
        let sign = match zone.get(..1) {
            Some("+") => 1,
            Some("-") => -1,
            _ => return self.cannot_parse("Z07:00"),
        };
        self.in_range("time zone offset hour", hours <= 24)?;
        self.in_range("time zone offset minute", minutes <= 60)?;
        self.at = rest;
        Ok(sign * (hours * 3600 + minutes * 60))
    }
}

/// Writes a time in UTC, as the API does.
pub fn print(time: Time) -> String {
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
            ("2026-01-01T0:37:00Z", Some(1_767_227_820)),
            ("2026-01-01T00:37:00,5Z", Some(1_767_227_820)),
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
            assert_eq!(parse(text).ok().map(|time| time.0), want, "{text}");
        }
        for second in
            [0, -1, 951_868_800, 1_767_227_820, -62_135_596_800, 253_402_300_799, 1_709_164_800]
        {
            assert_eq!(parse(&print(Time(second))), Ok(Time(second)), "{second}");
        }
    }

    #[test]
    fn errors_are_gos() {
        let layout = "\"2006-01-02T15:04:05Z07:00\"";
        for (text, want) in [
            ("yesterday", format!(" as {layout}: cannot parse \"yesterday\" as \"2006\"")),
            ("", format!(" as {layout}: cannot parse \"\" as \"2006\"")),
            ("2026-01-01", format!(" as {layout}: cannot parse \"\" as \"T\"")),
            (
                "2026-1-01T00:00:00Z",
                format!(" as {layout}: cannot parse \"1-01T00:00:00Z\" as \"01\""),
            ),
            ("2026-01-01T00:00:00", format!(" as {layout}: cannot parse \"\" as \"Z07:00\"")),
            (
                "2026-01-01T00:00:00+0100",
                format!(" as {layout}: cannot parse \"+0100\" as \"Z07:00\""),
            ),
            ("2026-01-01T00:00:61Z", ": second out of range".to_owned()),
            ("2026-13-01T00:00:00Z", ": month out of range".to_owned()),
            ("2026-02-30T01:00:00Z", ": day out of range".to_owned()),
            ("2026-01-01T25:00:00Z", ": hour out of range".to_owned()),
            ("2026-01-01T01:00:00.5+25:00", ": time zone offset hour out of range".to_owned()),
            ("2026-01-01T01:00:00ZZ", ": extra text: \"Z\"".to_owned()),
        ] {
            assert_eq!(parse(text), Err(format!("parsing time {text:?}{want}")));
        }
    }
}
