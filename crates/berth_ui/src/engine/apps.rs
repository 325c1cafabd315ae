//! Which pods belong together, and the tile they share.

use crate::view::AppTile;
use berth_core::api::Pod;
use berth_core::collections::{Map, Set};

/// Labels that name an app, the first one present counts.
const LABELS: [&str; 4] = ["app.kubernetes.io/name", "app", "k8s-app", "name"];

/// The tiles of a cluster's apps.
#[derive(Debug, Default)]
pub(super) struct Apps {
    /// Every app that there ever was, in the order in which they came: an app that goes leaves the others their tiles.
    names: Vec<String>,
    tiles: Map<String, AppTile>,
}

impl Apps {
    /// Gives every app its tile: hue and pattern by turns, one letter, or two where one would be
    /// ambiguous.
    pub(super) fn follow<'a>(&mut self, pods: impl Iterator<Item = &'a Pod>) {
        let count = self.names.len();
        let mut new: Set<&str> = Set::new();
        for pod in pods {
            let name = app(pod);
            if !self.tiles.contains_key(name) && new.insert(name) {
                self.names.push(name.to_owned());
            }
        }
        if self.names.len() == count {
            return;
        }
        let names = &self.names;
        let letters = |name: &str, count: usize| -> String {
            name.chars().filter(|char| char.is_alphanumeric()).take(count).collect()
        };
        let mut tiles = Map::new();
        for (index, name) in names.iter().enumerate() {
            let first = letters(name, 1);
            let shared = names.iter().filter(|other| letters(other, 1) == first).count() > 1;
            let shown = if shared { letters(name, 2) } else { first };
            // Names in Kubernetes are ASCII.
            let tile =
                AppTile { style: (index % 8) as u8, letters: shown.to_ascii_uppercase().into() };
            tiles.insert(name.clone(), tile);
        }
        self.tiles = tiles;
    }

    /// The tile of a pod's app.
    pub(super) fn tile(&self, pod: &Pod) -> AppTile {
        self.tiles.get(app(pod)).cloned().unwrap_or(AppTile { style: 0, letters: "?".into() })
    }
}

/// What a pod's app is called: by label, else by its owner, else by its name without its number.
fn app(pod: &Pod) -> &str {
    let meta = &pod.metadata;
    if let Some(name) = LABELS.iter().find_map(|label| meta.labels.get(*label)) {
        return name;
    }
    let name = meta.controller().map_or(&meta.name, |owner| &owner.name);
    let stem = name.trim_end_matches(|char: char| char.is_ascii_digit()).trim_end_matches('-');
    if stem.is_empty() { name } else { stem }
}

#[cfg(test)]
mod tests {
    //! Names and tiles of apps.
    use super::{Apps, app};
    use berth_core::api::Pod;

    fn pod(name: &str, label: Option<&str>) -> Pod {
        let mut pod = Pod::default();
        pod.metadata.name = name.into();
        if let Some(value) = label {
            pod.metadata.labels.insert("app".into(), value.into());
        }
        pod
    }

    #[test]
    fn an_app_is_named_by_its_label_or_its_stem() {
        assert_eq!(app(&pod("web-1", Some("shop"))), "shop");
        assert_eq!(app(&pod("web-12", None)), "web");
        assert_eq!(app(&pod("42", None)), "42");
    }

    #[test]
    fn letters_double_when_they_collide() {
        let pods = [pod("web-1", None), pod("worker-1", None), pod("cache-1", None)];
        let mut apps = Apps::default();
        apps.follow(pods.iter());
        let shown = |index: usize| apps.tile(&pods[index]).letters.to_string();
        assert_eq!([shown(0), shown(1), shown(2)], ["WE", "WO", "C"]);
        assert_eq!(apps.tile(&pods[1]).style, 1);
    }

    #[test]
    fn an_app_that_goes_leaves_the_others_their_tiles() {
        let pods = [pod("web-1", None), pod("db-1", None), pod("cache-1", None)];
        let mut apps = Apps::default();
        apps.follow(pods.iter());
        let before = apps.tile(&pods[2]);
        apps.follow(pods.iter().skip(2));
        assert_eq!(apps.tile(&pods[2]), before);
        apps.follow(pods.iter().take(1));
        assert_eq!(apps.tile(&pods[0]).style, 0);
    }
}
