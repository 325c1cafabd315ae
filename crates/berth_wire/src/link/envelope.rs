//! Text into the part of a link after `#`, and back.
//!
//! `s=1.LENGTH.CHECKSUM.PAYLOAD`: the format's version, the payload's length in characters, the CRC-32 of the deflated
//! bytes as eight hexadecimal digits, and these bytes as base64url without padding. Length and checksum come first, so
//! that a link that was cut still says by how much.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::LinkError;
use crate::manifest::Entrance;

/// What a fragment that holds a state begins with.
pub const PREFIX: &str = "s=";

/// The version of the format.
const VERSION: &str = "1";

/// How hard to compress, of 10.
const LEVEL: u8 = 9;

/// The fragment that holds a text, without `#`.
pub(super) fn seal(text: &str) -> Result<String, LinkError> {
    let most = Entrance::InflatedLink.most_bytes();
    if text.len() > most {
        return Err(LinkError::TooMuch { most });
    }
    let deflated = compress_to_vec(text.as_bytes(), LEVEL);
    let checksum = crc32fast::hash(&deflated);
    let payload = URL_SAFE_NO_PAD.encode(deflated);
    let link = format!("{PREFIX}{VERSION}.{}.{checksum:08x}.{payload}", payload.len());
    let (length, most) = (link.len(), Entrance::Link.most_bytes());
    if length > most { Err(LinkError::TooLong { length, most }) } else { Ok(link) }
}

/// The text that a fragment holds.
pub(super) fn open(fragment: &str) -> Result<String, LinkError> {
    let (length, most) = (fragment.len(), Entrance::Link.most_bytes());
    if length > most {
        return Err(LinkError::TooLong { length, most });
    }
    let rest = fragment.strip_prefix(PREFIX).ok_or(LinkError::Damaged)?;
    let (version, rest) = rest.split_once('.').unwrap_or((rest, ""));
    if version != VERSION {
        return Err(LinkError::Version);
    }
    let (length, rest) = rest.split_once('.').ok_or(LinkError::Damaged)?;
    let canonical = |text: &str| length == text;
    let expected: usize = length.parse().map_err(|_| LinkError::Damaged)?;
    if !canonical(&expected.to_string()) {
        return Err(LinkError::Damaged);
    }
    let (checksum, payload) = rest.split_once('.').unwrap_or((rest, ""));
    if payload.len() < expected {
        return Err(LinkError::Cut { expected, got: payload.len() });
    }
    if payload.len() > expected {
        return Err(LinkError::Damaged);
    }
    let deflated = URL_SAFE_NO_PAD.decode(payload).map_err(|_| LinkError::Damaged)?;
    if format!("{:08x}", crc32fast::hash(&deflated)) != checksum {
        return Err(LinkError::Damaged);
    }
    let most = Entrance::InflatedLink.most_bytes();
    let bytes =
        decompress_to_vec_with_limit(&deflated, most).map_err(|error| match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => LinkError::TooMuch { most },
            _ => LinkError::Damaged,
        })?;
    String::from_utf8(bytes).map_err(|_| LinkError::Damaged)
}
