//! Hashes, suffixes and identities, as long and in the same letters as Kubernetes', but not the same values.
//!
//! Kubernetes hashes a Go value's memory dump and draws suffixes at random. Here the hash is of what Berth reads of a
//! template, and everything follows from a seed, so that the same input gives the same names.

use alloc::format;
use alloc::string::{String, ToString};
use core::hash::{Hash, Hasher};

use crate::api::Workload;

/// Kubernetes leaves out vowels, so that no bad word comes out, and what looks alike.
pub const ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// The longest name that a suffix is appended to (`MaxGeneratedNameLength`).
const LONGEST_PREFIX: usize = 58;

/// FNV-1a: a small hash that is the same everywhere.
#[derive(Clone, Copy, Debug)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    // These two would differ between 32 and 64 bits, and between machines.
    fn write_usize(&mut self, value: usize) {
        self.write(&(value as u64).to_le_bytes());
    }

    fn write_isize(&mut self, value: isize) {
        self.write(&(value as i64).to_le_bytes());
    }
}

/// A well-mixed number from a seed and anything else (the end of SplitMix64).
pub fn mix(seed: u64, value: &impl Hash) -> u64 {
    let mut fnv = Fnv(0xCBF2_9CE4_8422_2325 ^ seed);
    value.hash(&mut fnv);
    let mut x = fnv.finish().wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A `pod-template-hash` or revision of what Kubernetes' own hash is not known of.
pub fn template_hash(seed: u64, template: &impl Hash) -> String {
    encode((mix(seed, template) >> 32) as u32)
}

/// Kubernetes' own `pod-template-hash`, from the hash of the template and how often its name was taken (`ComputeHash`).
pub fn pod_template_hash(digest: u32, collisions: Option<i32>) -> String {
    let mut hash = digest;
    let collisions = collisions.map(|count| u64::from(count.cast_unsigned()).to_le_bytes());
    for byte in collisions.into_iter().flatten() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    encode(hash)
}

/// The hash of a workload's template, with what it has run into so far.
pub(super) fn revision_hash(workload: &Workload) -> String {
    let collisions = workload.status.collision_count;
    workload.template.digest.map_or_else(
        || {
            let seed = u64::from(collisions.unwrap_or(0).cast_unsigned());
            template_hash(seed, &workload.template)
        },
        |digest| pod_template_hash(digest, collisions),
    )
}

/// The digits of a number in the alphabet's letters (`SafeEncodeString`).
fn encode(number: u32) -> String {
    number.to_string().bytes().map(|digit| letter(u64::from(digit))).collect()
}

/// Five letters.
pub fn suffix(seed: u64, of: &impl Hash) -> String {
    let mut rest = mix(seed, of);
    let mut out = String::new();
    for _ in 0..5 {
        out.push(letter(rest % 27));
        rest /= 27;
    }
    out
}

/// A name with room for a suffix (`SimpleNameGenerator`).
pub fn prefix(name: &str) -> String {
    let mut end = name.len().min(LONGEST_PREFIX);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.get(..end).unwrap_or_default().into()
}

/// An identity in the shape of a UUID.
pub fn uid(seed: u64, of: &impl Hash) -> String {
    let (high, low) = (mix(seed, of), mix(!seed, of));
    // The version (4) and the variant have their places.
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0x0FFF,
        low >> 48 & 0x3FFF | 0x8000,
        low & 0xFFFF_FFFF_FFFF
    )
}

fn letter(index: u64) -> char {
    ALPHABET.get((index % 27) as usize).map_or('b', |byte| char::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_alphabet(text: &str) -> bool {
        text.bytes().all(|byte| ALPHABET.contains(&byte))
    }

    #[test]
    fn length_and_letters_are_kubernetes() {
        for seed in 0..200 {
            let hash = template_hash(seed, &"template");
            // Up to ten digits of a 32-bit number; '0' is byte 48, and 48 % 27 is 21.
            assert!(
                (6..=10).contains(&hash.len())
                    && hash.bytes().all(|byte| b"456789bcdf".contains(&byte)),
                "{hash}"
            );
            let suffix = suffix(seed, &("default", "web", 0_u32));
            assert!(suffix.len() == 5 && in_alphabet(&suffix), "{suffix}");
        }
        assert_eq!(prefix("web-").len(), 4);
        assert_eq!(prefix(&"x".repeat(300)).len(), 58);
        assert_eq!(prefix(&"ß".repeat(300)).len(), 58);
        assert_eq!(prefix(&("a".to_string() + &"ß".repeat(300))).len(), 57);
    }

    #[test]
    fn everything_follows_from_the_seed() {
        assert_eq!(template_hash(1, &"a"), template_hash(1, &"a"));
        assert_ne!(template_hash(1, &"a"), template_hash(2, &"a"));
        assert_ne!(template_hash(1, &"a"), template_hash(1, &"b"));
        // Fixed, because saved inputs rely on them.
        assert_eq!((&*template_hash(1, &"a"), &*suffix(1, &"a")), ("75fbb476c7", "w7g97"));
        let uid = uid(7, &"x");
        assert_eq!((uid.len(), uid.as_bytes()[14]), (36, b'4'));
    }
}
