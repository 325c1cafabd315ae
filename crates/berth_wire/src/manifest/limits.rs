//! How much may come in, by the way it comes.

/// A way into Berth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entrance {
    /// The part of a link after `#`, as it is.
    Link,
    /// The same, inflated.
    InflatedLink,
    /// Text that is pasted or typed.
    Paste,
    /// Files that are opened or dropped, together.
    File,
}

impl Entrance {
    /// The most bytes.
    pub const fn most_bytes(self) -> usize {
        match self {
            Self::Link => 512 << 10,
            Self::InflatedLink => 4 << 20,
            Self::Paste => 8 << 20,
            Self::File => 256 << 20,
        }
    }

    /// What to say of an input of this many bytes, if it is too large.
    pub fn refusal(self, bytes: usize) -> Option<String> {
        let most = self.most_bytes();
        if bytes <= most {
            return None;
        }
        let (what, instead) = match self {
            Self::Link => ("a link may have", ""),
            Self::InflatedLink => ("what a link holds may have", ""),
            Self::Paste => ("pasted text may have", "; open it as a file"),
            Self::File => ("files may have", ""),
        };
        Some(format!("too large: {bytes} bytes, {what} {most}{instead}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn just_below_and_just_above() {
        for (entrance, most) in [
            (Entrance::Link, 524_288),
            (Entrance::InflatedLink, 4_194_304),
            (Entrance::Paste, 8_388_608),
            (Entrance::File, 268_435_456),
        ] {
            assert_eq!(entrance.refusal(most), None);
            let refusal = entrance.refusal(most + 1).unwrap();
            assert!(refusal.starts_with(&format!("too large: {} bytes, ", most + 1)), "{refusal}");
        }
    }
}
