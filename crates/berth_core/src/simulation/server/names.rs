//! Names and identities that the API server gives.
//!
//! Kubernetes draws five letters at random; here they count up, each prefix for itself, so that a history can be told
//! again: `web-bbbbb`, `web-bbbbc`, `web-bbbbd`, `web-bbbbf`. A DaemonSet's pod has the name of its node instead.

use alloc::format;
use alloc::string::String;

use crate::api::Pod;
use crate::collections::Map;

/// The letters of generated names: no vowels and nothing that looks like one (`rand.alphanums`).
const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
const LENGTH: usize = 5;

/// Gives names and identities.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    uids: u64,
    /// How many names were made of each prefix.
    made: Map<String, u64>,
}

impl Names {
    /// The identity of the next object: it counts up, so that who came first has the lower one.
    pub(super) fn uid(&mut self) -> String {
        self.uids += 1;
        format!("00000000-0000-4000-8000-{:012}", self.uids)
    }

    /// The next name of a prefix.
    pub(super) fn generate(&mut self, prefix: &str) -> String {
        let made = self.made.or_default(prefix.into());
        let mut number = *made;
        *made += 1;
        let mut letters = [b'b'; LENGTH];
        for letter in letters.iter_mut().rev() {
            let base = LETTERS.len() as u64;
            *letter = LETTERS.get((number % base) as usize).copied().unwrap_or(b'b');
            number /= base;
        }
        let mut name = String::from(prefix);
        name.extend(letters.iter().map(|letter| char::from(*letter)));
        name
    }
}

/// The node that a DaemonSet's pod is for: the one value of the first field that it asks for.
pub(super) fn daemon_node(pod: &Pod) -> Option<&str> {
    pod.metadata.controller().filter(|owner| owner.kind == "DaemonSet")?;
    let required = pod.spec.affinity.as_ref()?.node_affinity.as_ref()?.required.as_ref()?;
    let field = required.node_selector_terms.first()?.match_fields.first()?;
    field.values.first().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_up() {
        let mut names = Names::default();
        for want in ["web-bbbbb", "web-bbbbc", "web-bbbbd", "web-bbbbf"] {
            assert_eq!(names.generate("web-"), want);
        }
        assert_eq!(names.generate("db-"), "db-bbbbb");
        for _ in 4..27 {
            names.generate("web-");
        }
        assert_eq!(names.generate("web-"), "web-bbbcb");
        assert_eq!(names.uid(), "00000000-0000-4000-8000-000000000001");
    }
}
